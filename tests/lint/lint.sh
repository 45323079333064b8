#!/usr/bin/env bash
# Rules of this code base that no compiler checks. Prints FILE:LINE: [RULE] MESSAGE per finding and exits 1 if
# there is one. tests/lint/selftest.sh shows that each rule can fail.
#   tests/lint/lint.sh [ROOT]
set -euo pipefail
shopt -s extglob nullglob globstar
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "${1:-$here/../..}"

# --- what is allowed ---------------------------------------------------------------------------------------

# Who may include whom: "FROM TO", both patterns over paths from the root, where * also matches slashes.
layers=(
    'sim/*              sim/*'
    'model/*            @(sim|model)/*'
    'locks/*            locks/*'
    'locks/*            model/smp.hpp'
    'locks/lock.hpp     model/scenario/catalogue.hpp'   # what a row of the catalogue is
    'locks/catalogue.hpp model/scenario/catalogue.hpp'
    'locks/*.cpp        model/scenario/catalogue.hpp'   # a lock's row in the catalogue
    'locks/workloads/*  model/scenario/running/workload.hpp'
    'tools/*            @(sim|model|locks|tools)/*'
    'tools/*            build_info.hpp'                 # generated
    'tests/*            *'
)

# Libraries (<...>) that only some files may include: "LIBRARY FROM".
libraries=(
    'toml++/*           model/scenario/reading/*'
    'CLI/*              @(tools|tests)/*'
    'nlohmann/*         @(tools|tests)/*'
    'sqlite3.h          @(tools|tests)/*'
    'catch2/*           tests/catch.hpp'
)

# Exceptions from a rule: "RULE FILE", with the reason.
exceptions=(
    'nondeterminism sim/crash_report.cpp    ends a hung run by host time, never a run that goes on'
    'nondeterminism model/scenario/running/runner.cpp   host_seconds of the report, which no run reads'
    'static         locks/catalogue.cpp     the table itself, constant'
)

# Files in locks/ that are no lock: neither headings nor a line in the catalogue.
not_a_lock='locks/@(lock|catalogue|backoff)*'

headings='WHAT WHO WHEN FAIRNESS SPACE COST STATE INVARIANT NOT-HERE'

# --- how it is reported ------------------------------------------------------------------------------------

findings=0
report() {  # FILE LINE RULE MESSAGE
    local exception rule file
    for exception in "${exceptions[@]}"; do
        read -r rule file _ <<<"$exception"
        if [[ $3 == "$rule" && $1 == "$file" ]]; then return; fi
    done
    printf '%s:%s: [%s] %s\n' "$1" "$2" "$3" "$4"
    findings=$((findings + 1))
}

# code FILE: its text without comments and strings, line by line.
code() { sed -E 's/"([^"\\]|\\.)*"/""/g; s://.*$::' "$1"; }

# forbid RULE REGEX MESSAGE FILE...: no line of code matches.
forbid() {
    local rule=$1 regex=$2 message=$3 file line
    shift 3
    for file; do
        while IFS=: read -r line _; do report "$file" "$line" "$rule" "$message"; done < \
            <(code "$file" | grep -nE "$regex")
    done
}

# --- the files ---------------------------------------------------------------------------------------------

readarray -t files < <(find . \( -name .git -o -path ./build -o -name .cache \) -prune -o -type f -print |
                       sed 's:^\./::' | LC_ALL=C sort)
sources=() scripts=()
for file in "${files[@]}"; do
    case $file in
        *.cpp | *.hpp | *.h) sources+=("$file") ;;
        *.sh) scripts+=("$file") ;;
        *)
            IFS= read -r -n 64 line <"$file" || true
            if [[ $line == '#!'*bash* ]]; then scripts+=("$file"); fi ;;
    esac
done

# --- rules -------------------------------------------------------------------------------------------------

