// How quantities are spelled: exact on both sides of each limit.
#include "model/scenario/reading/units.hpp"

#include "tests/catch.hpp"

using namespace model;

namespace {

std::int64_t ps(std::string_view text) {
    const auto time = parse_time(text);
    return time ? time->ps : -1;
}

}  // namespace

TEST_CASE("every unit of time is exact to the picosecond", "[unit]") {
    CHECK(ps("3ps") == 3);
    CHECK(ps("1.5ns") == 1'500);
    CHECK(ps("20us") == 20'000'000);
    CHECK(ps("200ms") == 200'000'000'000);
    CHECK(ps("1s") == 1'000'000'000'000);
    CHECK(ps("0ns") == 0);
    CHECK(ps("0.1s") == 100'000'000'000);  // one tenth is no binary fraction
    CHECK(ps("4.35us") == 4'350'000);
    CHECK(ps("1.50ns") == 1'500);
}

TEST_CASE("a time that is no whole number of picoseconds is refused", "[unit]") {
    CHECK(ps("0.001ns") == 1);
    CHECK(ps("0.0001ns") == -1);
    CHECK(ps("0.5ps") == -1);
    CHECK(ps("1.000000000001s") == 1'000'000'000'001);
    CHECK(ps("1.0000000000001s") == -1);
}

TEST_CASE("the longest time fits and one picosecond more does not", "[unit]") {
    CHECK(ps("9223372036854775807ps") == sim::Time::max().ps);
    CHECK(ps("9223372036854775808ps") == -1);
    CHECK(ps("9223372.036854775807s") == sim::Time::max().ps);
    CHECK(ps("9223372.036854775808s") == -1);
    CHECK(ps("99999999999999999999999999999s") == -1);
}

TEST_CASE("a time needs digits, a known unit and nothing else", "[unit]") {
    for (const auto* wrong : {"", "ns", "20", "20 us", " 20us", "20us ", "-1us", "+1us", "1e3us", ".5us", "5.us",
                              "1.2.3us", "20sec", "20US", "20usx", "0x10us", "1_000us"}) {
        INFO(wrong);
        CHECK_FALSE(parse_time(wrong));
    }
}

TEST_CASE("frequencies are exact to the hertz", "[unit]") {
    CHECK(parse_frequency("300MHz") == Frequency{300'000'000});
    CHECK(parse_frequency("2.1GHz") == Frequency{2'100'000'000});
    CHECK(parse_frequency("32768Hz") == Frequency{32'768});
    CHECK(parse_frequency("10kHz") == Frequency{10'000});
    CHECK(parse_frequency("2.000000001GHz") == Frequency{2'000'000'001});
    CHECK_FALSE(parse_frequency("2.0000000001GHz"));
    CHECK_FALSE(parse_frequency("0.5Hz"));
    CHECK_FALSE(parse_frequency("300mhz"));
    CHECK_FALSE(parse_frequency("300"));
}

TEST_CASE("a span is whole cycles or a time", "[unit]") {
    CHECK(parse_span("40cycles") == cycles(40));
    CHECK(parse_span("1cycle") == cycles(1));
    CHECK(parse_span("20us") == span(sim::microseconds(20)));
    CHECK(parse_span("0cycles") == Span{});
    CHECK_FALSE(parse_span("0.5cycles"));
    CHECK_FALSE(parse_span("40"));
    CHECK_FALSE(parse_span("40MHz"));
}

TEST_CASE("shares are exact to one in a million", "[unit]") {
    CHECK(parse_share("15%") == Share{150'000});
    CHECK(parse_share("0.5%") == Share{5'000});
    CHECK(parse_share("0.0001%") == Share{1});
    CHECK_FALSE(parse_share("0.00001%"));
    CHECK(parse_share("214748.3647%") == Share{2'147'483'647});
    CHECK_FALSE(parse_share("214748.3648%"));
    CHECK_FALSE(parse_share("15"));
}

TEST_CASE("bytes come in powers of 1024", "[unit]") {
    CHECK(parse_bytes("64B") == 64);
    CHECK(parse_bytes("4KiB") == 4096);
    CHECK(parse_bytes("0.5KiB") == 512);
    CHECK(parse_bytes("1MiB") == 1'048'576);
    CHECK_FALSE(parse_bytes("0.5B"));
    CHECK_FALSE(parse_bytes("4KB"));
}

TEST_CASE("distributions are constant, exponential or uniform", "[unit]") {
    using Kind = Distribution::Kind;
    const Span us1 = span(sim::microseconds(1));
    const Span us2 = span(sim::microseconds(2));
    CHECK(parse_distribution("2us") == Distribution{Kind::constant, us2, {}});
    CHECK(parse_distribution("exp(2us)") == Distribution{Kind::exponential, us2, {}});
    CHECK(parse_distribution("uniform(1us, 2us)") == Distribution{Kind::uniform, us1, us2});
    CHECK(parse_distribution("uniform(1us,2us)") == Distribution{Kind::uniform, us1, us2});
    CHECK(parse_distribution("uniform(2us, 2us)") == Distribution{Kind::uniform, us2, us2});
    CHECK(parse_distribution("uniform(0ns, 2us)") == Distribution{Kind::uniform, {}, us2});
    for (const auto* wrong :
         {"exp()", "exp(0us)", "exp(2us", "exp 2us", "uniform(1us)", "uniform(2us, 1us)", "uniform(1us, 2cycles)",
          "uniform(1cycle, 2us)", "uniform(1us, 2us, 3us)", "normal(1us)"}) {
        INFO(wrong);
        CHECK_FALSE(parse_distribution(wrong));
    }
}

TEST_CASE("CPU lists keep the order in which they are written", "[unit]") {
    using Cpus = std::vector<std::int32_t>;
    CHECK(parse_cpu_list("0-3,12") == Cpus{0, 1, 2, 3, 12});
    CHECK(parse_cpu_list("5, 1 , 2-2") == Cpus{5, 1, 2});
    CHECK(parse_cpu_list("0-4095")->size() == 4096);
    for (const auto* wrong : {"", "a", "1-", "-1", "3-1", "1,,2", "1,", "1;2", "0-4096", "1 2", "99999999"}) {
        INFO(wrong);
        CHECK_FALSE(parse_cpu_list(wrong));
    }
}

TEST_CASE("what is written is read back as the same value", "[unit]") {
    for (const std::int64_t value : {std::int64_t{0}, std::int64_t{1}, std::int64_t{999}, std::int64_t{1'000},
                                     std::int64_t{1'500}, std::int64_t{1'000'000'000'001}, sim::Time::max().ps}) {
        INFO(value);
        CHECK(parse_time(format_time({value})) == sim::Time{value});
        CHECK(parse_frequency(format_frequency({value})) == Frequency{value});
        CHECK(parse_span(format_span({0, {value}})) == Span{0, {value}});
        CHECK(parse_cycles(format_cycles(value)) == value);
        CHECK(parse_bytes(format_bytes(value)) == value);
    }
    for (const std::int32_t ppm : {0, 1, 9'999, 10'000, 150'000, 2'147'483'647}) {
        CHECK(parse_share(format_share({ppm})) == Share{ppm});
    }
    for (const auto* text : {"40cycles", "1cycle", "1.5ns", "exp(5us)", "uniform(1us, 2us)", "uniform(0ns, 1us)",
                             "uniform(0cycles, 8cycles)"}) {
        CHECK(format_distribution(*parse_distribution(text)) == text);
    }
    CHECK(format_cpu_list({0, 1, 2, 3, 12, 5, 6}) == "0-3,12,5-6");
}

TEST_CASE("values are written in the largest unit of which there is one", "[unit]") {
    CHECK(format_time(sim::picoseconds(999)) == "999ps");
    CHECK(format_time(sim::nanoseconds(1)) == "1ns");
    CHECK(format_time(sim::picoseconds(1'001)) == "1.001ns");
    CHECK(format_time(sim::seconds(100)) == "100s");
    CHECK(format_time({}) == "0ns");
    CHECK(format_frequency({32'768}) == "32.768kHz");
    CHECK(format_share({5'000}) == "0.5%");
    CHECK(format_bytes(4096) == "4KiB");
    CHECK(format_bytes(4097) == "4097B");
}
