#include "model/scenario/running/program.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/scenario/catalogue.hpp"
#include "model/scenario/reading/config_error.hpp"
#include "model/scenario/reading/table_reader.hpp"
#include "model/scenario/reading/units.hpp"
#include "model/scenario/reading/value_reader.hpp"

namespace model {
namespace {

constexpr std::array<std::string_view, 3> relax_policy_names{"none", "yield", "cpu_relax"};

constexpr std::array<std::string_view, 2> irq_names{"off", "on"};

using Kind = Step::Kind;

const StepVerb& verb_of(Kind kind) {
    return *std::find_if(step_verbs().begin(), step_verbs().end(),
                         [&](const StepVerb& verb) { return verb.kind == kind; });
}

/// The one verb of a step.
const StepVerb& find_verb(const Node& node, const std::string& path) {
    const StepVerb* found = nullptr;
    for (const auto& verb : step_verbs()) {
        if (node.find(verb.name) == nullptr) { continue; }
        if (found != nullptr) {
            throw ConfigError(node.position, fmt::format("{}: a step has one verb, this one has {} and {}", path,
                                                         found->name, verb.name));
        }
        found = &verb;
    }
    if (found != nullptr) { return *found; }
    for (const std::string_view verb : {"sleep", "wake"}) {
        if (node.find(verb) != nullptr) {
            throw ConfigError(node.position,
                              fmt::format("{}: {} needs tasks, which this version does not model", path, verb));
        }
    }
    const auto keys = node.keys();
    const std::string first = keys.empty() ? "" : keys.front();
    throw ConfigError(node.position, fmt::format("{}: {}: no verb of a step{}", path, node.text(),
                                                 suggestion(first, names_in(step_verbs(), &StepVerb::name))));
}

/// Reads the step that one table describes.
class StepReader {
public:
    StepReader(const Node& node, const std::string& path) : node_(node), path_(path), verb_(find_verb(node, path)) {}

    Step read(bool inside_repeat) {
        step_.kind = verb_.kind;
        if (verb_.kind == Kind::ipi) { step_.value = -1; }
        step_.position = node_.position;
        TableReader reader(node_, path_);
        reader.allow(verb_.name);
        for (const auto& key : verb_.keys) { reader.allow(key); }
        reader({.name = "label"}, step_.label);
        reader({.name = "progress"}, step_.progress);
        reader.finish();
        operand(inside_repeat);
        keys();
        return step_;
    }

private:
    void operand(bool inside_repeat) {
        const Node& value = *node_.find(verb_.name);
        const std::string path = joined_path(path_, verb_.name);
        switch (verb_.operand) {
            case StepOperand::lock:
            case StepOperand::line:
            case StepOperand::group:
            case StepOperand::flag: read_value(value, path, {.name = verb_.name}, step_.target); return;
            case StepOperand::span: read_value(value, path, {.name = verb_.name}, step_.amount); return;
            case StepOperand::time: read_time(value, path); return;
            case StepOperand::policy: read_word(value, path, "policy", relax_policy_names); return;
            case StepOperand::irq: read_word(value, path, "state", irq_names); return;
            case StepOperand::body: read_body(value, path, inside_repeat); return;
        }
    }

    /// What is waited for by the clock cannot be cycles: those would change with the frequency.
    void read_time(const Node& value, const std::string& path) {
        read_value(value, path, {.name = verb_.name}, step_.amount);
        if (step_.amount.low.cycles != 0 || step_.amount.high.cycles != 0) {
            reject(value, path, std::string(time_spelling));
        }
    }

    void read_word(const Node& value, const std::string& path, const std::string& what,
                   std::span<const std::string_view> words) {
        read_value(value, path, {.name = verb_.name}, step_.target);
        if (std::find(words.begin(), words.end(), step_.target) != words.end()) { return; }
        reject_name(value, path, what, {words.begin(), words.end()});
    }

    void read_body(const Node& value, const std::string& path, bool inside_repeat) {
        if (inside_repeat) {
            throw ConfigError(node_.position,
                              fmt::format("{}: a repeat inside a repeat: only one level is there", path_));
        }
        const auto* steps = value.get_if<Node::Array>();
        if (steps == nullptr || steps->empty()) { reject(value, path, "a list of steps"); }
        for (std::size_t i = 0; i < steps->size(); ++i) {
            step_.body.push_back(StepReader((*steps)[i], fmt::format("{}.{}", path, i)).read(true));
        }
    }

