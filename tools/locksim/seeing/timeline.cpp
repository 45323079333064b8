#include "tools/locksim/seeing/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "model/scenario/reading/units.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

using sim::Time;
using Lines = std::vector<std::string>;

constexpr std::size_t most_rows = 16;
constexpr std::size_t label_width = 16;  // "little        0 "
constexpr std::int64_t most_marks = 6;   // on the axis

struct Glyph {
    char glyph;
    const char* means;
};
/// Those that come first win a column, however short; from `interrupt` on the longest does.
constexpr std::array glyphs{Glyph{'#', "holds the lock"},
                            Glyph{'%', "holds it, stalled"},
                            Glyph{'!', "interrupt"},
                            Glyph{'~', "stalled on a line"},
                            Glyph{'o', "spins"},
                            Glyph{'z', "halted"},
                            Glyph{'+', "other work"},
                            Glyph{'.', "idle"},
                            Glyph{' ', ""}};
constexpr std::size_t brief = 2;  // so many glyphs win however short
constexpr char failed_store = 'x';

char glyph_of(std::string_view activity, bool holds) {
    if (activity == "critical") { return '#'; }
    if (activity == "stall") { return holds ? '%' : '~'; }
    if (activity == "interrupt") { return '!'; }
    if (activity == "spin") { return 'o'; }
    if (activity == "halted") { return 'z'; }
    if (activity == "work") { return '+'; }
    return '.';
}

/// A CPU by one character; '*' where there are none left.
char name_of_cpu(std::int32_t cpu) {
    constexpr std::string_view names = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return cpu >= 0 && static_cast<std::size_t>(cpu) < names.size() ? names[static_cast<std::size_t>(cpu)] : '*';
}

class Chart {
public:
    Chart(const Recording& recording, const Window& window, const model::RunResult& run, std::size_t width)
        : recording_(recording),
          run_(run),
          window_(window),
          columns_(width > label_width + 8 ? width - label_width : 8) {}

    Lines lines(const std::string& about, std::size_t width);

private:
    Time begin_of(std::size_t column) const {
        return window_.from +
               Time{static_cast<std::int64_t>(static_cast<__int128>(window_.length().ps) *
                                              static_cast<std::int64_t>(column) / static_cast<std::int64_t>(columns_))};
    }
    std::size_t column_of(Time at) const {
        const auto column = static_cast<std::size_t>(static_cast<__int128>((at - window_.from).ps) *
                                                     static_cast<std::int64_t>(columns_) /
                                                     std::max<std::int64_t>(window_.length().ps, 1));
        return std::min(column, columns_ - 1);
    }
    std::string cpu_row(std::int32_t cpu);
    std::string line_row(const std::string& lock) const;
    Lines axis() const;
    Lines legend(std::size_t width) const;
    std::vector<const model::ThreadResult*> chosen_threads();

    const Recording& recording_;
    const model::RunResult& run_;
    Window window_;
    std::size_t columns_;
    std::string used_;
    std::size_t left_out_ = 0;  // threads
    bool letters_ = false;      // for CPUs, in the rows of lines
};

std::string Chart::cpu_row(std::int32_t cpu) {
    std::vector<std::array<std::int64_t, glyphs.size()>> spent(columns_);
    const std::vector<ActivityChange> changes = recording_.activities_of(cpu);
    bool holds = false;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const std::string_view activity = changes[i].activity;
        // What a CPU did before it stalled or was interrupted, it goes on doing afterwards.
        if (activity != "stall" && activity != "interrupt") { holds = activity == "critical"; }
        const char glyph = glyph_of(activity, holds);
        const auto known =
            std::find_if(glyphs.begin(), glyphs.end(), [glyph](const Glyph& g) { return g.glyph == glyph; });
        const Time from = std::max(changes[i].at, window_.from);
        const Time to = i + 1 < changes.size() ? std::min(changes[i + 1].at, window_.to) : window_.to;
        if (from >= to) { continue; }
        for (std::size_t column = column_of(from); column <= column_of(to); ++column) {
            const Time part = std::min(to, begin_of(column + 1)) - std::max(from, begin_of(column));
            if (part.ps > 0) { spent[column][static_cast<std::size_t>(known - glyphs.begin())] += part.ps; }
        }
    }
    std::string row;
    for (const auto& times : spent) {
        std::size_t best = glyphs.size() - 1;
        for (std::size_t g = glyphs.size() - 1; g-- > 0;) {
            if (times[g] > 0 && (g < brief || times[g] >= times[best])) { best = g; }
        }
        row += glyphs[best].glyph;
    }
    for (const sim::Step& step : recording_.steps()) {
        const bool failed = std::string_view(step.operation) == "store_exclusive_failed";
        if (step.cpu != cpu || !failed || !window_.contains(step.at)) { continue; }
        char& cell = row[column_of(step.at)];
        if (cell != '#') { cell = failed_store; }
    }
    return row;
}

std::string Chart::line_row(const std::string& lock) const {
    const auto mark = [](std::int32_t cpu, char state, char before) {
        if (state == 'M') { return name_of_cpu(cpu); }
        return state == 'S' ? '=' : before;
    };
    const LineState* before = recording_.line_before(lock);
    char present = before == nullptr ? ' ' : mark(before->cpu, before->state, ' ');
    std::string row(columns_, ' ');
    std::size_t column = 0;
    for (const sim::Step& step : recording_.steps()) {
        if (lock != step.variable || step.offset >= 64) { continue; }
        if (step.at > window_.to) { break; }
        const std::size_t here = step.at < window_.from ? 0 : column_of(step.at);
        for (; column < here; ++column) { row[column] = present; }
        present = mark(step.cpu, step.line_after, present);
    }
    for (; column < columns_; ++column) { row[column] = present; }
    return row;
}

