#include "model/scenario/judging/comparison.hpp"

#include <array>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "model/scenario/reading/config_error.hpp"

namespace model {
namespace {

/// As a quotient of whole numbers, so that "15%" and "5kHz" are rounded once, as the measures are, and can be equal.
struct NumberUnit {
    std::string_view name;
    double factor;
    double divisor;
    int dimension;
};
constexpr std::array<NumberUnit, 11> number_units{{{"", 1, 1, 0},
                                                   {"%", 1, 100, 0},
                                                   {"ps", 1, 1e3, 1},
                                                   {"ns", 1, 1, 1},
                                                   {"us", 1e3, 1, 1},
                                                   {"ms", 1e6, 1, 1},
                                                   {"s", 1e9, 1, 1},
                                                   {"Hz", 1, 1e9, -1},
                                                   {"kHz", 1e3, 1e9, -1},
                                                   {"MHz", 1e6, 1e9, -1},
                                                   {"GHz", 1e9, 1e9, -1}}};

constexpr double ns_per_second = 1e9;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string dimension_text(int dimension) {
    switch (dimension) {
        case 1: return "a time (ps, ns, us, ms, s)";
        case 0: return "a plain number or a share (%)";
        case -1: return "a rate (Hz, kHz, MHz, GHz)";
        default: return fmt::format("a time to the power {}", dimension);
    }
}

/// Recursive descent, one function for each rule of the grammar.
class Parser {
public:
    explicit Parser(const ExpectationText& text) : source_(text), rest_(text.text) {}

    Comparison comparison() {
        Comparison result;
        result.left = sum();
        result.op = comparison_operator();
        result.right = sum();
        skip_spaces();
        if (!rest_.empty()) { fail("expected nothing more"); }
        if (result.left.dimension != result.right.dimension) { fail_dimensions("compares", result.left, result.right); }
        return result;
    }

    Term term() {
        Term result = sum();
        skip_spaces();
        if (!rest_.empty()) { fail("expected nothing more"); }
        return result;
    }

private:
    [[noreturn]] void fail(const std::string& message) const {
        const std::string place = rest_.empty() ? "at its end" : fmt::format("at {}", toml_string_of_rest());
        throw ConfigError(source_.position, fmt::format("\"{}\": {} {}", source_.text, message, place));
    }
    [[noreturn]] void fail_dimensions(std::string_view verb, const Term& a, const Term& b) const {
        throw ConfigError(source_.position, fmt::format("\"{}\": {} {} with {}", source_.text, verb,
                                                        dimension_text(a.dimension), dimension_text(b.dimension)));
    }
    std::string toml_string_of_rest() const { return fmt::format("\"{}\"", rest_); }

    void skip_spaces() {
        while (!rest_.empty() && rest_.front() == ' ') { rest_.remove_prefix(1); }
    }

    bool take(std::string_view token) {
        skip_spaces();
        if (!rest_.starts_with(token)) { return false; }
        rest_.remove_prefix(token.size());
        return true;
    }

    Comparison::Operator comparison_operator() {
        using Operator = Comparison::Operator;
        if (take("<=")) { return Operator::at_most; }  // before "<", its beginning
        if (take(">=")) { return Operator::at_least; }
        if (take("==")) { return Operator::equal; }
        if (take("<")) { return Operator::less; }
        if (take(">")) { return Operator::more; }
        fail("expected <, <=, >, >= or ==");
    }

    Term sum() {
        Term result = product();
        while (true) {
            if (take("+")) {
                result = combined(Term::Kind::add, std::move(result), product());
            } else if (take("-")) {
                result = combined(Term::Kind::subtract, std::move(result), product());
            } else {
                return result;
            }
        }
    }

    Term product() {
        Term result = factor();
        while (true) {
            if (take("*")) {
                result = combined(Term::Kind::multiply, std::move(result), factor());
            } else if (take("/")) {
                result = combined(Term::Kind::divide, std::move(result), factor());
            } else {
                return result;
            }
        }
    }

    Term combined(Term::Kind kind, Term left, Term right) const {
        if (kind == Term::Kind::divide && right.kind == Term::Kind::number && right.number == 0) {
            throw ConfigError(source_.position, fmt::format("\"{}\": divides by zero", source_.text));
        }
        Term result;
        result.kind = kind;
        switch (kind) {
            case Term::Kind::multiply: result.dimension = left.dimension + right.dimension; break;
            case Term::Kind::divide: result.dimension = left.dimension - right.dimension; break;
            default:
                if (left.dimension != right.dimension) { fail_dimensions("adds", left, right); }
                result.dimension = left.dimension;
        }
        result.operands = {std::move(left), std::move(right)};
        return result;
    }

    Term factor() {
        if (take("(")) {
            if (++depth_ > 50) { fail("too many parentheses"); }  // the stack is not the user's to exhaust
            Term inside = sum();
            expect(")");
            --depth_;
            return inside;
        }
        skip_spaces();
        if (!rest_.empty() && is_digit(rest_.front())) { return number(); }
        if (!rest_.empty() && is_letter(rest_.front())) { return measure(); }
        fail("expected a number, a measure or (");
    }

    void expect(std::string_view token) {
        if (!take(token)) { fail(fmt::format("expected {}", token)); }
    }

    Term number() {
        Term result;
        const auto [end, error] =
            std::from_chars(rest_.data(), rest_.data() + rest_.size(), result.number, std::chars_format::fixed);
        if (error != std::errc{}) { fail("expected a number"); }
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        std::size_t length = 0;
        while (length < rest_.size() && (is_letter(rest_[length]) || rest_[length] == '%')) { ++length; }
        const std::string_view unit = rest_.substr(0, length);
        for (const auto& known : number_units) {
            if (known.name != unit) { continue; }
            rest_.remove_prefix(length);
            result.number = result.number * known.factor / known.divisor;
            result.dimension = known.dimension;
            return result;
        }
        fail("expected a unit (ps, ns, us, ms, s, %, Hz, kHz, MHz, GHz)");
    }

