// See report.hpp.

#include "tools/bench/report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "build_info.hpp"

namespace bench {

namespace {

std::string compiler() {
#ifdef __clang__
    return fmt::format("clang++ {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string number(std::optional<double> value) {
    if (!value) { return ""; }
    const int digits = *value < 10 ? 2 : *value < 1000 ? 1 : 0;
    return fmt::format("{:.{}f}", *value, digits);
}

std::string with_unit(std::optional<double> value, Budget::Judged judged) {
    if (!value) { return ""; }
    switch (judged) {
        case Budget::Judged::ratio: return fmt::format("{:.2f}", *value);
        case Budget::Judged::ns: return fmt::format("{:.2f} ms", *value / 1e6);
        case Budget::Judged::bytes: return fmt::format("{:.1f} KiB", *value / 1024);
        case Budget::Judged::events: return fmt::format("{:.3f} ev", *value);
    }
    return "";
}

std::string limit(std::optional<double> value, const Budget& budget) {
    if (!value) { return ""; }
    return fmt::format("{} {}", budget.at_least ? ">=" : "<=", with_unit(value, budget.judged));
}

/// Figure, must, aim and what became of them.
std::string judgement(const Row& row) {
    const auto figure = judged_figure(row);
    if (!figure) { return ""; }
    const Budget& budget = *row.budget;
    const char* word = !holds(row) ? "NO" : reaches_aim(row) ? "yes, and aim" : "yes";
    return fmt::format("{:>9} {:>12} {:>8}  {}", with_unit(figure, budget.judged), limit(budget.must, budget),
                       limit(budget.aim, budget), word);
}

const char* to_string(Budget::Judged judged) {
    switch (judged) {
        case Budget::Judged::ratio: return "ratio";
        case Budget::Judged::ns: return "ns";
        case Budget::Judged::bytes: return "bytes";
        case Budget::Judged::events: break;
    }
    return "events";
}

}  // namespace

std::string table(const std::vector<Row>& rows) {
    std::size_t width = 16;
    bool peers = false;
    for (const Row& row : rows) {
        width = std::max(width, row.name.size());
        peers |= row.theirs_ns.has_value();
    }
    const auto line = [width, peers](const auto& name, const auto& cpus, const auto& ns, const auto& theirs,
                                     const auto& ratio, const auto& to, const auto& events, const auto& accesses,
                                     const auto& judged) {
        std::string text = fmt::format("{:<{}} {:>5} {:>9}", name, width, cpus, ns);
        if (peers) { text += fmt::format(" {:>9}", theirs); }
        text += fmt::format(" {:>7}  {:<16} {:>8} {:>8}  {}", ratio, to, events, accesses, judged);
        text.erase(text.find_last_not_of(' ') + 1);
        return text + '\n';
    };
    std::string text = line("name", "cpus", "ns", "theirs", "ratio", "to", "events", "accesses",
                            fmt::format("{:>9} {:>12} {:>8}  {}", "judged", "must", "aim", "holds"));
    std::int64_t budgets = 0, held = 0;
    for (const Row& row : rows) {
        text += line(row.name, row.cpus, number(row.ns), number(row.theirs_ns), number(row.ratio), row.against,
                     number(row.events), number(row.accesses), judgement(row));
        if (row.budget) { ++budgets; }
        if (row.budget && holds(row)) { ++held; }
    }
    text += "ns: host CPU time per switch, access, miss, wait, acquisition or start, the least of the samples; ";
    text += peers ? "ratio: theirs to ours.\n" : "ratio: to the ns of what\n`to` names, measured in turn with it.\n";
    if (budgets > 0) { text += fmt::format("{} of {} budgets hold.\n", held, budgets); }
    return text;
}

std::string json(const std::vector<Row>& rows) {
    nlohmann::ordered_json root;
    root["schema"] = "locksim.bench/1";
    root["locksim"] = build_info::version;
    root["compiler"] = compiler();
    root["build_type"] = build_info::build_type;
    root["rows"] = nlohmann::ordered_json::array();
    for (const Row& row : rows) {
        nlohmann::ordered_json& out = root["rows"].emplace_back();
        const auto set = [&out](const char* key, std::optional<double> value) {
            if (value) { out[key] = *value; }
        };
        out["name"] = row.name;
        out["cpus"] = row.cpus;
        set("ns", row.ns);
        set("ratio", row.ratio);
        if (!row.against.empty()) { out["against"] = row.against; }
        if (row.ring > 0) { out["ring"] = row.ring; }
        set("median_ratio", row.median_ratio);
        set("theirs_ns", row.theirs_ns);
        set("switches", row.switches);
        set("events", row.events);
        set("steps", row.steps);
        set("accesses", row.accesses);
        set("bytes", row.bytes);
        if (!row.budget) { continue; }
        out["judged"] = to_string(row.budget->judged);
        out["must"] = row.budget->must;
        set("aim", row.budget->aim);
        out["at_least"] = row.budget->at_least;
        out["holds"] = holds(row);
        if (row.budget->aim) { out["reaches_aim"] = reaches_aim(row); }
    }
    return root.dump(2) + '\n';
}

}  // namespace bench
