# judged.csv to the names of the two parameters that tell most: on which most criteria turn. For each parameter and
# criterion: the distance of the mean rank where it holds from the mean rank where it does not, from 0 to 1; summed.
BEGIN { FS = "," }
NR == 1 {
    for (i = 1; i <= NF; ++i) { name[i] = $i; column[$i] = i }
    next
}
{
    ++points
    for (i = 1; i <= NF; ++i) { value[points, i] = $i }
}
END {
    for (c = column["transfer"]; c <= column["ll_to_sc"]; ++c) {
        for (p = 1; p <= points; ++p) {
            rank = 0
            for (q = 1; q <= points; ++q) {
                rank += value[q, c] + 0 < value[p, c] + 0 ? 1 : value[q, c] + 0 == value[p, c] + 0 ? 0.5 : 0
            }
            ranks[p] = rank / points
        }
        for (b = column["B1"]; b < column["all"]; ++b) {
            yes = no = yes_rank = no_rank = 0
            for (p = 1; p <= points; ++p) {
                if (value[p, b]) { ++yes; yes_rank += ranks[p] } else { ++no; no_rank += ranks[p] }
            }
            if (yes == 0 || no == 0) { continue }
            difference = yes_rank / yes - no_rank / no
            weight[c] += difference < 0 ? -difference : difference
        }
    }
    first = column["transfer"]
    for (c = first; c <= column["ll_to_sc"]; ++c) { if (weight[c] > weight[first]) { first = c } }
    second = first == column["transfer"] ? first + 1 : column["transfer"]
    for (c = column["transfer"]; c <= column["ll_to_sc"]; ++c) {
        if (c != first && weight[c] > weight[second]) { second = c }
    }
    if (second == column["transfer"]) { second = first; first = column["transfer"] }  # it has the named machines: along
    print name[first] " " name[second]
}
