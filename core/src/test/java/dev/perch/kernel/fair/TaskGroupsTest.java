package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.fair.TaskGroups.Group;
import dev.perch.kernel.fair.TaskGroups.Limit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expected values: scheduler.md 11, A13, and what weights and quotas mean: shares of a CPU are as the weights, use is at most the quota. */
class TaskGroupsTest {
    private static final long MS = 1_000_000;
    private static final int TASKS = 8;

    @ParameterizedTest
    @ValueSource(strings = {"3.2", "3.13", "5.16", "6.6", "6.12", "6.18"})
    void aCpuIsSharedByTheWeightsOfGroupsWhateverTheNumbersOfTheirTasks(String rules) {
        TaskGroups groups =
                new TaskGroups(List.of(Group.ofWeight(0, 100), Group.ofWeight(0, 300), Group.ofWeight(2, 100)));
        TaskTable tasks = tasks(groups, 1);
        // four hogs of weight 1024 in group 1; one in group 2 beside one in its child
        int[] group = {0, 1, 1, 1, 1, 2, 3};
        Runqueue queue =
                TestQueues.machine(rules, tasks, 1, 8, 1000, "", groups).byCpu()[0];
        start(queue, tasks, group);
        run(queue, 20_000);

        long all = 0;
        for (int task = 1; task <= 6; task++) {
            all += tasks.sumExec[task];
        }
        assertThat(all).isEqualTo(20_000 * MS);
        for (int task = 1; task <= 4; task++) {
            assertThat(tasks.sumExec[task] / (double) all).isCloseTo(0.25 / 4, within(0.005));
        }
        assertThat(tasks.sumExec[5] / (double) all).isCloseTo(0.75 / 2, within(0.01));
        assertThat(tasks.sumExec[6] / (double) all).isCloseTo(0.75 / 2, within(0.01));
        assertThat(queue.nrFair()).isEqualTo(6);
        assertThat(queue.weight()).isEqualTo(1024 + 3072);
    }

