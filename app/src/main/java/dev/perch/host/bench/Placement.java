package dev.perch.host.bench;

import dev.perch.host.HostSystem;
import dev.perch.model.CpuMask;
import dev.perch.model.Distance;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where the two ends of a benchmark run; for messaging the ends are the senders and the receivers.
 *
 * @param first CPUs of the end that begins, empty for all
 * @param second CPUs of the other one, empty for all
 * @param distance from the one to the other, if each has a single CPU and the host tells
 */
public record Placement(CpuMask first, CpuMask second, Optional<Distance> distance) {
    public static final Placement FREE = new Placement(CpuMask.empty(), CpuMask.empty(), Optional.empty());

    /** Whether the kernel chooses. */
    public boolean isFree() {
        return first.isEmpty();
    }

    /** {@code 3/0}, as {@link #parse} reads it; {@code free} for {@link #FREE}. */
    public String text() {
        return isFree() ? "free" : first + "/" + second;
    }

    /**
     * A CPU for each of the two ends.
     *
     * @param text {@code 3/0}
     * @throws InputException not of that form, or a CPU on which this process may not run
     */
    public static Placement parse(String option, String text, HostSystem host) {
        String[] ends = text.split("/", -1);
        if (ends.length != 2 || ends[0].isBlank() || ends[1].isBlank()) {
            throw new InputException(
                    option + " cannot be '" + text + "'; write the CPUs of the two ends, as in 0/1 or 0/0");
        }
        return of(cpu(option, ends[0], host), cpu(option, ends[1], host), host);
    }

    private static int cpu(String option, String text, HostSystem host) {
        CpuMask mask = CpuMask.parse(text);
        if (mask.count() != 1) {
            throw new InputException(option + ": '" + text + "' is not one CPU; write one for each end, as in 0/1");
        }
        if (!host.cpus().containsAll(mask)) {
            throw new InputException(option + ": this process may not run on CPU " + mask + ", only on " + host.cpus()
                    + " (the machine's CPUs, a container's cpuset, taskset)");
        }
        return mask.first();
    }

    private static Placement of(int first, int second, HostSystem host) {
        return new Placement(CpuMask.of(first), CpuMask.of(second), distance(first, second, host));
    }

    private static Optional<Distance> distance(int first, int second, HostSystem host) {
        if (first == second) {
            return Optional.of(Distance.CPU);
        }
        return host.topology()
                .filter(topology ->
                        topology.cpus().contains(first) && topology.cpus().contains(second))
                .map((Topology topology) -> topology.distance(first, second));
    }

    /**
     * Every pair of CPUs on which this process may run, the pairs of a CPU with itself among them: first one pair for each distance there is,
     * from near to far, then the rest by number.
     */
    public static List<Placement> everyPair(HostSystem host) {
        List<Placement> pairs = new ArrayList<>();
        int[] cpus = host.cpus().toArray();
        for (int i = 0; i < cpus.length; i++) {
            for (int j = i; j < cpus.length; j++) {
                pairs.add(of(cpus[i], cpus[j], host));
            }
        }
        Set<Placement> ordered = new LinkedHashSet<>();
        for (Distance distance : EnumSet.allOf(Distance.class)) {
            pairs.stream()
                    .filter(pair -> pair.distance.equals(Optional.of(distance)))
                    .findFirst()
                    .ifPresent(ordered::add);
        }
        ordered.addAll(pairs);
        return List.copyOf(ordered);
    }
}
