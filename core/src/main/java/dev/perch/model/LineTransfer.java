package dev.perch.model;

/**
 * What fetching a cache line that another CPU wrote last costs, in wall time.
 *
 * <p>Latencies are one-way (half of a compare-and-swap round trip) in picoseconds. Out-of-order execution hides the first
 * {@code hiddenPs} of each; the rest is {@linkplain #exposedPs exposed}. Limitations: no bandwidth, no queueing in the fabric.
 */
public final class LineTransfer {
    private final long hiddenPs;
    private final long[] latencyPs;
    private final long[][] remotePs;

    /**
     * @param hiddenPs how much of each transfer overlaps with execution
     * @param latencyPs by {@link Distance} ordinal up to {@link Distance#NODE}
     * @param remotePs latency between NUMA nodes, [from][to]; the diagonal is not used
     */
    public LineTransfer(long hiddenPs, long[] latencyPs, long[][] remotePs) {
        this.hiddenPs = hiddenPs;
        this.latencyPs = latencyPs.clone();
        this.remotePs = new long[remotePs.length][];
        for (int node = 0; node < remotePs.length; node++) {
            this.remotePs[node] = remotePs[node].clone();
        }
    }

    public long hiddenPs() {
        return hiddenPs;
    }

    /** The latency over a distance up to {@link Distance#NODE}. */
    public long latencyPs(Distance distance) {
        return latencyPs[distance.ordinal()];
    }

    /** The same with another latency over a distance up to {@link Distance#NODE}; for calibration. */
    public LineTransfer with(Distance distance, long ps) {
        long[] changed = latencyPs.clone();
        changed[distance.ordinal()] = ps;
        return new LineTransfer(hiddenPs, changed, remotePs);
    }

    public long latencyPs(Topology topology, int from, int to) {
        Distance distance = topology.distance(from, to);
        return distance == Distance.REMOTE
                ? remotePs[topology.nodeOf(from)][topology.nodeOf(to)]
                : latencyPs[distance.ordinal()];
    }

    /** The part of one transfer that the fetching CPU waits for. */
    public long exposedPs(Topology topology, int from, int to) {
        return Math.max(0, latencyPs(topology, from, to) - hiddenPs);
    }
}
