package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.perch.kernel.TaskTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values: scheduler.md 11, A2, A3, A5 to A7 and A9 to A11, columns E32; and the rules of scheduler.md 1. */
class CfsQueueTest {
    private static final long MS = 1_000_000;

    /** What brings the queue to a known virtual time, and then runs on it. */
    private static final int ANCHOR = 1;

    private final TaskTable tasks = new TaskTable(64);
    private Runqueue queue = queueOf(8, "");
    private long now;

    CfsQueueTest() {
        for (int task = 1; task < tasks.capacity(); task++) {
            LoadWeights.assign(tasks, task, TaskTable.POLICY_NORMAL, 0);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "4, 1, 18000000", "4, 2, 9000000", "4, 3, 5999999", "4, 5, 3599997", "4, 8, 2250000", "4, 9, 2249994",
        "4, 12, 2249998", "8, 1, 24000000", "8, 2, 12000000", "8, 3, 7999998", "8, 5, 4799995", "8, 8, 3000000",
        "8, 9, 2999995", "8, 12, 2999997"
    })
    void equalTasksShareThePeriod(int online, int count, long slice) {
        queue = queueOf(online, "");
        for (int task = 1; task <= count; task++) {
            queue.enqueueMoved(task);
        }

        assertThat(queue.slice(1)).isEqualTo(slice);
        assertThat(queue.nrRunning()).isEqualTo(count);
        assertThat(queue.weight()).isEqualTo(1024L * count);
    }

    @ParameterizedTest
    @CsvSource({"-5, 0, 18070918, 5929070", "0, 19, 23653513, 346487"})
    void unequalTasksShareThePeriodByWeight(int nice, int otherNice, long slice, long otherSlice) {
        LoadWeights.assign(tasks, 1, TaskTable.POLICY_NORMAL, nice);
        LoadWeights.assign(tasks, 2, TaskTable.POLICY_NORMAL, otherNice);
        queue.enqueueMoved(1);
        queue.enqueueMoved(2);

        assertThat(queue.slice(1)).isEqualTo(slice);
        assertThat(queue.slice(2)).isEqualTo(otherSlice);
    }

    @ParameterizedTest
    @CsvSource({"100000000, 100000000", "95000000, 95000000", "80000000, 88000000"})
    void aSleeperIsPlacedAtMostHalfALatencyBack(long own, long placed) {
        runAnchorAt(100_000_000);
        tasks.vruntime[2] = own;
        queue.prepareWakeup(2);
        queue.enqueueWakeup(2);

        assertThat(tasks.vruntime[2]).isEqualTo(placed);
    }

    @Test
    void aSleeperIsPlacedAWholeLatencyBackWithoutGentleness() {
        queue = queueOf(8, "NO_GENTLE_FAIR_SLEEPERS");
        runAnchorAt(100_000_000);
        queue.prepareWakeup(2);
        queue.enqueueWakeup(2);

        assertThat(tasks.vruntime[2]).isEqualTo(76_000_000);
    }

    @ParameterizedTest
    @CsvSource({"8, 1000, 13, 26, 39", "8, 250, 16, 32, 48", "4, 250, 12, 24, 36"})
    void twoHogsTakeTurnsAtTheTickAfterTheirSlice(int online, int hz, int first, int second, int third) {
        queue = queueOf(online, "");
        queue.enqueueMoved(1);
        queue.enqueueMoved(2);
        int running = queue.schedule(0);
        long[] switches = new long[3];
        int count = 0;
        for (long tick = 1; count < 3; tick++) {
            now = tick * 1000 / hz;
            queue.refresh(now * MS);
            if (queue.tick()) {
                int next = queue.schedule(now * MS);
                assertThat(next).isEqualTo(3 - running);
                running = next;
                switches[count++] = now;
            }
        }

        assertThat(switches).containsExactly(first, second, third);
        assertThat(tasks.sumExec[1]).isEqualTo((first + third - second) * MS);
        assertThat(tasks.sumExec[2]).isEqualTo((second - first) * MS);
    }

    @ParameterizedTest
    @CsvSource({
        "88000000, 0, true",
        "88000000, 5, true",
        "96500000, 0, false",
        "96400000, 0, true",
        "96400000, 5, false",
        "99000000, 0, false",
        "99000000, -10, true",
        "101000000, 0, false"
    })
    void aWakeePreemptsWhenItIsMoreThanItsGranularityBehind(long wakee, int nice, boolean preempts) {
        LoadWeights.assign(tasks, 2, TaskTable.POLICY_NORMAL, nice);
        runAnchorAt(100_500_000);
        enqueueAt(2, wakee);

        assertThat(queue.checkPreempt(2)).isEqualTo(preempts);
        assertThat(queue.reschedulePending()).isEqualTo(preempts);
    }