rule_layers() {
    local file line include entry from to ok
    while IFS=: read -r file line include; do
        include=${include#*include}
        include=${include##*([[:space:]])}
        if [[ $include == '<'* ]]; then
            include=${include#<} include=${include%%>*}
            if [[ $include == @(sim|model|locks|tools|tests)/* ]]; then
                report "$file" "$line" layers "write #include \"$include\": files of this repository stand in quotes"
            fi
            for entry in "${libraries[@]}"; do
                read -r to from <<<"$entry"
                # shellcheck disable=SC2053  # patterns
                if [[ $include == $to && $file != $from ]]; then
                    report "$file" "$line" layers "<$include> is for $from only"
                fi
            done
            continue
        fi
        include=${include#\"} include=${include%%\"*}
        ok=no
        for entry in "${layers[@]}"; do
            read -r from to <<<"$entry"
            # shellcheck disable=SC2053  # patterns
            if [[ $file == $from && $include == $to ]]; then ok=yes; break; fi
        done
        if [[ $ok == no ]]; then report "$file" "$line" layers "must not include \"$include\""; fi
    done < <(grep -nHE '^[[:space:]]*#[[:space:]]*include[[:space:]]' "${sources[@]}" /dev/null)
}

# Hidden state would survive from one simulation to the next, and live outside the arena.
rule_static() {
    local file line text regex='(^|[^A-Za-z0-9_])static[[:space:]]'
    forbid static '(^|[^A-Za-z0-9_])thread_local([^A-Za-z0-9_]|$)' 'thread_local in a lock; use PerCpu' locks/**/*.[hc]pp
    for file in locks/**/*.[hc]pp; do
        while IFS=: read -r line text; do
            # Constants and functions are fine: a function has its parenthesis before any = ; {
            if [[ $text =~ static[[:space:]]+(inline[[:space:]]+)?(constexpr|consteval)[[:space:]] ]]; then continue; fi
            if [[ ${text#*static} =~ ^[^=\;{]*\( ]]; then continue; fi
            report "$file" "$line" static 'static variable in a lock; use Shared, PerCpu or constexpr'
        done < <(code "$file" | grep -nE "$regex")
    done
}

# Results must not depend on the C library, the standard library, the host's clock or addresses.
rule_nondeterminism() {
    local deterministic=(sim/**/*.[hc]pp model/**/*.[hc]pp locks/**/*.[hc]pp)
    local start='(^|[^A-Za-z0-9_])'
    forbid nondeterminism '#[[:space:]]*include[[:space:]]*<(cmath|math\.h|random|chrono|ctime|time\.h|sys/time\.h)>' \
        'no libm, std random numbers or host clocks here' "${deterministic[@]}"
    forbid nondeterminism "${start}(std::(log|log2|log10|log1p|exp|exp2|expm1|pow|sqrt|cbrt|sin|cos|tan|hypot|erf|tgamma|lgamma)|(log|log2|exp|pow|sqrt)) *\\(" \
        'libm differs between hosts; use integer tables' "${deterministic[@]}"
    forbid nondeterminism "_distribution *<|${start}(random_device|mt19937(_64)?|default_random_engine)([^A-Za-z0-9_]|$)|${start}s?rand *\\(" \
        'random numbers come from the named streams of sim/' "${deterministic[@]}"
    forbid nondeterminism "${start}(std::chrono|steady_clock|system_clock|high_resolution_clock|clock_gettime|gettimeofday)([^A-Za-z0-9_]|$)" \
        'host time in the simulation' "${deterministic[@]}"
    forbid nondeterminism "${start}(unordered_(multi)?(map|set))([^A-Za-z0-9_]|$)" \
        'the order of iteration differs between libraries' "${deterministic[@]}"
}

# Compilers evaluate a call's arguments in different orders.
rule_visible_operations() {
    local file line message
    for file in locks/**/*.[hc]pp; do
        while IFS=: read -r line message; do report "$file" "$line" visible-operations "$message"; done < \
            <(awk -f "$here/visible_operations.awk" "$file")
    done
}

rule_readme() {
    local folder
    for folder in . *; do
        if [[ -d $folder && $folder != build && ! -f $folder/README.md ]]; then
            report "$folder/README.md" 1 readme 'is missing: what this is, what it is not, how to add one, decisions'
        fi
    done
}

# The first lines say what a file is. X.cpp may leave that to X.hpp by including it first.
rule_first_comment() {
    local file first second
    for file in "${files[@]}"; do
        { IFS= read -r first && IFS= read -r second; } <"$file" || true
        case $file in
            *.cpp | *.hpp | *.h | *.hpp.in)
                if [[ $first == '#pragma once' ]]; then first=$second; fi
                if [[ $first != //* && $first != /\** && $first != "#include \"${file%.cpp}.hpp\"" ]]; then
                    report "$file" 1 first-comment 'begin with a comment that says what this file is'
                fi ;;
            *.toml | *.cmake | */CMakeLists.txt | CMakeLists.txt)
                if [[ $first != '#'* ]]; then report "$file" 1 first-comment 'begin with a comment'; fi ;;
        esac
        if [[ " ${scripts[*]} " == *" $file "* ]]; then
            if [[ $first == '#!'* ]]; then first=$second; fi
            if [[ $first != '# '* ]]; then report "$file" 1 first-comment 'say what the script does'; fi
        fi
        first='' second=''
    done
}

# The repository stands alone. (Brackets, so that this file does not match itself.)
rule_stands_alone() {
    local file line text
    while IFS=: read -r file line text; do
        report "$file" "$line" stands-alone 'refers to something outside the repository'
    done < <(grep -nHIE '(DESIGN|CLI|STYLE|SEEDS|CLOSED_FORMS)[.]md|[.][.]/shared' \
             "${files[@]}" /dev/null)
}

rule_lock_headings() {
    local file found
    for file in locks/*.hpp; do
        # shellcheck disable=SC2053  # pattern
        if [[ $file == $not_a_lock ]]; then continue; fi
        found=$(awk '!/^(\/\/|#pragma|$)/ { exit }
                     match($0, /^\/\/ (WHAT|WHO|WHEN|FAIRNESS|SPACE|COST|STATE|INVARIANT|NOT HERE) /) {
                         word = substr($0, 4, RLENGTH - 4); sub(/ $/, "", word); sub(/ /, "-", word)
                         printf "%s%s", separator, word; separator = " "
                     }' "$file")
        if [[ $found != "$headings" ]]; then
            report "$file" 1 lock-headings "header comment has [$found], expected [$headings]"
        fi
    done
}

rule_catalogue() {
    local file stem lists
    lists=$(cat locks/catalogue.cpp locks/workloads/catalogue.cpp 2>/dev/null || true)
    for file in locks/**/*.cpp; do
        # shellcheck disable=SC2053  # pattern
        if [[ $file == $not_a_lock || $file == locks/workloads/catalogue.cpp ]]; then continue; fi
        stem=$(basename "$file" .cpp)
        if ! grep -qE "(^|[^A-Za-z0-9_])${stem}(_entry|_row|_lock|_workload)?([^A-Za-z0-9_]|$)" <<<"$lists"; then
            report "$file" 1 catalogue "is not listed in locks/catalogue.cpp (as $stem or ${stem}_entry)"
        fi
    done
}

rule_shell() {
    local file line message
    for file in "${scripts[@]}"; do
        if ! message=$(bash -n "$file" 2>&1); then report "$file" 1 shell "${message%%$'\n'*}"; fi
    done
    if ! command -v shellcheck >/dev/null; then
        echo 'note: shellcheck is not installed: scripts are checked by bash -n only'
        return
    fi
    while IFS=: read -r file line _ message; do report "$file" "$line" shell "$message"; done < \
        <(shellcheck -x -f gcc "${scripts[@]}" </dev/null)
}

rule_format() {
    local file line version
    version=$(clang-format --version 2>/dev/null | grep -oE 'version [0-9]+' || true)
    if [[ $version != 'version 14' ]]; then
        echo "note: formatting is not checked: that needs clang-format 14, here is ${version:-none}"
        return
    fi
    while IFS=: read -r file line _; do report "$file" "$line" format 'run clang-format -i on this file'; done < \
        <(clang-format --dry-run "${sources[@]}" 2>&1 | grep -E '^[^ ]+:[0-9]+:[0-9]+: ' | sort -t: -u -k1,1)
}

rule_layers
rule_static
rule_nondeterminism
rule_visible_operations
rule_readme
rule_first_comment
rule_stands_alone
rule_lock_headings
rule_catalogue
rule_shell
rule_format

if ((findings > 0)); then
    echo "$findings findings"
    exit 1
fi
echo "${#files[@]} files, no findings"
