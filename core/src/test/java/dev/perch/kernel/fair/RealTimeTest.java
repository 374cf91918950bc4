package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.perch.kernel.TaskTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of scheduler.md 4.10. */
class RealTimeTest {
    private static final long MS = 1_000_000;
    private static final int FAIR = 1;
    private static final int LOW = 2;
    private static final int HIGH = 3;
    private static final int PEER = 4;

    private final TaskTable tasks = new TaskTable(8);
    private Runqueues machine = TestQueues.machine("3.2", tasks, 1, 8, 1000, "", TaskGroups.NONE);

    RealTimeTest() {
        LoadWeights.assign(tasks, FAIR, TaskTable.POLICY_NORMAL, -20);
        LoadWeights.assignRealTime(tasks, LOW, TaskTable.POLICY_FIFO, 1);
        LoadWeights.assignRealTime(tasks, HIGH, TaskTable.POLICY_FIFO, 99);
        LoadWeights.assignRealTime(tasks, PEER, TaskTable.POLICY_FIFO, 1);
    }

    private Runqueue queue() {
        return machine.byCpu()[0];
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.2", "5.16", "6.12"})
    void aRealTimeTaskDisplacesFairOnesAndLowerPriorities(String rules) {
        machine = TestQueues.machine(rules, tasks, 1, 8, 1000, "", TaskGroups.NONE);
        queue().enqueueWakeup(FAIR);
        assertThat(queue().schedule(0)).isEqualTo(FAIR);
        queue().refresh(MS);
        queue().enqueueWakeup(LOW);
        assertThat(queue().checkPreempt(LOW)).isTrue();
        assertThat(queue().schedule(MS)).isEqualTo(LOW);
        queue().enqueueWakeup(PEER);
        assertThat(queue().checkPreempt(PEER)).isFalse();
        queue().enqueueWakeup(HIGH);
        assertThat(queue().checkPreempt(HIGH)).isTrue();
        assertThat(queue().schedule(2 * MS)).isEqualTo(HIGH);
        assertThat(queue().nrRunning()).isEqualTo(4);
        assertThat(queue().nrFair()).isEqualTo(1);

        block(HIGH, 3 * MS);
        assertThat(queue().current()).isEqualTo(LOW);
        block(LOW, 4 * MS);
        assertThat(queue().current()).isEqualTo(PEER);
        block(PEER, 5 * MS);
        assertThat(queue().current()).isEqualTo(FAIR);
        assertThat(tasks.sumExec[FAIR]).isEqualTo(MS);
        block(FAIR, 6 * MS);
        assertThat(queue().current()).isEqualTo(IDLE_TASK);
        assertThat(tasks.sumExec[FAIR]).isEqualTo(2 * MS);
    }

    @Test
    void roundRobinTasksTakeTurnsAfterAHundredMilliseconds() {
        LoadWeights.assignRealTime(tasks, LOW, TaskTable.POLICY_RR, 1);
        LoadWeights.assignRealTime(tasks, PEER, TaskTable.POLICY_RR, 1);
        queue().enqueueWakeup(LOW);
        queue().enqueueWakeup(PEER);
        queue().schedule(0);
        int tick = 0;
        while (!queue().tick()) {
            queue().refresh(++tick * MS);
        }

        assertThat(tick).isEqualTo(100);
        assertThat(queue().schedule(100 * MS)).isEqualTo(PEER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5.16", "6.12"})
    void fairTasksGetAtLeastFiftyMillisecondsOfASecond(String rules) {
        machine = TestQueues.machine(rules, tasks, 1, 8, 1000, "", TaskGroups.NONE);
        queue().enqueueWakeup(FAIR);
        queue().enqueueWakeup(HIGH);
        run(3000);

        assertThat(tasks.sumExec[HIGH] + tasks.sumExec[FAIR]).isEqualTo(3000 * MS);
        assertThat(tasks.sumExec[FAIR]).isBetween(140 * MS, 150 * MS);
    }

    @Test
    void aloneARealTimeTaskIsThrottledUntilTheFairServerCame() {
        for (String rules : new String[] {"5.16", "6.12"}) {
            machine = TestQueues.machine(rules, tasks, 1, 8, 1000, "", TaskGroups.NONE);
            tasks.sumExec[HIGH] = 0;
            queue().enqueueWakeup(HIGH);
            run(1000);
            assertThat(tasks.sumExec[HIGH]).isEqualTo(rules.equals("6.12") ? 1000 * MS : 951 * MS);
            queue().refresh(1001 * MS);
            queue().dequeueSleep(HIGH);
        }
    }

    @Test
    void aRealTimeTaskThatYieldsGoesBehindItsPeers() {
        queue().enqueueWakeup(LOW);
        queue().enqueueWakeup(PEER);
        queue().schedule(0);
        queue().yieldCurrent();

        assertThat(queue().schedule(0)).isEqualTo(PEER);
    }

    @Test
    void prioritiesGoFromOneToNinetyNine() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoadWeights.assignRealTime(tasks, LOW, TaskTable.POLICY_FIFO, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoadWeights.assignRealTime(tasks, LOW, TaskTable.POLICY_NORMAL, 1));
        queue().enqueueWakeup(LOW);
        assertThatIllegalStateException()
                .isThrownBy(() -> LoadWeights.assignRealTime(tasks, LOW, TaskTable.POLICY_FIFO, 1));
        assertThatIllegalStateException().isThrownBy(() -> queue().renice(LOW, 0));
    }

    private void block(int task, long now) {
        queue().refreshForSwitch(now);
        queue().dequeueSleep(task);
        queue().schedule(now);
    }

    private void run(int ticks) {
        queue().schedule(0);
        for (long tick = 1; tick <= ticks; tick++) {
            if (TestQueues.due(machine) <= tick * MS) {
                TestQueues.expire(machine, tick * MS);
            }
            queue().refresh(tick * MS);
            queue().tick();
            if (queue().reschedulePending()) {
                queue().schedule(tick * MS);
            }
        }
    }
}
