#include "tools/locksim/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace locksim {

namespace {

constexpr long narrowest = 40;
constexpr long widest = 80;

bool is_set(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
}

/// The first of the three that is set decides, as POSIX has it.
bool locale_is_utf8() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        if (!is_set(name)) { continue; }
        const std::string_view locale = std::getenv(name);
        return locale.find("UTF-8") != std::string_view::npos || locale.find("utf8") != std::string_view::npos;
    }
    return false;
}

/// COLUMNS wins over the window, as in other tools: it is how users and tests overrule it. 0: not known.
long columns(int file_descriptor) {
    if (const char* text = std::getenv("COLUMNS")) {
        const long value = std::strtol(text, nullptr, 10);
        if (value > 0) { return value; }
    }
    winsize window{};
    if (ioctl(file_descriptor, TIOCGWINSZ, &window) == 0) { return window.ws_col; }
    return 0;
}

}  // namespace

Terminal look_at(int file_descriptor) {
    Terminal terminal;
    terminal.is_terminal = isatty(file_descriptor) == 1;
    const char* type = std::getenv("TERM");
    const bool dumb = type != nullptr && std::string_view(type) == "dumb";
    terminal.colour = terminal.is_terminal && !is_set("NO_COLOR") && !dumb;
    terminal.utf8 = locale_is_utf8() && !dumb;
    if (const long known = columns(file_descriptor); known > 0) {
        terminal.width = static_cast<std::size_t>(std::clamp(known, narrowest, widest));
    }
    return terminal;
}

}  // namespace locksim
