// Planted for `verify`: a backoff that each acquisition draws from the host address of something on the heap.

#include <cstdlib>

#include "locks/lock.hpp"

namespace locks {
using namespace smp;

class HeapBackoffSpinlock {
public:
    using Context = NoContext;

    static constexpr LockTraits traits{.name = "heap-backoff",
                                       .fairness = Fairness::none,
                                       .spins_on = SpinsOn::lock_word,
                                       .lock_bytes = 8,
                                       .context_bytes = 0};

    void lock(Context&) {
        void* record = std::malloc(24);
        // Other bits of the address in each of six acquisitions: two addresses do not look alike by chance.
        const unsigned shift = 4 + 5 * (acquisitions_++ % 6);
        const std::uintptr_t backoff = (reinterpret_cast<std::uintptr_t>(record) >> shift) % 31;
        std::free(record);
        while (xchg_acquire(locked_, 1u) != 0) {
            for (std::uintptr_t i = 0; i < backoff; ++i) { cpu_relax(); }
        }
    }
    void unlock(Context&) { smp_store_release(locked_, 0u); }

    bool quiescent() const { return *locked_.word() == 0; }

private:
    Atomic<std::uint32_t> locked_;
    std::uint32_t acquisitions_;  // the host's own, no simulated access
};

extern const LockEntry heap_backoff_entry;
const LockEntry heap_backoff_entry =
    exclusive_lock<HeapBackoffSpinlock>("its backoff is drawn from a heap address", "heap-backoff.cpp");

}  // namespace locks
