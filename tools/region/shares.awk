# judged.csv as a text: for each criterion and for all together the share of the box where it holds, and who starves.
# -v settings=TEXT: what all points had in common.
BEGIN {
    FS = ","
    text["B1"] = "300 MHz: little waits >= 5 ms, >= 1000x its median; big <= 5 us"
    text["B2"] = "little's longest wait follows the tick (5, 10, 20 ms)"
    text["B3"] = "the patch: little's longest wait down >= 100x, big's within 2x"
    text["B4"] = "1.5 GHz, gap 0: counts within 10 %, waits <= 200 us"
    text["B5"] = "LSE, all clocks: waits <= 5 us; gap 0: counts within 10 %"
    text["B6"] = "1.5 GHz: the patch raises the total >= 1.3x"
    text["B8"] = "the patch at 300 MHz: big/little 2 to 3, total 1 to 1.4x"
    text["B9"] = "300 MHz: little gets 15 to 45 % of the acquisitions"
    text["all"] = "all of them at one point"
}
NR == 1 {
    for (i = 1; i <= NF; ++i) { column[$i] = i; name[i] = $i }
    next
}
{
    ++points
    for (i = column["B1"]; i <= column["all"]; ++i) { holds[name[i]] += $i }
    ++starves[$(column["starves"])]
    ++fast_starves[$(column["fast_starves"])]
    ++onset[$(column["onset_GHz"])]
    ++held[$(column["held"])]
    if ($(column["held"]) > best) { best = $(column["held"]); best_points = "" }
    if ($(column["held"]) == best && length(best_points) < 400) {
        set = ""
        for (i = column["B1"]; i < column["all"]; ++i) { if ($i) { set = set " " name[i] } }
        best_points = best_points sprintf("  point %s: transfer %s ns, request path %s, gap %s, LL to SC %s:%s\n", \
            $1, $2, $3, $4, $5, set)
    }
}
function per_cent(n) { return sprintf("%3.0f %%", 100 * n / points) }
END {
    if (points == 0) {
        print "shares.awk: no point has run" > "/dev/stderr"
        exit 1
    }
    printf "%d points; %s\n\n", points, settings
    print "share of the box where it holds (in at least three quarters of the start phases)"
    n = split("B1 B2 B3 B4 B5 B6 B8 B9 all", criteria, " ")
    for (i = 1; i <= n; ++i) {
        c = criteria[i]
        printf "  %-4s %s  %s\n", c, per_cent(holds[c]), text[c]
    }
    print "\nwho waits longer than 1 ms"
    n = split("little big both nobody", who, " ")
    printf "  %-26s", "300 MHz, ticket by LL/SC"
    for (i = 1; i <= n; ++i) { printf "  %s %s", who[i], per_cent(starves[who[i]]) }
    printf "\n  %-26s", "1.5 GHz, gap 0"
    for (i = 1; i <= n; ++i) { printf "  %s %s", who[i], per_cent(fast_starves[who[i]]) }
    print "\n\nB7: little starves up to a clock of (big: 2.0 GHz)"
    printf "  none %s", per_cent(onset[0])
    n = split("0.3 0.6 1 1.5", clock, " ")
    for (i = 1; i <= n; ++i) { printf "   %s GHz %s", clock[i], per_cent(onset[clock[i]]) }
    printf "\n\nmost criteria at one point: %d of 8\n%s", best, best_points
}
