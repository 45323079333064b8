#!/usr/bin/env bash
# The same scenario gives the same digest on another architecture: builds locksim-digest for AArch64 with Debian's cross
# compiler, runs all shipped scenarios for a short simulated time under qemu's user-mode emulation, with spin elision on
# and off, and compares with the native build. By hand, not one of the tests: it downloads 30 MB and takes minutes.
#   LOCKSIM_VERIFY_DURATION    simulated time per run (default 2ms)
# It installs the cross compiler and qemu as tools/run installs packages. The libraries for AArch64 are only unpacked, in
# build/aarch64-sysroot, by an apt with lists of its own: the system gets no second architecture.
set -euo pipefail
# shellcheck source=tools/setup.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/setup.sh"

duration=${LOCKSIM_VERIFY_DURATION:-2ms}
sysroot=$root/build/aarch64-sysroot
emulator=(qemu-aarch64-static -L /usr/aarch64-linux-gnu)

# Headers and libraries of the same versions as this system's; nothing is installed or configured.
unpack_libraries() {
    if [[ -e $sysroot/complete ]]; then return; fi
    local work=$sysroot/apt native package names=()
    native=$(dpkg --print-architecture)
    rm -rf "$work"
    mkdir -p "$work"/{lists,archives}/partial "$work/debs"
    local own=(-o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work" -o APT::Sandbox::User=root
               -o "APT::Architectures::=$native" -o APT::Architectures::=arm64)
    say "downloading the libraries for AArch64 to $sysroot"
    quietly apt-get "${own[@]}" update || return 1
    # What the three need of each other, and no C library: the cross compiler brings one.
    readarray -t names < <(
        apt-cache "${own[@]}" depends --recurse --no-{recommends,suggests,conflicts,breaks,replaces,enhances} \
            lib{boost-context,fmt,spdlog,tomlplusplus}-dev:arm64 |
            grep -E '^lib(boost[0-9.]+-dev|boost-context|fmt|spdlog|tomlplusplus)[^ ]*:arm64$' | LC_ALL=C sort -u)
    names+=(libcli11-dev nlohmann-json3-dev)  # headers alone, for every architecture
    (cd "$work/debs" && quietly apt-get "${own[@]}" download "${names[@]}") || return 1
    for package in "$work"/debs/*.deb; do dpkg-deb --extract "$package" "$sysroot"; done
    rm -rf "$work"
    touch "$sysroot/complete"
}

# digests NAME ELISION COMMAND...: one line per scenario and variant, in $out/NAME, and how long it took.
digests() {
    local name=$1 elision=$2 begin=$SECONDS
    shift 2
    printf '%s\0' "${scenarios[@]}" |
        xargs -0 -n 4 -P "$(nproc)" "$@" --elision "$elision" --duration-cap "$duration" >"$out/$name.unsorted" || {
        say "$name: locksim-digest failed"
        failures=$((failures + 1))
    }
    LC_ALL=C sort -k 2 "$out/$name.unsorted" >"$out/$name"
    took=$((SECONDS - begin))
}

if [[ $(uname -m) == aarch64 ]]; then
    say "this is an AArch64 machine: tools/verify_builds.sh compares its builds"
    exit 1
fi
install_missing "${packages[@]}" g++-aarch64-linux-gnu qemu-user-static
unpack_libraries
build release locksim-digest
build aarch64 locksim-digest

cd "$root"  # digest lines name the files as given
readarray -t scenarios < <(find configs -name '*.toml' -not -path 'configs/machines/*' -not -path 'configs/published/*' |
    LC_ALL=C sort)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failures=0
for elision in on off; do
    digests "native-$elision" "$elision" build/release/bin/locksim-digest
    native=$took
    digests "aarch64-$elision" "$elision" "${emulator[@]}" build/aarch64/bin/locksim-digest
    if [[ ! -s $out/native-$elision ]]; then
        say "no digest at all"
        failures=$((failures + 1))
    elif diff -U 0 --label native --label aarch64 "$out/native-$elision" "$out/aarch64-$elision"; then
        printf 'elision %s, %s each: %d digests of %d scenarios agree (native %d s, AArch64 emulated %d s)\n' \
            "$elision" "$duration" "$(wc -l <"$out/aarch64-$elision")" "${#scenarios[@]}" "$native" "$took"
    else
        say "elision $elision: digests differ between AArch64 and the native build"
        failures=$((failures + 1))
    fi
done
exit $((failures > 0))
