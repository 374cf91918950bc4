package dev.perch.sim;

import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs a modelled workload on a modelled machine under a modelled kernel.
 *
 * <p>Deterministic: equal specs give equal events and results on any computer, whatever else runs beside. A run is single-threaded; any
 * number may go on at once.
 *
 * <p>Limitations: see the classes of the parts, and {@code docs/model.md}.
 */
public final class Simulation {
    /** For runs whose events nobody wants to see. */
    public static final SchedEvents NO_LISTENER = new SchedEvents() {};

    private Simulation() {}

    /**
     * Checks workload, pins, masks, governors and their tunables of a run without running it.
     *
     * @throws dev.perch.model.InputException what is wrong
     */
    public static void check(SimulationSpec spec) {
        Workloads.check(spec);
        new Governors(spec.machine(), spec.kernel(), spec.settings()).governor(1);
        Idling.check(spec);
    }

    /**
     * @throws dev.perch.model.InputException if the spec cannot be run: a workload, pin or CPU that does not exist, a machine without
     *     costs
     */
    public static SimulationResult run(SimulationSpec spec) {
        return run(spec, NO_LISTENER, new TaskNames());
    }

    /**
     * As {@link #run(SimulationSpec)}, telling {@code listener} every scheduler event from the start of the warm-up on.
     *
     * @param names learns what the tasks are called before the first event
     */
    public static SimulationResult run(SimulationSpec spec, SchedEvents listener, TaskNames names) {
        Run run = new Run(spec, listener);
        for (int task = 1; task < run.taskCount; task++) {
            names.learn(task, run.workload.tasks().get(task - 1).name());
        }
        run.begin();
        run.advance(spec.warmupNs());
        run.measurements.reset();
        long end = spec.warmupNs() + spec.durationNs();
        run.advance(end - spec.durationNs() / 10);
        run.measurements.resetEnd();
        run.advance(end);
        return result(run);
    }

    /**
     * Where the tasks of {@link #run(SimulationSpec, SchedEvents, TaskNames)} may run, by the pids that its events have; only tasks that
     * may not use all CPUs are in it.
     *
     * @throws dev.perch.model.InputException if the spec cannot be run
     */
    public static Map<Integer, CpuMask> affinities(SimulationSpec spec) {
        CpuMask all = spec.machine().topology().cpus();
        Map<Integer, CpuMask> affinities = new TreeMap<>();
        List<Workload.Task> tasks = Workloads.build(spec).tasks();
        for (int i = 0; i < tasks.size(); i++) {
            CpuMask allowed = tasks.get(i).allowed();
            if (!allowed.containsAll(all)) {
                affinities.put(i + 1, allowed);
            }
        }
        return affinities;
    }

    private static SimulationResult result(Run run) {
        Measurements measured = run.measurements;
        double seconds = run.spec.durationNs() / 1e9;
        List<SimulationResult.Instance> instances = new ArrayList<>();
        for (int i = 0; i < run.workload.instances().size(); i++) {
            WorkloadKind kind = run.workload.instances().get(i).kind();
            long operations = measured.operations(i);
            double value = kind.higherIsBetter() ? operations / seconds : seconds * 1e6 / operations;
            instances.add(
                    new SimulationResult.Instance(kind.name(), operations, value, kind.metric(), measured.endState(i)));
        }
        return new SimulationResult(
                List.copyOf(instances),
                measured.wakeups(),
                measured.bounced(),
                measured.wakeupsByDistance(),
                measured.migrationsByDistance(),
                measured.balancerMigrations(),
                run.queue.taken(),
                run.digest.value());
    }
}
