#pragma once
// What a lock class must look like, checked by concepts, and the adapter that makes a catalogue row of one. No base
// class: an algorithm is a plain class over model/smp.hpp.
//
//   struct Context            per thread and acquisition (a queue node), or NoContext, or PerCpu<T>: a table that all
//                             threads share
//   per_cpu_slot              if the table is shared by all locks that name it, too; else each lock has its own
//   struct Options            its parameters with defaults, if it has any: then lock(Context&, const Options&), and
//                             unlock(Context&, const Options&) where the release asks for them
//   static constexpr LockTraits traits
//   void lock(Context&), void unlock(Context&), optionally bool try_lock(Context&)
//   bool quiescent() const    the word is back in its initial state; read after a run, not a simulated access

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

#include "model/scenario/catalogue.hpp"
#include "model/smp.hpp"

namespace locks {

using model::Fairness;
using model::LockEntry;
using model::LockTraits;
using model::SpinsOn;

struct NoContext {};

/// A lock with parameters: they are given to lock() (and are no part of the lock's bytes).
template <class L>
concept TunedLock = requires(L lock, typename L::Context& context, const typename L::Options& options,
                             const model::ParameterValues& values) {
    { L::Options::parameters() } -> std::same_as<std::vector<model::ParameterSpec>>;
    { L::Options::from(values) } -> std::same_as<typename L::Options>;
    { lock.lock(context, options) } -> std::same_as<void>;
};

template <class L>
concept PlainLock = requires(L lock, typename L::Context& context) {
    { lock.lock(context) } -> std::same_as<void>;
};

template <class L>
concept TunedUnlock = TunedLock<L> &&
    requires(L lock, typename L::Context& context, const typename L::Options& options) {
    { lock.unlock(context, options) } -> std::same_as<void>;
};

template <class L>
concept PlainUnlock = requires(L lock, typename L::Context& context) {
    { lock.unlock(context) } -> std::same_as<void>;
};

template <class L>
concept Lock = (PlainLock<L> || TunedLock<L>)&&(PlainUnlock<L> || TunedUnlock<L>)&&requires(const L& idle) {
    { L::traits } -> std::convertible_to<const LockTraits&>;
    { idle.quiescent() } -> std::same_as<bool>;
}
&&std::is_trivially_destructible_v<L>&& std::is_trivially_destructible_v<typename L::Context>;

template <class L>
concept TryLock = Lock<L> && requires(L lock, typename L::Context& context) {
    { lock.try_lock(context) } -> std::same_as<bool>;
};

template <class Context>
inline constexpr bool is_per_cpu = false;
template <class T>
inline constexpr bool is_per_cpu<smp::PerCpu<T>> = true;

struct NoOptions {};
template <class L>
struct OptionsOf {
    using Type = NoOptions;
};
template <TunedLock L>
struct OptionsOf<L> {
    using Type = typename L::Options;
};

/// One lock of type L in a simulation, type-erased once per acquisition.
template <Lock L>
class Erased final : public model::ExclusiveLock {
public:
    using Options = typename OptionsOf<L>::Type;

    Erased(L& lock, const Options& options) : lock_(lock), options_(options) {}
    void lock(void* context) override {
        auto& own = *static_cast<typename L::Context*>(context);
        if constexpr (TunedLock<L>) {
            lock_.lock(own, options_);
        } else {
            lock_.lock(own);
        }
    }
    bool try_lock(void* context) override {
        if constexpr (TryLock<L>) { return lock_.try_lock(*static_cast<typename L::Context*>(context)); }
        return false;
    }
    void unlock(void* context) override {
        auto& own = *static_cast<typename L::Context*>(context);
        if constexpr (TunedUnlock<L>) {
            lock_.unlock(own, options_);
        } else {
            lock_.unlock(own);
        }
    }
    void* make_context(model::Arena& arena, std::string_view slot) override {
        if constexpr (std::is_empty_v<typename L::Context>) {
            return this;
        } else if constexpr (requires { L::per_cpu_slot; }) {
            return &arena.find_or_make<typename L::Context>(L::per_cpu_slot);
        } else if constexpr (is_per_cpu<typename L::Context>) {
            // "lock.node.thread" of the first thread: the table is every thread's
            const std::string name = std::string(slot.substr(0, slot.find(".node."))) + ".nodes";
            return &arena.find_or_make<typename L::Context>(name);
        } else {
            return &arena.make<typename L::Context>(slot);
        }
    }
    bool quiescent() const override { return lock_.quiescent(); }

private:
    L& lock_;
    [[no_unique_address]] Options options_;
};

template <Lock L>
std::unique_ptr<model::ExclusiveLock> make_lock(model::Arena& arena, std::string_view slot,
                                                [[maybe_unused]] const model::ParameterValues& values) {
    typename OptionsOf<L>::Type options{};
    if constexpr (TunedLock<L>) { options = L::Options::from(values); }
    return std::make_unique<Erased<L>>(arena.make<L>(slot), options);
}

/// The catalogue row of a lock class. `file`: where a reader finds the algorithm.
template <Lock L>
LockEntry exclusive_lock(std::string_view summary, std::string_view file) {
    LockEntry entry;
    entry.traits = L::traits;
    entry.has_try_lock = TryLock<L>;
    entry.summary = summary;
    entry.file = file;
    if constexpr (TunedLock<L>) { entry.parameters = L::Options::parameters(); }
    entry.make = make_lock<L>;
    return entry;
}

}  // namespace locks
