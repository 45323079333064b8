#pragma once
// What the tests of scenario files share: a small made-up catalogue, and loading from texts.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "model/scenario/reading/loader.hpp"

namespace model::test {

inline const Catalogue& catalogue() {
    static const auto rows = [] {
        struct Rows {
            LockEntry tas, mcs;
            WorkloadEntry transmit;
        } made;
        made.tas.traits.name = "tas";
        made.tas.has_try_lock = true;
        made.mcs.traits.name = "mcs";
        made.mcs.parameters = {{"spins", std::int64_t{4}, "polls before it gives up", 1, 100},
                               {"gap", cycles(3), "between two polls"},
                               {"pause", Distribution{Distribution::Kind::constant, cycles(1), {}}, "after a failure"},
                               {"fair", false, "whether it queues"},
                               {"mode", std::string("plain"), "how"}};
        made.transmit.name = "transmit";
        made.transmit.parameters = {{"lock", std::string("timers"), "the lock that is taken"},
                                    {"depth", std::int64_t{1}, "packets", 1, 8}};
        return made;
    }();
    static const Catalogue all{{&rows.tas, &rows.mcs}, {&rows.transmit}};
    return all;
}

inline std::string data_folder() { return LOCKSIM_SOURCE_DIR "/tests/model/data"; }

/// A folder of its own for the files of one test; gone with it.
class Folder {
public:
    Folder() {
        static int number = 0;
        path_ = std::filesystem::temp_directory_path() / fmt::format("locksim-test-{}-{}", ::getpid(), ++number);
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string write(const std::string& name, const std::string& text) const {
        const auto file = path_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        return file.string();
    }
    std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

inline LoadOptions options(std::vector<std::string> sets = {}) {
    LoadOptions result;
    result.configs_dir = data_folder();
    result.sets = std::move(sets);
    return result;
}

inline std::vector<Scenario> load_text(const std::string& text, const LoadOptions& how = options()) {
    const Folder folder;
    return load_scenario(folder.write("scenario.toml", text), catalogue(), how);
}

/// What the error says, from the file's name on; "loaded" if there was none.
inline std::string error_of(const std::string& text, const LoadOptions& how = options()) {
    try {
        load_text(text, how);
    } catch (const ConfigError& error) {
        const std::string message = error.what();
        const auto name = message.find("scenario.toml:");
        return name == std::string::npos ? message : message.substr(name);
    }
    return "loaded";
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    if (at == std::string::npos) { throw std::logic_error("the test's text has no " + from); }
    return text.replace(at, from.size(), to);
}

/// A short correct scenario; rows of tests change one line of it or add some, from line 15 on.
inline const std::string small_scenario = R"(title = "small"
[machine]
preset = "duo"
[locks.timers]
type = "tas"
[lines.shared]
[flags]
go = 0
[groups.little]
cpus = [0]
program = [
    {acquire = "timers"}, {work = "10cycles"},
    {release = "timers"}, {think = "30cycles"},
]
)";

}  // namespace model::test
