// See spin_stage.hpp: what may happen inside a spin.

#include "tests/model/spin_stage.hpp"

namespace model::test {

using namespace smp;

namespace {

constexpr std::int32_t waiter = Stage::waiter;
constexpr Time ns(std::int64_t n) { return nanoseconds(n); }

/// An interrupt of the waiter's CPU.
void interrupt(Stage& s, Time when, std::function<void()> body, Time length = {}) {
    s.raise(s.interrupt(waiter, std::move(body), length), when);
}
void change_clock(Stage& s, Time when, std::int64_t to_mhz, std::int32_t cpu = waiter) {
    s.machine.change_frequency_at(when, cpu, mhz(to_mhz));
}
void stall(Stage& s, Time when, Time length) {
    Interrupts::Source& source = s.interrupt(waiter, nullptr, length);
    source.stands_still = true;
    s.raise(source, when);
}
/// Of the last bytes of the word's line and the first of the next.
void increment_split(Stage& s) { fetch_add(SplitWord<std::uint64_t>(reinterpret_cast<std::byte*>(&s.words) + 60), 1u); }
bool increment_exclusive(Atomic<std::uint32_t>& a) {
    const std::uint32_t old = ldxr(a);
    return stxr(a, old + 1);
}

}  // namespace

const std::vector<Disturbance> interrupts{
    {"a tick of no time", [](Stage& s, Time when) { interrupt(s, when, nullptr); }},
    {"a tick of 7 ns", [](Stage& s, Time when) { interrupt(s, when, nullptr, ns(7)); }},
    {"a tick of 150 ns", [](Stage& s, Time when) { interrupt(s, when, nullptr, ns(150)); }},
    {"two ticks, the second while the first runs",
     [](Stage& s, Time when) {
         interrupt(s, when, nullptr, ns(4));
         interrupt(s, when + ns(2), nullptr, ns(4));
     }},
    {"two ticks, the second as the first ends",
     [](Stage& s, Time when) {
         interrupt(s, when, nullptr, ns(4));
         interrupt(s, when + ns(4), nullptr, ns(3));
     }},
    {"a handler that computes", [](Stage& s, Time when) { interrupt(s, when, [] { delay(cycles(6)); }); }},
    {"a handler that does nothing", [](Stage& s, Time when) { interrupt(s, when, [] {}); }},
    {"a handler that reads the word",
     [](Stage& s, Time when) { interrupt(s, when, [&s] { s.note(read_once(s.words.word)); }); }},
    {"a handler that stores beside the word",
     [](Stage& s, Time when) { interrupt(s, when, [&s] { write_once(s.words.beside, 3u); }); }},
    {"a handler that stores what is waited for",
     [](Stage& s, Time when) { interrupt(s, when, [&s] { write_once(s.words.word, 5u); }); }},
    {"a handler that stores three times",
     [](Stage& s, Time when) {
         interrupt(s, when, [&s] {
             write_once(s.words.elsewhere, 1u);
             write_once(s.words.beside, 2u);
             write_once(s.words.elsewhere, 3u);
         });
     }},
    {"a handler that stores and waits until it is visible",
     [](Stage& s, Time when) {
         interrupt(s, when, [&s] {
             write_once(s.words.beside, 2u);
             smp_mb();
         });
     }},
    {"a handler with an atomic operation across the word's line and the next",
     [](Stage& s, Time when) { interrupt(s, when, [&s] { increment_split(s); }); }},
    {"a handler that asks for the line",
     [](Stage& s, Time when) { interrupt(s, when, [&s] { prefetchw(s.words.beside); }); }},
    {"a handler that stores by LL/SC beside the word",
     [](Stage& s, Time when) { interrupt(s, when, [&s] { s.note(increment_exclusive(s.words.beside)); }); }},
    {"a handler that waits, too",
     [](Stage& s, Time when) {
         interrupt(s, when, [&s] { s.note(smp_cond_load_bounded(s.words.word, 6, [](auto v) { return v == 5; })); });
     }},
    {"a handler that masks and unmasks, with another pending",
     [](Stage& s, Time when) {
         Interrupts::Source& first = s.interrupt(waiter, [] {
             local_irq_disable();
             delay(cycles(9));
             local_irq_enable();
             delay(cycles(4));
         });
         first.nests = true;
         s.raise(first, when);
         interrupt(s, when + ns(2), [&s] { s.note(read_once(s.words.beside)); });
     }},
    {"nested handlers",
     [](Stage& s, Time when) {
         Interrupts::Source& outer = s.interrupt(waiter, [&s] {
             delay(cycles(9));
             s.note(read_once(s.words.word));
         });
         outer.nests = true;
         s.raise(outer, when);
         interrupt(s, when + ns(3), [&s] { write_once(s.words.beside, 4u); });
     }},
    {"two handlers at once",
     [](Stage& s, Time when) {
         interrupt(s, when, [] { delay(cycles(3)); });
         interrupt(s, when, [&s] { s.note(read_once(s.words.word)); });
     }},
    {"an IPI from another CPU",
     [](Stage& s, Time when) {
         Interrupts::Source& source = s.interrupt(waiter, [] { delay(cycles(5)); });
         s.add(
             2, [&s, &source](Context&) { s.raise(source, s.now() + ns(8)); }, when - std::min(when, ns(8)));
     }},
    {"an IPI without latency from another CPU",
     [](Stage& s, Time when) {
         Interrupts::Source& source = s.interrupt(waiter, [&s] { s.note(read_once(s.words.word)); });
         s.add(
             2, [&s, &source](Context&) { s.raise(source, s.now()); }, when);
     }},
    {"an interrupt of the CPU that stores",
     [](Stage& s, Time when) { s.raise(s.interrupt(Stage::storer, [] { delay(cycles(30)); }), when); }},
};

const std::vector<Disturbance> frequencies{
    {"the waiter's clock slows down", [](Stage& s, Time when) { change_clock(s, when, 250); }},
    {"the waiter's clock speeds up", [](Stage& s, Time when) { change_clock(s, when, 3'000); }},
    {"the waiter's clock changes by little", [](Stage& s, Time when) { change_clock(s, when, 999); }},
    {"the waiter's clock changes twice at one instant",
     [](Stage& s, Time when) {
         change_clock(s, when, 400);
         change_clock(s, when, 1'700);
     }},
    {"the waiter's clock changes three times within a period",
     [](Stage& s, Time when) {
         change_clock(s, when, 250);
         change_clock(s, when + picoseconds(1), 2'100);
         change_clock(s, when + picoseconds(1'500), 333);
     }},
    {"the waiter's clock changes in an interrupt, and so at its end",
     [](Stage& s, Time when) {
         interrupt(s, when, nullptr, ns(5));
         change_clock(s, when + ns(2), 300);
     }},
    {"the waiter's clock changes as an interrupt begins",
     [](Stage& s, Time when) {
         interrupt(s, when, [] { delay(cycles(5)); });
         change_clock(s, when, 300);
     }},
    {"the storer's clock slows down", [](Stage& s, Time when) { change_clock(s, when, 250, Stage::storer); }},
    {"the storer's clock speeds up", [](Stage& s, Time when) { change_clock(s, when, 3'000, Stage::storer); }},
    {"both clocks change",
     [](Stage& s, Time when) {
         change_clock(s, when, 700);
         change_clock(s, when, 1'400, Stage::storer);
     }},
};

const std::vector<Disturbance> accesses{
    {"a store-exclusive beside the word that succeeds",
     [](Stage& s, Time when) {
         s.add(
             2, [&s](Context&) { s.note(increment_exclusive(s.words.beside)); }, when);
     }},
    {"two store-exclusives beside the word, one of which fails",
     [](Stage& s, Time when) {
         for (const std::int32_t cpu : {2, 3}) {
             s.add(
                 cpu, [&s](Context&) { s.note(increment_exclusive(s.words.beside)); }, when);
         }
     }},
    {"two CPUs that count by LL/SC beside the word",
     [](Stage& s, Time when) {
         for (const std::int32_t cpu : {2, 3}) {
             s.add(
                 cpu,
                 [&s](Context&) {
                     while (!increment_exclusive(s.words.beside)) {}
                 },
                 when);
         }
     }},
    {"a store-exclusive that fails for its CPU's interrupt",
     [](Stage& s, Time when) {
         s.raise(s.interrupt(2, [] { delay(cycles(2)); }), when);
         s.add(
             2, [&s](Context&) { s.note(increment_exclusive(s.words.beside)); }, when - std::min(when, ns(2)));
     }},
    {"a store-exclusive of what is waited for",
     [](Stage& s, Time when) {
         s.add(
             2,
             [&s](Context&) {
                 ldxr(s.words.word);
                 s.note(stxr(s.words.word, 5u));
             },
             when);
     }},
    {"a store that takes away what is waited for",
     [](Stage& s, Time when) {
         s.add(
             2, [&s](Context&) { write_once(s.words.word, 6u); }, when);
     }},
    {"a store beside the word",
     [](Stage& s, Time when) {
         s.add(
             2, [&s](Context&) { write_once(s.words.beside, 6u); }, when);
     }},
    {"stores beside the word by two CPUs",
     [](Stage& s, Time when) {
         for (const std::int32_t cpu : {2, 3}) {
             s.add(
                 cpu, [&s](Context&) { write_once(s.words.beside, 6u); }, when);
         }
     }},
    {"a read-modify-write beside the word",
     [](Stage& s, Time when) {
         s.add(
             2, [&s](Context&) { fetch_add(s.words.beside, 1u); }, when);
     }},
    {"an atomic operation across the word's line and the next",
     [](Stage& s, Time when) {
         s.add(
             2, [&s](Context&) { increment_split(s); }, when);
     }},
    {"two atomic operations across the word's line and the next, one of a CPU that is interrupted",
     [](Stage& s, Time when) {
         for (const std::int32_t cpu : {2, 3}) {
             s.add(
                 cpu, [&s](Context&) { increment_split(s); }, when);
         }
         s.raise(s.interrupt(2, [] { delay(cycles(30)); }), when + ns(20));
     }},
    {"a read of the word by another CPU",
     [](Stage& s, Time when) {
         s.add(
             2, [&s](Context&) { s.note(read_once(s.words.word)); }, when);
     }},
    {"two more who wait, one of them bounded",
     [](Stage& s, Time when) {
         s.add(
             2, [&s](Context&) { smp_cond_load_acquire(s.words.word, [](auto v) { return v == 5; }); }, when);
         s.add(
             3, [&s](Context&) { s.note(smp_cond_load_bounded(s.words.word, 9, [](auto v) { return v == 5; })); },
             when);
     }},
    {"an event sent to all",
     [](Stage& s, Time when) {
         s.add(
             2, [](Context&) { sev(); }, when);
     }},
    {"a store-exclusive and a tick of the waiter's CPU",
     [](Stage& s, Time when) {
         s.add(
             2, [&s](Context&) { s.note(increment_exclusive(s.words.beside)); }, when);
         interrupt(s, when, nullptr, ns(3));
     }},
};

const std::vector<Disturbance> stalls{
    {"a standstill of no time", [](Stage& s, Time when) { stall(s, when, {}); }},
    {"a standstill of 5 ns", [](Stage& s, Time when) { stall(s, when, ns(5)); }},
    {"a standstill of 180 ns", [](Stage& s, Time when) { stall(s, when, ns(180)); }},
    {"a standstill in an interrupt",
     [](Stage& s, Time when) {
         Interrupts::Source& source = s.interrupt(waiter, [] { delay(cycles(8)); });
         source.nests = true;
         s.raise(source, when);
         stall(s, when + ns(3), ns(6));
     }},
    {"a standstill that follows a handler that stores what is waited for",
     [](Stage& s, Time when) {
         interrupt(s, when, [&s] { write_once(s.words.word, 5u); });
         stall(s, when + ns(3), ns(6));
     }},
    {"an interrupt that comes in a standstill",
     [](Stage& s, Time when) {
         stall(s, when, ns(6));
         interrupt(s, when + ns(3), [&s] { s.note(read_once(s.words.word)); });
     }},
    {"a change of the clock in a standstill",
     [](Stage& s, Time when) {
         stall(s, when, ns(6));
         change_clock(s, when + ns(3), 450);
     }},
    {"a standstill of the CPU that stores",
     [](Stage& s, Time when) {
         Interrupts::Source& source = s.interrupt(Stage::storer, nullptr, ns(33));
         source.stands_still = true;
         s.raise(source, when);
     }},
};

const std::vector<Disturbance> kills{
    {"the waiter is killed", [](Stage& s, Time when) { s.at(when, [&s] { s.thread_on(waiter).kill(); }); }},
    {"the waiter is killed in an interrupt",
     [](Stage& s, Time when) {
         interrupt(s, when, nullptr, ns(6));
         s.at(when + ns(3), [&s] { s.thread_on(waiter).kill(); });
     }},
    {"the waiter is killed in a standstill",
     [](Stage& s, Time when) {
         stall(s, when, ns(6));
         s.at(when + ns(3), [&s] { s.thread_on(waiter).kill(); });
     }},
    {"the storer is killed", [](Stage& s, Time when) { s.at(when, [&s] { s.thread_on(Stage::storer).kill(); }); }},
    {"another waiter is killed",
     [](Stage& s, Time when) {
         Context& other =
             s.add(2, [&s](Context&) { smp_cond_load_acquire(s.words.word, [](auto v) { return v == 5; }); });
         s.at(when, [&other] { other.kill(); });
     }},
};

}  // namespace model::test
