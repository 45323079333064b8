# Points of the box, as CSV: a Halton sequence (J. Halton, 1960; bases 2, 3, 5, 7), the same on every host. Points whose
# legs would be longer than the whole transfer are no machine: the sequence goes on without them.
#   -v points=N   how many
#   -v forward=S  forward as a share of transfer
#
# transfer      15 to 250 ns, logarithmic, whole ns
# request path  10 to 40 cycles, LL to SC 3 to 20 cycles, gap 20 to 80 cycles: uniform, whole cycles
# snoop path, response path: half the request path, as configs/machines/a53-a73.toml estimates them
# read occupancy: 0.18 of transfer, as there; forward: the share given, at least the response path
function radical_inverse(n, base,    inverse, place) {  # the digits of n, mirrored at the point
    inverse = 0
    for (place = 1 / base; n > 0; place /= base) {
        inverse += place * (n % base)
        n = int(n / base)
    }
    return inverse
}
function between(low, high, share) { return low + int(share * (high - low + 1)) }
BEGIN {
    little_GHz = 2.016  # the slower clock at which the machine's transfers were measured
    print "point,transfer,request_path,gap,ll_to_sc,forward,path,read_occupancy"
    for (n = 1; found < points; ++n) {
        transfer = int(15 * exp(log(250 / 15) * radical_inverse(n, 2)) + 0.5)
        request = between(10, 40, radical_inverse(n, 3))
        gap = between(20, 80, radical_inverse(n, 5))
        ll_to_sc = between(3, 20, radical_inverse(n, 7))
        path = int(request / 2)
        if ((request + 2 * path) / little_GHz > transfer) { continue }
        ahead = forward * transfer
        if (ahead < path / little_GHz) { ahead = path / little_GHz }
        printf "%d,%d,%d,%d,%d,%.1f,%d,%.1f\n", ++found, transfer, request, gap, ll_to_sc, ahead, path, 0.18 * transfer
    }
}
