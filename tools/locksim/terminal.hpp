#pragma once
// What the place we print to can show.

#include <cstddef>

namespace locksim {

struct Terminal {
    bool is_terminal = false;
    bool colour = false;     ///< a terminal, and neither NO_COLOR nor TERM=dumb says otherwise
    bool utf8 = false;       ///< the locale says that it shows UTF-8
    std::size_t width = 80;  ///< 40 to 80: reports are made for 80 columns and shrink for narrower windows
};

Terminal look_at(int file_descriptor);

}  // namespace locksim
