#include "model/scenario/reading/machine_reader.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "model/machine/topology.hpp"
#include "model/scenario/reading/config_error.hpp"
#include "model/scenario/reading/loader.hpp"
#include "model/scenario/reading/table_reader.hpp"
#include "model/scenario/reading/toml_reader.hpp"
#include "model/scenario/reading/units.hpp"

namespace model {
namespace {

std::vector<std::string> presets_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    std::error_code error;  // a folder that is not there has no presets
    for (const auto& file : std::filesystem::directory_iterator(folder, error)) {
        if (file.path().extension() == ".toml") { names.push_back(file.path().stem().string()); }
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// The keys of a machine as paths; `bare` names them without their table.
class KeyCollector {
public:
    void under(std::string table) { table_ = std::move(table); }

    template <class Member>
    void operator()(const FieldSpec& spec, const Member&) {
        add(spec);
    }
    template <class Value>
    void operator()(const FieldSpec& spec, const std::optional<Value>& value) {
        if (value) { add(spec); }
    }

    struct Key {
        std::string path;
        std::string name;
        bool measured = false;
    };
    std::vector<Key> keys;

private:
    void add(const FieldSpec& spec) {
        keys.push_back({joined_path(table_, spec.name), std::string(spec.name), spec.measured});
    }

    std::string table_;
};

std::vector<KeyCollector::Key> keys_of(const MachineConfig& machine) {
    KeyCollector collector;
    visit_fields(machine, collector);
    for (const auto& [name, cluster] : machine.clusters) {
        collector.under(joined_path("clusters", name));
        visit_fields(cluster, collector);
    }
    for (const auto& [name, distance] : machine.distances) {
        collector.under(joined_path("distances", name));
        visit_fields(distance, collector);
    }
    collector.under("tick");
    visit_fields(machine.tick, collector);
    collector.under("ipi");
    visit_fields(machine.ipi, collector);
    for (const auto& [cpu, settings] : machine.cpus) {
        collector.under(fmt::format("cpus.{}", cpu));
        visit_fields(settings, collector);
    }
    return collector.keys;
}

/// Every full path that an entry of `estimated` stands for; none: an error.
std::vector<std::string> estimated_paths(const MachineConfig& machine, const Node& table, const std::string& path) {
    const auto keys = keys_of(machine);
    std::set<std::string> known;
    for (const auto& key : keys) { known.insert({key.path, key.name}); }

    std::vector<std::string> result;
    for (std::size_t i = 0; i < machine.estimated.size(); ++i) {
        const std::string& entry = machine.estimated[i];
        if (!known.contains(entry)) {
            const Node& element = (*table.find("estimated")->get_if<Node::Array>())[i];
            reject_name(element, joined_path(path, "estimated"), "key of this machine", {known.begin(), known.end()});
        }
        for (const auto& key : keys) {
            const bool listed = std::find(result.begin(), result.end(), key.path) != result.end();
            if ((key.path == entry || key.name == entry) && !listed) { result.push_back(key.path); }
        }
    }
    return result;
}

std::int64_t cpu_number(const Node::Entry& entry, const std::string& path) {
    std::int64_t cpu = -1;
    const char* end = entry.key.data() + entry.key.size();
    const auto parsed = std::from_chars(entry.key.data(), end, cpu);
    if (parsed.ec != std::errc{} || parsed.ptr != end) {
        throw ConfigError(entry.position, fmt::format("{}.{}: expected the number of a CPU", path, entry.key));
    }
    return cpu;
}

void read_named_tables(const Node& table, const std::string& path, MachineConfig& machine) {
    for (const auto& entry : entries_of(table, path, "clusters")) {
        check_name(entry, joined_path(path, "clusters." + entry.key));
        auto& [name, cluster] = machine.clusters.emplace_back(entry.key, ClusterConfig{});
        read_table(entry.value, joined_path(path, "clusters." + name), cluster);
    }
    for (const auto& entry : entries_of(table, path, "distances")) {
        check_name(entry, joined_path(path, "distances." + entry.key));
        auto& [name, distance] = machine.distances.emplace_back(entry.key, DistanceConfig{});
        read_table(entry.value, joined_path(path, "distances." + name), distance);
    }
    for (const auto& entry : entries_of(table, path, "cpus")) {
        const std::string cpus = joined_path(path, "cpus");
        const std::int64_t cpu = cpu_number(entry, cpus);
        check_cpu(machine, cpu, joined_path(cpus, entry.key), entry.position);
        read_table(entry.value, joined_path(cpus, entry.key), machine.cpus[static_cast<std::int32_t>(cpu)]);
    }
}

/// Checks over several keys. Each finding is placed at the value that is most likely wrong.
class MachineChecks {
public:
    MachineChecks(const MachineConfig& machine, const Node& table, const std::string& path)
        : machine_(machine), table_(table), path_(path) {}

    void sizes() const {
        if (machine_.clusters.empty()) { fail({}, "a machine needs at least one [clusters.NAME]"); }
        if (machine_.distances.empty()) { fail({}, "a machine needs at least one [distances.NAME]"); }
        if (!std::has_single_bit(static_cast<std::uint32_t>(machine_.line_bytes))) {
            fail({"line_bytes"}, fmt::format("{}: expected a power of two", machine_.line_bytes));
        }
        for (const auto& [name, cluster] : machine_.clusters) {
            if (cluster.cpus % cluster.threads == 0) { continue; }
            fail({"clusters", name, "threads"},
                 fmt::format("{}: expected a divisor of cpus, {}", cluster.threads, cluster.cpus));
        }
        const std::int32_t cpus = count_cpus(machine_);
        if (cpus > max_cpus) { fail({"clusters"}, fmt::format("{} CPUs: expected 1 to {}", cpus, max_cpus)); }
    }

    void distance_names() const {
        for (const auto& [name, cluster] : machine_.clusters) {
            distance_exists({"clusters", name, "distance"}, cluster.distance);
        }
        if (!machine_.across.empty()) {
            distance_exists({"across"}, machine_.across);
        } else if (count_domains() > 1) {
            fail({}, fmt::format("{} is missing: the distance class between clusters", joined_path(path_, "across")));
        }
    }

    void nearer_distances() const {
        if (!machine_.across_nodes.empty()) { distance_exists({"across_nodes"}, machine_.across_nodes); }
        if (!machine_.across_clusters.empty()) { distance_exists({"across_clusters"}, machine_.across_clusters); }
        const std::int32_t nodes = (count_domains() + machine_.clusters_per_node - 1) / machine_.clusters_per_node;
        for (const auto& [name, distance] : machine_.distances) {
            for (const std::string& pair : distance.nodes) {
                std::int32_t a = 0;
                std::int32_t b = 0;
                if (!parse_node_pair(pair, a, b) || a == b) {
                    fail({"distances", name, "nodes"},
                         fmt::format("{}: expected two NUMA nodes, like \"0-3\"", toml_string(pair)));
                }
                if (std::max(a, b) >= nodes) {
                    fail({"distances", name, "nodes"},
                         fmt::format("{}: the machine has NUMA nodes 0 to {}", toml_string(pair), nodes - 1));
                }
            }
        }
    }

    void reservations() const {
        const std::int32_t granule = machine_.reservation_granule;
        const bool fits = granule == 0 || (std::has_single_bit(static_cast<std::uint32_t>(granule)) && granule >= 4);
        if (!fits) { fail({"reservation_granule"}, fmt::format("{}: expected a power of two from 4, or 0", granule)); }
    }

    void ticks() const {
        const TickConfig& tick = machine_.tick;
        if (tick.period.ps != 0 && tick.length >= tick.period) {
            fail({"tick", "length"}, fmt::format("{}: expected less than the period, {}", format_time(tick.length),
                                                 format_time(tick.period)));
        }
    }

    /// A transfer that is shorter than its parts would need a negative fixed part.
    void transfers() const {
        for (const auto& [name, distance] : machine_.distances) {
            if (distance.forward > distance.transfer) {
                fail({"distances", name, "forward"},
                     fmt::format("{}: expected at most transfer, {}, of which it is a part",
                                 format_time(distance.forward), format_time(distance.transfer)));
            }
            if (const auto slowest = slowest_clock(name)) { path_fits(name, distance.transfer, *slowest); }
        }
    }

private:
    using Keys = std::vector<std::string>;

    [[noreturn]] void fail(const Keys& keys, const std::string& message) const {
        const Node* place = &table_;
        std::string path = path_;
        for (const auto& key : keys) {
            if (const Node* next = place->find(key)) { place = next; }
            path = joined_path(path, key);
        }
        throw ConfigError(place->position, keys.empty() ? message : fmt::format("{} = {}", path, message));
    }

    void distance_exists(const Keys& keys, const std::string& wanted) const {
        const auto known = names_in(machine_.distances, [](const auto& distance) { return distance.first; });
        if (std::find(known.begin(), known.end(), wanted) != known.end()) { return; }
        fail(keys, fmt::format("{}: no such distance{}", toml_string(wanted), suggestion(wanted, known)));
    }

    /// Of the clusters between which, or within which, lines travel this distance.
    std::optional<Frequency> slowest_clock(const std::string& distance) const {
        std::optional<Frequency> slowest;
        const bool across = distance_crosses_clusters(distance) && count_domains() > 1;
        for (const auto& [name, cluster] : machine_.clusters) {
            const bool within = cluster.distance == distance && cluster.cpus > cluster.threads;
            if (across || within) {
                slowest = std::min(slowest.value_or(cluster.core.frequency), cluster.core.frequency);
            }
        }
        return slowest;
    }

    std::int32_t count_domains() const {
        std::int32_t domains = 0;
        for (const auto& [name, cluster] : machine_.clusters) { domains += cluster.count; }
        return domains;
    }

    bool distance_crosses_clusters(const std::string& name) const {
        if (name == machine_.across || name == machine_.across_nodes || name == machine_.across_clusters) {
            return true;
        }
        return std::any_of(machine_.distances.begin(), machine_.distances.end(), [&](const auto& distance) {
            return distance.first == name && !distance.second.nodes.empty();
        });
    }

    void path_fits(const std::string& name, sim::Time transfer, Frequency clock) const {
        const std::int64_t path =
            machine_.request_path_cycles + machine_.snoop_path_cycles + machine_.response_path_cycles;
        __extension__ using Wide = __int128;
        constexpr std::int64_t ps_per_second = 1'000'000'000'000;
        if (static_cast<Wide>(transfer.ps) * clock.hz >= static_cast<Wide>(path) * ps_per_second) { return; }
        fail(
            {"distances", name, "transfer"},
            fmt::format(
                "{}: expected at least request_path + snoop_path + response_path = {} + {} + {} cycles, {} cycles at {}",
                format_time(transfer), machine_.request_path_cycles, machine_.snoop_path_cycles,
                machine_.response_path_cycles, path, format_frequency(clock)));
    }

    const MachineConfig& machine_;
    const Node& table_;
    const std::string& path_;
};

}  // namespace

Node read_machine_file(const std::string& preset, const std::string& configs_dir, const SourcePosition& named_at) {
    const auto folder = std::filesystem::path(configs_dir) / "machines";
    const auto known = presets_in(folder);
    if (std::find(known.begin(), known.end(), preset) == known.end()) {
        std::string message =
            fmt::format("no machine {} in {}{}", toml_string(preset), folder.string(), suggestion(preset, known));
        throw ConfigError(named_at, message);
    }
    return read_toml_file((folder / (preset + ".toml")).string());
}

MachineConfig read_machine(const Node& table, const std::string& path) {
    MachineConfig machine;
    read_table(table, path, machine, {"clusters", "distances", "cpus", "tick", "ipi", "validated"});
    if (const Node* tick = table.find("tick")) { read_table(*tick, joined_path(path, "tick"), machine.tick); }
    if (const Node* ipi = table.find("ipi")) { read_table(*ipi, joined_path(path, "ipi"), machine.ipi); }
    read_named_tables(table, path, machine);
    const MachineChecks checks(machine, table, path);
    checks.sizes();
    checks.distance_names();
    checks.nearer_distances();
    checks.transfers();
    checks.reservations();
    checks.ticks();
    machine.estimated = estimated_paths(machine, table, path);
    return machine;
}

std::int32_t count_cpus(const MachineConfig& machine) {
    std::int64_t cpus = 0;
    for (const auto& [name, cluster] : machine.clusters) { cpus += std::int64_t{cluster.cpus} * cluster.count; }
    return static_cast<std::int32_t>(std::min<std::int64_t>(cpus, std::numeric_limits<std::int32_t>::max()));
}

void check_cpu(const MachineConfig& machine, std::int64_t cpu, const std::string& path, const SourcePosition& where) {
    const std::int32_t cpus = count_cpus(machine);
    if (cpu >= 0 && cpu < cpus) { return; }
    throw ConfigError(where, fmt::format("{}: there is no CPU {}: the machine has CPUs 0 to {}", path, cpu, cpus - 1));
}

MachineConfig load_machine(const std::string& preset, const std::string& configs_dir) {
    MachineConfig machine = read_machine(read_machine_file(preset, configs_dir, {"machine", 0}), "");
    machine.preset = preset;
    return machine;
}

std::int32_t count_numbers(const MachineConfig& machine) {
    const auto keys = keys_of(machine);
    const auto measured = std::count_if(keys.begin(), keys.end(), [](const auto& key) { return key.measured; });
    return static_cast<std::int32_t>(measured);
}

std::int32_t count_estimated(const MachineConfig& machine) {
    const auto keys = keys_of(machine);
    const auto& estimated = machine.estimated;  // full paths: the loader has spelled them out
    const auto counted = std::count_if(keys.begin(), keys.end(), [&](const auto& key) {
        return key.measured && std::find(estimated.begin(), estimated.end(), key.path) != estimated.end();
    });
    return static_cast<std::int32_t>(counted);
}

}  // namespace model
