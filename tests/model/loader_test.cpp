// Scenario and machine files: what is read, which overlay wins, and that every mistake is an error with file, line,
// the offending text, what was expected and the nearest known name.
#include "model/scenario/reading/loader.hpp"

#include "model/scenario/reading/toml_reader.hpp"
#include "tests/catch.hpp"
#include "tests/model/scenario_fixture.hpp"

using namespace model;
using namespace model::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A correct text, one change, and what the error must say.
struct WrongInput {
    std::string mistake;
    std::string from;  ///< empty: `to` is added at the end of the small scenario, from line 15 on
    std::string to;
    std::string message;
};

void check_wrong_inputs(const std::vector<WrongInput>& rows) {
    CHECK(error_of(small_scenario) == "loaded");  // so that every error below comes from its row
    for (const auto& row : rows) {
        INFO(row.mistake);
        const std::string text =
            row.from.empty() ? small_scenario + row.to : replaced(small_scenario, row.from, row.to);
        CHECK_THAT(error_of(text), ContainsSubstring(row.message));
    }
}

std::string set_error(const std::string& set) { return error_of(small_scenario, options({set})); }

Scenario everything(const std::vector<std::string>& sets = {}) {
    return load_scenario(data_folder() + "/everything.toml", catalogue(), options(sets)).front();
}

/// What load_machine says of a machine file: the duo with one change.
std::string machine_error(const std::string& from, const std::string& to) {
    std::ifstream file(data_folder() + "/machines/duo.toml");
    const std::string duo{std::istreambuf_iterator<char>(file), {}};
    const Folder folder;
    folder.write("machines/changed.toml", from.empty() ? duo + to : replaced(duo, from, to));
    try {
        load_machine("changed", folder.path());
    } catch (const ConfigError& error) {
        const std::string message = error.what();
        const auto name = message.find("changed.toml");
        return name == std::string::npos ? message : message.substr(name);
    }
    return "loaded";
}

}  // namespace

// --- what is read ----------------------------------------------------------------------------------------

TEST_CASE("letters beyond ASCII may stand in every string: keys, tables, arrays, inline tables, many lines", "[unit]") {
    const Node document = read_toml_text(
        "title = \"\u00e9\"\n"
        "\"\u00e9\".'\u00e8' = [\"\u00e9\", [ '\u00e9', \n\"\u00e9\" ], {a=\"\u00e9\", \"\u00e9\" = ['\u00e9'] }, \"\u00e9\"]\r\n"
        "[table.\"\u00e9\".b]\nx = {a.\"\u00e9\" = 1.5, b = \"\u00e9\"}  # \u00e9\n"
        "\"\u00e9\" = \"\"\"\n\u00e9\"\u00e9\"\"\"\n[[list.'\u00e9']]\ny = '\u00e9'\n",
        "letters.toml");
    CHECK(document.find("title") != nullptr);
    CHECK(document.find("list") != nullptr);
}

