// The fuzz target: a text of any kind goes through loader, expectations and print-config. See README.md.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "locks/catalogue.hpp"
#include "tests/fuzz/oracle.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::string fault = fuzz::fault_of(text, LOCKSIM_SOURCE_DIR "/configs", locks::catalogue());
    if (!fault.empty()) {
        std::fprintf(stderr, "%s\n", fault.c_str());
        std::abort();
    }
    return 0;
}
