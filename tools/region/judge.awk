# results.csv to one line for each point: which criteria hold, who starves, and where starvation begins.
# -v phases=N: start phases that each run must have. A criterion holds where it holds in three quarters of them.
# What the criteria say: README.md beside this file.
BEGIN {
    FS = ","
    tick_us = 2      # a tick's own length, which "longest wait" of the big CPU leaves out
    starved_us = 1000
}
/^point,/ || /^#/ { next }
{
    if (!($1 in seen)) {
        seen[$1] = 1
        order[++points] = $1
        parameters[$1] = $2 "," $3 "," $4 "," $5
    }
    k = $1 SUBSEP $6 SUBSEP $7
    little_wait[k] = $8
    little_median[k] = $9
    little_count[k] = $10
    big_wait[k] = $11
    big_count[k] = $12
    rows[$1] += 1
}
function key(point, run, phase) { return point SUBSEP run SUBSEP phase }
function total(k) { return little_count[k] + big_count[k] }
function within(value, goal, share) { return value >= goal * (1 - share) && value <= goal * (1 + share) }
function ratio(a, b) { return b > 0 ? a / b : 1e9 }
function calm(k, most) { return little_wait[k] <= most && big_wait[k] <= most }
function alike(k) { return within(ratio(little_count[k], big_count[k]), 1, 0.1) }
function max(a, b) { return a > b ? a : b }

function b1(p, f,    k) {
    k = key(p, "base", f)
    return little_wait[k] >= 4990 && little_wait[k] >= little_median[k] && big_wait[k] <= 5 + tick_us
}
# the longest wait is a multiple of the distance between the two CPUs' ticks, half a period, within 2 % of the period
function follows(p, run, f, period_us,    halves) {
    halves = little_wait[key(p, run, f)] / (period_us / 2)
    return halves >= 0.96 && halves - int(halves + 0.5) <= 0.04 && int(halves + 0.5) - halves <= 0.04
}
function b2(p, f) {
    return follows(p, "tick5", f, 5000) && follows(p, "base", f, 10000) && follows(p, "tick20", f, 20000)
}
function b3(p, f,    k, q) {
    k = key(p, "base", f)
    q = key(p, "patch", f)
    return little_wait[k] >= 100 * little_wait[q] && big_wait[q] <= 2 * max(big_wait[k], tick_us)
}
function b4(p, f,    k) {
    k = key(p, "fast", f)
    return alike(k) && calm(k, 200)
}
function b5(p, f) {
    return calm(key(p, "lse", f), 5 + tick_us) && calm(key(p, "lse_gap0", f), 5 + tick_us) && \
        calm(key(p, "lse_600MHz", f), 5 + tick_us) && calm(key(p, "lse_1000MHz", f), 5 + tick_us) && \
        calm(key(p, "lse_1500MHz", f), 5 + tick_us) && alike(key(p, "lse_gap0", f)) && \
        alike(key(p, "lse_600MHz", f)) && alike(key(p, "lse_1000MHz", f)) && alike(key(p, "lse_1500MHz", f))
}
function b6(p, f) { return total(key(p, "fast_patch", f)) >= 1.3 * total(key(p, "fast", f)) }
function b8(p, f,    k, r, t) {
    k = key(p, "patch", f)
    r = ratio(big_count[k], little_count[k])
    t = ratio(total(k), total(key(p, "base", f)))
    return r >= 2 && r <= 3 && t >= 1 && t <= 1.4
}
function b9(p, f,    k, share) {
    k = key(p, "base", f)
    share = ratio(little_count[k], total(k))
    return share >= 0.15 && share <= 0.45
}
function criterion(n, p, f) {
    if (n == 1) { return b1(p, f) }
    if (n == 2) { return b2(p, f) }
    if (n == 3) { return b3(p, f) }
    if (n == 4) { return b4(p, f) }
    if (n == 5) { return b5(p, f) }
    if (n == 6) { return b6(p, f) }
    if (n == 8) { return b8(p, f) }
    return b9(p, f)
}
function most_phases(n) { return n >= phases * 0.75 }
function starves(p, run,    f, k, little, big) {
    for (f = 1; f <= phases; ++f) {
        k = key(p, run, f)
        little += little_wait[k] >= starved_us
        big += big_wait[k] >= starved_us
    }
    little = most_phases(little)
    big = most_phases(big)
    return little && big ? "both" : little ? "little" : big ? "big" : "nobody"
}
# the fastest little clock at which it still starves, in GHz; 0: at none
function onset(p,    run, n, runs, clock, last) {
    n = split("base 600MHz 1000MHz 1500MHz", runs, " ")
    split("0.3 0.6 1.0 1.5", clock, " ")
    for (run = 1; run <= n; ++run) {
        if (starves(p, runs[run]) == "little" || starves(p, runs[run]) == "both") { last = clock[run] }
    }
    return last + 0
}
END {
    print "point,transfer,request_path,gap,ll_to_sc,B1,B2,B3,B4,B5,B6,B8,B9,all,held,starves,onset_GHz,share," \
        "fast_starves"
    for (i = 1; i <= points; ++i) {
        p = order[i]
        line = p "," parameters[p]
        held = 0
        for (n = 1; n <= 9; ++n) {
            if (n == 7) { continue }
            hits = 0
            for (f = 1; f <= phases; ++f) { hits += criterion(n, p, f) ? 1 : 0 }
            holds = most_phases(hits)
            held += holds
            line = line "," holds
        }
        share = 0
        for (f = 1; f <= phases; ++f) {
            k = key(p, "base", f)
            share += ratio(little_count[k], total(k)) / phases
        }
        print line "," (held == 8) "," held "," starves(p, "base") "," onset(p) "," sprintf("%.4f", share) "," \
            starves(p, "fast")
    }
}