TEST_CASE("every table of a scenario arrives in its struct", "[unit]") {
    const Scenario scenario = everything();
    CHECK(scenario.title == "Every \"key\" once");
    CHECK(scenario.description == "Two lines,\nand a \\ backslash.");
    CHECK(scenario.duration == sim::milliseconds(200));
    CHECK(scenario.seed == 7);
    CHECK(scenario.warmup == sim::microseconds(1500));
    CHECK(scenario.warmup_operations == 3);
    CHECK_FALSE(scenario.spin_elision);
    CHECK(scenario.tie_break == TieBreak::seeded);
    CHECK(scenario.noise.work == Share{10'000});
    CHECK(scenario.noise.start_phase.kind == Distribution::Kind::exponential);

    REQUIRE(scenario.lines.size() == 2);
    CHECK(scenario.lines[0].bytes == 4096);
    CHECK(scenario.lines[0].home == 1);
    CHECK(scenario.lines[1].home == -1);
    REQUIRE(scenario.flags.size() == 2);
    CHECK(scenario.flags[1].initial == -1);
    REQUIRE(scenario.events.size() == 2);
    CHECK(scenario.events[0].frequency == Frequency{600'000'000});
    REQUIRE(scenario.fitted.size() == 3);
    CHECK(scenario.fitted[0].parameter == "machine.retention");
}

TEST_CASE("tables keep the order of the file", "[unit]") {
    const Scenario scenario = everything();
    REQUIRE(scenario.machine.clusters.size() == 2);
    CHECK(scenario.machine.clusters[0].first == "little");  // the library sorts: big would come first
    CHECK(scenario.machine.distances[0].first == "near");
    CHECK(scenario.locks[0].name == "timers");
    CHECK(scenario.groups[1].name == "worker");
}

TEST_CASE("every kind of step is read", "[unit]") {
    using Kind = Step::Kind;
    const auto program = everything().groups[0].program;
    REQUIRE(program.size() == 14);
    CHECK(program[1].amount == Distribution{Distribution::Kind::constant, cycles(10), {}});
    CHECK(program[1].jitter == Share{150'000});
    CHECK(program[1].label == "section");
    CHECK(program[5].target == "yield");
    CHECK(program[5].times == 2);
    CHECK(program[6].progress);
    CHECK(program[7].times == 3);
    CHECK(program[7].amount.low == span(sim::microseconds(1)));
    CHECK(program[10].value == 1);
    CHECK(program[11].value == -1);
    CHECK(program[12].kind == Kind::repeat);
    CHECK(program[12].times == 4);
    CHECK(program[12].body.size() == 3);
    CHECK(program[13].target == "go");
    CHECK(program[13].position.line == 69);
}

TEST_CASE("parameters are those of the type chosen, defaults filled in", "[unit]") {
    const Scenario scenario = everything();
    CHECK(scenario.locks[0].parameters.empty());  // a tas; the table of mcs is kept for variants
    const auto& queue = scenario.locks[1].parameters;
    CHECK(queue.size() == 5);
    CHECK(queue.at("gap") == ParameterValue{span(sim::nanoseconds(12))});
    CHECK(queue.at("fair") == ParameterValue{true});
    CHECK(queue.at("spins") == ParameterValue{std::int64_t{4}});
    CHECK(scenario.groups[1].parameters.at("depth") == ParameterValue{std::int64_t{5}});

    const auto changed = load_text(replaced(small_scenario, "type = \"tas\"", "type = \"mcs\"\nmcs.spins = 100"));
    CHECK(changed[0].locks[0].parameters.at("spins") == ParameterValue{std::int64_t{100}});
}

TEST_CASE("a group that counts gets the lowest CPUs that no group has named", "[unit]") {
    using Cpus = std::vector<std::int32_t>;
    const auto groups = everything().groups;
    CHECK(groups[0].cpus == Cpus{0});
    CHECK(groups[1].cpus == Cpus{2});
    CHECK(groups[2].cpus == Cpus{1, 3});

    const std::string rest = "[groups.rest]\nprogram = [{think = \"1us\"}]\n";
    CHECK(load_text(small_scenario + rest)[0].groups[1].cpus == Cpus{1, 2, 3});  // neither cpus nor count: all
    CHECK(load_text(small_scenario + rest + "count = 3\n")[0].groups[1].cpus == Cpus{1, 2, 3});
    CHECK_THAT(
        error_of(small_scenario + rest + "count = 4\n"),
        ContainsSubstring("scenario.toml:17: groups.rest: 4 more threads wanted, but only 3 of 4 CPUs are left"));
}

TEST_CASE("CPUs may be written as numbers, as ranges or as one number", "[unit]") {
    using Cpus = std::vector<std::int32_t>;
    const auto cpus = [](const std::string& text) {
        return load_text(replaced(small_scenario, "cpus = [0]", "cpus = " + text))[0].groups[0].cpus;
    };
    CHECK(cpus("[3, 1]") == Cpus{3, 1});
    CHECK(cpus("\"0-1,3\"") == Cpus{0, 1, 3});
    CHECK(cpus("3") == Cpus{3});
}

TEST_CASE("a machine's numbers are counted and its estimated keys spelled out", "[unit]") {
    const MachineConfig solo = load_machine("solo", data_folder());
    CHECK(solo.preset == "solo");
    CHECK(solo.clusters[0].second.core == CoreConfig{});
    CHECK(count_numbers(solo) == 5 + 6 + 4);  // machine, one cluster, one distance
    const MachineConfig duo = load_machine("duo", data_folder());
    CHECK(count_numbers(duo) == 5 + 2 * 6 + 2 * 4);
    CHECK(count_estimated(duo) == 3);
    CHECK(duo.estimated == std::vector<std::string>{"distances.near.forward", "distances.cross.forward",
                                                    "distances.cross.read_occupancy"});
    const MachineConfig guessed = everything({"machine.estimated=[\"discipline\", \"hit\"]"}).machine;
    CHECK(guessed.estimated.size() == 3);
    CHECK(count_estimated(guessed) == 2);  // a discipline is no number
    CHECK(count_numbers(everything({"machine.cpus.1.hit=9cycles"}).machine) == count_numbers(everything().machine) + 1);
}

// --- which overlay wins ----------------------------------------------------------------------------------

TEST_CASE("the scenario wins over the machine file, the variant over both, --set over all, and options at last",
          "[unit]") {
    const std::string text =
        replaced(small_scenario, "preset = \"duo\"", "preset = \"duo\"\nretention = \"7ns\"\nmemory = \"90ns\"") +
        "[variants.v]\n\"machine.retention\" = \"8ns\"\n\"machine.memory\" = \"91ns\"\nseed = 3\n";
    LoadOptions how =
        options({"machine.retention=9ns", "duration=3ms", "machine.snoop_path=1cycle", "machine.snoop_path=2cycles"});
    how.duration = "4ms";

    const auto plain = load_text(text);
    REQUIRE(plain.size() == 2);
    CHECK(plain[0].variant == "base");
    CHECK(plain[0].machine.retention == sim::nanoseconds(7));  // the file says 6
    CHECK(plain[1].variant == "v");
    CHECK(plain[1].machine.retention == sim::nanoseconds(8));
    CHECK(plain[1].seed == 3);

    const auto set = load_text(text, how);
    CHECK(set[0].machine.retention == sim::nanoseconds(9));
    CHECK(set[1].machine.retention == sim::nanoseconds(9));
    CHECK(set[1].machine.memory == sim::nanoseconds(91));
    CHECK(set[1].machine.snoop_path_cycles == 2);
    CHECK(set[0].duration == sim::milliseconds(4));
    CHECK(set[1].seed == 3);

    how.seed = 11;
    CHECK(load_text(text, how)[1].seed == 11);
}

TEST_CASE("a variant or an option may change the machine file", "[unit]") {
    const std::string text = small_scenario + "[variants.alone]\n\"machine.preset\" = \"solo\"\n";
    CHECK(load_text(text)[0].machine.preset == "duo");
    CHECK(load_text(text)[1].machine.preset == "solo");
    CHECK(load_text(text, options({"machine.preset=solo"}))[0].machine.clusters.size() == 1);
}

TEST_CASE("a machine's CPU can be overridden whether or not the file lists it", "[unit]") {
    const auto cpus = load_text(small_scenario, options({"machine.cpus.3.frequency=600MHz"}))[0].machine.cpus;
    REQUIRE(cpus.size() == 1);
    CHECK(cpus.at(3).frequency == Frequency{600'000'000});
    CHECK_FALSE(cpus.at(3).hit);
}

TEST_CASE("an option's value is a TOML value if it is one, else a string", "[unit]") {
    const auto scenario = load_text(
        small_scenario,
        options({"groups.little.cpus=[1, 2]", "spin_elision=false", "title=two words", "groups.little.iterations=5",
                 "noise={work = \"2%\"}", "groups.little.program.1.work=11cycles"}))[0];
    CHECK(scenario.groups[0].cpus.size() == 2);
    CHECK_FALSE(scenario.spin_elision);
    CHECK(scenario.title == "two words");
    CHECK(scenario.groups[0].iterations == 5);
    CHECK(scenario.noise.work == Share{20'000});
    CHECK(scenario.groups[0].program[1].amount.low == cycles(11));
}

TEST_CASE("one variant can be asked for, and an unknown one names those there are", "[unit]") {
    LoadOptions how = options();
    how.variant = "fast";
    const auto scenarios = load_scenario(data_folder() + "/everything.toml", catalogue(), how);
    REQUIRE(scenarios.size() == 1);
    CHECK(scenarios[0].variant == "fast");
    CHECK(scenarios[0].machine.cpus.at(0).frequency == Frequency{900'000'000});
    CHECK(scenarios[0].groups[0].program[1].amount.low == cycles(20));

    how.variant = "fsat";
    CHECK_THROWS_WITH(load_scenario(data_folder() + "/everything.toml", catalogue(), how),
                      ContainsSubstring("did you mean \"fast\"?"));
}

TEST_CASE("overrides never create what has a name, and paths must exist", "[unit]") {
    CHECK(set_error("duraton=1ms") == "--set duraton=1ms: duraton: unknown key; did you mean \"duration\"?");
    CHECK_THAT(set_error("locks.timer.type=mcs"),
               ContainsSubstring("locks.timer: no such lock; did you mean \"timers\"?"));
    CHECK_THAT(set_error("groups.litle.count=1"),
               ContainsSubstring("groups.litle: no such group; did you mean \"little\"?"));
    CHECK_THAT(set_error("lines.share.home=1"),
               ContainsSubstring("lines.share: no such line; did you mean \"shared\"?"));
    CHECK_THAT(set_error("flags.og=1"), ContainsSubstring("flags.og: no such flag"));
    CHECK_THAT(set_error("machine.clusters.bg.cpus=1"),
               ContainsSubstring("machine.clusters.bg: no such cluster; did you mean \"big\"?"));
    CHECK_THAT(set_error("machine.distances.far.forward=1ns"),
               ContainsSubstring("machine.distances.far: no such distance; there are: near, cross"));
    CHECK_THAT(set_error("machine.cpus.4.hit=1cycle"),
               ContainsSubstring("there is no CPU 4: the machine has CPUs 0 to 3"));
    CHECK_THAT(set_error("groups.little.program.4.work=1us"),
               ContainsSubstring("groups.little.program.4: groups.little.program has the elements 0 to 3"));
    CHECK_THAT(set_error("title.short=x"), ContainsSubstring("title.short: title = \"small\" has no keys"));
    CHECK_THAT(set_error("locks.timers=mcs"), ContainsSubstring("locks.timers = \"mcs\": expected a table"));
    CHECK_THAT(set_error("expect.verdict=ok"), ContainsSubstring("[expect] cannot be overridden"));
    CHECK_THAT(set_error("duration"), ContainsSubstring("--set duration: expected PATH=VALUE"));
    CHECK_THAT(
        set_error("duration=5"),
        ContainsSubstring("--set duration=5: duration = 5: expected a time such as \"20us\" (ps, ns, us, ms, s)"));
    CHECK_THAT(error_of(small_scenario + "[variants.v]\nlocks.timer.type = \"mcs\"\n"),
               ContainsSubstring("scenario.toml:16: locks.timer: no such lock; did you mean \"timers\"?"));
    CHECK_THAT(error_of(replaced(small_scenario, "preset = \"duo\"", "preset = \"duo\"\nclusters.bg.hit = \"1cycle\"")),
               ContainsSubstring("scenario.toml:4: machine.clusters.bg: no such cluster; did you mean \"big\"?"));
}

TEST_CASE("an error in a value names the file that the value came from", "[unit]") {
    const Folder folder;
    folder.write("machines/bad.toml", "# A machine with a wrong unit.\nretention = \"6MHz\"\n");
    LoadOptions how = options();
    how.configs_dir = folder.path();
    const std::string text = replaced(small_scenario, "\"duo\"", "\"bad\"");
    CHECK_THAT(error_of(text, how), ContainsSubstring("bad.toml:2: machine.retention = \"6MHz\": expected a time"));
    CHECK_THAT(error_of(text + "[variants.v]\nmachine.retention = \"6\"\n", how), ContainsSubstring("bad.toml:2:"));
}

// --- mistakes --------------------------------------------------------------------------------------------

TEST_CASE("a file that cannot be read or is no TOML is an error", "[unit]") {
    CHECK_THROWS_WITH(load_scenario("/nowhere/x.toml", catalogue(), options()),
                      "/nowhere/x.toml: cannot be read: No such file or directory");
    CHECK_THROWS_WITH(load_scenario(data_folder(), catalogue(), options()),
                      data_folder() + ": cannot be read: it is a folder; expected a file");
    CHECK_THAT(error_of("title = \"a\ntitle = 3\n"), ContainsSubstring("scenario.toml:1: no valid TOML"));
    CHECK_THAT(error_of("seed = 1\nseed = 2\n"), ContainsSubstring("scenario.toml:2: no valid TOML"));
    // The TOML library aborted here.
    CHECK_THAT(error_of("seed = 1\n[[[a]]]\n"), ContainsSubstring("scenario.toml:2: no valid TOML"));
    CHECK_THAT(error_of("seed = 1"), ContainsSubstring("machine.preset is missing"));
    CHECK_THAT(error_of("seed = 2024-01-01\n"), ContainsSubstring("scenario.toml:1: a date"));
}

TEST_CASE("wrong keys, units and values are errors at their line", "[unit]") {
    check_wrong_inputs({
        {"an unknown key at the top",
         "title =", "titel =", "scenario.toml:1: titel: unknown key; did you mean \"title\"?"},
        {"an unknown table", "", "[expct]\n", "scenario.toml:15: expct: unknown key; did you mean \"expect\"?"},
        {"a number without a unit", "title = \"small\"", "duration = 20",
         "scenario.toml:1: duration = 20: expected a time such as \"20us\" (ps, ns, us, ms, s)"},
        {"a unit of something else", "title = \"small\"", "duration = \"20MHz\"",
         "scenario.toml:1: duration = \"20MHz\": expected a time"},
        {"no duration", "title = \"small\"", "duration = \"0ns\"",
         "scenario.toml:1: duration = \"0ns\": expected 1ps to 86400s"},
        {"a duration of more than a day", "title = \"small\"", "duration = \"86400.1s\"", "expected 1ps to 86400s"},
        {"a seed that JSON cannot hold", "title = \"small\"", "seed = 9007199254740992",
         "scenario.toml:1: seed = 9007199254740992: expected 0 to 9007199254740991"},
        {"a negative seed", "title = \"small\"", "seed = -1", "scenario.toml:1: seed = -1: expected 0 to"},
        {"a string for a number", "title = \"small\"", "seed = \"1\"",
         "scenario.toml:1: seed = \"1\": expected an integer"},
        {"a number for a string", "title = \"small\"", "title = 1", "scenario.toml:1: title = 1: expected a string"},
        {"a number for a choice", "title = \"small\"", "spin_elision = 1",
         "scenario.toml:1: spin_elision = 1: expected true or false"},
        {"an unknown choice", "title = \"small\"", "tie_break = \"sedeed\"",
         "scenario.toml:1: tie_break = \"sedeed\": no such value; did you mean \"seeded\"?"},
        {"a warm-up as long as the run", "title = \"small\"", "warmup = \"10ms\"",
         "scenario.toml:1: warmup = \"10ms\": expected less than duration, 10ms"},
        {"a share above one", "", "[noise]\nwork = \"101%\"\n",
         "scenario.toml:16: noise.work = \"101%\": expected 0% to 100%"},
        {"a distribution of two units", "", "[noise]\nstart_phase = \"uniform(1us, 3cycles)\"\n",
         "scenario.toml:16: noise.start_phase = \"uniform(1us, 3cycles)\": expected a span"},
        {"a table that is none", "title = \"small\"", "noise = 3", "scenario.toml:1: noise = 3: expected a table"},
        {"no machine file", "preset = \"duo\"", "", "scenario.toml:2: machine.preset is missing"},
        {"an unknown machine file", "\"duo\"", "\"dou\"", "scenario.toml:3: no machine \"dou\" in "},
        {"an unknown machine file names those there are", "\"duo\"", "\"epyc\"", "; there are: duo, solo"},
        {"an unknown key of the machine", "preset = \"duo\"", "preset = \"duo\"\nretain = \"3ns\"",
         "scenario.toml:4: machine.retain: unknown key"},
    });
}

TEST_CASE("wrong locks, lines, flags, groups and events are errors at their line", "[unit]") {
    check_wrong_inputs({
        {"no type", "type = \"tas\"", "", "scenario.toml:4: locks.timers.type is missing"},
        {"a misspelled key for a required one",
         "type =", "typ =", "scenario.toml:5: locks.timers.typ: unknown key; did you mean \"type\"?"},
        {"an unknown type", "\"tas\"", "\"mcss\"",
         "scenario.toml:5: locks.timers.type = \"mcss\": no such type of lock; did you mean \"mcs\"?"},
        {"an unknown parameter", "", "[locks.timers.mcs]\nspin = 3\n",
         "scenario.toml:16: locks.timers.mcs.spin: unknown parameter; did you mean \"spins\"?"},
        {"a parameter out of range", "", "[locks.timers.mcs]\nspins = 101\n",
         "scenario.toml:16: locks.timers.mcs.spins = 101: expected 1 to 100"},
        {"a parameter of another type", "", "[locks.timers.mcs]\ngap = 3\n",
         "scenario.toml:16: locks.timers.mcs.gap = 3: expected cycles such as \"40cycles\" or a time"},
        {"a name that comparisons cannot spell", "", "[locks.\"a b\"]\ntype = \"tas\"\n",
         "scenario.toml:15: locks.a b: expected a name of letters"},
        {"a line without bytes", "", "[lines.x]\nbytes = 0\n",
         "scenario.toml:16: lines.x.bytes = 0: expected 1B to 1MiB"},
        {"a line at home nowhere", "", "[lines.x]\nhome = 4\n",
         "scenario.toml:16: lines.x.home: there is no CPU 4: the machine has CPUs 0 to 3"},
        {"a flag that is no integer", "go = 0", "go = true", "scenario.toml:8: flags.go = true: expected an integer"},
        {"a CPU that the machine does not have", "cpus = [0]", "cpus = [4]",
         "scenario.toml:10: groups.little.cpus: there is no CPU 4"},
        {"no CPUs", "cpus = [0]", "cpus = []",
         "scenario.toml:10: groups.little.cpus = []: expected CPU numbers such as [0, 1] or \"0-7,12\""},
        {"a CPU named twice in a group", "cpus = [0]", "cpus = [0, 0]",
         "scenario.toml:10: groups.little.cpus: CPU 0 is already named by group little"},
        {"a CPU named by two groups", "", "[groups.big]\ncpus = \"0-1\"\nprogram = [{think = \"1us\"}]\n",
         "scenario.toml:16: groups.big.cpus: CPU 0 is already named by group little: expected one thread a CPU"},
        {"cpus and count", "cpus = [0]", "cpus = [0]\ncount = 1",
         "scenario.toml:9: groups.little: cpus and count exclude each other"},
        {"too many threads", "cpus = [0]", "count = 5",
         "scenario.toml:10: groups.little: 5 more threads wanted, but only 4 of 4 CPUs are left"},
        {"no body", "", "[groups.big]\ncpus = [1]\n",
         "scenario.toml:15: groups.big: a group needs either a program or a workload"},
        {"two bodies", "cpus = [0]", "cpus = [0]\nworkload = \"transmit\"",
         "scenario.toml:9: groups.little: a group needs either"},
        {"an unknown workload", "", "[groups.big]\nworkload = \"transit\"\n",
         "scenario.toml:16: groups.big.workload = \"transit\": no such workload; did you mean \"transmit\"?"},
        {"a workload's lock that is not declared", "",
         "[groups.big]\nworkload = \"transmit\"\ntransmit.lock = \"timer\"\n",
         "scenario.toml:17: groups.big.transmit.lock = \"timer\": no such lock is declared; did you mean \"timers\"?"},
        {"an event without a CPU", "", "[[events]]\nat = \"1us\"\nfrequency = \"1GHz\"\n",
         "scenario.toml:15: events: expected `cpu`"},
        {"an event at no time", "", "[[events]]\ncpu = 1\nfrequency = \"1GHz\"\n",
         "scenario.toml:15: events: expected either `at` or `on`"},
        {"an event with two effects", "", "[[events]]\nat = \"1us\"\ncpu = 1\nfrequency = \"1GHz\"\nstall = \"1us\"\n",
         "scenario.toml:15: events: expected one of `frequency`, `stall` and `kill`"},
        {"an event at a step that is not there", "", "[[events]]\non = \"gapp\"\nstall = \"1us\"\n",
         "scenario.toml:16: events.on = \"gapp\": no such label of a step"},
        {"a victim that is not there", "", "[[events]]\nat = \"1us\"\nthread = \"litle\"\nkill = true\n",
         "scenario.toml:17: events.thread = \"litle\": no such thread; did you mean \"little\"?"},
        {"a count of times at a time", "", "[[events]]\nat = \"1us\"\nnth = 3\ncpu = 0\nstall = \"1us\"\n",
         "scenario.toml:15: events: `nth` goes with `on`"},
        {"no victim", "", "[[events]]\nat = \"1us\"\nkill = true\n", "scenario.toml:15: events: expected `thread`"},
        {"a handler without ticks", "", "[groups.irq]\ninterrupt = \"tick\"\nprogram = [{work = \"1us\"}]\n",
         "scenario.toml:16: groups.irq: the machine has no ticks: set machine.tick.period"},
        {"a handler that counts", "",
         "[groups.irq]\ninterrupt = \"ipi\"\niterations = 3\nprogram = [{work = \"1us\"}]\n",
         "scenario.toml:17: groups.irq.iterations: a handler runs when its interrupt comes: expected no iterations"},
        {"a kind of interrupt that is not there", "",
         "[groups.irq]\ninterrupt = \"nmi\"\nprogram = [{work = \"1us\"}]\n",
         "scenario.toml:16: groups.irq.interrupt = \"nmi\""},
        {"an event on no CPU", "", "[[events]]\nat = \"1us\"\ncpu = 9\nfrequency = \"1GHz\"\n",
         "scenario.toml:17: events.cpu: there is no CPU 9"},
        {"a clock that stands", "", "[[events]]\nat = \"1us\"\ncpu = 0\nfrequency = \"0Hz\"\n",
         "scenario.toml:18: events.frequency = \"0Hz\": expected 1MHz to 100GHz"},
    });
    CHECK_THAT(error_of("[machine]\npreset = \"duo\"\n"),
               ContainsSubstring("a scenario needs at least one [groups.NAME]"));
}

TEST_CASE("wrong steps are errors at the line of the step", "[unit]") {
    const std::string release = "{release = \"timers\"}";
    const auto step = [&](const std::string& text) { return release + ",\n    " + text; };
    const std::string here = "scenario.toml:14: groups.little.program";
    check_wrong_inputs({
        {"two verbs", release, step("{work = \"1us\", think = \"1us\"}"),
         here + ".3: a step has one verb, this one has work and think"},
        {"an unknown verb", release, step("{aquire = \"timers\"}"),
         here + ".3: {aquire = ...}: no verb of a step; did you mean \"acquire\"?"},
        {"sleep", release, step("{sleep = \"1us\"}"),
         here + ".3: sleep needs tasks, which this version does not model"},
        {"wake", release, step("{wake = \"x\"}"), here + ".3: wake needs tasks, which this version does not model"},
        {"a key of another verb", release, step("{work = \"1us\", tries = 3}"), here + ".3.tries: unknown key"},
        {"a number without a unit", release, step("{work = 10}"),
         here + ".3.work = 10: expected a span (\"40cycles\", \"20us\")"},
        {"work beyond the end of time", release, step("{work = \"86400.1s\"}"),
         here + ".3.work = \"86400.1s\": expected at most 86400s or 86400000000cycles"},
        {"a delay in cycles", release, step("{delay = \"10cycles\"}"),
         here + ".3.delay = \"10cycles\": expected a time"},
        {"tries in cycles", release, step("{try_acquire = \"timers\", every = \"1cycle\"}"),
         here + ".3.every = \"1cycle\": expected a time"},
        {"no tries", release, step("{try_acquire = \"timers\", tries = 0}"),
         here + ".3.tries = 0: expected at least 1"},
        {"an unknown policy", release, step("{relax = \"yeild\"}"),
         here + ".3.relax = \"yeild\": no such policy; did you mean \"yield\"?"},
        {"irq that is neither on nor off", release, step("{irq = \"of\"}"),
         here + ".3.irq = \"of\": no such state; did you mean \"off\"?"},
        {"a program that takes no time",
         "{acquire = \"timers\"}, {work = \"10cycles\"},\n    {release = \"timers\"}, {think = \"30cycles\"},",
         "{irq = \"on\"}, {work = \"0cycles\"},", "groups.little.program: no step takes time"},
        {"an interrupt that nobody handles", release, step("{ipi = \"little\"}"),
         here + ": {ipi = \"little\"}: no group \"little\" with interrupt = \"ipi\" is declared"},
        {"a repeat inside a repeat", release, step("{repeat = [{repeat = [{work = \"1us\"}], times = 2}], times = 2}"),
         "a repeat inside a repeat"},
        {"a repeat without an end", release, step("{repeat = [{work = \"1us\"}]}"),
         here + ".3: a repeat needs either times or until"},
        {"a repeat with two ends", release, step("{repeat = [{work = \"1us\"}], times = 2, until = \"go\"}"),
         "a repeat needs either times or until"},
        {"a repeat of nothing", release, step("{repeat = [], times = 2}"),
         here + ".3.repeat = []: expected a list of steps"},
        {"no steps",
         "[\n    {acquire = \"timers\"}, {work = \"10cycles\"},\n    {release = \"timers\"}, {think = \"30cycles\"},\n]",
         "[]", "scenario.toml:11: groups.little.program = []: expected a list of steps"},
        {"a lock that is not declared", release, step("{acquire = \"timer\"}"),
         here + ": {acquire = \"timer\"}: no lock \"timer\" is declared; did you mean \"timers\"?"},
        {"a line that is not declared", release, step("{read = \"share\"}"),
         here + ": {read = \"share\"}: no line \"share\" is declared; did you mean \"shared\"?"},
        {"a flag that is not declared", release, step("{wait = \"og\"}"),
         here + ": {wait = \"og\", value = 1}: no flag \"og\" is declared"},
        {"a flag to repeat until", release, step("{repeat = [{work = \"1us\"}], until = \"og\"}"),
         "no flag \"og\" is declared"},
        {"a release without its acquire", release, step(release),
         here + ": {release = \"timers\"}: no acquire of this lock before it"},
        {"a repeat that keeps a lock", release, step("{repeat = [{acquire = \"timers\"}], times = 1}"),
         "a repeat must release what it acquires"},
        {"a try without a release", release, step("{try_acquire = \"timers\"}"),
         here + ": {try_acquire = \"timers\", tries = 1, every = \"0ns\"}: expected a release"},
        {"a jitter above one", release, step("{work = \"1us\", jitter = \"200%\"}"),
         here + ".3.jitter = \"200%\": expected 0% to 100%"},
    });
    const std::string queue = replaced(small_scenario, "\"tas\"", "\"mcs\"");
    CHECK_THAT(
        error_of(replaced(queue, "{acquire = \"timers\"}", "{try_acquire = \"timers\"}")),
        ContainsSubstring(
            "scenario.toml:12: groups.little.program: {try_acquire = \"timers\", tries = 1, every = \"0ns\"}: a lock of type \"mcs\" cannot be tried"));
}

TEST_CASE("wrong variants, expectations and fitted parameters are errors at their line", "[unit]") {
    check_wrong_inputs({
        {"a variant called base", "", "[variants.base]\n",
         "scenario.toml:15: variants.base: this name has a meaning of its own"},
        {"a variant called as a key of expect", "", "[variants.in]\n", "scenario.toml:15: variants.in: this name"},
        {"an unknown verdict", "", "[expect]\nverdict = \"starved\"\n",
         "scenario.toml:16: expect.verdict = \"starved\": no such verdict; there are: ok, starvation"},
        {"a block for no variant", "", "[variants.lse]\n[expect.les]\n", "scenario.toml:16: expect.les: unknown key"},
        {"a count without phases", "", "[expect]\nin = \"12\"\n",
         "scenario.toml:16: expect.in = \"12\": expected \"N/M\""},
        {"more than all phases", "", "[expect]\nin = \"17/16\"\n",
         "scenario.toml:16: expect.in = \"17/16\": expected \"N/M\""},
        {"at least none", "", "[expect]\nin = \"0/16\"\n", "scenario.toml:16: expect.in = \"0/16\": expected \"N/M\""},
        {"no list", "", "[expect]\nthat = \"jain(timers) > 0\"\n",
         "scenario.toml:16: expect.that = \"jain(timers) > 0\": expected a list of comparisons"},
        {"a comparison of an unknown lock", "", "[expect]\nthat = [\n\"jain(timers) > 0\",\n\"jain(timer) > 0\"]\n",
         "scenario.toml:18: \"jain(timer) > 0\": jain(timer): no such lock; did you mean \"timers\"?"},
        {"a comparison with an unknown variant", "", "[expect]\nalways = [\"les.jain(timers) > 0\"]\n[variants.lse]\n",
         "scenario.toml:16: \"les.jain(timers) > 0\": no variant les"},
        {"a hope without a reason", "", "[expect]\nhoped = [{that = \"jain(timers) > 0\"}]\n",
         "scenario.toml:16: expect.hoped.why is missing"},
        {"a fitted parameter that is none", "", "[fitted]\n\"machine.retension\" = {range = \"a\", why = \"b\"}\n",
         "scenario.toml:16: fitted.\"machine.retension\": the scenario has no such parameter; did you mean \"retention\"?"},
        {"a fitted parameter without a reason", "", "[fitted]\n\"machine.retention\" = {range = \"a\"}\n",
         "scenario.toml:16: fitted.\"machine.retention\".why is missing"},
    });
}

TEST_CASE("phases are as many as the largest in of the file", "[unit]") {
    const std::string text = small_scenario + "[variants.v]\n[expect]\nin = \"1/4\"\n[expect.v]\nin = \"none/16\"\n";
    CHECK(load_text(small_scenario)[0].phases == 1);
    CHECK(load_text(text)[0].phases == 16);
    CHECK(load_text(text)[1].phases == 16);
    CHECK(load_text("phases = 32\n" + text)[0].phases == 32);
}

TEST_CASE("a variant without a block is expected to be ok, a file without expect states nothing", "[unit]") {
    CHECK_FALSE(load_text(small_scenario)[0].has_expect);
    const auto scenarios =
        load_text(small_scenario + "[variants.v]\n[expect]\nverdict = \"livelock\"\nthat = [\"jain(timers) < 1\"]\n");
    CHECK(scenarios[0].expect.verdict == "livelock");
    CHECK(scenarios[1].has_expect);
    CHECK(scenarios[1].expect.verdict == "ok");
    CHECK(scenarios[1].expect.that.empty());
}

TEST_CASE("impossible machines are errors at the value that makes them so", "[unit]") {
    CHECK(machine_error("retention = \"6ns\"", "retention = \"5ns\"") == "loaded");
    CHECK_THAT(machine_error("hit = \"4cycles\"", "hit = \"0cycles\""),
               ContainsSubstring("changed.toml:22: clusters.big.hit = \"0cycles\": expected more than zero"));
    CHECK(machine_error("hit = \"4cycles\"", "hit = \"1cycle\"") == "loaded");
    CHECK(machine_error("hit = \"4cycles\"", "hit = \"1ps\"") == "loaded");
    CHECK_THAT(machine_error("hit = \"4cycles\"", "hit = \"0ns\""), ContainsSubstring("expected more than zero"));
    CHECK_THAT(
        machine_error("\"1GHz\"", "\"999.999kHz\""),
        ContainsSubstring("changed.toml:16: clusters.little.frequency = \"999.999kHz\": expected 1MHz to 100GHz"));
    CHECK_THAT(machine_error("\"2GHz\"", "\"100.1GHz\""), ContainsSubstring("changed.toml:21:"));
    CHECK_THAT(machine_error("line_bytes = 64", "line_bytes = 96"),
               ContainsSubstring("changed.toml:4: line_bytes = 96: expected a power of two"));
    CHECK_THAT(machine_error("across = \"cross\"", "across = \"corss\""),
               ContainsSubstring("changed.toml:5: across = \"corss\": no such distance; did you mean \"cross\"?"));
    CHECK_THAT(machine_error("across = \"cross\"", ""),
               ContainsSubstring("across is missing: the distance class between clusters"));
    CHECK_THAT(machine_error("distance = \"near\"", "distance = \"nera\""),
               ContainsSubstring("changed.toml:15: clusters.little.distance = \"nera\": no such distance"));
    CHECK_THAT(machine_error("cpus = 2", "cpus = 0"),
               ContainsSubstring("changed.toml:14: clusters.little.cpus = 0: expected 1 to 4096"));
    CHECK(machine_error("cpus = 2", "cpus = 4094") == "loaded");
    CHECK_THAT(machine_error("cpus = 2", "cpus = 4095"),
               ContainsSubstring("changed.toml:13: clusters = 4097 CPUs: expected 1 to 4096"));
    CHECK_THAT(machine_error("\"forward\", ", "\"foward\", "),
               ContainsSubstring(
                   "changed.toml:11: estimated = \"foward\": no such key of this machine; did you mean \"forward\"?"));
    CHECK_THAT(machine_error("\"6ns\"", "6"), ContainsSubstring("changed.toml:9: retention = 6: expected a time"));
    CHECK_THAT(machine_error("", "[cpus.4]\nhit = \"2cycles\"\n"),
               ContainsSubstring("changed.toml:32: cpus.4: there is no CPU 4: the machine has CPUs 0 to 3"));
    CHECK_THAT(machine_error("", "[cpus.first]\nhit = \"2cycles\"\n"),
               ContainsSubstring("changed.toml:32: cpus.first: expected the number of a CPU"));
    CHECK_THAT(machine_error("discipline = \"by_domain\"", "discipline = \"lifo\""),
               ContainsSubstring("no such value; did you mean \"fifo\"?"));
}

TEST_CASE("a transfer is at least its parts at the slowest nominal clock of its clusters", "[unit]") {
    // 24 cycles at 1 GHz are 24 ns, near and across; the big cluster's 2 GHz do not help.
    CHECK(machine_error("transfer = \"40ns\"\nforward = \"20ns\"", "transfer = \"24ns\"\nforward = \"20ns\"") ==
          "loaded");
    CHECK_THAT(machine_error("transfer = \"40ns\"", "transfer = \"23.999ns\""),
               ContainsSubstring(
                   "changed.toml:25: distances.near.transfer = 23.999ns: expected at least request_path + snoop_path + "
                   "response_path = 10 + 10 + 4 cycles, 24 cycles at 1GHz"));
    CHECK_THAT(machine_error("request_path = \"10cycles\"", "request_path = \"9000000000000000000cycles\""),
               ContainsSubstring("changed.toml:6: request_path"));
    CHECK_THAT(machine_error("transfer = \"40ns\"", "transfer = \"1.1s\""), ContainsSubstring("expected 0ns to 1s"));
    CHECK(machine_error("forward = \"20ns\"", "forward = \"40ns\"") == "loaded");
    CHECK_THAT(
        machine_error("forward = \"20ns\"", "forward = \"40.001ns\""),
        ContainsSubstring("changed.toml:26: distances.near.forward = 40.001ns: expected at most transfer, 40ns"));
}

TEST_CASE("the nearest name is that with the fewest edits, and none if all are far", "[unit]") {
    CHECK(nearest_name("duraton", {"title", "duration", "rotation"}) == "duration");
    CHECK(nearest_name("tas", {"mcs", "tas"}) == "tas");
    CHECK(nearest_name("banana", {"mcs", "tas"}).empty());
    CHECK(nearest_name("x", {}).empty());
}

TEST_CASE("every help topic names every key and keeps to 80 columns", "[unit]") {
    CHECK(help_topic("nonsense").empty());
    for (const auto& topic : help_topics()) {
        INFO(topic);
        const std::string text = help_topic(topic);
        CHECK(text.starts_with("# "));
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = text.find('\n', at);
            CHECK(end - at <= 80);
            at = end + 1;
        }
    }
    CHECK_THAT(help_topic("machine"), ContainsSubstring("- `retention` (time, default \"0ns\")"));
    CHECK_THAT(help_topic("machine"), ContainsSubstring("\"nearest_first\":"));
    CHECK_THAT(help_topic("scenario"), ContainsSubstring("- `warmup_operations`"));
    CHECK_THAT(help_topic("steps"), ContainsSubstring("`{try_acquire = \"LOCK\", tries, every}`"));
    CHECK_THAT(help_topic("measures"), ContainsSubstring("`longest_wait(THREAD | GROUP)`"));
}