    @Test
    void aTaskOfTheBatchPolicyDoesNotPreemptAndOneOfTheIdlePolicyIsPreempted() {
        LoadWeights.assign(tasks, 2, TaskTable.POLICY_BATCH, 0);
        LoadWeights.assign(tasks, 3, TaskTable.POLICY_IDLE, 0);
        runAnchorAt(100 * MS);
        enqueueAt(2, 50 * MS);
        assertThat(queue.checkPreempt(2)).isFalse();

        queue.dequeueSleep(ANCHOR);
        queue.dequeueSleep(2);
        enqueueAt(3, 100 * MS);
        queue.schedule(now);
        enqueueAt(2, 200 * MS);
        assertThat(queue.checkPreempt(2)).isTrue();
    }

    @Test
    void nobodyPreemptsWithoutWakeupPreemption() {
        queue = queueOf(8, "NO_WAKEUP_PREEMPTION");
        runAnchorAt(100 * MS);
        enqueueAt(2, 50 * MS);

        assertThat(queue.checkPreempt(2)).isFalse();
    }

    @Test
    void theIdleTaskIsAlwaysPreemptedButAskedOnce() {
        queue.enqueueWakeup(1);
        assertThat(queue.checkPreempt(1)).isTrue();
        queue.enqueueWakeup(2);
        assertThat(queue.checkPreempt(2)).isFalse();
    }

    @Test
    void theSwitchAfterAPreemptionIsChargedWithTheTimeOfTheWakeup() {
        runAnchorAt(100 * MS);
        long before = tasks.sumExec[ANCHOR];
        now += 3_000;
        queue.refresh(now);
        enqueueAt(2, 50 * MS);
        assertThat(queue.checkPreempt(2)).isTrue();

        assertThat(queue.schedule(now + 700)).isEqualTo(2);
        assertThat(tasks.sumExec[ANCHOR]).isEqualTo(before + 3_000);
        assertThat(tasks.execStart[2]).isEqualTo(now);

        queue.refresh(now + 900);
        assertThat(queue.clock()).isEqualTo(now + 900);
    }

    @Test
    void aSwitchFromIdleIsChargedFromTheEnqueueOfTheWakee() {
        queue.refresh(5_000);
        queue.enqueueWakeup(1);
        queue.checkPreempt(1);

        assertThat(queue.schedule(9_000)).isEqualTo(1);
        assertThat(tasks.execStart[1]).isEqualTo(5_000);
    }

    @Test
    void aChildStartsOneSliceBehindItsParentsQueue() {
        runAnchorAt(49 * MS);
        queue.dequeueSleep(ANCHOR);
        queue.schedule(now);
        int parent = 2;
        enqueueAt(parent, 50 * MS);
        queue.schedule(now);
        int child = 3;
        queue.placeNew(child);
        assertThat(tasks.vruntime[child]).isEqualTo(12 * MS);

        Runqueue destination = queueOf(8, "");
        runAnchorAt(destination, 4, 7 * MS);
        destination.enqueueNew(child);
        assertThat(tasks.vruntime[child]).isEqualTo(19 * MS);
        assertThat(destination.checkPreemptByNew(child)).isFalse();
    }

    @Test
    void aChildThatRunsFirstTakesItsParentsPlace() {
        queue = queueOf(8, "sched_child_runs_first=1");
        runAnchorAt(50 * MS);
        queue.placeNew(2);
        queue.enqueueNew(2);

        assertThat(tasks.vruntime[2]).isEqualTo(50 * MS);
        assertThat(tasks.vruntime[ANCHOR]).isEqualTo(62 * MS);
        assertThat(queue.reschedulePending()).isTrue();
    }

    @Test
    void aWakeupOnAnotherCpuKeepsTheDistanceToTheQueue() {
        runAnchorAt(5_000_000_000L);
        Runqueue destination = queueOf(8, "");
        runAnchorAt(destination, 3, 900_000_000);
        tasks.vruntime[2] = 5_003_000_000L;

        queue.prepareWakeup(2);
        assertThat(tasks.vruntime[2]).isEqualTo(3_000_000);
        destination.enqueueWakeup(2);
        assertThat(tasks.vruntime[2]).isEqualTo(903_000_000);
    }

