#!/bin/sh
# tools/region: the points are those of every host, each criterion can hold and can fail, and a map that was interrupted goes
# on where it stopped.
#   tests/tools/region_test.sh LOCKSIM
set -eu
region=$(CDPATH='' cd -- "$(dirname -- "$0")/../../tools/region" && pwd)
export LOCKSIM="$1"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
check() {  # WHAT EXPECTED GOT
    if [ "$2" != "$3" ]; then
        printf '%s: expected "%s", got "%s"\n' "$1" "$2" "$3"
        failures=$((failures + 1))
    fi
}

# --- points ------------------------------------------------------------------------------------------------
awk -v points=200 -v forward=0.6 -f "$region/points.awk" >"$folder/points.csv"
check 'the number of points' 201 "$(wc -l <"$folder/points.csv" | tr -d ' ')"
check 'the first point' '1,61,20,32,5,36.6,10,11.0' "$(sed -n 2p "$folder/points.csv")"
check 'the 200 points' '3753285337' "$(cksum <"$folder/points.csv" | cut -d ' ' -f 1)"
check 'points with legs longer than their transfer' 0 "$(awk -F, '
    NR > 1 && ($3 + 2 * $7) / 2.016 > $2 { ++n } END { print n + 0 }' "$folder/points.csv")"

# --- criteria ----------------------------------------------------------------------------------------------
# rows RUN FIELD VALUE: a point at which all hold, but for that field of that run (8 to 12 of results.csv).
rows() {
    while read -r row; do
        echo "1,100,10,20,3,$row" | awk -F, -v OFS=, -v run="$1" -v field="$2" -v value="$3" '
            $6 == run { $field = value } { print }'
    done <<EOF
base,1,10000,0.4,25000,2.6,75000
tick5,1,5000,0.4,1000,2.6,3000
tick20,1,20000,0.4,1000,2.6,3000
600MHz,1,2,0.4,1000,2,1000
1000MHz,1,2,0.4,1000,2,1000
1500MHz,1,2,0.4,1000,2,1000
patch,1,5,0.4,30000,2.6,75000
fast,1,2,0.4,40000,2,40000
fast_patch,1,2,0.4,60000,2,60000
lse,1,2,0.4,1000,2,1000
lse_600MHz,1,2,0.4,1000,2,1000
lse_1000MHz,1,2,0.4,1000,2,1000
lse_1500MHz,1,2,0.4,1000,2,1000
lse_gap0,1,2,0.4,1000,2,1000
EOF
}
# judged RUN FIELD VALUE: the names of the criteria that fail
judged() {
    rows "$@" | awk -v phases=1 -f "$region/judge.awk" | awk -F, '
        NR == 1 { for (i = 1; i <= NF; ++i) { name[i] = $i } next }
        { for (i = 6; i <= 13; ++i) { if (!$i) { out = out (out == "" ? "" : " ") name[i] } } }
        END { print out }'
}
check 'all hold' '' "$(judged none 8 0)"
check 'little waits less' 'B1 B2' "$(judged base 8 4000)"
check 'big waits' 'B1' "$(judged base 11 8)"
check 'another tick' 'B2' "$(judged tick20 8 11234)"
check 'the patch does not help' 'B3' "$(judged patch 8 500)"
check 'the patch hurts big' 'B3' "$(judged patch 11 9)"
check 'starvation at 1.5 GHz' 'B4' "$(judged fast 8 2500)"
check 'unlike counts at 1.5 GHz' 'B4' "$(judged fast 10 30000)"
check 'one-instruction atomics' 'B5' "$(judged lse_1000MHz 11 8)"
check 'the total of the patch at 1.5 GHz' 'B6' "$(judged fast_patch 10 10000)"
check 'the ratio of the patch' 'B8' "$(judged patch 10 20000)"
check 'the share' 'B9' "$(judged base 10 9000)"

# --- map ---------------------------------------------------------------------------------------------------
"$region/map" -n 2 -p 1 -d "$folder/map" >"$folder/first" 2>/dev/null
cp "$folder/map/results.csv" "$folder/results.csv"
check 'rows of two points' 29 "$(wc -l <"$folder/results.csv" | tr -d ' ')"
check 'lines wider than 80 columns' 0 "$(awk 'length($0) > 80 { ++n } END { print n + 0 }' "$folder/map/region.txt")"
check 'the picture' '</svg>' "$(tail -n 1 "$folder/map/region.svg")"
rm "$folder/map/points/2.csv"
"$region/map" -n 2 -p 1 -d "$folder/map" 2>"$folder/messages" >/dev/null
check 'a second start' 'map: 1 of 2 points to run' "$(head -n 1 "$folder/messages")"
cmp "$folder/results.csv" "$folder/map/results.csv" || failures=$((failures + 1))
status=0
"$region/map" -n 2 -p 1 -c 0 -d "$folder/map" >/dev/null 2>&1 || status=$?
check 'other options in the same folder' 2 "$status"
status=0
"$region/map" -n 0 >/dev/null 2>&1 || status=$?
check 'no points' 2 "$status"

[ "$failures" -eq 0 ]
