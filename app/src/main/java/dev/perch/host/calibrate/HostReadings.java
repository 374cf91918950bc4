package dev.perch.host.calibrate;

import dev.perch.host.bench.Benchmark;
import dev.perch.host.probe.ClockFacts;
import dev.perch.host.probe.IdleStateFacts;
import dev.perch.host.probe.Reading;
import dev.perch.machines.NearestMachine;
import dev.perch.model.Distance;
import dev.perch.model.Machine;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Everything that was measured on a host to describe it as a machine.
 *
 * @param host its topology and caches, without costs
 * @param processor its name, for people
 * @param cpu the CPU on which what takes one CPU was measured
 * @param here what was measured on that CPU; ns
 * @param pairs one pair of CPUs for each distance that there is, from near to far; none where this process may run on one CPU only
 * @param idleStates the driver's, from shallow to deep, and how long waking from each takes; empty if there is no driver
 * @param clocks what the kernel tells of the clocks
 * @param pinned pairs of tasks that wake each other, each bound to a CPU
 */
public record HostReadings(
        Machine host,
        String processor,
        int cpu,
        Map<Probe, Reading> here,
        List<Pair> pairs,
        List<IdleReading> idleStates,
        Optional<ClockFacts> clocks,
        List<PinnedRow> pinned) {
    /** ns of a message for each µs of an operation, which is two. */
    private static final double HOP_NS = 500;

    public HostReadings {
        here = copy(here);
        pairs = List.copyOf(pairs);
        idleStates = List.copyOf(idleStates);
        pinned = List.copyOf(pinned);
    }

    private static Map<Probe, Reading> copy(Map<Probe, Reading> readings) {
        Map<Probe, Reading> inOrder = new EnumMap<>(Probe.class);
        inOrder.putAll(readings);
        return Collections.unmodifiableMap(inOrder);
    }

    /**
     * What was measured between two CPUs.
     *
     * @param from the waking side
     * @param nodeDistance firmware's distance of their nodes, 10 within one
     */
    public record Pair(int from, int to, Distance distance, int nodeDistance, Map<Probe, Reading> readings) {
        public Pair {
            readings = copy(readings);
        }

        public Optional<Reading> of(Probe probe) {
            return Optional.ofNullable(readings.get(probe));
        }

        /** {@code 0/1}. */
        public String text() {
            return from + "/" + to;
        }
    }

    /** An idle state, and how long it takes to wake a task on a CPU that was in it; nothing where it was not reached. */
    public record IdleReading(IdleStateFacts facts, Optional<Reading> latency) {}

    /**
     * A pair of tasks, each on a CPU of its own or both on one.
     *
     * @param pins {@code 0/1}
     * @param microseconds of an operation: a message there and one back
     */
    public record PinnedRow(Benchmark benchmark, String pins, Distance distance, Reading microseconds) {
        /** One message, ns: half an operation. */
        public Reading hopNs() {
            return new Reading(
                    HOP_NS * microseconds.median(),
                    HOP_NS * microseconds.lowerQuartile(),
                    HOP_NS * microseconds.upperQuartile(),
                    microseconds.values());
        }

        /** As a simulated workload is written. */
        public String workload() {
            return benchmark.workload() + ":pin=" + pins;
        }
    }

    public Optional<Reading> of(Probe probe) {
        return Optional.ofNullable(here.get(probe));
    }

    /** The pair that crossings are measured at: the nearest one of two cores, or two threads of one where there is no other. */
    public Optional<Pair> base() {
        return base(pairs);
    }

    /** Likewise of pairs from near to far. */
    static Optional<Pair> base(List<Pair> pairs) {
        return pairs.stream()
                .filter(pair -> pair.distance() != Distance.SMT)
                .findFirst()
                .or(() -> pairs.stream().findFirst());
    }

    public Optional<Pair> pair(Distance distance) {
        return pairs.stream().filter(pair -> pair.distance() == distance).findFirst();
    }

    /** The row of a benchmark whose ends are so far apart. */
    public Optional<PinnedRow> row(Benchmark benchmark, String pins) {
        return pinned.stream()
                .filter(row -> row.benchmark() == benchmark && row.pins().equals(pins))
                .findFirst();
    }

    /** What the nearest machine is chosen by. */
    public NearestMachine.Known known() {
        OptionalLong line = pair(Distance.LLC)
                .flatMap(pair -> pair.of(Probe.LINE_TRANSFER))
                .map(reading -> OptionalLong.of(Math.max(1, Math.round(reading.median() * 1000))))
                .orElse(OptionalLong.empty());
        OptionalInt clock = of(Probe.CLOCK)
                .map(reading -> OptionalInt.of((int) Math.max(1, Math.round(reading.median()))))
                .orElse(OptionalInt.empty());
        return new NearestMachine.Known(host.topology(), line, clock);
    }
}
