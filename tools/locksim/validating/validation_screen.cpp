// Validation for people: a line per curve with published, simulated and ratio side by side, then what the criteria say.

#include <fmt/format.h>

#include <algorithm>

#include "tools/locksim/text.hpp"
#include "tools/locksim/validating/validation.hpp"

namespace locksim {

namespace {

using Lines = std::vector<std::string>;

std::string figure_text(double value) {
    if (value >= 100) { return fmt::format("{:.0f}", value); }
    return value >= 10 ? fmt::format("{:.1f}", value) : fmt::format("{:.3g}", value);
}
std::string percent_text(const std::optional<double>& share) {
    return share ? fmt::format("{:.0f} %", *share * 100) : "-";
}
std::string times_text(const std::optional<double>& times) { return times ? fmt::format("{:.2f}", *times) : "-"; }

std::string error_name(const Validation& found) { return found.by_excess ? "error" : "|log|"; }

/// Up to `most` points of a curve with results: the first, the last, and some between.
std::vector<const Point*> some_points(const Validation& found, const Curve& curve, std::size_t most) {
    std::vector<const Point*> all;
    for (const std::size_t i : curve.points) {
        const Point& point = found.points[i];
        if (point.simulated && point.counting == curve.counting) { all.push_back(&point); }
    }
    if (all.size() <= most) { return all; }
    std::vector<const Point*> some;
    for (std::size_t k = 0; k < most; ++k) { some.push_back(all[k * (all.size() - 1) / (most - 1)]); }
    return some;
}

Lines curve_lines(const Validation& found, std::size_t width) {
    using Align = TextTable::Align;
    constexpr std::size_t shown_points = 3;
    for (std::size_t points = shown_points; points > 0; --points) {
        std::vector<Align> columns{Align::left, Align::left, Align::right, Align::right, Align::right};
        std::vector<std::string> header{"lock", "workload", "n", error_name(found), "worst"};
        for (std::size_t k = 0; k < points; ++k) {
            columns.insert(columns.end(), {Align::right, Align::right, Align::right});
            header.insert(header.end(), {"at", "pub>sim", "ratio"});
        }
        TextTable table(columns);
        table.add(header);
        for (const Curve& curve : found.curves) {
            std::vector<std::string> cells{curve.lock, curve.workload, std::to_string(curve.n),
                                           percent_text(curve.median_error), times_text(curve.worst)};
            if (curve.counting == Counting::fit) { cells[0] += " (fit)"; }
            const auto some = some_points(found, curve, points);
            for (const Point* point : some) {
                cells.push_back(std::to_string(point->threads));
                cells.push_back(figure_text(point->published) + ">" + figure_text(*point->simulated));
                cells.push_back(fmt::format("{:.2f}", *point->ratio()));
            }
            while (cells.size() < header.size()) { cells.emplace_back(""); }
            table.add(cells);
        }
        Lines lines = table.lines();
        const bool fits = std::all_of(lines.begin(), lines.end(),
                                      [width](const std::string& line) { return display_width(line) <= width; });
        if (!fits && points > 1) { continue; }
        for (std::string& line : lines) { line = shorten(line, width); }
        return lines;
    }
    return {};
}

Lines point_lines(const Validation& found) {
    using Align = TextTable::Align;
    TextTable table({Align::left, Align::left, Align::right, Align::right, Align::right, Align::right, Align::left});
    table.add({"lock", "workload", "threads", "published", "simulated", "ratio", ""});
    for (const Point& point : found.points) {
        std::string remark = point.counts() ? "" : to_string(point.counting);
        if (!point.problem.empty()) { remark = "failed"; }
        table.add({point.lock, point.workload, std::to_string(point.threads), figure_text(point.published),
                   point.simulated ? figure_text(*point.simulated) : "-",
                   point.ratio() ? fmt::format("{:.2f}", *point.ratio()) : "-", remark});
    }
    return table.lines();
}

class SetText {
public:
    SetText(const Validation& found, const ValidationScreen& screen) : found_(found), screen_(screen) {}

    std::string text() {
        title();
        if (!found_.curves.empty()) { add(curve_lines(found_, screen_.width)); }
        if (screen_.details && !found_.points.empty()) { add(point_lines(found_)); }
        if (screen_.details) { reasons(); }
        summary();
        criteria();
        for (const std::string& note : found_.notes) { labelled("note", note); }
        verdict();
        return join(lines_, "\n") + "\n";
    }

private:
    void add(const Lines& lines) { lines_.insert(lines_.end(), lines.begin(), lines.end()); }
    void labelled(const std::string& label, const std::string& text) {
        constexpr std::size_t label_width = 7;
        const Lines wrapped = wrap(text, screen_.width - label_width);
        for (std::size_t i = 0; i < wrapped.size(); ++i) {
            lines_.push_back(pad_right(i == 0 ? label : "", label_width) + wrapped[i]);
        }
    }

