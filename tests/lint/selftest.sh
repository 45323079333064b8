#!/usr/bin/env bash
# A lint that cannot fail proves nothing: runs lint.sh over a small good tree, where it must be silent, and over
# one with a mistake of each kind, where it must report exactly these.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

file() {  # file PATH: standard input becomes that file of the tree
    mkdir -p "$(dirname "$tree/$1")"
    cat >"$tree/$1"
}

# --- a good tree, with near misses ---

cp "$here/../../.clang-format" "$tree"
for folder in . sim model locks tools tests configs; do echo "# $folder" | file "$folder/README.md"; done
echo '// Engine. Says std::log( and static int only in this comment.' | file sim/engine.cpp
echo '#include "model/smp.hpp"' | file model/smp.cpp
file model/smp.hpp <<'END'
#pragma once
// The lock writer's words.
#include "sim/engine.hpp"
END
file locks/lock.hpp <<'END'
#pragma once
// The concept: no lock, hence no headings.
#include "model/smp.hpp"
END
file locks/good.hpp <<'END'
#pragma once
// A good lock.
//
// WHAT      One word.
// WHO       Nobody, 2024.
// WHEN      Never.
// FAIRNESS  None.
// SPACE     4 bytes.
// COST      One xchg.
// STATE     0: free.
// INVARIANT None.
// NOT HERE  Much.
#include "locks/lock.hpp"
class Good {
public:
    static constexpr int limit = 3;
    static int clamp(int value = 3) { return value; }
    void lock() {
        if (read_once(word_) != 0 && read_once(other_) != 0) { return; }
        const int old = xchg(word_, read_once(other_));
        write_once(other_, old == 0 ? read_once(word_) : read_once(third_));
        smp_cond_load_acquire(word_, [](auto w) { return w == 0 || read_once(other_); });
    }
};
static_assert(sizeof(Good) == 4);
END
echo '// Row.
#include "model/scenario/catalogue.hpp"' | file locks/good.cpp
echo '// Rows.
const auto* rows[] = {&good_entry};' | file locks/catalogue.cpp
echo '// Command.
#include <CLI/CLI.hpp>

#include "build_info.hpp"
#include "locks/good.hpp"' | file tools/main.cpp
echo '// Test.
#include "sim/engine.hpp"

#include "tests/catch.hpp"' | file tests/sim/engine_test.cpp
echo '#!/usr/bin/env bash
# Runs.
echo' | file tools/run
echo '# A scenario.
title = "x"' | file configs/x.toml

if ! output=$("$BASH" "$here/lint.sh" "$tree"); then
    printf 'findings in the good tree:\n%s\n' "$output"
    exit 1
fi

# --- one mistake of each kind; after the blank line in `expected` those that name a whole file ---

file sim/bad.cpp <<'END'
// Layers and nondeterminism.
#include "model/smp.hpp"
#include <sim/engine.hpp>
#include <toml++/toml.h>
#include "engine.hpp"
#include <cmath>
double a = std::log(2.0);
double b = sqrt(2.0);
std::uniform_int_distribution<int> c;
std::random_device d;
auto e = std::chrono::seconds(1);
std::unordered_map<int, int> f;
int g = rand();
END
file locks/bad.hpp <<'END'
#pragma once
// WHAT      Headings missing and out of order.
// WHEN      Never.
// WHO       Nobody.
#include "model/scenario/catalogue.hpp"
static int counter = 0;
thread_local int mine;
static std::array<int, 3> table{1, 2, 3};
void f() {
    g(read_once(a), read_once(b));
    h = read_once(a) + read_once(b);
}
END
echo '// In no catalogue.
#include "model/machine/cpu.hpp"' | file locks/bad.cpp
echo '// Tests are nobody'\''s library.
#include "tests/catch.hpp"' | file tools/bad.cpp
echo '// Another way to Catch2.
#include <catch2/catch.hpp>' | file tests/bad_test.cpp
echo 'int no_comment;' | file model/bad.hpp
echo '#include "model/smp.hpp"' | file model/bad.cpp
echo 'title = "no comment"' | file configs/bad.toml
printf '#!/usr/bin/env bash\n# Does not parse.\nif true; then\n' | file tools/bad.sh
printf '#!/usr/bin/env bash\necho no comment\n' | file tools/bad
printf '# See %s.md.\nAnd %s/shared.\n' DESIGN .. | file configs/README.md
mkdir "$tree/extra"

expected='
configs/README.md:1: [stands-alone]
configs/README.md:2: [stands-alone]
configs/bad.toml:1: [first-comment]
extra/README.md:1: [readme]
locks/bad.cpp:1: [catalogue]
locks/bad.cpp:2: [layers]
locks/bad.hpp:10: [visible-operations]
locks/bad.hpp:11: [visible-operations]
locks/bad.hpp:1: [lock-headings]
locks/bad.hpp:5: [layers]
locks/bad.hpp:6: [static]
locks/bad.hpp:7: [static]
locks/bad.hpp:8: [static]
model/bad.cpp:1: [first-comment]
model/bad.hpp:1: [first-comment]
sim/bad.cpp:10: [nondeterminism]
sim/bad.cpp:11: [nondeterminism]
sim/bad.cpp:12: [nondeterminism]
sim/bad.cpp:13: [nondeterminism]
sim/bad.cpp:2: [layers]
sim/bad.cpp:3: [layers]
sim/bad.cpp:4: [layers]
sim/bad.cpp:5: [layers]
sim/bad.cpp:6: [nondeterminism]
sim/bad.cpp:7: [nondeterminism]
sim/bad.cpp:8: [nondeterminism]
sim/bad.cpp:9: [nondeterminism]
tests/bad_test.cpp:2: [layers]
tools/bad.cpp:2: [layers]
tools/bad:1: [first-comment]'

status=0
output=$("$BASH" "$here/lint.sh" "$tree") || status=$?
found=$(grep -oE '^[^ ]+:[0-9]+: \[[a-z-]+\]' <<<"$output" | grep -vE '\[(shell|format)\]' | LC_ALL=C sort -u)
if ((status != 1)) || ! diff <(printf '%s\n' "${expected:1}") <(printf '%s\n' "$found"); then
    printf 'exit status %s (expected 1); < expected, > reported. The whole output:\n%s\n' "$status" "$output"
    exit 1
fi
# Where these two report depends on what is installed, so only that they do.
if ! grep -q '^tools/bad\.sh:.*\[shell\]' <<<"$output"; then
    echo 'a script that does not parse was not reported'
    exit 1
fi
if ! grep -q '\[format\]\|formatting is not checked' <<<"$output"; then
    echo 'a badly formatted file was not reported'
    exit 1
fi
echo 'the lint finds what it should'
