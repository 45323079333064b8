#!/usr/bin/env bash
# The same scenario gives the same digest from every build, with spin elision on and off: builds
# locksim-digest by g++ -O3, clang++ -O3, g++ -O0 and g++ with sanitizers, runs all shipped scenarios for a
# short simulated time, and compares with release, elision on. One of the tests (`tools/test --full`).
#   LOCKSIM_VERIFY_DURATION    simulated time per run (default 2ms)
set -euo pipefail
# shellcheck source=tools/setup.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/setup.sh"

duration=${LOCKSIM_VERIFY_DURATION:-2ms}
presets=(release clang debug0 asan)
# The engine swaps stacks, which this one feature of the address sanitizer does not support.
export ASAN_OPTIONS=detect_stack_use_after_return=0
export UBSAN_OPTIONS=print_stacktrace=1

cd "$root"  # digest lines name the files as given: relative to the repository in every build
readarray -t scenarios < <(find configs -name '*.toml' -not -path 'configs/machines/*' -not -path 'configs/published/*' |
    LC_ALL=C sort)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

failures=0
for preset in "${presets[@]}"; do
    build "$preset" locksim-digest
    for elision in on off; do
        name=$preset-$elision
        # A few files per process, all cores busy; sorted, since the processes end in any order.
        if ! printf '%s\0' "${scenarios[@]}" |
            xargs -0 -n 4 -P "$(nproc)" "build/$preset/bin/locksim-digest" \
                --elision "$elision" --duration-cap "$duration" >"$out/$name.unsorted"; then
            say "$name: locksim-digest failed"
            failures=$((failures + 1))
        fi
        LC_ALL=C sort -k 2 "$out/$name.unsorted" >"$out/$name"
        if [[ ! -s $out/$name ]]; then
            say "$name: no digest at all"
            failures=$((failures + 1))
        elif ! diff -U 0 --label release-on --label "$name" "$out/release-on" "$out/$name"; then
            say "$name: digests differ from release with elision on"
            failures=$((failures + 1))
        else
            printf '%s: %d digests agree\n' "$name" "$(wc -l <"$out/$name")"
        fi
    done
done
exit $((failures > 0))
