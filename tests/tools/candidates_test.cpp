// What --lock, --vary and --variant mean together.

#include "tools/locksim/side_by_side/candidates.hpp"

#include "tests/catch.hpp"
#include "tools/locksim/exit_status.hpp"

using namespace locksim;
using Catch::Matchers::ContainsSubstring;

namespace {

using Texts = std::vector<std::string>;

Texts split(const std::string& text) { return split_values(text, "--vary"); }

std::string refusal(const std::string& text) {
    try {
        split(text);
    } catch (const InputError& error) { return error.what(); }
    return "";
}

}  // namespace

TEST_CASE("Values are split at commas outside of brackets and quotes", "[unit]") {
    CHECK(split("1,2,4") == Texts{"1", "2", "4"});
    CHECK(split(" a , b ") == Texts{"a", "b"});
    CHECK(split("[0, 1],[2, 3]") == Texts{"[0, 1]", "[2, 3]"});
    CHECK(split("[ {acquire = \"l\"}, {think = \"1ns\"} ],[]") ==
          Texts{"[ {acquire = \"l\"}, {think = \"1ns\"} ]", "[]"});
    CHECK(split("\"a,b\",'c,d'") == Texts{"\"a,b\"", "'c,d'"});
    CHECK(split(R"("a\",b",c)") == Texts{R"("a\",b")", "c"});  // an escaped quote ends nothing
    CHECK(split(R"('a\',b)") == Texts{R"('a\')", "b"});        // in single quotes nothing is escaped
    CHECK(split("\"[\",x") == Texts{"\"[\"", "x"});            // a bracket in quotes is none
    CHECK(split("\"\",x") == Texts{"\"\"", "x"});
    CHECK(split("mcs") == Texts{"mcs"});
}

TEST_CASE("Empty values and open brackets or quotes are refused, with the option", "[unit]") {
    for (const char* text : {"", " ", ",", "a,,b", "a,", ",a", "[1,2", "{a=[1}", "1]", "\"a", "'a,b", "\"a\\\""}) {
        INFO(text);
        CHECK_THAT(refusal(text), ContainsSubstring("--vary: "));
    }
    CHECK_THAT(refusal(""), ContainsSubstring("no value"));
    CHECK_THAT(refusal("a,,b"), ContainsSubstring("an empty value"));
}
