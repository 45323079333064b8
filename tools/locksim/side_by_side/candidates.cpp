#include "tools/locksim/side_by_side/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "model/scenario/reading/config_error.hpp"
#include "model/scenario/reading/loader.hpp"
#include "tools/locksim/configs.hpp"
#include "tools/locksim/exit_status.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

/// One option: what its values are called, and what each of them does.
struct Choice {
    std::string name;     ///< "count=4"
    std::string label;    ///< "4"
    std::string variant;  ///< empty: the option is not about variants
    std::string set;      ///< empty: the scenario as it stands
};
struct Axis {
    std::string key;  ///< "count"
    std::vector<Choice> choices;

    void add(Choice choice) { choices.push_back(std::move(choice)); }
};

std::string trimmed(const std::string& text) {
    const auto is_space = [](unsigned char c) { return std::isspace(c) != 0; };
    const auto begin = std::find_if_not(text.begin(), text.end(), is_space);
    const auto end = std::find_if_not(text.rbegin(), std::make_reverse_iterator(begin), is_space).base();
    return {begin, end};
}

// Reading the options -------------------------------------------------------------------------------------------

struct Vary {
    std::string path;
    std::vector<std::string> values;
};

Vary parse_vary(const std::string& text) {
    const std::string option = "--vary " + text;
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || trimmed(text.substr(0, equals)).empty()) {
        throw InputError(option + ": expected PATH=VALUE,VALUE,...");
    }
    const std::string path = trimmed(text.substr(0, equals));
    if (path == "seed") {
        throw InputError(option + ": seeds are what the intervals are over: expected --seeds A..B instead");
    }
    return {path, split_values(text.substr(equals + 1), option)};
}

/// "groups.big.count" is "count" where no other varied path ends so, else "big.count".
std::string short_path_name(const std::string& path, const std::vector<Vary>& all) {
    const auto ends_with = [](const std::string& text, const std::string& end) {
        return text == end || text.ends_with("." + end);
    };
    std::size_t dot = path.rfind('.');
    while (dot != std::string::npos) {
        const std::string tail = path.substr(dot + 1);
        const auto same =
            std::count_if(all.begin(), all.end(), [&](const Vary& vary) { return ends_with(vary.path, tail); });
        if (same == 1 || dot == 0) { return tail; }
        dot = path.rfind('.', dot - 1);
    }
    return path;
}

/// Without its quotes; values too long for a table are numbered: "#2".
std::string value_label(const std::string& value, std::size_t number) {
    constexpr std::size_t longest_value = 20;
    std::string shown = value;
    if (shown.size() >= 2 && shown.front() == shown.back() && (shown.front() == '"' || shown.front() == '\'')) {
        shown = shown.substr(1, shown.size() - 2);
    }
    return display_width(shown) <= longest_value ? printable(shown) : fmt::format("#{}", number);
}

Axis axis_of(const Vary& vary, const std::vector<Vary>& all) {
    Axis axis{short_path_name(vary.path, all), {}};
    if (vary.values.size() == 1) { axis.add({"base", "base", "", ""}); }
    for (std::size_t i = 0; i < vary.values.size(); ++i) {
        const std::string label = value_label(vary.values[i], i + 1);
        axis.add({fmt::format("{}{}{}", axis.key, label.starts_with('#') ? "" : "=", label), label, "",
                  fmt::format("{}={}", vary.path, vary.values[i])});
    }
    return axis;
}

// Loading -----------------------------------------------------------------------------------------------------

class Loader {
public:
    Loader(const std::string& file, const model::Catalogue& catalogue, const Options& options)
        : file_(file), catalogue_(catalogue), options_(options) {}

    std::vector<model::Scenario> load(const std::vector<std::string>& varied,
                                      const std::optional<std::string>& variant) const {
        model::LoadOptions load{
            .configs_dir = configs_dir(), .sets = options_.sets, .varied = varied, .variant = variant};
        if (const auto seeds = asked_seeds(options_)) { load.seed = seeds->first; }
        if (!options_.duration.empty()) { load.duration = options_.duration; }
        return model::load_scenario(file_, catalogue_, load);
    }

    Axis variants() const {
        Axis axis{"variant", {}};
        if (!options_.variant.empty()) {
            for (const std::string& name : split_values(options_.variant, "--variant " + options_.variant)) {
                axis.add({name, name, name, ""});
            }
            return axis;
        }
        if (!options_.lock.empty() || !options_.vary.empty()) { return {"variant", {{"base", "base", "base", ""}}}; }
        for (const model::Scenario& scenario : load({}, std::nullopt)) {
            axis.add({scenario.variant, scenario.variant, scenario.variant, ""});
        }
        return axis;
    }

    Axis locks(const std::string& variant) const {
        const std::string option = "--lock " + options_.lock;
        const std::vector<std::string> values = split_values(options_.lock, option);
        const model::Scenario scenario = load({}, variant).front();
        if (scenario.locks.size() != 1) {
            const std::string path = scenario.locks.empty()
                                         ? "PATH=VALUE,..."
                                         : fmt::format("locks.{}.type={}", scenario.locks.front().name, options_.lock);
            throw InputError(fmt::format(
                "{}: {} has {}, expected a scenario with exactly one: use --vary {}", option, file_,
                scenario.locks.empty() ? "no lock" : counted(scenario.locks.size(), "lock"), shell_quote(path)));
        }
        const model::LockConfig& lock = scenario.locks.front();
        Axis axis{"lock", {}};
        if (values.size() == 1) {
            if (values.front() == lock.type) {
                throw InputError(fmt::format("{}: the scenario's lock is {} already: nothing to compare it with",
                                             option, lock.type));
            }
            axis.add({lock.type, lock.type, "", ""});
        }
        for (const std::string& value : values) {
            if (catalogue_.find_lock(value) == nullptr) {
                std::vector<std::string> known;
                for (const auto* entry : catalogue_.locks) { known.emplace_back(entry->traits.name); }
                throw InputError(fmt::format("{}: {}: no such lock{}", option, value, model::suggestion(value, known)));
            }
            axis.add({value, value, "", fmt::format("locks.{}.type={}", lock.name, value)});
        }
        return axis;
    }

private:
    const std::string& file_;
    const model::Catalogue& catalogue_;
    const Options& options_;
};

