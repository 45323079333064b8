// `locksim validate` as a user calls it, on a folder of configurations of its own: a set whose figures are what is
// simulated must hold, and on a broken machine it must fall short.

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/tools/process.hpp"
#include "tests/tools/report_fixture.hpp"

using namespace locksim_test;
using Catch::Matchers::ContainsSubstring;

namespace {

namespace fs = std::filesystem;
const std::string real_configs = std::string(LOCKSIM_SOURCE_DIR) + "/configs";

constexpr const char* tolerances =
    "# for tests\nset,criterion,of,at,limit\n"
    "mine,median_log_ratio,*,,5\nmine,worst_point,*,,1.1\n";

/// configs/ with the real machines and scenarios, and a set `mine` of two curves.
class Configs {
public:
    Configs() {
        fs::create_directories(root() + "/published");
        fs::create_directories(root() + "/machines");
        fs::create_directories(root() + "/scenarios");
        fs::copy(real_configs + "/machines/x86-2.toml", root() + "/machines/x86-2.toml");
        for (const char* name : {"lockhammer.toml", "closed-forms.toml"}) {
            fs::copy(real_configs + "/scenarios/" + name, root() + "/scenarios/" + name);
        }
        fs::copy(real_configs + "/machines/ideal.toml", root() + "/machines/ideal.toml");
        fs::copy(real_configs + "/machines/xeon-80.toml", root() + "/machines/xeon-80.toml");
        write("tolerances.csv", tolerances);
    }
    std::string root() const { return folder_ / "configs"; }
    std::string published(const std::string& name) const { return root() + "/published/" + name; }
    void write(const std::string& name, const std::string& text) const { std::ofstream(published(name)) << text; }

    /// Points [[threads, ns per acquisition], ...] of ticket and of mcs.
    void write_set(const std::string& ticket, const std::string& mcs, const std::string& more = "") const {
        write("mine.toml",
              "# A test's.\ntitle = \"mine\"\nsource = \"nobody\"\nmachine = \"x86-2\"\n"
              "scenario = \"scenarios/lockhammer.toml\"\noperations = 4000\n" +
                  more + "[locks.ticket]\nset = [\"locks.lock.type=ticket\"]\npoints = " + ticket +
                  "\n[locks.mcs]\nset = [\"locks.lock.type=mcs\"]\npoints = " + mcs + "\n");
    }

    ProcessEnd validate(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "validate");
        return call_in(folder_ / "", arguments, [this] { ::setenv("LOCKSIM_CONFIGS", root().c_str(), 1); });
    }
    nlohmann::json set(std::vector<std::string> arguments, int status) const {
        arguments.insert(arguments.begin(), "mine");
        arguments.insert(arguments.end(), {"--format", "json", "-j", "2"});
        const ProcessEnd end = validate(arguments);
        INFO(end.err);
        CHECK(end.status == status);
        const nlohmann::json report = nlohmann::json::parse(end.out);
        CHECK(report["schema"] == "locksim.validate/1");
        REQUIRE(report["sets"].size() == 1);
        return report["sets"][0];
    }

