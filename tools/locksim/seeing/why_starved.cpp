#include "tools/locksim/seeing/why_starved.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "tools/locksim/text.hpp"

namespace locksim {

using sim::Time;

Window wait_of(const model::Verdict& starvation) {
    return {from_nanoseconds(starvation.since_ns), from_nanoseconds(starvation.until_ns)};
}

namespace {

/// "release" of the label "release timers", which a step has where the program gives it none; else the label itself.
std::string what_it_did(const sim::Cause& cause) {
    const std::string_view label = cause.label;
    for (const std::string_view verb : {"acquire", "release", "try_acquire"}) {
        if (label.starts_with(verb) && label.substr(verb.size()).starts_with(' ')) { return std::string(verb); }
    }
    if (!label.empty()) { return fmt::format("\"{}\"", label); }
    return fmt::format("{} at {}:{}", cause.operation, cause.where.file, cause.where.line);
}

}  // namespace

void WhyStarved::on_step(const sim::Step& step) {
    if (succeeded_ || !wait_.contains(step.at) || thread_ != step.thread) { return; }
    const std::string_view operation = step.operation;
    if (operation == "store_exclusive") {
        succeeded_ = true;
        success_ = step.at;
    }
    if (operation != "store_exclusive_failed") { return; }
    if (failures_++ == 0) { where_ = fmt::format("{}:{}", step.where.file, step.where.line); }
    last_failure_ = step.at;
    std::erase_if(interrupts_, [&step](const Interrupt& i) { return i.to < step.at; });
    const sim::Cause& cause = step.cause;
    if (std::string_view(cause.kind) != "taken") { return; }
    // The site too: two stores under one label are two reasons.
    Overtaker& overtaker = overtakers_[fmt::format("{} {} {}:{}", cause.thread, cause.label, cause.where.file,
                                                   cause.where.line)];
    if (overtaker.times++ == 0) {
        overtaker.thread = cause.thread;
        overtaker.what = what_it_did(cause);
        overtaker.cpu = cause.cpu;
    }
}

void WhyStarved::on_activity(std::int32_t cpu, const char* activity, Time at) {
    if (succeeded_ || at < wait_.from - sim::milliseconds(1) || at > wait_.to) { return; }
    if (std::string_view(activity) == "interrupt") {
        interrupts_.push_back({.cpu = cpu, .from = at});
        return;
    }
    for (Interrupt& interrupt : interrupts_) {
        if (interrupt.cpu == cpu && interrupt.to == Time::max()) { interrupt.to = at; }
    }
}

WhyStarved::Overtaker WhyStarved::most_frequent() const {
    Overtaker most;
    for (const auto& [key, overtaker] : overtakers_) {
        if (overtaker.times > most.times) { most = overtaker; }
    }
    return most;
}

std::string WhyStarved::ending(const Overtaker& overtaker) const {
    if (!succeeded_) { return "nothing ended it"; }
    // The attempt that succeeded began after the last one that failed: did a handler hold the overtaker up meanwhile?
    const auto tick = std::find_if(interrupts_.begin(), interrupts_.end(), [&](const Interrupt& i) {
        return i.cpu == overtaker.cpu && i.from <= success_ && i.to > last_failure_;
    });
    if (tick == interrupts_.end()) {
        return fmt::format("no interrupt was needed for the one that succeeded at {}",
                           friendly_time(sim::to_nanoseconds(success_)));
    }
    return fmt::format("{}'s tick at {} ended it", overtaker.thread, friendly_time(sim::to_nanoseconds(tick->from)));
}

std::string WhyStarved::text() const {
    if (failures_ == 0) { return ""; }
    const Overtaker overtaker = most_frequent();
    std::string text = fmt::format("its SC failed {} times in a row", group_digits(failures_));
    if (overtaker.times > 0) {
        const std::string share =
            overtaker.times == failures_
                ? "each time"
                : fmt::format("in {} of them", percent(static_cast<double>(overtaker.times) /
                                                       static_cast<double>(failures_)));
        text += fmt::format(": {}'s {} took the line first {}", overtaker.thread, overtaker.what, share);
    }
    return text + fmt::format("; {} ({})", ending(overtaker), where_);
}

}  // namespace locksim
