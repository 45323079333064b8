// `locksim help [TOPIC]`: the usage of a verb, or a text that is generated from the field lists.

#include <fmt/format.h>

#include <algorithm>

#include "model/scenario/reading/config_error.hpp"
#include "model/scenario/reading/loader.hpp"
#include "tools/locksim/command_line.hpp"
#include "tools/locksim/output.hpp"
#include "tools/locksim/text.hpp"
#include "tools/locksim/verbs.hpp"

namespace locksim {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string text_about(const std::string& topic) {
    if (topic.empty()) {
        return usage("") + fmt::format("\nTopics of `locksim help TOPIC`: {}\n", join(model::help_topics(), ", "));
    }
    if (contains(verb_names(), topic)) { return usage(topic); }
    if (contains(model::help_topics(), topic)) { return model::help_topic(topic); }
    std::vector<std::string> known = model::help_topics();
    const std::vector<std::string> verbs = verb_names();
    known.insert(known.end(), verbs.begin(), verbs.end());
    throw InputError(fmt::format("help {}: no such topic{}", topic, model::suggestion(topic, known)));
}

}  // namespace

ExitStatus verb_help(const Options& options) {
    const auto output = open_output(options.output);
    output->write(rewrapped(text_about(options.name), output->terminal().width));
    output->finish();
    return ExitStatus::ok;
}

}  // namespace locksim
