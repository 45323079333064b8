#pragma once
// The rows of the lock catalogue and of the workload catalogue: what the loader, the runner and `locksim list`
// know about an algorithm, without knowing the algorithm. The rows themselves stand in locks/.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/scenario/scenario.hpp"

namespace model {

enum class LockKind { exclusive };  // shared, sleeping, lockref, seqlock, condition: with their first lock
enum class Fairness {
    none,     ///< anyone may take a free lock; no bound on how often a waiter is overtaken
    fifo,     ///< by order of arrival at the lock word
    bounded,  ///< those of the holder's node may come first, but only so often
};
enum class SpinsOn { lock_word, own_node };

/// What a lock file says of itself (checked by static_assert and by the conformance tests).
struct LockTraits {
    std::string_view name;
    Fairness fairness = Fairness::none;
    SpinsOn spins_on = SpinsOn::lock_word;
    std::uint32_t lock_bytes = 0;
    std::uint32_t context_bytes = 0;  ///< per thread and acquisition, or per CPU; 0: none
    bool context_per_cpu = false;
};

/// One parameter of a lock or workload: name, default (which gives the type), sentence.
struct ParameterSpec {
    std::string name;
    ParameterValue preset;
    std::string doc;
    std::int64_t min = 0;  ///< of integers
    std::int64_t max = INT64_MAX;
    std::vector<std::string> choices = {};  ///< of strings; empty: any
};

class Arena;   // model/machine/arena.hpp
class Thread;  // model/scenario/running/thread.hpp
class Simulation;

/// One lock in a simulation, type-erased once per acquisition (never per access). `context` is the thread's
/// queue node or the like, placed by make_context; null for locks without one.
class ExclusiveLock {
public:
    virtual ~ExclusiveLock() = default;
    virtual void lock(void* context) = 0;
    virtual bool try_lock(void* context) = 0;  ///< only where has_try_lock
    virtual void unlock(void* context) = 0;
    virtual void* make_context(Arena& arena, std::string_view slot) = 0;
    virtual bool quiescent() const = 0;  ///< word is back in its initial state: nothing left queued
};

struct LockEntry {
    LockTraits traits;
    LockKind kind = LockKind::exclusive;
    bool has_try_lock = false;
    std::string_view summary;  ///< one line for `locksim list locks`
    std::string_view file;     ///< "locks/mcs.hpp"
    std::vector<ParameterSpec> parameters;
    std::unique_ptr<ExclusiveLock> (*make)(Arena& arena, std::string_view slot,
                                           const ParameterValues& values) = nullptr;
};

/// A kernel path in C++ (locks/workloads/): one instance per group that names it; `body` is one repetition by one
/// thread. `check` returns an empty text, or what is wrong at the end.
class Workload {
public:
    virtual ~Workload() = default;
    virtual void body(Thread& thread) = 0;
    virtual std::string check() = 0;
};

struct WorkloadEntry {
    std::string_view name;
    std::string_view summary;
    std::string_view file;
    std::vector<ParameterSpec> parameters;
    std::unique_ptr<Workload> (*make)(Simulation& simulation, const ParameterValues& values) = nullptr;
};

/// What a scenario may name. Rows outlive it.
struct Catalogue {
    std::vector<const LockEntry*> locks;
    std::vector<const WorkloadEntry*> workloads;
    const LockEntry* find_lock(std::string_view name) const {
        for (const auto* row : locks) {
            if (row->traits.name == name) { return row; }
        }
        return nullptr;
    }
    const WorkloadEntry* find_workload(std::string_view name) const {
        for (const auto* row : workloads) {
            if (row->name == name) { return row; }
        }
        return nullptr;
    }
};

}  // namespace model
