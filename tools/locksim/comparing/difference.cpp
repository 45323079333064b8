#include "tools/locksim/comparing/difference.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace locksim {

namespace {

constexpr std::string_view release = "release ";

/// By name, in the order of their first appearance.
template <class T>
class ByName {
public:
    T& operator[](const std::string& name) {
        const auto [at, added] = index_.emplace(name, all_.size());
        if (added) { all_.emplace_back(name, T{}); }
        return all_[at->second].second;
    }
    const std::vector<std::pair<std::string, T>>& all() const { return all_; }

private:
    std::map<std::string, std::size_t> index_;
    std::vector<std::pair<std::string, T>> all_;
};

/// Two of something, one for each sequence.
template <class T>
struct Both {
    T a{}, b{};
};

using Owners = std::vector<std::string>;
using Steps = std::vector<const Event*>;

/// Each thread that begins to release a lock has had it.
void note_owners(Events events, ByName<Both<Owners>>& locks, Owners Both<Owners>::*side) {
    std::map<std::string, std::string> label_of;  // by thread: its last
    for (const Event& event : events) {
        if (event.thread.empty()) { continue; }
        std::string& last = label_of[event.thread];
        if (event.label == last) { continue; }
        last = event.label;
        if (last.starts_with(release)) { (locks[last.substr(release.size())].*side).push_back(event.thread); }
    }
}

Owners some_of(const Owners& owners, std::size_t from, std::size_t most) {
    const auto begin = owners.begin() + static_cast<std::ptrdiff_t>(std::min(from, owners.size()));
    const auto length = std::min<std::ptrdiff_t>(owners.end() - begin, static_cast<std::ptrdiff_t>(most));
    return {begin, begin + length};
}

std::vector<OwnersAfter> owners_after(Events a, Events b, std::size_t shown) {
    ByName<Both<Owners>> locks;
    note_owners(a, locks, &Both<Owners>::a);
    note_owners(b, locks, &Both<Owners>::b);
    std::vector<OwnersAfter> result;
    for (const auto& [lock, owners] : locks.all()) {
        const auto parting = std::mismatch(owners.a.begin(), owners.a.end(), owners.b.begin(), owners.b.end());
        // One more or less at the end says only that one side has got further.
        if (parting.first == owners.a.end() || parting.second == owners.b.end()) { continue; }
        const auto same = static_cast<std::size_t>(parting.first - owners.a.begin());
        result.push_back({lock, same, some_of(owners.a, same, shown), some_of(owners.b, same, shown)});
    }
    return result;
}

std::vector<ThreadAfter> threads_after(Events a, Events b) {
    ByName<Both<Steps>> threads;
    for (const Event& event : a) { threads[actor_of(event)].a.push_back(&event); }
    for (const Event& event : b) { threads[actor_of(event)].b.push_back(&event); }
    std::vector<ThreadAfter> result;
    for (const auto& [name, steps] : threads.all()) {
        const auto parting = std::mismatch(steps.a.begin(), steps.a.end(), steps.b.begin(), steps.b.end(),
                                           [](const Event* x, const Event* y) { return same_but_for_time(*x, *y); });
        ThreadAfter after{.thread = name, .steps_a = steps.a.size(), .steps_b = steps.b.size(), .a = {}, .b = {}};
        after.same = static_cast<std::size_t>(parting.first - steps.a.begin());
        if (parting.first != steps.a.end()) { after.a = **parting.first; }
        if (parting.second != steps.b.end()) { after.b = **parting.second; }
        if (after.same > 0) { after.later_b_ps = steps.b[after.same - 1]->t_ps - steps.a[after.same - 1]->t_ps; }
        result.push_back(std::move(after));
    }
    return result;
}

std::vector<WordAfter> words_after(Events a, Events b) {
    ByName<Both<std::optional<std::uint64_t>>> words;
    const auto is_word = [](const Event& event) { return !event.variable.empty() && event.operation != "fetch"; };
    for (const Event& event : a) {
        if (is_word(event)) { words[event.variable].a = event.new_value; }
    }
    for (const Event& event : b) {
        if (is_word(event)) { words[event.variable].b = event.new_value; }
    }
    std::vector<WordAfter> result;
    for (const auto& [name, last] : words.all()) {
        if (last.a && last.b && *last.a != *last.b) { result.push_back({name, *last.a, *last.b}); }
    }
    return result;
}

}  // namespace

std::optional<Parting> find_parting(Events a, Events b, Causes causes) {
    const auto [at_a, at_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end(),
                                            [causes](const auto& x, const auto& y) { return same(x, y, causes); });
    if (at_a == a.end() && at_b == b.end()) { return std::nullopt; }
    Parting parting{static_cast<std::size_t>(at_a - a.begin()), {}};
    if (at_a != a.end() && at_b != b.end()) { parting.keys = differing_keys(*at_a, *at_b, causes); }
    return parting;
}

Aftermath aftermath(Events a, Events b, const Parting& parting, std::size_t shown_owners) {
    const Events rest_a = a.subspan(parting.at);
    const Events rest_b = b.subspan(parting.at);
    return {owners_after(rest_a, rest_b, shown_owners), threads_after(rest_a, rest_b), words_after(rest_a, rest_b)};
}

}  // namespace locksim
