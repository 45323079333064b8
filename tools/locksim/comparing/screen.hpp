#pragma once
// The lines that `verify` and `diff` share: a word at the left, wrapped text beside it.

#include <string>
#include <vector>

#include "tools/locksim/comparing/difference.hpp"

namespace locksim {

class LabelledLines {
public:
    explicit LabelledLines(std::size_t width) : width_(width) {}

    void add(const std::string& label, const std::string& text);
    /// One line, cut where it is too long.
    void add_short(const std::string& label, const std::string& text);
    /// A command to paste, over as many lines as it takes.
    void add_command(const std::string& label, const std::vector<std::string>& words);
    /// What happened in one of two runs: the event in two lines, or that there is none.
    void add_event(const std::string& label, const Events& events);
    /// Up to `most` of those that follow the first.
    void add_following(const std::string& label, const Events& events, std::size_t most);

    void append(const LabelledLines& others);
    std::size_t size() const { return lines_.size(); }
    std::size_t width() const { return width_; }
    std::string text() const;

private:
    std::size_t width_;
    std::vector<std::string> lines_;
};

/// "old, new differ", "another one is next", "A has ended, B goes on".
std::string parting_text(const std::vector<std::string>& keys, const Events& a, const Events& b,
                         const std::string& name_a, const std::string& name_b);
/// "after 2 more owners: little, big, big in A; big, big, big in B".
std::string owners_text(const OwnersAfter& owners, const std::string& name_a, const std::string& name_b);

}  // namespace locksim
