package dev.perch.host.calibrate;

import dev.perch.host.bench.Benchmark;
import dev.perch.host.calibrate.HostReadings.Pair;
import dev.perch.host.calibrate.HostReadings.PinnedRow;
import dev.perch.host.probe.Reading;
import dev.perch.kernel.Kernel;
import dev.perch.model.CostItem;
import dev.perch.model.CpuMask;
import dev.perch.model.Distance;
import dev.perch.model.HardwareModel;
import dev.perch.model.Machine;
import dev.perch.sim.Settings;
import dev.perch.sim.Simulation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A host of which everything is known: a machine file, whose costs are the readings that probes would give there, and whose simulations are the
 * pairs that would be measured.
 */
final class SimulatedHost {
    private final Machine machine;
    private final SimulatedPairs pairs;

    SimulatedHost(Machine machine, Kernel kernel, Settings settings) {
        this.machine = machine;
        pairs = new SimulatedPairs(kernel, settings, CpuMask.empty(), Simulation::run, 7, 1, 20_000_000, 100_000_000);
    }

    SimulatedPairs pairs() {
        return pairs;
    }

    /** µs of an operation, as one would measure it. */
    double microseconds(String workload) {
        return pairs.microseconds(machine, workload).median();
    }

    HostReadings readings() {
        int cpu = machine.topology().cpuCount() - 1;
        List<Pair> pairs = new ArrayList<>();
        for (Pair pair :
                HostSurvey.pairsOf(machine.topology(), machine.topology().cpus(), cpu)) {
            pairs.add(new Pair(pair.from(), pair.to(), pair.distance(), pair.nodeDistance(), between(pair)));
        }
        List<PinnedRow> rows = new ArrayList<>();
        for (Benchmark benchmark : HostSurvey.BENCHMARKS) {
            rows.add(row(benchmark, cpu + "/" + cpu, Distance.CPU));
            pairs.forEach(pair -> rows.add(row(benchmark, pair.text(), pair.distance())));
        }
        return new HostReadings(
                new Machine("host", "host", "test", machine.topology(), machine.caches(), null, machine.origins()),
                machine.title(),
                cpu,
                here(),
                pairs,
                List.of(),
                Optional.empty(),
                rows);
    }

    private PinnedRow row(Benchmark benchmark, String pins, Distance distance) {
        return new PinnedRow(benchmark, pins, distance, exactly(microseconds(benchmark.word() + ":pin=" + pins)));
    }

    private Map<Probe, Reading> here() {
        HardwareModel model = machine.requireModel();
        Map<Probe, Reading> readings = new EnumMap<>(Probe.class);
        readings.put(Probe.CLOCK, exactly(model.frequencies().nominalKhz()));
        call(readings, Probe.PIPE_WRITE, "pipe-write");
        call(readings, Probe.PIPE_READ, "pipe-read");
        call(readings, Probe.SOCKET_SEND, "socket-send");
        call(readings, Probe.SOCKET_RECEIVE, "socket-receive");
        call(readings, Probe.FUTEX_WAKE, "futex");
        readings.put(Probe.TCP_SEND, exactly(own("tcp-rr", "message")));
        readings.put(Probe.TCP_RECEIVE, exactly(own("tcp-rr", "tail")));
        readings.put(Probe.SWITCH_PROCESS, exactly(core(CostItem.SWITCH_PROCESS)));
        readings.put(Probe.SWITCH_THREAD, exactly(core(CostItem.SWITCH_THREAD)));
        readings.put(Probe.TICK, exactly(core(CostItem.TICK)));
        return readings;
    }

    private void call(Map<Probe, Reading> readings, Probe probe, String name) {
        readings.put(
                probe,
                exactly(machine.requireModel()
                        .workloadCost(machine.name(), "system-calls", name)
                        .coreNs()));
    }

    private int own(String workload, String name) {
        return machine.requireModel()
                .workloadCost(machine.name(), workload, name)
                .coreNs();
    }

    private int core(CostItem item) {
        return machine.requireModel().cost(item).coreNs();
    }

    private Map<Probe, Reading> between(Pair pair) {
        HardwareModel model = machine.requireModel();
        Map<Probe, Reading> readings = new EnumMap<>(Probe.class);
        readings.put(
                Probe.LINE_TRANSFER,
                exactly(model.transfer().latencyPs(machine.topology(), pair.from(), pair.to()) / 1000.0));
        int send = core(CostItem.IPI_SEND);
        readings.put(
                Probe.INTERRUPT,
                exactly(send + model.cost(CostItem.IPI_DELIVERY).wallNs() + core(CostItem.IPI_HANDLER)));
        readings.put(
                Probe.WAKE_CALL,
                exactly(model.workloadCost(machine.name(), "system-calls", "futex")
                                .coreNs()
                        + 2 * core(CostItem.PROBE)
                        + core(CostItem.RUNQUEUE_LOCK)
                        + send));
        readings.put(
                Probe.MIGRATION_REFILL,
                exactly(model.cost(CostItem.MIGRATION_REFILL).wallNs()));
        if (pair.distance() == Distance.SMT) {
            readings.put(Probe.BESIDE, exactly(model.smt().busyMille() / 1000.0));
        }
        return readings;
    }

    private static Reading exactly(double value) {
        return Reading.of(new double[] {value});
    }
}
