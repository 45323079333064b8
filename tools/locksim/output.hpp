#pragma once
// Where results go: stdout, or a file that is either the old one or the complete new one.

#include <memory>
#include <string>

#include "tools/locksim/terminal.hpp"

namespace locksim {

/// Takes the text of a command. Nothing counts as written before finish() has returned. Both functions throw
/// OutputError, or ClosedPipe where the reader has gone.
class Output {
public:
    virtual ~Output() = default;
    virtual void write(const std::string& text) = 0;
    virtual void finish() = 0;
    virtual Terminal terminal() const = 0;
};

/// `path` empty or "-": stdout. A regular file, or one that does not exist yet, is written under a temporary name in
/// the same folder and renamed by finish(); anything else (a pipe, /dev/null) is written directly. Throws
/// OutputError at once where the folder does not exist or may not be written, so that nobody waits for a run
/// in vain.
std::unique_ptr<Output> open_output(const std::string& path);

}  // namespace locksim
