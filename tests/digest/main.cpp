// Prints a digest per scenario file and variant, and nothing else: what builds by other compilers and with sanitizers
// are compared by. It uses neither the command's option parser nor its test framework, which take minutes to compile
// with sanitizers.
//
//   locksim-digest [--elision on|off] [--duration-cap T] [--configs DIR] FILE...

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "locks/catalogue.hpp"
#include "model/scenario/reading/loader.hpp"
#include "model/scenario/reading/units.hpp"
#include "model/scenario/running/runner.hpp"
#include "sim/failure.hpp"

namespace {

struct Options {
    bool elision = true;
    sim::Time cap = sim::Time::max();
    std::string configs = "configs";
    std::vector<std::string> files;
};

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const bool has_value = i + 1 < argc;
        if (argument == "--elision" && has_value) {
            options.elision = std::string(argv[++i]) != "off";
        } else if (argument == "--duration-cap" && has_value) {
            options.cap = model::parse_time(argv[++i]).value_or(sim::Time::max());
        } else if (argument == "--configs" && has_value) {
            options.configs = argv[++i];
        } else {
            options.files.push_back(argument);
        }
    }
    return options;
}

void print_digests(const std::string& file, const Options& options) {
    model::LoadOptions load;
    load.configs_dir = options.configs;
    for (model::Scenario scenario : model::load_scenario(file, locks::catalogue(), load)) {
        scenario.duration = std::min(scenario.duration, options.cap);
        scenario.spin_elision = options.elision;
        const auto result = model::run(scenario, locks::catalogue());
        std::printf("%016llx %s %s\n", static_cast<unsigned long long>(result->digest), file.c_str(),
                    scenario.variant.c_str());
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Options options = parse(argc, argv);
        for (const std::string& file : options.files) { print_digests(file, options); }
        return 0;
    } catch (const model::ConfigError& error) {
        std::fprintf(stderr, "locksim-digest: %s\n", error.what());
        return 2;
    } catch (const sim::InternalError& error) {
        std::fprintf(stderr, "locksim-digest: %s\n", error.what());
        return 3;
    }
}
