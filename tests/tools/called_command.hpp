#pragma once
// The built command, called as a user calls it, on the configurations of tests/tools/data.

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "tests/tools/temporary_folder.hpp"

namespace locksim_test {

inline const std::string data_folder = std::string(LOCKSIM_SOURCE_DIR) + "/tests/tools/data";

struct Ended {
    int status = -1;
    std::string out, err;
};

/// `redirection` comes last and may send stdout elsewhere.
inline Ended shell(const std::string& command, const std::string& redirection = "") {
    const TemporaryFolder folder;
    const std::string line = "export LOCKSIM_CONFIGS='" + data_folder + "/configs' XDG_CACHE_HOME='" +
                             (folder / "cache") + "'; unset NO_COLOR COLUMNS LOCKSIM_COMMAND; " + command + " >'" +
                             (folder / "out") + "' 2>'" + (folder / "err") + "' " + redirection;
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(folder / "out"), content(folder / "err")};
}

inline Ended call(const std::string& arguments, const std::string& redirection = "") {
    return shell(std::string(LOCKSIM_BINARY) + " " + arguments, redirection);
}

}  // namespace locksim_test