    /// The set with the figures that are simulated.
    void write_true_set() const {
        write_set("[[4, 100], [16, 100]]", "[[4, 100], [16, 100]]");
        const nlohmann::json first = set({}, 1);
        std::string of_lock[2];
        for (const auto& point : first["point_list"]) {
            std::string& points = of_lock[point["lock"] == "ticket" ? 0 : 1];
            points += fmt::format("{}[{}, {}]", points.empty() ? "" : ", ", point["threads"].get<int>(),
                                  point["simulated"].get<double>());
        }
        write_set("[" + of_lock[0] + "]", "[" + of_lock[1] + "]");
    }

private:
    TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("A set whose figures are the simulated ones holds, and on a broken machine it falls short", "[unit]") {
    const Configs configs;
    configs.write_true_set();
    const nlohmann::json good = configs.set({}, 0);
    CHECK(good["holds"] == true);
    CHECK(good["points"] == 4);
    CHECK(good["worst"] == 1);
    CHECK(good["median_abs_log_ratio"] == 0);

    const nlohmann::json broken = configs.set(
        {"--set", "machine.distances.socket.forward=40ns", "--set", "machine.distances.socket.read_occupancy=30ns"}, 1);
    CHECK(broken["holds"] == false);
    CHECK(broken["worst"].get<double>() > 1.2);
    // The null model is made from the published figures, which have not changed.
    CHECK(broken["null_model"]["hand_over_ns"] == good["null_model"]["hand_over_ns"]);
    CHECK(good["null_model"]["median_error"].get<double>() > 0);
}

TEST_CASE("Fitted curves and figures for fewer threads are shown and never counted", "[unit]") {
    const Configs configs;
    configs.write_set("[[2, 1], [4, 1]]", "[[2, 1], [4, 1]]", "fitted = true\n");
    const nlohmann::json fitted = configs.set({}, 0);
    CHECK(fitted["holds"].is_null());
    CHECK(fitted["criteria"].empty());
    CHECK(fitted["point_list"][0]["counting"] == "fit");
    configs.write_set("[[2, 1], [4, 1]]", "[[2, 1], [4, 1]]", "least_threads = 4\n");
    const nlohmann::json least = configs.set({}, 1);
    CHECK(least["points"] == 2);
    CHECK(least["point_list"][0]["counting"] == "shown");
}

TEST_CASE("The table has published, simulated and ratio side by side, in 80 columns", "[unit]") {
    const Configs configs;
    configs.write_set("[[4, 100], [16, 200]]", "[[4, 100], [16, 200]]");
    const ProcessEnd end = configs.validate({"mine"});
    INFO(end.out << end.err);
    CHECK(end.status == 1);
    CHECK(end.err.empty());
    CHECK(widest(end.out) <= 80);
    CHECK_THAT(end.out, ContainsSubstring("pub>sim") && ContainsSubstring("ratio") &&
                            ContainsSubstring("the best constant hand-over") &&
                            ContainsSubstring("result falls short"));
    const ProcessEnd csv = configs.validate({"mine", "--format", "csv"});
    CHECK(lines_of(csv.out).size() == 5);
    CHECK_THAT(csv.out, ContainsSubstring("set,machine,lock,workload,threads,unit,published,simulated,ratio,") &&
                            ContainsSubstring("mine,x86-2,ticket,,4,ns,100,"));
}

TEST_CASE("Every number of processes yields the same figures", "[unit]") {
    const Configs configs;
    configs.write_set("[[4, 100], [16, 200]]", "[[4, 100], [16, 200]]");
    const ProcessEnd one = configs.validate({"mine", "--format", "csv", "-j", "1"});
    const ProcessEnd four = configs.validate({"mine", "--format", "csv", "-j", "4"});
    CHECK(one.out == four.out);
    CHECK(one.out.find("ticket") != std::string::npos);
}

TEST_CASE("What is wrong with a set file is told with file and line, and nothing runs", "[unit]") {
    const Configs configs;
    const auto told = [&configs](const std::string& text) {
        const ProcessEnd end = configs.validate({"mine"});
        INFO(end.err);
        CHECK(end.status == 2);
        CHECK(end.out.empty());
        CHECK_THAT(end.err, ContainsSubstring(text));
    };
    configs.write_set("[[4, 100], [16]]", "[[4, 100]]");
    told("mine.toml:9: locks.ticket.points = [...]: expected points [[THREADS, VALUE], ...]");
    configs.write_set("[[4, 100]]", "[[4, 100]]", "tabel = \"x\"\n");
    told("tabel");
    configs.write_set("[[4, 100]]", "[[64, 100]]");
    told("groups.threads.count");
    configs.write_set("[[4, 100]]", "[[4, 100]]");
    configs.write("tolerances.csv", "set,criterion,of,at,limit\nmine,medianerror,*,,5\n");
    told("tolerances.csv:2: no criterion \"medianerror\"; did you mean \"median_error\"?");
    configs.write("tolerances.csv", "set,criterion,of,at,limit\nmine,median_error,*,,five\n");
    told("tolerances.csv:2: limit = five: expected a number");
    configs.write("tolerances.csv", "set,criterion,of,at,limit\nmine,median_error\n");
    told("tolerances.csv:2: mine,median_error: expected 5 cells");
}

TEST_CASE("An unknown set is told with those there are; -j takes whole numbers", "[unit]") {
    const Configs configs;
    configs.write_set("[[4, 100]]", "[[4, 100]]");
    const ProcessEnd set = configs.validate({"mime"});
    CHECK(set.status == 2);
    CHECK_THAT(set.err, ContainsSubstring("no set \"mime\" of published figures; did you mean \"mine\"?"));
    for (const char* jobs : {"0", "two", "-1"}) {
        const ProcessEnd end = configs.validate({"mine", std::string("--jobs=") + jobs});
        CHECK(end.status == 2);
        CHECK_THAT(end.err, ContainsSubstring("expected a whole number from 1"));
    }
}

TEST_CASE(
    "The closed forms hold, those that cannot be judged are named, and on a machine whose ticks take a quarter of the time they fail",
    "[unit]") {
    const Configs configs;
    const ProcessEnd good = configs.validate({"closed-forms", "--quick", "-v"});
    INFO(good.out << good.err);
    CHECK(good.status == 0);
    CHECK_THAT(good.out, ContainsSubstring("D11 more threads than CPUs: not judged, needs tasks") &&
                             ContainsSubstring("D6 ") && ContainsSubstring("holds  D12"));
    const ProcessEnd slow = configs.validate(
        {"closed-forms", "--quick", "--set", "machine.tick.period=20us", "--set", "machine.tick.length=5us"});
    CHECK(slow.status != 0);
    CHECK_THAT(slow.out, ContainsSubstring("short  D1"));
}

// --- what --write leaves in a machine file -----------------------------------------------------------------------

namespace {

/// The set of true figures, written to the machine file.
void write_record(const Configs& configs) {
    configs.write_true_set();
    const ProcessEnd end = configs.validate({"mine", "--write"});
    INFO(end.err);
    REQUIRE(end.status == 0);
}
ProcessEnd in_configs(const Configs& configs, const std::vector<std::string>& arguments) {
    return call_in(configs.root(), arguments, [&configs] { ::setenv("LOCKSIM_CONFIGS", configs.root().c_str(), 1); });
}
nlohmann::json validated_of(const Configs& configs, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run",   "scenarios/lockhammer.toml",   "--variant", "base", "--format", "json",
                                       "--set", "groups.threads.iterations=20"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProcessEnd end = in_configs(configs, arguments);
    INFO(end.err);
    return nlohmann::json::parse(end.out)["runs"][0]["machine"]["validated"];
}

}  // namespace

TEST_CASE("--write keeps the machine file as it is but for one table, also when it writes again", "[unit]") {
    const Configs configs;
    const std::string machine = configs.root() + "/machines/x86-2.toml";
    const std::string before = content(machine);
    write_record(configs);
    const std::string once = content(machine);
    CHECK(once.starts_with(before));
    CHECK_THAT(once, ContainsSubstring("[validated]") && ContainsSubstring("set = \"mine\"") &&
                         ContainsSubstring("locks = [\"ticket\", \"mcs\"]") && ContainsSubstring("most_threads = 16"));
    std::ofstream(machine, std::ios::app) << "\n[cpus.1]\nhit = \"2ns\"  # kept\n";
    CHECK(configs.validate({"mine", "--write"}).status <= 1);
    const std::string twice = content(machine);
    CHECK(twice.starts_with(before));
    CHECK_THAT(twice, ContainsSubstring("hit = \"2ns\"  # kept"));
    CHECK(twice.find("[validated]") == twice.rfind("[validated]"));
}

TEST_CASE("--write is refused where it would not store the whole set on the machine as it is", "[unit]") {
    const Configs configs;
    configs.write_set("[[4, 100]]", "[[4, 100]]");
    CHECK(configs.validate({"mine", "--write", "--quick"}).status == 2);
    CHECK(configs.validate({"mine", "--write", "--set", "machine.retention=9ns"}).status == 2);
}

TEST_CASE("A report tells the machine's error and what extrapolates; changed numbers have no record", "[unit]") {
    const Configs configs;
    CHECK(validated_of(configs, {}).is_null());
    write_record(configs);
    const nlohmann::json inside = validated_of(configs, {"--set", "groups.threads.count=16"});
    CHECK(inside["set"] == "mine");
    CHECK(inside["holds"] == true);
    CHECK(inside["numbers_changed"] == false);
    CHECK(inside["extrapolates"].empty());
    const nlohmann::json beyond =
        validated_of(configs, {"--set", "groups.threads.count=17", "--set", "locks.lock.type=clh"});
    CHECK(beyond["extrapolates"] == nlohmann::json({"17 threads > 16", "lock clh"}));
    CHECK(validated_of(configs, {"--set", "machine.retention=9ns"})["numbers_changed"] == true);

    const ProcessEnd run = in_configs(configs, {"run", "scenarios/lockhammer.toml", "--variant", "base"});
    CHECK_THAT(run.out, ContainsSubstring("off 0 % (mine)") && ContainsSubstring("48 threads > 16;"));
}

TEST_CASE("compare calls a difference within the machine's error just that, and a larger one a difference", "[unit]") {
    const Configs configs;
    write_record(configs);
    const std::string machine = configs.root() + "/machines/x86-2.toml";
    const auto relation_with = [&](const std::string& error) {
        std::string text = content(machine);
        const std::size_t at = text.find("median_error = ");
        text.replace(at, text.find(' ', at + 15) - at, "median_error = " + error);
        std::ofstream(machine) << text;
        const ProcessEnd end = in_configs(
            configs, {"compare", "scenarios/lockhammer.toml", "--lock", "ticket,mcs", "--set",
                      "groups.threads.count=16", "--set", "groups.threads.iterations=100", "--format", "json"});
        INFO(end.err);
        return nlohmann::json::parse(end.out)["variants"][1]["relation"];
    };
    CHECK(relation_with("0.001") == "differs");
    CHECK(relation_with("5.0") == "within_model_error");
}

TEST_CASE("Interrupted, validate keeps what has finished and judges nothing as held", "[unit]") {
    const Configs configs;
    configs.write_set("[[4, 100], [16, 100]]", "[[16, 100], [48, 100]]", "");
    // Far more work than the alarm allows.
    std::ifstream in(configs.published("mine.toml"));
    std::string text((std::istreambuf_iterator<char>(in)), {});
    text.replace(text.find("operations = 4000"), 17, "operations = 400000000");
    configs.write("mine.toml", text);
    const ProcessEnd end = call_in(configs.root(), {"validate", "mine", "--format", "json", "-j", "2"}, [&configs] {
        ::setenv("LOCKSIM_CONFIGS", configs.root().c_str(), 1);
        // The signal comes from a sibling, two seconds after the command has begun.
        const pid_t command = ::getpid();
        if (::fork() == 0) {
            ::sleep(2);
            ::kill(command, SIGINT);
            ::_exit(0);
        }
    });
    INFO(end.err);
    CHECK(end.status == 130);
    const nlohmann::json report = nlohmann::json::parse(end.out);
    CHECK(report["sets"][0]["holds"].is_null());
    CHECK(report["sets"][0]["complete"] == false);
}
