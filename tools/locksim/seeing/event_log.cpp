#include "tools/locksim/seeing/event_log.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "tools/locksim/json_text.hpp"
#include "tools/locksim/report.hpp"

namespace locksim {

namespace {

using sim::Time;
using Text = fmt::memory_buffer;

/// Pieces of an object; empty texts and unknown times are null, so that every object has the same keys.
class Line {
public:
    explicit Line(Text& out) : out_(out) {}

    void text(const char* key, std::string_view value) {
        begin(key);
        append(value.empty() ? "null" : json_string(value));
    }
    void number(const char* key, std::int64_t value) {
        begin(key);
        fmt::format_to(std::back_inserter(out_), "{}", value);
    }
    void value(const char* key, std::uint64_t value) {
        begin(key);
        fmt::format_to(std::back_inserter(out_), "{}", value);
    }
    void time(const char* key, Time time) {
        begin(key);
        if (time == Time::max()) { return append("null"); }
        fmt::format_to(std::back_inserter(out_), "{}", time.ps);
    }
    void site(const char* key, const sim::CallSite& site) {
        text(key, *site.file == '\0' ? "" : fmt::format("{}:{}", site.file, site.line));
    }
    void cpu(const char* key, std::int32_t cpu) {
        begin(key);
        append(cpu < 0 ? "null" : fmt::format("{}", cpu));
    }
    void state(const char* key, char state) { text(key, state == '-' ? "" : std::string(1, state)); }
    void open(const char* key) {
        begin(key);
        append("{");
        first_ = true;
    }
    void close() { append("}"); }
    void null(const char* key) {
        begin(key);
        append("null");
    }

private:
    void begin(const char* key) {
        append(first_ ? "" : ",");
        fmt::format_to(std::back_inserter(out_), "\"{}\":", key);
        first_ = false;
    }
    void append(std::string_view text) { out_.append(text.data(), text.data() + text.size()); }

    Text& out_;
    bool first_ = true;
};

void write_cause(Line& line, const sim::Cause& cause) {
    if (*cause.kind == '\0') { return line.null("cause"); }
    line.open("cause");
    line.text("kind", cause.kind);
    if (cause.cpu >= 0) {
        line.time("t_ps", cause.at);
        line.cpu("cpu", cause.cpu);
        line.text("thread", cause.thread);
        line.text("label", cause.label);
        line.text("op", cause.operation);
        line.site("where", cause.where);
        line.time("lost_ps", cause.lost_at);
    }
    if (cause.armed_at != Time::max()) { line.time("armed_ps", cause.armed_at); }
    line.close();
}

std::string variable(const sim::Step& step) {
    return step.offset == 0 ? step.variable : fmt::format("{}+{}", step.variable, step.offset);
}

}  // namespace

void write_event(fmt::memory_buffer& out, const sim::Step& step) {
    Line line(out);
    out.push_back('{');
    line.time("t_ps", step.at);
    line.cpu("cpu", step.cpu);
    line.text("thread", step.thread);
    line.text("label", step.label);
    line.text("op", step.operation);
    if (*step.instruction != '\0') { line.text("for", step.instruction); }
    line.site("where", step.where);
    line.text("var", variable(step));
    line.value("old", step.old_value);
    line.value("new", step.new_value);
    if (step.polls > 0) { line.value("polls", step.polls); }
    line.state("line_before", step.line_before);
    line.state("line_after", step.line_after);
    write_cause(line, step.cause);
    line.close();
    out.push_back('\n');
}

std::string event_log(const Recording& recording, const model::RunResult& run, const Window& asked,
                      const std::string& version) {
    const Window& kept = recording.window();
    const std::uint64_t cut = recording.steps_seen() - recording.steps().size();
    nlohmann::ordered_json header{
        {"schema", "locksim.events/1"},
        {"locksim", version},
        {"scenario", {{"title", run.title}, {"file", run.file}, {"config_digest", run.config_digest}}},
        {"variant", run.variant},
        {"seed", run.seed},
        {"phase", run.phase},
        {"digest", hex_digest(run.digest)},
        {"verdict", model::to_string(run.verdict().kind)},
        {"window_ps", {kept.from.ps, kept.to.ps}},
        {"asked_ps", {asked.from.ps, asked.to.ps}},
        {"events", recording.steps().size()},
        {"cut", cut}};
    Text out;
    const std::string first = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    out.append(first.data(), first.data() + first.size());
    for (const sim::Step& step : recording.steps()) { write_event(out, step); }
    return fmt::to_string(out);
}

}  // namespace locksim