    /// Letters, digits, _ and -; a - that no letter or digit follows is a minus.
    std::string name() {
        skip_spaces();
        if (rest_.empty() || !is_letter(rest_.front())) { fail("expected a name"); }
        std::size_t length = 1;
        const auto inside = [&](std::size_t at) {
            return at < rest_.size() && (is_letter(rest_[at]) || is_digit(rest_[at]));
        };
        while (inside(length) || (length < rest_.size() && rest_[length] == '-' && inside(length + 1))) { ++length; }
        std::string result(rest_.substr(0, length));
        rest_.remove_prefix(length);
        return result;
    }

    Term measure() {
        Term result;
        result.kind = Term::Kind::measure;
        MeasureCall& call = result.measure;
        call.name = name();
        if (take(".")) {
            call.variant = std::move(call.name);
            call.name = name();
        }
        expect("(");
        if (!take(")")) { arguments(call); }
        const MeasureRow* row = find_measure(call.name);
        if (row == nullptr) { fail_measure(call); }
        result.dimension = row->dimension;
        return result;
    }

    /// The rest of "NAME(": an argument, or another measure of which NAME is the statistic.
    void arguments(MeasureCall& call) {
        call.argument = name();
        if (take("(")) {
            call.statistic = std::move(call.name);
            call.name = std::move(call.argument);
            call.argument = argument();
            expect(")");
        } else {
            call.argument += thread_number();
        }
        expect(")");
    }

    std::string argument() {
        std::string result = name();
        return result + thread_number();
    }

    /// ".3" of "big.3", or nothing.
    std::string thread_number() {
        if (!take(".")) { return {}; }
        std::string number = ".";
        while (!rest_.empty() && is_digit(rest_.front())) {
            number += rest_.front();
            rest_.remove_prefix(1);
        }
        if (number.size() == 1) { fail("expected the number of a thread"); }
        return number;
    }

    [[noreturn]] void fail_measure(const MeasureCall& call) const {
        throw ConfigError(source_.position, fmt::format("\"{}\": {}", source_.text, problem_of(call, {})));
    }

    const ExpectationText& source_;
    std::string_view rest_;
    int depth_ = 0;
};

void collect_measures(const Term& term, std::vector<MeasureCall>& calls) {
    if (term.kind == Term::Kind::measure) { calls.push_back(term.measure); }
    for (const auto& operand : term.operands) { collect_measures(operand, calls); }
}

std::optional<double> value_of(const Term& term, const RunOfVariant& run_of) {
    if (term.kind == Term::Kind::number) { return term.number; }
    if (term.kind == Term::Kind::measure) { return value_of(term.measure, *run_of(term.measure.variant)); }
    const auto left = value_of(term.operands[0], run_of);
    const auto right = value_of(term.operands[1], run_of);
    if (!left || !right) { return std::nullopt; }
    switch (term.kind) {
        case Term::Kind::add: return *left + *right;
        case Term::Kind::subtract: return *left - *right;
        case Term::Kind::multiply: return *left * *right;
        default: break;
    }
    if (*right == 0) { return std::nullopt; }
    return *left / *right;
}

bool compare(double left, Comparison::Operator op, double right) {
    switch (op) {
        case Comparison::Operator::less: return left < right;
        case Comparison::Operator::at_most: return left <= right;
        case Comparison::Operator::more: return left > right;
        case Comparison::Operator::at_least: return left >= right;
        case Comparison::Operator::equal: return left == right;
    }
    return false;
}

}  // namespace

Comparison parse_comparison(const ExpectationText& text) { return Parser(text).comparison(); }

Term parse_term(const ExpectationText& text) { return Parser(text).term(); }

std::vector<MeasureCall> measures_in(const Term& term) {
    std::vector<MeasureCall> calls;
    collect_measures(term, calls);
    return calls;
}

std::vector<MeasureCall> measures_in(const Comparison& comparison) {
    std::vector<MeasureCall> calls;
    collect_measures(comparison.left, calls);
    collect_measures(comparison.right, calls);
    return calls;
}

Outcome evaluate(const Comparison& comparison, const RunOfVariant& run_of) {
    for (const auto& call : measures_in(comparison)) {
        if (run_of(call.variant) == nullptr) { return {.missing_variant = call.variant}; }
    }
    const auto left = value_of(comparison.left, run_of);
    const auto right = value_of(comparison.right, run_of);
    Outcome outcome;
    outcome.holds = left && right && compare(*left, comparison.op, *right);
    outcome.value = left;
    outcome.value_is_time = comparison.left.dimension == 1;
    if (left && comparison.left.dimension == -1) { outcome.value = *left * ns_per_second; }
    return outcome;
}

Figure evaluate(const Term& term, const RunOfVariant& run_of) {
    Figure figure;
    if (term.dimension == 1) { figure.kind = Figure::Kind::time; }
    if (term.dimension == -1) { figure.kind = Figure::Kind::rate; }
    const bool alone = term.kind == Term::Kind::measure;
    if (alone && find_measure(term.measure.name)->over_threads == MeasureRow::OverThreads::share) {
        figure.kind = Figure::Kind::share;
    }
    for (const auto& call : measures_in(term)) {
        if (run_of(call.variant) != nullptr) { continue; }
        figure.missing_variant = call.variant;
        return figure;
    }
    figure.value = value_of(term, run_of);
    if (figure.value && figure.kind == Figure::Kind::rate) { *figure.value *= ns_per_second; }
    return figure;
}

}  // namespace model
