#include "tools/locksim/comparing/checkpoints.hpp"

#include <fmt/format.h>

#include <cstring>

#include "sim/digest.hpp"
#include "tools/locksim/seeing/event_log.hpp"

namespace locksim {

namespace {

constexpr std::size_t text_bytes_per_step = 512;  // names of threads, labels, variables and files are short

class StepHash {
public:
    void add(std::uint64_t value) { value_ = sim::Digest::mix(value_ ^ value) + 0x9E3779B97F4A7C15U; }
    void add(const char* text) {
        std::uint64_t hash = 0xCBF29CE484222325U;
        for (; *text != '\0'; ++text) { hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001B3U; }
        add(hash);
    }
    std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0;
};

std::uint64_t hash_of(const sim::Step& step) {
    StepHash hash;
    hash.add(static_cast<std::uint64_t>(step.at.ps));
    hash.add(static_cast<std::uint64_t>(step.cpu));
    for (const char* text :
         {step.thread, step.label, step.operation, step.instruction, step.where.file, step.variable}) {
        hash.add(text);
    }
    hash.add(static_cast<std::uint64_t>(step.where.line));
    hash.add(step.offset);
    hash.add(step.old_value);
    hash.add(step.new_value);
    hash.add(step.polls);
    hash.add(static_cast<std::uint64_t>(step.line_before) << 8U | static_cast<std::uint64_t>(step.line_after));
    return hash.value();
}

}  // namespace

void Checkpoints::on_step(const sim::Step& step) {
    hash_ = sim::Digest::mix(hash_ ^ hash_of(step)) + 1;
    if (++steps_ % stride_ == 0) { tell_(steps_, hash_); }
}

StepRange::StepRange(std::uint64_t first, std::uint64_t end) : first_(first), end_(end) {
    kept_.reserve(end - first);
    texts_.resize((end - first) * text_bytes_per_step);
}

const char* StepRange::keep(const char* text) {
    const std::size_t bytes = std::strlen(text) + 1;
    if (texts_used_ + bytes > texts_.size()) { return ""; }
    char* copy = texts_.data() + texts_used_;
    std::memcpy(copy, text, bytes);
    texts_used_ += bytes;
    return copy;
}

void StepRange::on_step(const sim::Step& step) {
    if (steps_ >= first_ && steps_ < end_) {
        sim::Step& kept = kept_.emplace_back(step);
        for (const char** text : {&kept.thread, &kept.label, &kept.variable, &kept.where.file, &kept.cause.thread,
                                  &kept.cause.label, &kept.cause.where.file}) {
            *text = keep(*text);
        }
    }
    ++steps_;
}

std::string StepRange::lines() const {
    fmt::memory_buffer lines;
    for (const sim::Step& step : kept_) { write_event(lines, step); }
    return fmt::to_string(lines);
}

}  // namespace locksim