/// Every choice of each axis with every choice of the others; the last axis changes fastest.
std::vector<std::vector<Choice>> combinations(const std::vector<Axis>& axes) {
    std::vector<std::vector<Choice>> all{{}};
    for (const Axis& axis : axes) {
        if (all.size() * axis.choices.size() > most_candidates) {
            throw InputError(fmt::format("more than {} combinations: expected fewer values", most_candidates));
        }
        std::vector<std::vector<Choice>> longer;
        for (const auto& combination : all) {
            for (const Choice& choice : axis.choices) {
                longer.push_back(combination);
                longer.back().push_back(choice);
            }
        }
        all = std::move(longer);
    }
    return all;
}

/// One text of each option that has more than one value.
template <typename Text>
std::string joined(const std::vector<Axis>& axes, Text text) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes[i].choices.size() > 1) { texts.push_back(printable(text(i))); }
    }
    return join(texts, ", ");
}

/// A value given twice is run twice: "mcs", "mcs (2)".
void make_distinct(std::vector<Candidate>& candidates) {
    for (auto each = candidates.begin(); each != candidates.end(); ++each) {
        const std::string name = each->name;
        const auto taken = [&](const std::string& text) {
            return std::any_of(candidates.begin(), each, [&](const Candidate& other) { return other.name == text; });
        };
        const std::string label = each->label;
        for (int n = 2; taken(each->name); ++n) {
            each->name = fmt::format("{} ({})", name, n);
            each->label = fmt::format("{} ({})", label, n);
        }
    }
}

}  // namespace

std::vector<std::string> split_values(const std::string& text, const std::string& option) {
    std::vector<std::string> values{""};
    std::string open;  // brackets that wait for their ends
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0) {
            if (c == '\\' && quote == '"' && i + 1 < text.size()) {
                values.back() += c;
                values.back() += text[++i];
                continue;
            }
            if (c == quote) { quote = 0; }
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '[' || c == '{' || c == '(') {
            open += c == '[' ? ']' : c == '{' ? '}' : ')';
        } else if (c == ']' || c == '}' || c == ')') {
            if (open.empty() || open.back() != c) {
                throw InputError(fmt::format("{}: \"{}\" closes nothing", option, c));
            }
            open.pop_back();
        } else if (c == ',' && open.empty()) {
            values.emplace_back();
            continue;
        }
        values.back() += c;
    }
    if (quote != 0) { throw InputError(fmt::format("{}: a quote ({}) is not closed", option, quote)); }
    if (!open.empty()) { throw InputError(fmt::format("{}: expected \"{}\" at the end", option, open.back())); }
    for (std::string& value : values) {
        value = trimmed(value);
        if (value.empty()) {
            throw InputError(fmt::format("{}: {}: expected VALUE,VALUE,...", option,
                                         values.size() == 1 ? "no value" : "an empty value"));
        }
    }
    return values;
}

Candidates load_candidates(const std::string& file, const model::Catalogue& catalogue, const Options& options) {
    const Loader loader(file, catalogue, options);
    std::vector<Vary> varied;
    for (const std::string& text : options.vary) {
        varied.push_back(parse_vary(text));
        if (std::count_if(varied.begin(), varied.end(),
                          [&](const Vary& vary) { return vary.path == varied.back().path; }) > 1) {
            throw InputError(fmt::format("--vary {}: {} is varied already: expected all its values in one --vary", text,
                                         varied.back().path));
        }
    }
    for (const Vary& vary : varied) {
        if (!options.lock.empty() && vary.path.starts_with("locks.") && vary.path.ends_with(".type")) {
            throw InputError(fmt::format("--lock {} and --vary {}: both choose locks: expected one of them",
                                         options.lock, vary.path));
        }
    }
    std::vector<Axis> axes{loader.variants()};
    if (!options.lock.empty()) { axes.push_back(loader.locks(axes.front().choices.front().variant)); }
    for (const Vary& vary : varied) { axes.push_back(axis_of(vary, varied)); }

    const auto all = combinations(axes);
    if (all.size() == 1) {
        throw InputError(
            fmt::format("{}: nothing to compare: expected --lock A,B, --vary PATH=VALUE,... or variants", file));
    }
    Candidates candidates{{}, joined(axes, [&](std::size_t i) { return axes[i].key; })};
    for (const auto& combination : all) {
        Candidate candidate{joined(axes, [&](std::size_t i) { return combination[i].name; }),
                            joined(axes, [&](std::size_t i) { return combination[i].label; }),
                            {},
                            {}};
        for (const Choice& choice : combination) {
            if (!choice.set.empty()) { candidate.sets.push_back(choice.set); }
        }
        candidate.scenario = loader.load(candidate.sets, combination.front().variant).front();
        candidates.all.push_back(std::move(candidate));
    }
    make_distinct(candidates.all);
    return candidates;
}

}  // namespace locksim
