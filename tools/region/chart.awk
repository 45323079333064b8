# The region as text of 80 columns: machines.csv, then judged.csv.
# -v axes="X Y": the two parameters; -v forward=S: forward as a share of transfer.
BEGIN {
    FS = ","
    split(axes, axis, " ")
    width = 64
    height = 16
}
/^#/ { next }
FNR == NR {
    machine[++machines] = $1
    at[machines] = ($3 - 8) / (1 + forward)  # transfer + forward + about 8 ns of instructions, as simulated
    next
}
FNR == 1 {
    for (i = 1; i <= NF; ++i) { column[$i] = i }
    next
}
{
    ++points
    x[points] = $(column[axis[1]])
    y[points] = $(column[axis[2]])
    held[points] = $(column["held"])
    who[points] = substr($(column["starves"]), 1, 1)
    if ($(column["starves"]) == "both") { who[points] = "*" }
    if ($(column["starves"]) == "nobody") { who[points] = "." }
}
function low(name) { return name == "transfer" ? 15 : name == "request_path" ? 10 : name == "gap" ? 20 : 3 }
function high(name) { return name == "transfer" ? 250 : name == "request_path" ? 40 : name == "gap" ? 80 : 20 }
function unit(name) { return name == "transfer" ? "ns" : "cycles" }
function title(name) { gsub(/_/, " ", name); sub(/^ll/, "LL", name); sub(/to sc/, "to SC", name); return name }
function place(name, value, cells,    share) {
    share = name == "transfer" ? log(value / 15) / log(250 / 15) : (value - low(name)) / (high(name) - low(name))
    return 1 + int(share * (cells - 1) + 0.5)
}
function draw(heading, kind,    p, c, r, cell, line, m, where, words) {
    print "\n" heading
    for (p = 1; p <= points; ++p) {
        c = place(axis[1], x[p], width)
        r = place(axis[2], y[p], height)
        if (kind == "who") {
            if ((r, c) in cell && cell[r, c] != who[p]) { cell[r, c] = "#" } else { cell[r, c] = who[p] }
        } else if (!((r, c) in cell) || held[p] > cell[r, c]) {
            cell[r, c] = held[p]
        }
    }
    for (r = height; r >= 1; --r) {
        line = r == height ? high(axis[2]) : r == 1 ? low(axis[2]) : ""
        line = sprintf("%6s |", line)
        for (c = 1; c <= width; ++c) { line = line ((r, c) in cell ? cell[r, c] : " ") }
        print line
    }
    line = "       +"
    for (c = 1; c <= width; ++c) { line = line "-" }
    print line
    printf "        %-6s%*s\n", low(axis[1]) " " unit(axis[1]), width - 6, high(axis[1]) " " unit(axis[1])
    if (axis[1] == "transfer") {
        for (m = 1; m <= machines; ++m) {
            where = place("transfer", at[m], width)
            words = sprintf("%s (%.0f ns)", machine[m], at[m])
            if (where + length(words) + 2 <= width + 8) {
                printf "        %*s^ %s\n", where - 1, "", words
            } else {
                printf "        %*s ^\n", where - 2, words
            }
        }
    }
}
END {
    if (points == 0) { exit 1 }
    printf "\nacross: %s%s; up: %s\n", title(axis[1]), axis[1] == "transfer" ? " (logarithmic)" : "", title(axis[2])
    draw("who starves at 300 MHz: l little, b big, * both, . nobody, # points differ", "who")
    draw("criteria that hold, of 8 (the largest where points coincide)", "held")
}
