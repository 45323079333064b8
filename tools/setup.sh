# What tools/run, tools/test and tools/verify_builds.sh share: installing packages, configuring, building.
# To be sourced. All messages go to stderr: stdout belongs to the program that is run afterwards.
# shellcheck shell=bash

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)

# Debian's and Ubuntu's names; README.md lists the same.
# shellcheck disable=SC2034  # used by the scripts that source this one
packages=(g++ cmake ninja-build libboost-dev libboost-context-dev libspdlog-dev libfmt-dev libcli11-dev
          libtomlplusplus-dev nlohmann-json3-dev catch2)

# The library for tools/fuzz, of the version that the package clang stands for.
fuzz_packages=(libclang-rt-14-dev)
# shellcheck disable=SC2034
if grep -qs '^VERSION_CODENAME=noble' /etc/os-release; then fuzz_packages=(libclang-rt-18-dev); fi

say() { printf 'locksim: %s\n' "$*" >&2; }

# quietly COMMAND...: on a terminal one line that shows where the command is, elsewhere nothing; the whole
# output when it fails, but for ninja's lines about steps that went well.
quietly() {
    local log status=0 line
    log=$(mktemp)
    if [[ -t 2 ]]; then
        "$@" 2>&1 | tee "$log" | while IFS= read -r line; do printf '\r\033[K%.79s' "$line" >&2; done || status=$?
        printf '\r\033[K' >&2
    else
        "$@" >"$log" 2>&1 || status=$?
    fi
    if ((status != 0)); then grep -vE '^\[[0-9]+/[0-9]+\]' "$log" >&2 || true; fi
    rm -f "$log"
    return "$status"
}

# install_missing PACKAGE...: quick when nothing is missing. A failure is no end: perhaps the tools are there
# in another way, and if not, cmake says what it did not find.
install_missing() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        if [[ ! -e $root/build/release/build.ninja ]]; then
            say "no apt here; under Debian's names this needs: $*  (README.md has other names)"
        fi
        return
    fi
    local have missing=() package
    have=" $(dpkg-query -W -f '${Package}=${db:Status-Status} ' "$@" 2>/dev/null || true)"
    for package; do
        if [[ $have != *" $package=installed "* ]]; then missing+=("$package"); fi
    done
    if ((${#missing[@]} == 0)); then return; fi

    local sudo=()
    if ((EUID != 0)); then sudo=(sudo); fi
    local install=(apt-get install -y --no-install-recommends "${missing[@]}")
    say "missing packages: ${sudo[*]:+sudo }${install[*]}"
    if [[ ${LOCKSIM_NO_INSTALL:-} == 1 ]]; then return; fi
    if ((EUID != 0)) && ! command -v sudo >/dev/null; then
        say "neither root nor sudo: run that line as root"
        return
    fi
    # Nobody is there to answer a question, and another apt may be at work.
    local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
               apt-get -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0)
    quietly "${apt[@]}" update </dev/null || say "apt-get update failed; trying with the old lists"
    quietly "${apt[@]}" "${install[@]:1}" </dev/null || say "apt-get install failed; going on without"
}

# build PRESET TARGET...: configures when needed, builds. One build at a time: ninja does not guard itself.
build() {
    local preset=$1 dir=$root/build/$1 tool
    shift
    for tool in cmake ninja; do
        if ! command -v "$tool" >/dev/null; then
            say "$tool is missing; README.md lists the packages that the build needs"
            return 1
        fi
    done
    mkdir -p "$dir"
    (
        flock 9
        # A copied or moved folder brings a cache that cmake refuses.
        if [[ -e $dir/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
            rm -rf "${dir:?}"/*
        fi
        # Ninja runs cmake again by itself, except for the presets.
        if [[ ! -e $dir/build.ninja || $root/CMakePresets.json -nt $dir/build.ninja ]]; then
            say "configuring and building $* in build/$preset: minutes the first time"
            cd "$root" || return 1
            quietly cmake --preset "$preset" || return 1
            touch "$dir/build.ninja"
        fi
        quietly cmake --build "$dir" --target "$@"
    ) 9>"$dir/.lock"
}
