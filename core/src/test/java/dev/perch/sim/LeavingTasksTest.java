package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TaskTable;
import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskState;
import dev.perch.sim.workload.DescribedTask;
import dev.perch.sim.workload.DescribedWorkload;
import dev.perch.sim.workload.Step;
import dev.perch.sim.workload.Workload;
import dev.perch.sim.workload.WorkloadItem;
import dev.perch.sim.workload.WorkloadKind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that leave a queue for another reason than sleep: they end, or may no longer be where they are. */
class LeavingTasksTest {
    private static final CpuMask BOTH = CpuMask.of(0, 1);
    private static final Step WORK = new Step.Compute(400_000);

    /** The tables of the run under way, for a listener that looks at them. */
    private TaskTable tables = new TaskTable(1);

    private void run(String kernel, SchedEvents listener, DescribedTask... tasks) {
        WorkloadKind kind = new WorkloadKind("./t.yaml", "t", "", WorkloadKind.Measure.RATE, "loops/s", List.of());
        DescribedWorkload described =
                new DescribedWorkload(
                        kind, true, Arrays.asList(tasks), new TreeMap<>(), new TreeMap<>(), "loops", OptionalLong.empty());
        SimulationSpec spec = Specs.spec("q6600", kernel, "hog", Specs.QUIET, "");
        Run run = new Run(
                new SimulationSpec(
                        spec.machine(),
                        spec.kernel(),
                        List.of(new WorkloadItem("./t.yaml", Map.of(), 1, Optional.of(described))),
                        spec.settings(),
                        spec.cpuset(),
                        BOTH,
                        1,
                        0,
                        100_000_000),
                listener,
                true);
        tables = run.tasks;
        run.begin();
        run.advance(100_000_000);
    }

    private static DescribedTask task(String name, int copies, CpuMask cpus, Step... steps) {
        return new DescribedTask(name, copies, Workload.Policy.NORMAL, cpus, "", 0, Arrays.asList(steps));
    }

    private static Step forever(Step... steps) {
        return new Step.Loop(Step.Loop.FOREVER, Arrays.asList(steps));
    }

    /** Spec scheduler.md 2.6, dequeue step 2: a dead task is special, whatever it owes. */
    @ParameterizedTest
    @ValueSource(strings = {"v3.2", "v6.1", "v6.6", "v6.12", "v6.18"})
    void aDyingTaskLeavesItsQueueAtOnce(String kernel) {
        int[] dead = new int[2];
        SchedEvents listener = new SchedEvents() {
            @Override
            public void switched(
                    long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
                if (prevState == TaskState.DEAD) {
                    dead[tables.onQueue[prev] ? 1 : 0]++;
                }
            }
        };
        run(
                kernel,
                listener,
                task("hog", 2, CpuMask.empty(), forever(WORK)),
                task("parent", 1, CpuMask.empty(), forever(WORK, new Step.Fork("child"), new Step.Join())),
                task("child", 0, CpuMask.empty(), WORK));

        assertThat(dead[0]).isPositive();
        assertThat(dead[1]).as("dead and queued").isZero();
    }

    /** {@code task_dead_fair}: a task that has ended is taken out of the averages of its queue; a new one comes in anew. */
    @ParameterizedTest
    @ValueSource(strings = {"v3.8", "v4.4", "v4.15", "v5.16", "v6.12"})
    void moreTasksCanBeForkedThanLiveAtOnce(String kernel) {
        int[] forks = new int[1];
        SchedEvents listener = new SchedEvents() {
            @Override
            public void forked(long ns, int cpu, int parent, int child) {
                forks[0]++;
            }
        };
        run(
                kernel,
                listener,
                task("parent", 1, CpuMask.empty(), forever(new Step.Fork("child"), new Step.Join())),
                task("child", 0, CpuMask.empty(), new Step.Compute(10_000)));

        assertThat(forks[0]).isGreaterThan(200);
    }

    /** {@code affine_move_task}: whoever may no longer be on a CPU is off its queue when it has told the kernel so. */
    @ParameterizedTest
    @ValueSource(strings = {"v3.2", "v6.1", "v6.6", "v6.12", "v6.18"})
    void aTaskThatMayNoLongerBeOnItsCpuRunsOnItNoMore(String kernel) {
        int[] starts = new int[2];
        SchedEvents listener = new SchedEvents() {
            @Override
            public void switched(
                    long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
                if (next != 0) {
                    starts[tables.allowed[next].contains(cpu) ? 0 : 1]++;
                }
            }
        };
        run(
                kernel,
                listener,
                task("hog", 4, CpuMask.empty(), forever(WORK)),
                task(
                        "wanderer",
                        2,
                        CpuMask.empty(),
                        forever(WORK, new Step.Allow(CpuMask.of(0)), WORK, new Step.Allow(CpuMask.of(1)))));

        assertThat(starts[0]).isPositive();
        assertThat(starts[1]).as("runs where it may not").isZero();
    }
}
