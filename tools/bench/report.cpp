// See report.hpp.

#include "tools/bench/report.hpp"

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
    }
    return "";
}

/// Figure, must, aim and what became of them.
std::string judgement(const Row& row) {
    const auto figure = judged_figure(row);
    if (!figure) { return ""; }
    const Budget& budget = *row.budget;
    const char* word = *figure > budget.must ? "OVER" : !budget.aim ? "kept" : *figure > *budget.aim ? "must" : "aim";
    return fmt::format("{:>10} {:>10} {:>8}  {}", with_unit(figure, budget.judged),
                       with_unit(budget.must, budget.judged), with_unit(budget.aim, budget.judged), word);
}

const char* to_string(Budget::Judged judged) {
    switch (judged) {
        case Budget::Judged::ratio: return "ratio";
        case Budget::Judged::ns: return "ns";
        case Budget::Judged::bytes: break;
    }
    return "bytes";
}

}  // namespace

std::string table(const std::vector<Row>& rows) {
    std::string text =
        fmt::format("{:<16} {:>5} {:>9} {:>7} {:>9} {:>9} {:>9}  {:>10} {:>10} {:>8}  {}\n", "name", "cpus", "ns",
                    "ratio", "switches", "events", "accesses", "judged", "must <=", "aim <=", "reached");
    for (const Row& row : rows) {
        std::string line = fmt::format("{:<16} {:>5} {:>9} {:>7} {:>9} {:>9} {:>9}  {}", row.name, row.cpus,
                                       number(row.ns), number(row.ratio), number(row.switches), number(row.events),
                                       number(row.accesses), judgement(row));
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text +
           "ns: host CPU time per switch, access, miss, acquisition or start. ratio: to a switch in a bare ring of as "
           "many fibers\n(hits: 8), measured in turn with it; single runs scatter by some per cent.\n";
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
        if (row.ring > 0) { out["ring"] = row.ring; }
        set("switches", row.switches);
        set("events", row.events);
        set("steps", row.steps);
        set("accesses", row.accesses);
        set("bytes", row.bytes);
        if (!row.budget) { continue; }
        out["judged"] = to_string(row.budget->judged);
        out["must"] = row.budget->must;
        set("aim", row.budget->aim);
    }
    return root.dump(2) + '\n';
}

}  // namespace bench