    void keys() {
        for (const auto& key : verb_.keys) {
            const Node* value = node_.find(key);
            if (value == nullptr) { continue; }
            const std::string path = joined_path(path_, key);
            if (key == "jitter") { read_value(*value, path, {.name = key, .max = all_ppm}, step_.jitter); }
            if (key == "value") {
                read_value(*value, path, {.name = key, .min = std::numeric_limits<std::int64_t>::min()}, step_.value);
            }
            if (key == "times" || key == "tries") { read_value(*value, path, {.name = key, .min = 1}, step_.times); }
            if (key == "cpu") { read_value(*value, path, {.name = key, .max = max_cpus - 1}, step_.value); }
            if (key == "every") { read_time(*value, path); }
            if (key == "until") { read_value(*value, path, {.name = key}, step_.target); }
        }
        if (verb_.kind == Kind::repeat) { check_repeat_end(); }
    }

    void check_repeat_end() const {
        const bool times = node_.find("times") != nullptr;
        const bool until = node_.find("until") != nullptr;
        if (times == until) {
            throw ConfigError(node_.position, fmt::format("{}: a repeat needs either times or until", path_));
        }
        if (times && node_.find("value") != nullptr) {
            throw ConfigError(node_.position, fmt::format("{}: value goes with until, not with times", path_));
        }
    }

    const Node& node_;
    const std::string& path_;
    const StepVerb& verb_;
    Step step_;
};

/// Follows the locks that a program holds from step to step.
class ProgramCheck {
public:
    ProgramCheck(const GroupConfig& group, const Scenario& scenario, const Catalogue& catalogue)
        : group_(group), scenario_(scenario), catalogue_(catalogue) {}

    void steps(const std::vector<Step>& steps) {
        for (std::size_t i = 0; i < steps.size(); ++i) { one(steps, i); }
    }

private:
    void one(const std::vector<Step>& steps, std::size_t at) {
        const Step& step = steps[at];
        switch (step.kind) {
            case Kind::acquire:
                declared(step, "lock", scenario_.locks);
                held_.push_back(step.target);
                return;
            case Kind::try_acquire:
                declared(step, "lock", scenario_.locks);
                can_try(step);
                released_later(steps, at);
                held_.push_back(step.target);
                return;
            case Kind::release:
                declared(step, "lock", scenario_.locks);
                release(step);
                return;
            case Kind::read:
            case Kind::write: declared(step, "line", scenario_.lines); return;
            case Kind::set:
            case Kind::wait: declared(step, "flag", scenario_.flags); return;
            case Kind::ipi: handled(step); return;
            case Kind::repeat: repeat(step); return;
            case Kind::irq:
            case Kind::work:
            case Kind::think:
            case Kind::relax:
            case Kind::delay: return;
        }
    }

    [[noreturn]] void fail(const Step& step, const std::string& message) const {
        throw ConfigError(step.position,
                          fmt::format("groups.{}.program: {}: {}", group_.name, step_text(step), message));
    }

    template <class Config>
    void declared(const Step& step, std::string_view what, const std::vector<Config>& all) const {
        const auto known = names_in(all, &Config::name);
        if (std::find(known.begin(), known.end(), step.target) != known.end()) { return; }
        fail(step,
             fmt::format("no {} {} is declared{}", what, toml_string(step.target), suggestion(step.target, known)));
    }

    /// Somebody takes the interrupt, and on the CPU that the step names.
    void handled(const Step& step) const {
        std::vector<std::string> known;
        for (const GroupConfig& group : scenario_.groups) {
            if (group.interrupt == InterruptKind::ipi) { known.push_back(group.name); }
        }
        if (std::find(known.begin(), known.end(), step.target) == known.end()) {
            fail(step, fmt::format("no group {} with interrupt = \"ipi\" is declared{}", toml_string(step.target),
                                   suggestion(step.target, known)));
        }
        for (const GroupConfig& group : scenario_.groups) {
            const bool there = std::find(group.cpus.begin(), group.cpus.end(), step.value) != group.cpus.end();
            if (group.name == step.target && step.value >= 0 && !there) {
                fail(step, fmt::format("group {} has no handler on CPU {}", group.name, step.value));
            }
        }
    }

    void can_try(const Step& step) const {
        for (const auto& lock : scenario_.locks) {
            if (lock.name == step.target && !catalogue_.find_lock(lock.type)->has_try_lock) {
                fail(step, fmt::format("a lock of type {} cannot be tried", toml_string(lock.type)));
            }
        }
    }