    void title() {
        const std::string facts =
            fmt::format("{}, {}", counted(found_.points.size(), "point"), host_time(found_.host_seconds));
        const std::string name = fmt::format("{}: {}", found_.name, found_.title);
        const std::size_t room = screen_.width - std::min(screen_.width, facts.size() + 2);
        const std::string head = shorten(name, room);
        lines_.push_back(head + pad_left(facts, screen_.width - display_width(head)));
    }

    void summary() {
        if (found_.median_abs_log_ratio) {
            std::string text = fmt::format("machine {}; {} counted; median |log ratio| {:.3f}", found_.machine,
                                           counted(found_.fitted ? found_.points.size() : found_.counted(), "point"),
                                           *found_.median_abs_log_ratio);
            if (found_.fitted) {
                text = fmt::format("machine {}; fit; median |log ratio| {:.3f}", found_.machine,
                                   *found_.median_abs_log_ratio);
            }
            if (found_.by_excess) { text += fmt::format(", median error {}", percent_text(found_.median_error)); }
            if (found_.worst_point) {
                const Point& worst = found_.points[*found_.worst_point];
                text += fmt::format("; worst {}{}, {} threads: off {:.2f} times", worst.lock,
                                    worst.workload.empty() ? "" : " " + worst.workload, worst.threads, *found_.worst);
            }
            if (found_.tau) { text += fmt::format("; tau {:.2f}", *found_.tau); }
            labelled("all", text);
        }
        if (found_.null_model && !found_.fitted) {
            labelled("null",
                     fmt::format("the best constant hand-over, {} ns, is off by {} (median), {:.2f} times ours",
                                 figure_text(found_.null_model->hand_over_ns),
                                 percent_text(found_.null_model->median_error), found_.null_factor.value_or(0)));
        }
    }

    void criteria() {
        for (const Criterion& criterion : found_.criteria) {
            const bool held = criterion.holds.value_or(false);
            if (held && !screen_.details) { continue; }
            const char* label = !criterion.holds ? "open" : held ? "holds" : "short";
            labelled(label,
                     criterion.text + ": " + (criterion.holds ? criterion.shown : "not judged, " + criterion.why));
        }
        failures();
    }

    void failures() {
        constexpr std::size_t most = 5;
        std::size_t failed = 0;
        for (const std::string& problem : found_.problems) { labelled("failed", printable(problem)); }
        for (const Point& point : found_.points) {
            if (point.problem.empty() || ++failed > most) { continue; }
            labelled("failed", fmt::format("{} {}, {} threads: {}", point.lock, point.workload, point.threads,
                                           printable(point.problem)));
        }
        if (failed > most) { labelled("", fmt::format("... and {} more", failed - most)); }
    }

    void reasons() {
        std::string last;
        for (const Curve& curve : found_.curves) {
            if (curve.why.empty() || curve.lock == last) { continue; }
            last = curve.lock;
            labelled("what", curve.lock + ": " + curve.why);
        }
        if (!found_.source.empty()) { labelled("source", found_.source); }
    }

    void verdict() {
        std::size_t held = 0, judged = 0;
        for (const Criterion& criterion : found_.criteria) {
            judged += criterion.holds ? 1 : 0;
            held += criterion.holds.value_or(false) ? 1 : 0;
        }
        const auto holds = found_.holds();
        std::string text;
        if (found_.fitted) {
            text = "the machine was calibrated on these figures: shown, never counted";
        } else if (!holds) {
            text = found_.complete ? "nothing was judged" : "not all points have run: not judged";
        } else {
            text = fmt::format("{}: {} of {} criteria", *holds ? "holds" : "falls short", held, judged);
            if (judged < found_.criteria.size()) {
                text += fmt::format(", {} not judged", found_.criteria.size() - judged);
            }
            if (screen_.colour) { text = (*holds ? "\x1b[32m" : "\x1b[31m") + text + "\x1b[0m"; }
        }
        lines_.push_back("result " + text);
    }

    const Validation& found_;
    const ValidationScreen& screen_;
    Lines lines_;
};

}  // namespace

std::string validation_screen(const std::vector<Validation>& sets, const ValidationScreen& screen) {
    std::string text;
    for (const Validation& found : sets) {
        if (!text.empty()) { text += "\n"; }
        text += SetText(found, screen).text();
    }
    return text;
}

}  // namespace locksim
