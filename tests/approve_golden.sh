#!/usr/bin/env bash
# Approves the present digests as golden: rewrites tests/locks/golden_digests.txt and shows what changed. Look at the
# difference, and say in the commit why traces change.
#   tests/approve_golden.sh [BUILD FOLDER]     default: build/release
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build/release}
cmake --build "$build" --target test_locks
LOCKSIM_APPROVE=1 "$build/bin/test_locks" '[golden]'
git --no-pager diff --stat -- tests/locks/golden_digests.txt