    /// A failed try skips to after the release: it must stand in the same list.
    void released_later(const std::vector<Step>& steps, std::size_t at) const {
        const auto releases = [&](const Step& step) {
            return step.kind == Kind::release && step.target == steps[at].target;
        };
        if (std::none_of(steps.begin() + static_cast<std::ptrdiff_t>(at), steps.end(), releases)) {
            fail(steps[at], "expected a release of the same lock after it, in the same list");
        }
    }

    void release(const Step& step) {
        const auto held = std::find(held_.rbegin(), held_.rend(), step.target);
        if (held == held_.rend()) { fail(step, "no acquire of this lock before it"); }
        held_.erase(std::next(held).base());
    }

    /// Its body runs any number of times, so it must leave the locks as it finds them.
    void repeat(const Step& step) {
        if (!step.target.empty()) { declared(step, "flag", scenario_.flags); }
        const auto before = held_;
        steps(step.body);
        if (held_ != before) { fail(step, "a repeat must release what it acquires, and nothing else"); }
    }

    const GroupConfig& group_;
    const Scenario& scenario_;
    const Catalogue& catalogue_;
    std::vector<std::string> held_;
};

/// A length by the clock: zero is written as a time too.
std::string time_text(const Distribution& amount) {
    return toml_string(amount == Distribution{} ? format_time({}) : format_distribution(amount));
}

std::string operand_text(const Step& step) {
    switch (verb_of(step.kind).operand) {
        case StepOperand::span: return toml_string(format_distribution(step.amount));
        case StepOperand::time: return time_text(step.amount);
        case StepOperand::body: {
            std::vector<std::string> body;
            for (const auto& inner : step.body) { body.push_back(step_text(inner)); }
            return fmt::format("[{}]", fmt::join(body, ", "));
        }
        case StepOperand::lock:
        case StepOperand::line:
        case StepOperand::flag:
        case StepOperand::irq:
        case StepOperand::group:
        case StepOperand::policy: break;
    }
    return toml_string(step.target);
}

/// The value of a key besides the verb; empty: it does not stand.
std::string key_value_text(const Step& step, std::string_view key) {
    const bool until = step.kind == Kind::repeat && !step.target.empty();
    if (key == "jitter" && step.jitter.ppm != 0) { return toml_string(format_share(step.jitter)); }
    if (key == "tries") { return std::to_string(step.times); }
    if (key == "every") { return time_text(step.amount); }
    if (key == "cpu" && step.value >= 0) { return std::to_string(step.value); }
    if (key == "times" && !until) { return std::to_string(step.times); }
    if (key == "until" && until) { return toml_string(step.target); }
    if (key == "value" && (step.kind != Kind::repeat || until)) { return std::to_string(step.value); }
    return {};
}

}  // namespace

const std::vector<StepVerb>& step_verbs() {
    using Operand = StepOperand;
    static const std::vector<StepVerb> verbs{
        {Kind::acquire, "acquire", Operand::lock, {}, "take the lock; waits as its algorithm does"},
        {Kind::try_acquire,
         "try_acquire",
         Operand::lock,
         {"tries", "every"},
         "try to take the lock; if every try fails, skip to after its release"},
        {Kind::release, "release", Operand::lock, {}, "release the lock"},
        {Kind::work, "work", Operand::span, {"jitter"}, "be busy: critical section while a lock is held, else work"},
        {Kind::think, "think", Operand::span, {"jitter"}, "the same, counted as idle time between operations"},
        {Kind::delay, "delay", Operand::time, {"jitter"}, "busy-wait by the clock, as udelay does: a time, no cycles"},
        {Kind::read, "read", Operand::line, {}, "read the shared data"},
        {Kind::write, "write", Operand::line, {}, "write the shared data"},
        {Kind::set, "set", Operand::flag, {"value"}, "store `value` in the flag"},
        {Kind::wait, "wait", Operand::flag, {"value"}, "spin until the flag equals `value`"},
        {Kind::relax,
         "relax",
         Operand::policy,
         {"times"},
         "the spin-wait hint by a policy: \"none\", \"yield\" (one hint), \"cpu_relax\" (as the machine's cpu_relax says)"},
        {Kind::irq, "irq", Operand::irq, {}, "\"off\" masks this CPU's interrupts, \"on\" lets them in"},
        {Kind::ipi,
         "ipi",
         Operand::group,
         {"cpu"},
         "interrupt: calls the handlers of this group, on every CPU of it but the own one"},
        {Kind::repeat,
         "repeat",
         Operand::body,
         {"times", "until", "value"},
         "a list of steps, `times` times or until the flag `until` equals `value`; no repeat inside"},
    };
    return verbs;
}

const std::vector<StepKey>& step_keys() {
    static const std::vector<StepKey> keys{
        {"label", "name of this step in verdicts and stories"},
        {"progress", "true: passing this step counts as progress of its thread"},
        {"jitter", "share, uniform, plus or minus, on the length; besides [noise]"},
        {"tries", "how often to try at most; default 1"},
        {"every", "time between two tries; default none"},
        {"times", "how many times; default 1 for relax"},
        {"until", "name of a flag"},
        {"cpu", "number of a CPU: only there"},
        {"value", "integer; default 1"},
    };
    return keys;
}

std::span<const std::string_view> relax_policies() { return relax_policy_names; }

void read_value(const Node& node, const std::string& path, const FieldSpec&, std::vector<Step>& out) {
    const auto* steps = node.get_if<Node::Array>();
    if (steps == nullptr || steps->empty()) {
        reject(node, path, "a list of steps such as [{acquire = \"L\"}, {release = \"L\"}]");
    }
    out.clear();
    for (std::size_t i = 0; i < steps->size(); ++i) {
        const std::string step_path = fmt::format("{}.{}", path, i);
        out.push_back(StepReader((*steps)[i], step_path).read(false));
    }
}

namespace {

/// Can this step take time? One that cannot, repeated for ever, would keep the simulation at one instant.
bool takes_time(const Step& step, const MachineConfig& machine) {
    switch (step.kind) {
        case Kind::irq:
        case Kind::ipi: return false;
        case Kind::work:
        case Kind::think:
        case Kind::delay: return step.amount.low != Span{} || step.amount.high != Span{};
        case Kind::relax:
            return step.target == "yield" || (step.target == "cpu_relax" && machine.cpu_relax != CpuRelax::none);
        case Kind::repeat:
            return !step.target.empty() || std::any_of(step.body.begin(), step.body.end(),
                                                       [&](const Step& inner) { return takes_time(inner, machine); });
        default: return true;
    }
}

}  // namespace

namespace {

/// More steps than this at one instant are a loop without an end, as far as anybody can wait.
constexpr std::int64_t most_at_once = 1'000'000;

bool takes_time(const std::vector<Step>& steps, const MachineConfig& machine) {
    return std::any_of(steps.begin(), steps.end(), [&](const Step& step) { return takes_time(step, machine); });
}

/// How many steps these are, a repeat unrolled; at most one more than most_at_once.
std::int64_t count_steps(const std::vector<Step>& steps) {
    std::int64_t count = 0;
    for (const Step& step : steps) {
        const auto body = std::max<std::int64_t>(1, static_cast<std::int64_t>(step.body.size()));
        const std::int64_t times = step.kind == Kind::repeat ? step.times : 1;
        count = std::min(most_at_once + 1, count + std::min(most_at_once + 1, times) * body);
    }
    return count;
}

void check_time(const GroupConfig& group, const MachineConfig& machine) {
    for (const Step& step : group.program) {
        if (step.kind != Kind::repeat || takes_time(step, machine) || count_steps({step}) <= most_at_once) { continue; }
        throw ConfigError(step.position, fmt::format("groups.{}.program: {}: no step of it takes time: expected one "
                                                     "that does, or at most {} steps",
                                                     group.name, step_text(step), most_at_once));
    }
    const bool ends = group.interrupt != InterruptKind::none ||
                      (group.iterations != 0 && group.iterations <= most_at_once / count_steps(group.program));
    if (ends || takes_time(group.program, machine)) { return; }
    throw ConfigError(
        group.program.front().position,
        fmt::format("groups.{}.program: no step takes time: expected one that does, or iterations of at most {} steps",
                    group.name, most_at_once));
}

}  // namespace

void check_program(const GroupConfig& group, const Scenario& scenario, const Catalogue& catalogue) {
    ProgramCheck(group, scenario, catalogue).steps(group.program);
    check_time(group, scenario.machine);
}

std::string step_text(const Step& step) {
    const StepVerb& verb = verb_of(step.kind);
    std::string text = fmt::format("{{{} = {}", verb.name, operand_text(step));
    for (const auto& key : verb.keys) {
        const std::string value = key_value_text(step, key);
        if (!value.empty()) { text += fmt::format(", {} = {}", key, value); }
    }
    if (!step.label.empty()) { text += ", label = " + toml_string(step.label); }
    if (step.progress) { text += ", progress = true"; }
    return text + "}";
}

}  // namespace model