    @Test
    void aPulledTaskKeepsItsDistanceToTheQueueFromBeforeItLeft() {
        runAnchorAt(100 * MS);
        enqueueAt(2, 90 * MS);
        Runqueue destination = queueOf(8, "");
        runAnchorAt(destination, 3, 7 * MS);

        queue.dequeueMoved(2);
        assertThat(tasks.vruntime[2]).isEqualTo(-10 * MS);
        assertThat(queue.nrRunning()).isEqualTo(1);
        destination.enqueueMoved(2);
        assertThat(tasks.vruntime[2]).isEqualTo(-3 * MS);
        assertThat(destination.checkPreempt(2)).isTrue();
        assertThat(destination.schedule(destination.clock())).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"106, 3", "104, 4"})
    void aBuddyIsPickedUnlessItIsMoreThanAGranularityAheadAndTheNextOverridesTheLast(long next, int picked) {
        String crowdOfOne = "sched_latency_ns=24000000,sched_min_granularity_ns=24000000";
        queue = queueOf(8, crowdOfOne + ",NEXT_BUDDY");
        int last = 3;
        runAnchorAt(queue, last, 103 * MS);
        int preempting = 5;
        enqueueAt(preempting, 98 * MS);
        assertThat(queue.checkPreempt(preempting)).isTrue();
        int left = 2;
        enqueueAt(left, 100 * MS);
        enqueueAt(4, next * MS);
        assertThat(queue.checkPreempt(4)).isFalse();
        queue.dequeueMoved(preempting);
        assertThat(queue.isNextOrLastBuddy(last)).isTrue();
        assertThat(queue.isNextOrLastBuddy(4)).isTrue();

        assertThat(queue.schedule(now)).isEqualTo(picked);
        assertThat(queue.isNextOrLastBuddy(picked)).isFalse();
    }

    @Test
    void thereIsNoLastBuddyBelowEightTasks() {
        runAnchorAt(100 * MS);
        enqueueAt(2, 90 * MS);
        queue.checkPreempt(2);

        assertThat(queue.isNextOrLastBuddy(ANCHOR)).isFalse();
        assertThat(queue.isNextOrLastBuddy(2)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"103, 2", "105, 1"})
    void aTaskThatYieldedIsSkippedForOneThatIsAtMostAGranularityAhead(long second, int picked) {
        runAnchorAt(100 * MS);
        enqueueAt(2, second * MS);
        queue.yieldCurrent();

        assertThat(queue.schedule(now)).isEqualTo(picked);
    }

    @Test
    void theBalanceListIsNewestFirstAndPassedOverTasksMayGoToItsTail() {
        for (int task = 1; task <= 4; task++) {
            queue.enqueueMoved(task);
        }
        assertThat(balanceList()).containsExactly(4, 3, 2, 1);

        queue.moveToTail(4);
        queue.moveToTail(1);
        queue.moveToTail(2);
        assertThat(balanceList()).containsExactly(3, 4, 1, 2);

        queue.dequeueSleep(2);
        queue.dequeueSleep(3);
        queue.dequeueSleep(1);
        queue.moveToTail(4);
        assertThat(balanceList()).containsExactly(4);
    }

    @Test
    void aWakeupEndsTheIdlePeriod() {
        queue.idleTime().begin(queue.clock());
        queue.refresh(50_000);
        queue.enqueueWakeup(1);

        assertThat(queue.idleTime().average()).isEqualTo(881_250);
    }

    @Test
    void anEmptyQueueRunsTheIdleTask() {
        assertThat(queue.tick()).isFalse();
        assertThat(queue.schedule(0)).isEqualTo(IDLE_TASK);
        assertThat(queue.minVruntime()).isEqualTo(-1_048_576);
    }

    @Test
    void callsOutOfOrderAreProgrammerErrors() {
        queue.refresh(10);
        queue.enqueueMoved(1);
        queue.schedule(10);

        assertThatIllegalStateException().isThrownBy(() -> queue.enqueueMoved(1));
        assertThatIllegalStateException().isThrownBy(() -> queue.prepareWakeup(1));
        assertThatIllegalStateException().isThrownBy(() -> queue.dequeueMoved(1));
        assertThatIllegalStateException().isThrownBy(() -> queue.dequeueSleep(2));
        assertThatIllegalStateException().isThrownBy(() -> queue.enqueueWakeup(IDLE_TASK));
        assertThatIllegalStateException().isThrownBy(() -> queue.refresh(9));
    }

    private Runqueue queueOf(int online, String settings) {
        return TestQueues.one("3.2", tasks, online, settings);
    }

    /** Makes the anchor the only task, running, with its and the queue's virtual time {@code vruntime}. */
    private void runAnchorAt(long vruntime) {
        runAnchorAt(queue, ANCHOR, vruntime);
    }

    private void runAnchorAt(Runqueue on, int task, long vruntime) {
        long lead = 1_000;
        on.refresh(now);
        tasks.vruntime[task] = vruntime - lead - on.minVruntime();
        on.enqueueMoved(task);
        on.schedule(now);
        now += lead;
        on.refresh(now);
        on.tick();
        assertThat(on.minVruntime()).isEqualTo(vruntime);
    }

    private void enqueueAt(int task, long vruntime) {
        tasks.vruntime[task] = vruntime - queue.minVruntime();
        queue.enqueueMoved(task);
    }

    private int[] balanceList() {
        int[] list = new int[queue.nrRunning()];
        int at = 0;
        for (int task = queue.firstInList(); task != IDLE_TASK; task = queue.nextInList(task)) {
            list[at++] = task;
        }
        return list;
    }
}
