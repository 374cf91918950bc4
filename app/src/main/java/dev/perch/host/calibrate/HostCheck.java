package dev.perch.host.calibrate;

import dev.perch.host.bench.Benchmark;
import dev.perch.host.bench.ProcessPair;
import dev.perch.host.bench.StoppedException;
import dev.perch.lab.statistics.Sample;
import dev.perch.model.CpuMask;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Measures pairs of tasks on the host, bound and free, and lays simulations of the same beside them.
 *
 * <p>Repeats go round and round over all rows, so that what changes on the host meanwhile meets all of them. Limitation: the host is not a quiet one because
 * it is asked to be.
 */
public final class HostCheck {
    /** How near a prediction should be. */
    public static final double AIM = 0.25;

    private final Plan plan;
    private final SimulatedPairs pairs;
    private final BooleanSupplier stopped;
    private final Consumer<String> progress;

    /**
     * What to check.
     *
     * @param machine measured on this host
     * @param cpus where this process may run
     * @param repeats of each row
     * @param warmupNs before each measurement
     * @param durationNs of each measurement
     */
    public record Plan(Machine machine, CpuMask cpus, int repeats, long warmupNs, long durationNs) {}

    /** What a row is to the machine. */
    public enum Role {
        /** A number of the machine was found with it. */
        CALIBRATED,
        /** Nothing of the machine comes from it. */
        PREDICTED
    }

    /**
     * One pair of tasks.
     *
     * @param pins {@code 0/1}; empty where the kernel chooses
     * @param distance in words; empty where the kernel chooses
     * @param measured µs an operation on the host, a value a repeat
     * @param simulated µs an operation in the simulation, a value a run
     */
    public record Row(Benchmark benchmark, String pins, String distance, Role role, Sample measured, Sample simulated) {
        /** As a simulated workload is written. */
        public String workload() {
            return HostCheck.workload(benchmark, pins);
        }

        /** Simulated over measured, less 1; medians. */
        public double error() {
            return simulated.median() / measured.median() - 1;
        }
    }

    private record Place(Benchmark benchmark, String pins, String distance) {}

    /**
     * @param stopped asked now and then; once it is true, {@link #run} ends with {@link StoppedException}
     * @param progress told in words what is done next
     */
    HostCheck(Plan plan, SimulatedPairs pairs, BooleanSupplier stopped, Consumer<String> progress) {
        this.plan = plan;
        this.pairs = pairs;
        this.stopped = stopped;
        this.progress = progress;
    }

    /** Measures and simulates. */
    List<Row> run() throws InterruptedException {
        List<Place> places = places();
        double[][] measured = new double[places.size()][plan.repeats];
        for (int repeat = 0; repeat < plan.repeats; repeat++) {
            for (int i = 0; i < measured.length; i++) {
                Place place = places.get(i);
                progress.accept(workload(place.benchmark, place.pins) + ", measurement " + (repeat + 1));
                measured[i][repeat] = ProcessPair.microseconds(
                        place.benchmark,
                        end(place.pins, 0),
                        end(place.pins, 1),
                        plan.warmupNs,
                        plan.durationNs,
                        stopped);
            }
        }
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < measured.length; i++) {
            Place place = places.get(i);
            String workload = workload(place.benchmark, place.pins);
            progress.accept(workload + ", simulation");
            if (stopped.getAsBoolean()) {
                throw new StoppedException();
            }
            rows.add(new Row(
                    place.benchmark,
                    place.pins,
                    place.distance,
                    role(place),
                    new Sample(measured[i]),
                    pairs.microseconds(plan.machine, workload)));
        }
        return rows;
    }

    private List<Place> places() {
        CpuMask cpus = plan.cpus.and(plan.machine.topology().cpus());
        int cpu = HostSurvey.cpuOf(plan.machine.topology(), cpus);
        List<Place> places = new ArrayList<>();
        for (Benchmark benchmark : HostSurvey.BENCHMARKS) {
            places.add(new Place(benchmark, cpu + "/" + cpu, "cpu"));
            for (HostReadings.Pair pair : HostSurvey.pairsOf(plan.machine.topology(), cpus, cpu)) {
                places.add(new Place(benchmark, pair.text(), pair.distance().word()));
            }
            places.add(new Place(benchmark, "", ""));
        }
        return places;
    }

    private Role role(Place place) {
        String row = HostNumber.rowText(place.benchmark, place.pins);
        boolean used = !place.pins.isEmpty()
                && plan.machine.origins().values().stream()
                        .anyMatch(origin -> origin.kind() == Origin.Kind.CALIBRATED
                                && origin.text().startsWith(row));
        return used ? Role.CALIBRATED : Role.PREDICTED;
    }

    private static CpuMask end(String pins, int which) {
        return pins.isEmpty() ? CpuMask.empty() : CpuMask.parse(pins.split("/")[which]);
    }

    private static String workload(Benchmark benchmark, String pins) {
        return benchmark.workload() + (pins.isEmpty() ? "" : ":pin=" + pins);
    }
}
