#pragma once
// A comparison of an [expect] line as a tree: parsing, and evaluating it over runs.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/scenario/judging/measures.hpp"
#include "model/scenario/scenario.hpp"

namespace model {

struct Term {
    enum class Kind { number, measure, add, subtract, multiply, divide };
    Kind kind = Kind::number;
    double number = 0;  ///< in nanoseconds, shares of one, events per nanosecond
    MeasureCall measure;
    std::vector<Term> operands;  ///< two, of the operations
    int dimension = 0;           ///< the power of time: see MeasureRow
};

struct Comparison {
    enum class Operator { less, at_most, more, at_least, equal };
    Term left;
    Operator op = Operator::less;
    Term right;
};

/// Throws ConfigError at `text.position` for bad grammar, unknown measures, and sides of different dimension ("5" for
/// a time). Names of threads, locks and variants are not looked at.
Comparison parse_comparison(const ExpectationText& text);

/// One side of a comparison, standing alone. Throws as parse_comparison does.
Term parse_term(const ExpectationText& text);

/// All measures of a comparison or term, left to right.
std::vector<MeasureCall> measures_in(const Comparison& comparison);
std::vector<MeasureCall> measures_in(const Term& term);

/// Which run a measure reads, by variant name (empty: the expectation's own). Null: there is none.
using RunOfVariant = std::function<const RunResult*(const std::string& variant)>;

struct Outcome {
    bool holds = false;
    std::optional<double> value = {};  ///< of the left side, rates per second; none: no samples
    bool value_is_time = false;
    std::string missing_variant = {};  ///< has no run to compare with: neither true nor false
};
Outcome evaluate(const Comparison& comparison, const RunOfVariant& run_of);

/// What a term amounts to, for a text that names it.
struct Figure {
    enum class Kind { number, share, time, rate };  ///< of one; of one; in ns; per second
    Kind kind = Kind::number;
    std::optional<double> value = {};  ///< none: no samples, or a division by zero
    std::string missing_variant = {};  ///< has no run: no value either
};
/// The term's dimension must be that of a time, a rate or a plain number.
Figure evaluate(const Term& term, const RunOfVariant& run_of);

}  // namespace model
