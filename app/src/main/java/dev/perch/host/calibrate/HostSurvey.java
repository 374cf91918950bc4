package dev.perch.host.calibrate;

import dev.perch.host.HostTopology;
import dev.perch.host.bench.Benchmark;
import dev.perch.host.bench.ProcessPair;
import dev.perch.host.bench.StoppedException;
import dev.perch.host.calibrate.HostReadings.IdleReading;
import dev.perch.host.calibrate.HostReadings.Pair;
import dev.perch.host.calibrate.HostReadings.PinnedRow;
import dev.perch.host.probe.ClockFacts;
import dev.perch.host.probe.IdleStateFacts;
import dev.perch.host.probe.Probes;
import dev.perch.host.probe.Reading;
import dev.perch.model.CpuMask;
import dev.perch.model.Distance;
import dev.perch.model.Machine;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Measures a host: all probes on one CPU and between one pair of CPUs for each distance, and pairs of tasks bound to these CPUs.
 *
 * <p>The CPU is the last of the fastest ones that this process may use: the first ones have the most interrupts on many machines. It is one end of every pair.
 */
final class HostSurvey {
    /** The benchmarks that a machine is fitted and checked with. */
    static final List<Benchmark> BENCHMARKS = List.of(Benchmark.PIPE, Benchmark.SOCKETPAIR, Benchmark.TCP_RR);

    /** Of each bound pair before the probes, and after them. */
    private static final int REPEATS = 3;

    private static final long WARMUP_NS = 100_000_000;
    private static final long DURATION_NS = 300_000_000;
    /** How long a CPU has slept before it is woken, where there is one idle state; as long as a partner of a pair, about. */
    private static final long SHORT_IDLE_NS = 20_000;
    /** A state is reached by sleeping this many times its target residency. */
    private static final long RESIDENCIES = 4;

    private static final long MOST_IDLE_NS = 50_000_000;

    private final Machine host;
    private final CpuMask cpus;
    private final BooleanSupplier stopped;
    private final Consumer<String> progress;

    /**
     * @param host topology and caches
     * @param cpus where this process may run
     * @param stopped asked now and then; once it is true the survey ends with {@link StoppedException}
     * @param progress told in words what is measured next
     */
    HostSurvey(Machine host, CpuMask cpus, BooleanSupplier stopped, Consumer<String> progress) {
        this.host = host;
        this.cpus = cpus.and(host.topology().cpus());
        this.stopped = stopped;
        this.progress = progress;
    }

    /** Measures. */
    HostReadings measure() throws InterruptedException {
        int cpu = cpuOf(host.topology(), cpus);
        List<Pair> ends = pairsOf(host.topology(), cpus, cpu);
        Probes probes = new Probes(stopped);
        List<Bound> bound = bound(cpu, ends);
        measure(bound, "before");
        Map<Probe, Reading> here = here(probes, cpu);
        List<Pair> pairs = new ArrayList<>();
        for (Pair pair : ends) {
            pairs.add(between(probes, pair));
        }
        List<IdleReading> idle = new ArrayList<>();
        for (IdleStateFacts state : IdleStateFacts.of(cpu)) {
            idle.add(new IdleReading(state, idleLatency(probes, ends, state)));
        }
        measure(bound, "after");
        return new HostReadings(
                host,
                HostTopology.live().processor(),
                cpu,
                here,
                pairs,
                idle,
                ClockFacts.of(cpu),
                bound.stream().map(Bound::row).toList());
    }

    /** A pair of tasks that is bound, and what it has taken so far, µs an operation. */
    private record Bound(Benchmark benchmark, int first, int second, Distance distance, List<Double> values) {
        String pins() {
            return first + "/" + second;
        }

        PinnedRow row() {
            double[] all = values.stream().mapToDouble(Double::doubleValue).toArray();
            return new PinnedRow(benchmark, pins(), distance, Reading.of(all));
        }
    }

    /** The CPU on which things are measured. */
    static int cpuOf(Topology topology, CpuMask cpus) {
        int best = cpus.first();
        for (int cpu = best; cpu >= 0; cpu = cpus.next(cpu + 1)) {
            best = topology.capacity(cpu) >= topology.capacity(best) ? cpu : best;
        }
        return best;
    }

    /** The pairs that one CPU is in, one for each distance and, between nodes, for each of their distances; from near to far. */
    static List<Pair> pairsOf(Topology topology, CpuMask cpus, int cpu) {
        List<Pair> pairs = new ArrayList<>();
        for (int other = cpus.first(); other >= 0; other = cpus.next(other + 1)) {
            if (other != cpu) {
                int nodes = topology.nodeDistance(topology.nodeOf(cpu), topology.nodeOf(other));
                pairs.add(new Pair(cpu, other, topology.distance(cpu, other), nodes, Map.of()));
            }
        }
        List<Pair> representatives = new ArrayList<>();
        pairs.stream()
                .sorted(Comparator.comparing(Pair::distance).thenComparingInt(Pair::nodeDistance))
                .filter(pair -> representatives.isEmpty() || !alike(pair, representatives.getLast()))
                .forEach(representatives::add);
        return representatives;
    }

