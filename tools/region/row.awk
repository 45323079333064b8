# A report of one scenario in CSV (locksim run --format csv) to rows of results.csv, one for each start phase.
# -v prefix=TEXT: what the rows begin with.
{
    gsub(/"[^"]*"/, "text")  # quoted fields may contain commas; none of them is needed
    n = split($0, field, ",")
}
NR == 1 {
    for (i = 1; i <= n; ++i) { column[field[i]] = i }
    next
}
field[1] == "thread" {
    phase = field[column["phase"]]
    who = field[column["name"]]
    wait[who, phase] = field[column["longest_wait_ns"]]
    median[who, phase] = field[column["wait_ns.p50"]]
    count[who, phase] = field[column["acquisitions"]]
    if (phase > phases) { phases = phase }
}
END {
    if (phases == 0) {
        print "row.awk: a report without threads" > "/dev/stderr"
        exit 1
    }
    for (p = 1; p <= phases; ++p) {
        printf "%s,%d,%.1f,%.3f,%d,%.1f,%d\n", prefix, p, wait["little", p] / 1000, median["little", p] / 1000,
            count["little", p], wait["big", p] / 1000, count["big", p]
    }
}
