#include "tools/locksim/seeing/why_starved.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "tools/locksim/text.hpp"

namespace locksim {

using sim::Time;

Window wait_of(const model::Verdict& verdict) {
    return {from_nanoseconds(verdict.since_ns), from_nanoseconds(verdict.until_ns)};
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
    if (step.at > wait_.to) { return; }
    const std::string_view operation = step.operation;
    if (operation.starts_with("interrupt_")) { return note_interrupt(step); }
    if (step.at < wait_.from || thread_ != step.thread) { return; }
    if (operation == "store_exclusive") {
        ++successes_;
        if (!success_) { success_ = step.at; }
    }
    if (operation != "store_exclusive_failed") { return; }
    if (failures_++ == 0) { where_ = fmt::format("{}:{}", step.where.file, step.where.line); }
    last_failure_ = step.at;
    success_.reset();
    std::erase_if(interrupts_, [&step](const Interrupt& i) { return i.to < step.at; });
    const sim::Cause& cause = step.cause;
    if (std::string_view(cause.kind) != "taken") { return; }
    Overtaker& overtaker = overtakers_[cause.thread];
    overtaker.thread = cause.thread;
    overtaker.cpu = cause.cpu;
    ++overtaker.times;
    ++overtaker.by_what[what_it_did(cause)];
}

void WhyStarved::note_interrupt(const sim::Step& step) {
    if (std::string_view(step.operation) == "interrupt_begin") {
        interrupts_.push_back({.name = step.label, .cpu = step.cpu, .from = step.at});
        return;
    }
    // Handlers nest: the innermost ends.
    const auto open = std::find_if(interrupts_.rbegin(), interrupts_.rend(),
                                   [&step](const Interrupt& i) { return i.cpu == step.cpu && i.to == Time::max(); });
    if (open != interrupts_.rend()) { open->to = step.at; }
}

WhyStarved::Overtaker WhyStarved::most_frequent() const {
    Overtaker most;
    for (const auto& [thread, overtaker] : overtakers_) {
        if (overtaker.times > most.times) { most = overtaker; }
    }
    return most;
}

/// "big's acquire (60 %) or release (40 %) took the line first each time"
std::string WhyStarved::taking(const Overtaker& overtaker) const {
    std::vector<std::pair<std::string, std::uint64_t>> acts(overtaker.by_what.begin(), overtaker.by_what.end());
    std::stable_sort(acts.begin(), acts.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    const auto share = [this](std::uint64_t times) {
        return percent(static_cast<double>(times) / static_cast<double>(failures_));
    };
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(acts.size(), 2); ++i) {
        text += (i == 0 ? "" : " or ") + acts[i].first;
        if (acts.size() > 1) { text += fmt::format(" ({})", share(acts[i].second)); }
    }
    const std::uint64_t others = failures_ - overtaker.times;
    std::string how_often = others == 0 ? "each time" : "in " + share(overtaker.times);
    if (others > 0 && others * 1000 < failures_) { how_often = fmt::format("all times but {}", others); }
    return fmt::format("{}'s {} took the line first {}", overtaker.thread, text, how_often);
}

std::string WhyStarved::ending(const Overtaker& overtaker) const {
    if (!success_) { return "nothing ended it"; }
    // The attempt that succeeded began after the last one that failed: did a handler hold the overtaker up meanwhile?
    const auto tick = std::find_if(interrupts_.begin(), interrupts_.end(), [&](const Interrupt& i) {
        return i.cpu == overtaker.cpu && i.from <= *success_ && i.to > last_failure_;
    });
    if (tick == interrupts_.end()) {
        return fmt::format("no interrupt was needed for the one that succeeded at {}",
                           friendly_time(sim::to_nanoseconds(*success_)));
    }
    return fmt::format("{}'s {} at {} ended it", overtaker.thread, tick->name,
                       friendly_time(sim::to_nanoseconds(tick->from)));
}

std::string WhyStarved::text(std::string_view whose) const {
    if (failures_ == 0) { return ""; }
    const Overtaker overtaker = most_frequent();
    std::string text = fmt::format("{} SC failed {} times", whose, group_digits(failures_));
    if (successes_ <= 1) {
        text += " in a row";
    } else {  // a read-modify-write that came through and found the lock taken, or one of several that an acquire needs
        text += fmt::format(" ({} succeeded)", group_digits(successes_));
    }
    if (overtaker.times > 0) { text += ": " + taking(overtaker); }
    return text + fmt::format("; {} ({})", ending(overtaker), where_);
}

}  // namespace locksim
