package dev.perch.host.calibrate;

import dev.perch.host.probe.Reading;
import dev.perch.model.Distance;
import dev.perch.model.LineTransfer;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import dev.perch.model.Topology;
import java.util.Map;
import java.util.Optional;

/**
 * What a cache line costs on the host, by distance. Distances that this process cannot measure are the nearest machine's, or else those of the next
 * nearer distance.
 */
final class MeasuredTransfers {
    private static final double PS = 1000;

    private final HostReadings readings;
    private final Machine nearest;
    private final Map<String, Origin> origins;
    private final Topology topology;

    MeasuredTransfers(HostReadings readings, Machine nearest, Map<String, Origin> origins) {
        this.readings = readings;
        this.nearest = nearest;
        this.origins = origins;
        topology = readings.host().topology();
    }

    LineTransfer transfer() {
        origins.put("transfer", HostOrigins.assumed(nearest.name() + "'s"));
        long[] latencyPs = new long[Distance.REMOTE.ordinal()];
        long before = 0;
        for (Distance distance : Distance.all()) {
            if (distance != Distance.CPU && distance != Distance.REMOTE) {
                latencyPs[distance.ordinal()] = latency(distance, before);
                before = latencyPs[distance.ordinal()];
            }
        }
        return new LineTransfer(hidden(latencyPs), latencyPs, remote(before));
    }

    private long latency(Distance distance, long before) {
        String path = "transfer." + distance.word();
        Optional<Reading> reading = readings.pair(distance).flatMap(pair -> pair.of(Probe.LINE_TRANSFER));
        if (reading.isPresent()) {
            origins.put(path, measured(readings.pair(distance).orElseThrow(), reading.get()));
            return Math.max(before, ps(reading.get()));
        }
        long there = nearest.requireModel().transfer().latencyPs(distance);
        if (there >= before && there > 0) {
            return there;
        }
        origins.put(path, HostOrigins.assumed("no farther than the next nearer distance"));
        return before;
    }

    private static Origin measured(HostReadings.Pair pair, Reading reading) {
        return HostOrigins.measured(
                "compare-and-swap ping-pong of CPUs " + pair.from() + " and " + pair.to() + ", half a round trip",
                reading);
    }

    /** Transfers within the base distance are hidden, as on the shipped machines; what they cost a message is in its other costs. */
    private long hidden(long[] latencyPs) {
        origins.put(
                "transfer.hidden",
                HostOrigins.assumed("out-of-order execution hides the transfers of the nearest cores"));
        Distance base = readings.base().map(HostReadings.Pair::distance).orElse(Distance.LLC);
        return base == Distance.REMOTE ? latencyPs[Distance.LLC.ordinal()] : latencyPs[base.ordinal()];
    }

    private long[][] remote(long before) {
        int nodes = topology.nodes().size();
        long[][] remotePs = new long[nodes][nodes];
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                remotePs[from][to] = from == to ? 0 : remote(topology.nodeDistance(from, to), before);
            }
        }
        return remotePs;
    }

    private long remote(int nodeDistance, long before) {
        Optional<HostReadings.Pair> pair = readings.pairs().stream()
                .filter(each -> each.distance() == Distance.REMOTE && each.nodeDistance() == nodeDistance)
                .findFirst();
        Optional<Reading> reading = pair.flatMap(each -> each.of(Probe.LINE_TRANSFER));
        if (reading.isPresent()) {
            origins.put("transfer.remote." + nodeDistance, measured(pair.orElseThrow(), reading.get()));
            return Math.max(before, ps(reading.get()));
        }
        origins.put("transfer.remote." + nodeDistance, HostOrigins.assumed("no farther than within a node"));
        return before;
    }

    private static long ps(Reading reading) {
        return Math.max(1, Math.round(reading.median() * PS / 100) * 100);
    }
}
