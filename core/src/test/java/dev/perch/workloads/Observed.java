package dev.perch.workloads;

import dev.perch.kernel.Kernels;
import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import dev.perch.sim.Settings;
import dev.perch.sim.SettingsText;
import dev.perch.sim.Simulation;
import dev.perch.sim.SimulationResult;
import dev.perch.sim.SimulationSpec;
import dev.perch.sim.workload.WorkloadExpression;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the tasks of a workload file do in a run, seen from outside: by the scheduler's events. Quiet, without noise, at the nominal clock. */
final class Observed implements SchedEvents {
    static final Path HOME = Path.of(System.getProperty("perch.home"));

    /** A stretch of time on a CPU, ns. */
    record Stay(int task, int cpu, long from, long to) {
        long length() {
            return to - from;
        }
    }

    final List<Stay> stays = new ArrayList<>();
    final List<Long> forks = new ArrayList<>();
    final List<Long> exits = new ArrayList<>();
    final SimulationResult result;

    private final long[] since = new long[1024];

    private Observed(SimulationSpec spec) {
        result = Simulation.run(spec, this, new TaskNames());
    }

    /** Runs {@code text} for {@code ms} from the start on a q6600, four CPUs at one clock, under {@code kernel}. */
    static Observed of(String file, String text, String kernel, int ms, String... settings) {
        return new Observed(spec(file, text, kernel, ms, settings));
    }

    static Observed on(String machine, String file, String text, String kernel, int ms) {
        return new Observed(spec(machine, file, text, kernel, ms));
    }

    static SimulationSpec spec(String file, String text, String kernel, int ms, String... settings) {
        return spec("q6600", file, text, kernel, ms, settings);
    }

    private static SimulationSpec spec(
            String machine, String file, String text, String kernel, int ms, String... settings) {
        Settings chosen = SettingsText.with(SettingsText.with(Settings.DEFAULT, "governor=performance"), "turbo=off");
        for (String setting : settings) {
            chosen = SettingsText.with(chosen, setting);
        }
        chosen = SettingsText.with(SettingsText.with(chosen, "noise=0"), "housekeeping=0");
        return new SimulationSpec(
                Machines.find(machine, HOME),
                Kernels.resolve(kernel, HOME),
                WorkloadExpression.parse(file).stream()
                        .map(item -> item.describedBy(WorkloadFiles.parse(file, text)))
                        .toList(),
                chosen,
                CpuMask.empty(),
                CpuMask.empty(),
                1,
                0,
                ms * 1_000_000L);
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        if (prev != 0) {
            stays.add(new Stay(prev, cpu, since[prev], ns));
        }
        since[next] = ns;
    }

    @Override
    public void forked(long ns, int cpu, int parent, int child) {
        forks.add(ns);
    }

    @Override
    public void exited(long ns, int cpu, int pid, int prio) {
        exits.add(ns);
    }

    /** The stays of a task, by its number: tasks are numbered from 1 in the order of the file. */
    List<Stay> of(int task) {
        return stays.stream().filter(stay -> stay.task() == task).toList();
    }

    /** When a task's stays began, rounded to ms. */
    List<Long> startsMs(int task) {
        return of(task).stream().map(stay -> Math.round(stay.from() / 1e6)).toList();
    }

    long timeOnCpu(int task) {
        return of(task).stream().mapToLong(Stay::length).sum();
    }

    /** A figure beside the metric, by its name. */
    double figure(String name) {
        return result.instances().getFirst().figures().stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        name + " is none of " + result.instances().getFirst().figures()))
                .value();
    }
}
