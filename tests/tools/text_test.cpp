// Numbers and times as people read them.
#include "tools/locksim/text.hpp"

#include <limits>

#include "tests/catch.hpp"

using namespace locksim;

TEST_CASE("Counts are grouped by three digits", "[unit]") {
    CHECK(group_digits(0) == "0");
    CHECK(group_digits(999) == "999");
    CHECK(group_digits(1000) == "1 000");
    CHECK(group_digits(1790112) == "1 790 112");
    CHECK(group_digits(std::numeric_limits<std::uint64_t>::max()) == "18 446 744 073 709 551 615");
}

TEST_CASE("Compact counts have three digits and change unit where they would round up to four", "[unit]") {
    CHECK(compact_count(0) == "0");
    CHECK(compact_count(999.4) == "999");
    CHECK(compact_count(999.6) == "1.00k");
    CHECK(compact_count(12041) == "12.0k");
    CHECK(compact_count(999'400) == "999k");
    CHECK(compact_count(999'600) == "1.00M");
    CHECK(compact_count(1790112) == "1.79M");
}

TEST_CASE("Times have three digits, a suitable unit and no trailing zeros", "[unit]") {
    CHECK(friendly_time(0) == "0 ns");
    CHECK(friendly_time(0.25) == "0.25 ns");
    CHECK(friendly_time(400) == "400 ns");
    CHECK(friendly_time(999.4) == "999 ns");
    CHECK(friendly_time(999.6) == "1 us");
    CHECK(friendly_time(19.9e6) == "19.9 ms");
    CHECK(friendly_time(200e6) == "200 ms");
    CHECK(friendly_time(3600e9) == "3600 s");
    CHECK(friendly_time(-400) == "-400 ns");
}

TEST_CASE("Lines break at spaces, but not inside numbers", "[unit]") {
    CHECK(wrap("", 10).empty());
    CHECK(wrap("one two three", 7) == std::vector<std::string>{"one two", "three"});
    CHECK(wrap("big took 61 204 times", 12) == std::vector<std::string>{"big took", "61 204 times"});
    CHECK(wrap("it took 19.9 ms, then", 11) == std::vector<std::string>{"it took", "19.9 ms,", "then"});
    CHECK(wrap("runs at 300 MHz, slowly", 12) == std::vector<std::string>{"runs at", "300 MHz,", "slowly"});
    CHECK(wrap("abcdefghij k", 4) == std::vector<std::string>{"abcd", "efgh", "ij k"});
}

TEST_CASE("Width counts letters, not bytes", "[unit]") {
    CHECK(display_width("grün") == 4);
    CHECK(pad_left("ü", 3) == "  ü");
    CHECK(shorten("grüner Kern", 6) == "grün..");
    CHECK(shorten("kurz", 6) == "kurz");
}

TEST_CASE("Words that a shell would read otherwise are quoted", "[unit]") {
    CHECK(shell_quote("configs/a-b_1.toml") == "configs/a-b_1.toml");
    CHECK(shell_quote("") == "''");
    CHECK(shell_quote("a b") == "'a b'");
    CHECK(shell_quote("it's") == "'it'\\''s'");
    CHECK(shell_quote("~") == "'~'");
}

TEST_CASE("A wrapped command continues as a shell reads it", "[unit]") {
    CHECK(wrap_command({"locksim", "run", "a.toml"}, 80) == std::vector<std::string>{"locksim run a.toml"});
    CHECK(wrap_command({"locksim", "run", "a.toml"}, 14) == std::vector<std::string>{"locksim run \\", "a.toml"});
}

TEST_CASE("No line of a table ends in spaces", "[unit]") {
    TextTable table({TextTable::Align::left, TextTable::Align::right, TextTable::Align::left});
    table.add({"name", "n", "last"});
    table.add({"a", "12", "b"});
    CHECK(table.lines() == std::vector<std::string>{"name   n  last", "a     12  b"});
}

TEST_CASE("Text that was laid out for a wider screen goes on below where its text begins", "[unit]") {
    CHECK(rewrapped("short\n\n  kept  as it is\n", 20) == "short\n\n  kept  as it is\n");
    CHECK(rewrapped("WHO  somebody and some others\n", 20) == "WHO  somebody and\n     some others\n");
    CHECK(rewrapped("- one two three four\n", 12) == "- one two\n  three four\n");
    CHECK(rewrapped("  --an-option VALUE     what it does\n", 20) == "  --an-option VALUE\n      what it does\n");
    CHECK(rewrapped("no end", 20) == "no end\n");
    CHECK(rewrapped("", 20).empty());
}
