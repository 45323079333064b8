// `locksim describe NAME`: everything about a lock, workload, machine or scenario. A name that several have gets all
// of them.

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "model/scenario/reading/config_error.hpp"
#include "model/scenario/reading/loader.hpp"
#include "tools/locksim/configs.hpp"
#include "tools/locksim/description.hpp"
#include "tools/locksim/output.hpp"
#include "tools/locksim/user_locks.hpp"
#include "tools/locksim/verbs.hpp"

namespace locksim {

namespace {

namespace fs = std::filesystem;

class Finder {
public:
    explicit Finder(const Options& options)
        : options_(options), catalogue_(load_catalogue(options.locks)), configs_(configs_dir()) {}

    std::vector<Description> find() {
        std::error_code error;
        if (fs::is_regular_file(options_.name, error)) {
            find_file();
        } else {
            find_in_catalogue();
            find_machine();
            find_scenario();
        }
        if (found_.empty()) {
            throw InputError(fmt::format("describe {}: no lock, workload, machine or scenario has this name{}",
                                         options_.name, model::suggestion(options_.name, known_)));
        }
        return std::move(found_);
    }

private:
    bool is_wanted(const std::string& name) {
        known_.push_back(name);
        return name == options_.name;
    }

    void find_file() {
        const fs::path path(options_.name);
        if (fs::absolute(path).parent_path().filename() == "machines") {
            const fs::path configs = fs::absolute(path).parent_path().parent_path();
            found_.push_back(describe_machine(model::load_machine(path.stem().string(), configs.string())));
        } else {
            add_scenario(options_.name);
        }
    }

    void find_in_catalogue() {
        for (const model::LockEntry* lock : catalogue_.locks) {
            if (is_wanted(std::string(lock->traits.name))) { found_.push_back(describe_lock(*lock, options_.locks)); }
        }
        for (const model::WorkloadEntry* workload : catalogue_.workloads) {
            if (is_wanted(std::string(workload->name))) { found_.push_back(describe_workload(*workload)); }
        }
    }

    void find_machine() {
        for (const ConfigFile& file : machine_files(configs_)) {
            if (is_wanted(file.name)) { found_.push_back(describe_machine(model::load_machine(file.name, configs_))); }
        }
    }

    /// "seeds/001-biglittle", or without its folder.
    void find_scenario() {
        for (const ConfigFile& file : scenario_files(configs_)) {
            const std::string stem = fs::path(file.path).stem().string();
            const bool by_path = is_wanted(file.name);
            if (by_path || (stem != file.name && is_wanted(stem))) { add_scenario(short_path(file.path)); }
        }
    }

    void add_scenario(const std::string& path) {
        found_.push_back(describe_scenario(model::load_scenario(
            path, catalogue_, {.configs_dir = configs_, .sets = {}, .seed = {}, .duration = {}, .variant = {}})));
    }

    const Options& options_;
    model::Catalogue catalogue_;
    std::string configs_;
    std::vector<std::string> known_;
    std::vector<Description> found_;
};

}  // namespace

ExitStatus verb_describe(const Options& options) {
    const std::vector<Description> found = Finder(options).find();
    const auto output = open_output(options.output);
    if (options.format == Format::json) {
        output->write(description_json(found));
    } else {
        for (const Description& description : found) {
            if (&description != &found.front()) { output->write("\n"); }
            output->write(description_table(description, output->terminal().width));
        }
    }
    output->finish();
    return ExitStatus::ok;
}

}  // namespace locksim
