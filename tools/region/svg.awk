# The region as an SVG picture of two panels: machines.csv, then judged.csv.
# -v axes="X Y": the two parameters; -v forward=S: forward as a share of transfer; -v settings=TEXT: of all points.
BEGIN {
    FS = ","
    split(axes, axis, " ")
    colour["little"] = "#c0392b"
    colour["big"] = "#2471a3"
    colour["both"] = "#7d3c98"
    colour["nobody"] = "#b2babb"
    side = 340
    left = 60
    top = 60
}
/^#/ { next }
FNR == NR {
    machine[++machines] = $1
    at[machines] = ($3 - 8) / (1 + forward)
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
    starves[points] = $(column["starves"])
    what[points] = sprintf("point %s: transfer %s ns, request path %s, gap %s, LL to SC %s; ", $1, $2, $3, $4, $5) \
        sprintf("%s starves; %s of 8 criteria hold; share %s", starves[points], held[points], $(column["share"]))
}
function low(name) { return name == "transfer" ? 15 : name == "request_path" ? 10 : name == "gap" ? 20 : 3 }
function high(name) { return name == "transfer" ? 250 : name == "request_path" ? 40 : name == "gap" ? 80 : 20 }
function unit(name) { return name == "transfer" ? "ns" : "cycles" }
function title(name) { gsub(/_/, " ", name); sub(/^ll/, "LL", name); sub(/to sc/, "to SC", name); return name }
function share(name, value) {
    return name == "transfer" ? log(value / 15) / log(250 / 15) : (value - low(name)) / (high(name) - low(name))
}
function text(px, py, anchor, words) {
    gsub(/&/, "\\&amp;", words)
    gsub(/</, "\\&lt;", words)
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", px, py, anchor, words
}
function panel(from, heading, kind,    p, m, px, py, fill) {
    printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#333\"/>\n", \
        from, top, side, side
    text(from, top - 12, "start", heading)
    text(from + side / 2, top + side + 34, "middle", \
        title(axis[1]) " (" unit(axis[1]) (axis[1] == "transfer" ? ", logarithmic)" : ")"))
    text(from, top + side + 16, "middle", low(axis[1]))
    text(from + side, top + side + 16, "middle", high(axis[1]))
    text(from - 6, top + side, "end", low(axis[2]))
    text(from - 6, top + 10, "end", high(axis[2]))
    printf "<text transform=\"translate(%d,%d) rotate(-90)\" text-anchor=\"middle\">%s (%s)</text>\n", \
        from - 30, top + side / 2, title(axis[2]), unit(axis[2])
    if (axis[1] == "transfer") {
        for (m = 1; m <= machines; ++m) {
            px = from + side * share("transfer", at[m])
            printf "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#555\" stroke-dasharray=\"4 3\"/>\n", \
                px, top, px, top + side
            text(px, top + side + 50 + 13 * (m % 2), "middle", machine[m])  # neighbours below each other
        }
    }
    for (p = 1; p <= points; ++p) {
        px = from + side * share(axis[1], x[p])
        py = top + side * (1 - share(axis[2], y[p]))
        fill = kind == "who" ? colour[starves[p]] : sprintf("hsl(%d,60%%,45%%)", held[p] * 15)
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\" fill-opacity=\"0.8\">", px, py, fill
        printf "<title>%s</title></circle>\n", what[p]
        if (kind != "who") {
            printf "<text x=\"%.1f\" y=\"%.1f\" font-size=\"9\">%d</text>\n", px + 5, py + 3, held[p]
        }
    }
}
END {
    if (points == 0) { exit 1 }
    wide = 2 * (side + left + 20) + 20
    tall = top + side + 100
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" ", wide, tall
    print "font-family=\"sans-serif\" font-size=\"12\">"
    printf "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", wide, tall
    text(left, 20, "start", \
        "The starvation of 2017: 300 MHz against 2 GHz, one ticket lock. " points " points; " settings)
    panel(left, "who waits longer than 1 ms at 300 MHz", "who")
    panel(2 * left + side + 20, "how many of the 8 criteria hold", "held")
    n = split("little big both nobody", names, " ")
    for (i = 1; i <= n; ++i) {
        printf "<circle cx=\"%d\" cy=\"%d\" r=\"5\" fill=\"%s\"/>\n", \
            left + (i - 1) * 85, top + side + 76, colour[names[i]]
        text(left + (i - 1) * 85 + 10, top + side + 80, "start", names[i])
    }
    print "</svg>"
}
