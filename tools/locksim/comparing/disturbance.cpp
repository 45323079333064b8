#include "tools/locksim/comparing/disturbance.hpp"

#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#include <array>
#include <clocale>
#include <cstdlib>
#include <locale>

extern char** environ;

namespace locksim {

namespace {

constexpr unsigned long ask = 0xffffffff;  // of personality(2): changes nothing

/// Numbers as much of the world writes them: what a stream prints or reads by the global locale shows it.
class CommaNumbers final : public std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

/// Frees every second of some blocks of each size, low addresses first: the allocator hands out the last one freed
/// first, so that allocations no longer come in the order of their addresses.
void disorder_heap() {
    constexpr std::size_t blocks = 32;
    for (std::size_t size = 16; size <= 1024; size += 16) {
        std::array<void*, blocks> all{};
        for (void*& block : all) { block = std::malloc(size); }
        for (std::size_t i = 0; i < blocks; i += 2) { std::free(all[i]); }
    }
}

}  // namespace

bool fix_layout() {
    const int present = ::personality(ask);
    return present >= 0 && ::personality(static_cast<unsigned long>(present) | ADDR_NO_RANDOMIZE) >= 0;
}

void randomise_layout() {
    const int present = ::personality(ask);
    if (present < 0) { return; }
    const unsigned long without = static_cast<unsigned long>(present) & ~static_cast<unsigned long>(ADDR_NO_RANDOMIZE);
    ::personality(without | ADDR_COMPAT_LAYOUT);
}

bool layout_is_fixed() {
    const int present = ::personality(ask);
    return present >= 0 && (static_cast<unsigned long>(present) & ADDR_NO_RANDOMIZE) != 0;
}

std::vector<std::string> disturbed_environment() {
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        if (!text.starts_with("LC_") && !text.starts_with("LANG=")) { variables.emplace_back(text); }
    }
    variables.push_back("LOCKSIM_VERIFY_PADDING=" + std::string(5003, 'x'));  // no multiple of anything
    variables.emplace_back("LC_ALL=de_DE.UTF-8");
    variables.emplace_back("TZ=Asia/Kathmandu");
    variables.emplace_back("MALLOC_PERTURB_=165");  // glibc: what was not initialised is no longer zero
    return variables;
}

std::string disturb_process() {
    [[maybe_unused]] const void* moves_all_later_ones = ::mmap(
        nullptr, 37 * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    disorder_heap();
    std::locale::global(std::locale(std::locale::classic(), new CommaNumbers));
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "tr_TR.UTF-8", "C.UTF-8"}) {
        if (std::setlocale(LC_ALL, name) != nullptr) { return name; }
    }
    return "C";
}

}  // namespace locksim
