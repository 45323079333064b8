#pragma once
// What the user asked for, as plain data: command_line.cpp fills it, the verbs read it.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/locksim/log.hpp"

namespace locksim {

enum class Format { table, json, csv };

struct Options {
    std::string program;                     ///< how lines to paste begin: "./tools/run", or argv[0]
    std::vector<std::string> files;          ///< scenario files
    std::string name;                        ///< list: what; describe: whom; help: topic or verb
    std::vector<std::string> sets;           ///< PATH=VALUE, in order
    std::string seed, seeds, phase, phases;  ///< as written: "7", "1..16", "3", "16"; empty: not given
    std::string variant;                     ///< empty: all of them
    std::string lock;                        ///< compare: "mcs,ticket"; empty: not given
    std::vector<std::string> vary;           ///< compare: PATH=VALUE,VALUE,...
    std::string duration;                    ///< empty: as the scenario says
    Format format = Format::table;
    std::string output;         ///< empty: stdout
    std::string locks;          ///< folder with the user's locks; empty: none
    std::string events, trace;  ///< files for the event log and the Chrome trace; empty: none
    std::string window;         ///< of both, "FROM..TO"; empty: around the verdict
    std::string timeline;       ///< "FROM..TO", or timeline_by_default; empty: no chart
    std::string worker;         ///< verify: this process is one of those that it compares; empty: it is not
    std::string jobs;           ///< validate: so many processes at once; empty: one for each CPU
    bool quick = false;         ///< validate: few points
    bool write = false;         ///< validate: store the errors in the machine files
    bool judge_all = false;
    bool lesson = false;     ///< ask [lesson]'s question before the run, explain after it
    bool reveal = false;     ///< the same without waiting for an answer
    bool stability = false;  ///< test whether the verdicts survive small disturbances
    bool verbose = false;
    bool quiet = false;
    std::optional<log::Level> log_level;  ///< wins over verbose and quiet
};

/// What --timeline without a window stands for: around the verdict.
constexpr const char* timeline_by_default = "true";  // as CLI11 gives a flag without a value

/// First and last, both included.
struct SeedRange {
    std::uint64_t first = 1;
    std::uint64_t last = 1;
};
struct PhaseRange {
    std::int32_t first = 1;
    std::int32_t last = 1;
};

/// Seeds are below 2^53, so that every JSON reader keeps them.
constexpr std::uint64_t seed_limit = std::uint64_t{1} << 53U;
constexpr std::int32_t phase_limit = 1'000'000;

/// What --seed or --seeds ask for; no value: the scenario's own seed. Throws InputError.
std::optional<SeedRange> asked_seeds(const Options& options);
/// What --phases N (1 to N) or --phase N (that one alone) ask for; the first one if neither is given. Throws
/// InputError.
PhaseRange asked_phases(const Options& options);

/// Which run a command line is to repeat; empty members: whatever `options` say.
struct RunName {
    std::string file;
    std::string variant;
    std::optional<std::uint64_t> seed;
    std::optional<std::int32_t> phase;
};

/// `run` (or another verb) with everything that decides about results, quoted for a shell, word by word.
std::vector<std::string> repeat_command(const Options& options, const RunName& run, const std::string& verb = "run");

}  // namespace locksim