    @Test
    void aGroupEntityHasTheShareOfItsCpuInTheWholeGroup() {
        TaskGroups groups = new TaskGroups(List.of(Group.ofShares(0, 1024)));
        TaskTable tasks = tasks(groups, 2);
        Runqueue[] queues =
                TestQueues.machine("5.16", tasks, 2, 8, 250, "", groups).byCpu();
        for (int task = 1; task <= 3; task++) {
            tasks.group[task] = 1;
        }
        queues[0].enqueueNew(1);
        assertThat(queues[0].weight()).isEqualTo(1024);
        queues[1].enqueueNew(2);
        queues[1].enqueueNew(3);

        assertThat(queues[1].weight()).isEqualTo(1024 * 2 / 3);
        queues[0].enqueueNew(4);
        assertThat(queues[0].weight()).isEqualTo(1024 + 1024);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.2", "5.16", "6.6", "6.12", "6.18"})
    void aQuotaOfTwentyMillisecondsIsUsedUpAfterExactlySoMany(String rules) {
        TaskGroups groups = new TaskGroups(List.of(new Group(0, 1024, false, new Limit(20 * MS, 100 * MS, 0))));
        TaskTable tasks = tasks(groups, 1);
        Runqueues machine = TestQueues.machine(rules, tasks, 1, 8, 1000, "", groups);
        Runqueue queue = machine.byCpu()[0];
        start(queue, tasks, new int[] {0, 1});
        long tick = 0;
        while (queue.current() == 1) {
            tick++;
            queue.refresh(tick * MS);
            if (queue.tick()) {
                queue.schedule(tick * MS);
            }
        }

        assertThat(tick).isEqualTo(20);
        assertThat(tasks.sumExec[1]).isEqualTo(20 * MS);
        assertThat(queue.nrRunning()).isZero();
        assertThat(tasks.onQueue[1]).isTrue();

        TestQueues.expire(machine, TestQueues.due(machine));
        assertThat(queue.takeSignal()).isTrue();
        assertThat(queue.nrRunning()).isEqualTo(1);
        assertThat(queue.schedule(100 * MS)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.2", "5.16", "6.12"})
    void aLimitedGroupUsesItsQuotaAndOthersTheRest(String rules) {
        TaskGroups groups = new TaskGroups(List.of(new Group(0, 1024, false, new Limit(30 * MS, 100 * MS, 0))));
        TaskTable tasks = tasks(groups, 1);
        Runqueues machine = TestQueues.machine(rules, tasks, 1, 8, 1000, "", groups);
        Runqueue queue = machine.byCpu()[0];
        start(queue, tasks, new int[] {0, 1, 1, 0});
        for (long tick = 1; tick <= 10_000; tick++) {
            if (TestQueues.due(machine) <= tick * MS) {
                TestQueues.expire(machine, tick * MS);
            }
            queue.refresh(tick * MS);
            queue.tick();
            if (queue.reschedulePending()) {
                queue.schedule(tick * MS);
            }
        }

        double limited = (tasks.sumExec[1] + tasks.sumExec[2]) / (10_000.0 * MS);
        // a tick late at the end of each period, made up for in the next
        assertThat(limited).isCloseTo(0.3, within(0.01));
        assertThat(tasks.sumExec[1] + tasks.sumExec[2] + tasks.sumExec[3]).isEqualTo(10_000 * MS);
    }

    @Test
    void refillsAreTakenInSlicesOfFiveMilliseconds() {
        Bandwidth bandwidth = new Bandwidth(new Limit(20 * MS, 100 * MS, 0), true, false, new LimitTimers(1), 0, 1);
        TaskGroups groups = new TaskGroups(List.of(Group.ofShares(0, 1024)));
        TaskTable tasks = tasks(groups, 1);
        RunqueueState state = new RunqueueState(0, false);
        Scheduler cfs = Scheduler.of("3.2", java.util.Map.of(), java.util.Map.of(), 8, 250);
        DeadlineTree.Links links = new DeadlineTree.Links(tasks.entityCount());
        FairQueue root = cfs.queue(tasks, links, state, null, FairQueue.GroupFace.ROOT);
        FairQueue queue = cfs.queue(tasks, links, state, root, new FairQueue.GroupFace(1, TASKS, bandwidth));
        long[][] taken = {{1, 14, 5}, {6, 9, 5}, {11, 4, 5}, {16, 0, 4}};
        int at = 0;
        for (long ms = 1; ms <= 20; ms++) {
            long before = bandwidth.pool();
            bandwidth.charge(queue, MS);
            if (bandwidth.pool() != before) {
                assertThat(new long[] {ms, bandwidth.pool() / MS, queue.remaining / MS})
                        .isEqualTo(taken[at++]);
            }
        }

        assertThat(at).isEqualTo(4);
        assertThat(queue.remaining).isZero();
        assertThat(bandwidth.isExhausted(queue)).isTrue();
    }

    @Test
    void anIdleGroupGivesWayToAnyTaskOfOthers() {
        TaskGroups groups = new TaskGroups(List.of(new Group(0, 1024, true, Limit.NONE)));
        for (String rules : new String[] {"5.16", "6.12"}) {
            TaskTable tasks = tasks(groups, 1);
            Runqueue queue =
                    TestQueues.machine(rules, tasks, 1, 8, 250, "", groups).byCpu()[0];
            start(queue, tasks, new int[] {0, 1});
            assertThat(queue.current()).isEqualTo(1);
            queue.refresh(MS);
            queue.enqueueWakeup(2);

            assertThat(queue.weight()).isEqualTo(1024 + 3);
            assertThat(queue.checkPreempt(2)).isTrue();
        }
    }

    @Test
    void groupsThatCannotBeAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new TaskGroups(List.of(Group.ofShares(1, 1024))));
        assertThatIllegalArgumentException().isThrownBy(() -> Group.ofShares(0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Limit(1, 100 * MS, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestQueues.machine(
                        "3.2", new TaskTable(2), 1, 8, 250, "", new TaskGroups(List.of(Group.ofShares(0, 2)))));
    }

    private static TaskTable tasks(TaskGroups groups, int cpus) {
        TaskTable tasks = new TaskTable(TASKS, groups.entities(cpus));
        for (int task = 1; task < TASKS; task++) {
            LoadWeights.assign(tasks, task, TaskTable.POLICY_NORMAL, 0);
        }
        return tasks;
    }

    /** Tasks from 1 on, of the given groups. */
    private static void start(Runqueue queue, TaskTable tasks, int[] group) {
        for (int task = 1; task < group.length; task++) {
            tasks.group[task] = group[task];
            queue.placeNew(task);
            queue.enqueueNew(task);
        }
        assertThat(queue.schedule(0)).isNotEqualTo(IDLE_TASK);
    }

    private static void run(Runqueue queue, int ticks) {
        for (long tick = 1; tick <= ticks; tick++) {
            queue.refresh(tick * MS);
            if (queue.tick()) {
                queue.schedule(tick * MS);
            }
        }
    }
}