    private static boolean alike(Pair pair, Pair other) {
        return pair.distance() == other.distance() && pair.nodeDistance() == other.nodeDistance();
    }

    private Map<Probe, Reading> here(Probes probes, int cpu) {
        Map<Probe, Reading> readings = new EnumMap<>(Probe.class);
        read(readings, Probe.CLOCK, () -> Optional.of(probes.clockKhz(cpu)));
        read(readings, Probe.SYSTEM_CALL, () -> Optional.of(probes.systemCall(cpu)));
        read(readings, Probe.PIPE_WRITE, () -> Optional.of(probes.pipeWrite(cpu)));
        read(readings, Probe.PIPE_READ, () -> Optional.of(probes.pipeRead(cpu)));
        read(readings, Probe.SOCKET_SEND, () -> Optional.of(probes.socketSend(cpu)));
        read(readings, Probe.SOCKET_RECEIVE, () -> Optional.of(probes.socketReceive(cpu)));
        read(readings, Probe.TCP_SEND, () -> Optional.of(probes.tcpSend(cpu)));
        read(readings, Probe.TCP_RECEIVE, () -> Optional.of(probes.tcpReceive(cpu)));
        read(readings, Probe.FUTEX_WAKE, () -> Optional.of(probes.futexWake(cpu)));
        read(readings, Probe.YIELD, () -> Optional.of(probes.yield(cpu)));
        read(readings, Probe.SWITCH_THREAD, () -> Optional.of(probes.switchThread(cpu)));
        read(readings, Probe.SWITCH_PROCESS, () -> Optional.of(probes.switchProcess(cpu)));
        read(readings, Probe.WAKE_LATENCY_HERE, () -> Optional.of(probes.wakeLatencySameCpu(cpu)));
        read(readings, Probe.TICK, () -> probes.tick(cpu));
        return readings;
    }

    private Pair between(Probes probes, Pair pair) {
        int from = pair.from();
        int to = pair.to();
        Map<Probe, Reading> readings = new EnumMap<>(Probe.class);
        read(readings, Probe.LINE_TRANSFER, () -> Optional.of(probes.lineTransfer(from, to)));
        read(readings, Probe.INTERRUPT, () -> probes.interrupt(from, to));
        read(readings, Probe.WAKE_CALL, () -> Optional.of(probes.wakeCall(from, to)));
        read(readings, Probe.WAKE_LATENCY, () -> Optional.of(probes.wakeLatency(from, to, SHORT_IDLE_NS)));
        read(readings, Probe.MIGRATION_REFILL, () -> Optional.of(probes.migrationRefill(from, to)));
        if (pair.distance() == Distance.SMT) {
            read(readings, Probe.BESIDE, () -> Optional.of(probes.beside(from, to)));
        }
        return new Pair(from, to, pair.distance(), pair.nodeDistance(), readings);
    }

    private void read(Map<Probe, Reading> readings, Probe probe, Supplier<Optional<Reading>> measuring) {
        progress.accept(probe.title());
        measuring.get().ifPresent(reading -> readings.put(probe, reading));
    }

    private Optional<Reading> idleLatency(Probes probes, List<Pair> ends, IdleStateFacts state) {
        long idleNs = Math.max(SHORT_IDLE_NS, RESIDENCIES * 1000 * state.residencyUs());
        return HostReadings.base(ends).filter(pair -> idleNs <= MOST_IDLE_NS).map(pair -> {
            progress.accept("waking from " + state.name());
            return probes.wakeLatency(pair.from(), pair.to(), idleNs);
        });
    }

    private static List<Bound> bound(int cpu, List<Pair> ends) {
        List<Bound> bound = new ArrayList<>();
        for (Benchmark benchmark : BENCHMARKS) {
            bound.add(new Bound(benchmark, cpu, cpu, Distance.CPU, new ArrayList<>()));
            for (Pair pair : ends) {
                bound.add(new Bound(benchmark, pair.from(), pair.to(), pair.distance(), new ArrayList<>()));
            }
        }
        return bound;
    }

    /** Measures all pairs in turns, so that what changes on the host meanwhile meets all of them. */
    private void measure(List<Bound> bound, String when) throws InterruptedException {
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            for (Bound pair : bound) {
                progress.accept(pair.benchmark.word() + " " + pair.pins() + ", " + when + " the probes");
                pair.values.add(ProcessPair.microseconds(
                        pair.benchmark,
                        CpuMask.of(pair.first),
                        CpuMask.of(pair.second),
                        WARMUP_NS,
                        DURATION_NS,
                        stopped));
            }
        }
    }
}