/// 1, 2 or 5 times a power of ten, so that there are at most `most_marks` of them.
Time round_distance(Time length) {
    for (std::int64_t decade = 1;; decade *= 10) {
        for (const std::int64_t factor : {1, 2, 5}) {
            if (length.ps / (decade * factor) < most_marks) { return {decade * factor}; }
        }
    }
}

Lines Chart::axis() const {
    std::string ruler(label_width, ' ');
    std::string text = ruler;
    const Time distance = round_distance(window_.length());
    for (Time mark{}; mark <= window_.length(); mark += distance) {
        const std::size_t column = label_width + column_of(window_.from + mark);
        const std::string label = (mark.ps == 0 ? "" : "+") + friendly_time(sim::to_nanoseconds(mark));
        if (column + label.size() > label_width + columns_) { break; }
        ruler = pad_right(ruler, column) + "|";
        text = pad_right(text, column) + label;
    }
    return {ruler, text};
}

Lines Chart::legend(std::size_t width) const {
    std::string text;
    for (const Glyph& glyph : glyphs) {
        if (glyph.glyph != ' ' && used_.find(glyph.glyph) != std::string::npos) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", glyph.glyph, glyph.means);
        }
    }
    if (used_.find(failed_store) != std::string::npos) { text += ", x a store-exclusive fails"; }
    text += "; line: the CPU that has the lock's line (= several, to read)";
    if (letters_) { text += "; a is CPU 10, A is CPU 36"; }
    return wrap(text, width);
}

/// Those the verdict is about (where it is ok, the one that waited longest), then those that get a lock here, then the
/// others, as far as there is room.
std::vector<const model::ThreadResult*> Chart::chosen_threads() {
    std::vector<std::string> about = run_.verdict().threads;
    const auto longest = std::max_element(run_.threads.begin(), run_.threads.end(), [](const auto& a, const auto& b) {
        return a.longest_wait_ns < b.longest_wait_ns;
    });
    if (about.empty() && longest != run_.threads.end()) { about.push_back(longest->name); }
    const auto rank = [&](const model::ThreadResult& thread) {
        if (std::find(about.begin(), about.end(), thread.name) != about.end()) { return 0; }
        const bool gets_one =
            std::any_of(recording_.locks().begin(), recording_.locks().end(), [&](const sim::LockStep& step) {
                return step.kind == sim::LockStep::Kind::acquired && window_.contains(step.at) &&
                       thread.name == step.thread;
            });
        return gets_one ? 1 : 2;
    };
    std::vector<std::pair<int, const model::ThreadResult*>> ranked;
    for (const model::ThreadResult& thread : run_.threads) {
        // A handler is seen on the row of the thread that it interrupts.
        const bool shares = thread.handler && std::any_of(run_.threads.begin(), run_.threads.end(), [&](const auto& t) {
                                return !t.handler && t.cpu == thread.cpu;
                            });
        if (!shares) { ranked.emplace_back(rank(thread), &thread); }
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    left_out_ = ranked.size() > most_rows ? ranked.size() - most_rows : 0;
    if (left_out_ > 0) { ranked.resize(most_rows); }
    std::vector<const model::ThreadResult*> chosen;
    for (const auto& [importance, thread] : ranked) { chosen.push_back(thread); }
    std::sort(chosen.begin(), chosen.end());  // as in the file: they lie in one vector
    return chosen;
}

Lines Chart::lines(const std::string& about, std::size_t width) {
    const double column_ns = sim::to_nanoseconds(window_.length()) / static_cast<double>(columns_);
    Lines lines = wrap(
        fmt::format("timeline of {}: {}; a column is {}", about, describe(window_), friendly_time(column_ns)), width);
    const auto threads = chosen_threads();
    for (const model::ThreadResult* thread : threads) {
        const std::string name = shorten(printable(thread->name), label_width - 5);
        lines.push_back(pad_right(name, label_width - 5) + pad_left(std::to_string(thread->cpu), 4) + " " +
                        cpu_row(thread->cpu));
        used_ += lines.back().substr(label_width);
    }
    if (left_out_ > 0) {
        lines.push_back(fmt::format("... and {} (--trace shows all)", counted(left_out_, "more thread")));
    }
    std::size_t locks = 0;
    for (const auto& [lock, state] : recording_.locks_before()) {
        if (++locks > 4) { break; }
        const std::string name = "line " + shorten(printable(lock), label_width - 6);
        const std::string row = line_row(lock);
        letters_ = letters_ || std::any_of(row.begin(), row.end(), [](char c) { return std::isalpha(c) != 0; });
        lines.push_back(pad_right(name, label_width) + row);
    }
    for (const std::string& line : axis()) { lines.push_back(line); }
    for (const std::string& line : legend(width)) { lines.push_back(line); }
    return lines;
}

}  // namespace

std::string timeline(const Recording& recording, const Window& window, const model::RunResult& run,
                     const std::string& about, std::size_t width) {
    std::string text;
    for (const std::string& line : Chart(recording, window, run, width).lines(about, width)) {
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

}  // namespace locksim
