package dev.perch.kernel.fair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TaskTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expected values: scheduler.md 11, A2, A3, A5 to A7, A10, A11, columns E516; B10; and the rules of scheduler.md 1. */
class CfsErasTest {
    private static final long MS = 1_000_000;
    private static final int ANCHOR = 1;

    private final TaskTable tasks = new TaskTable(64);
    private Runqueue[] queues = TestQueues.of("5.16", tasks, 2, 8, 250, "");
    private long now;

    CfsErasTest() {
        for (int task = 1; task < tasks.capacity(); task++) {
            LoadWeights.assign(tasks, task, TaskTable.POLICY_NORMAL, 0);
        }
    }

    private Runqueue queue() {
        return queues[0];
    }

    @ParameterizedTest
    @CsvSource({
        "4, 1, 18000000", "4, 2, 8999995", "4, 3, 5999998", "4, 5, 3599996", "4, 8, 2250000", "4, 9, 2250000",
        "4, 12, 2250000", "8, 1, 24000000", "8, 2, 11999994", "8, 3, 7999998", "8, 5, 4799995", "8, 8, 3000000",
        "8, 9, 3000000", "8, 12, 3000000"
    })
    void equalTasksShareThePeriodButNotBelowTheLeastGranularity(int online, int count, long slice) {
        queues = TestQueues.of("5.16", tasks, 1, online, 250, "");
        for (int task = 1; task <= count; task++) {
            queue().enqueueMoved(task);
        }

        assertThat(queue().slice(1)).isEqualTo(slice);
        assertThat(queue().nrRunning()).isEqualTo(count);
    }

    @ParameterizedTest
    @CsvSource({"-5, 0, '', 18070923, 5929069", "0, 19, '', 23653512, 3000000", "0, 19, NO_BASE_SLICE, 23653512, 346487"
    })
    void unequalTasksShareThePeriodByWeight(int nice, int otherNice, String settings, long slice, long otherSlice) {
        queues = TestQueues.of("5.16", tasks, 1, 8, 250, settings);
        LoadWeights.assign(tasks, 1, TaskTable.POLICY_NORMAL, nice);
        LoadWeights.assign(tasks, 2, TaskTable.POLICY_NORMAL, otherNice);
        queue().enqueueMoved(1);
        queue().enqueueMoved(2);

        assertThat(queue().slice(1)).isEqualTo(slice);
        assertThat(queue().slice(2)).isEqualTo(otherSlice);
    }

    @Test
    void anIdleTaskBesideOthersHasASmallerLeastSliceSince516() {
        LoadWeights.assign(tasks, 2, TaskTable.POLICY_IDLE, 0);
        for (String rules : new String[] {"5.13", "5.16"}) {
            queues = TestQueues.of(rules, tasks, 1, 8, 250, "");
            queue().enqueueMoved(1);
            queue().enqueueMoved(2);
            assertThat(queue().slice(2)).isEqualTo(rules.equals("5.16") ? 750_000 : 3_000_000);
            assertThat(queue().nrIdlePolicy()).isEqualTo(1);
            assertThat(queue().isSchedIdle()).isFalse();
            queue().dequeueMoved(1);
            assertThat(queue().isSchedIdle()).isTrue();
            queue().dequeueMoved(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"100000000, 0, 100000000", "95000000, 0, 95000000", "80000000, 0, 88000000", "80000000, 2, 98500000"})
    void aSleeperKeepsItsVirtualTimeAndIsCreditedByItsPolicy(long own, byte policy, long placed) {
        LoadWeights.assign(tasks, 2, policy, 0);
        runAnchorAt(queue(), ANCHOR, 100 * MS);
        tasks.vruntime[2] = own;
        queue().prepareWakeup(2);
        assertThat(tasks.vruntime[2]).isEqualTo(own);
        queue().enqueueWakeup(2);

        assertThat(tasks.vruntime[2]).isEqualTo(placed);
    }

    @ParameterizedTest
    @CsvSource({
        "5.16, 8, 1000, 12, 24, 36",
        "5.16, 8, 250, 12, 24, 36",
        "6.1, 8, 250, 12, 24, 36",
        "3.13, 8, 1000, 12, 24, 36",
        "6.6, 8, 250, 4, 12, 20",
        "6.6, 8, 1000, 3, 9, 15",
        "6.12, 8, 250, 4, 8, 12",
        "6.12, 8, 1000, 3, 6, 9"
    })
    void twoHogsTakeTurns(String rules, int online, int hz, int first, int second, int third) {
        queues = TestQueues.of(rules, tasks, 1, online, hz, "");
        for (int task = 1; task <= 2; task++) {
            queue().enqueueMoved(task);
        }
        int running = queue().schedule(0);
        long[] switches = new long[3];
        int count = 0;
        for (long tick = 1; count < 3; tick++) {
            now = tick * 1000 / hz;
            queue().refresh(now * MS);
            if (queue().tick()) {
                int next = queue().schedule(now * MS);
                if (next != running) {
                    running = next;
                    switches[count++] = now;
                }
            }
        }

        assertThat(switches).containsExactly(first, second, third);
    }

    @Test
    void aWakeupOnAnotherCpuKeepsTheDistanceToTheQueueAndForgetsThatItWasHot() {
        runAnchorAt(queues[0], ANCHOR, 5_000_000_000L);
        runAnchorAt(queues[1], 3, 900_000_000);
        tasks.vruntime[2] = 5_003_000_000L;
        tasks.execStart[2] = 77;

        queues[0].prepareWakeup(2);
        queues[0].leaveForWakeup(2);
        assertThat(tasks.vruntime[2]).isEqualTo(3_000_000);
        queues[1].enqueueWakeup(2);
        assertThat(tasks.vruntime[2]).isEqualTo(903_000_000);
        assertThat(tasks.execStart[2]).isZero();
    }

    @Test
    void aPulledTaskIsNotHotAtItsDestination() {
        runAnchorAt(queues[0], ANCHOR, 100 * MS);
        enqueueAt(2, 90 * MS);
        tasks.execStart[2] = 77;
        queues[0].dequeueMoved(2);
        assertThat(tasks.vruntime[2]).isEqualTo(-10 * MS);
        queues[1].enqueueMoved(2);

        assertThat(tasks.vruntime[2]).isEqualTo(-10 * MS - 1_048_576);
        assertThat(tasks.execStart[2]).isZero();
    }

    @Test
    void aSleepOf104DaysForgetsTheVirtualTimeSince61() {
        long days105 = 105L * 24 * 3600 * 1_000_000_000;
        for (String rules : new String[] {"5.16", "6.1"}) {
            queues = TestQueues.of(rules, tasks, 2, 8, 250, "");
            now = 0;
            runAnchorAt(queue(), ANCHOR, 100 * MS);
            tasks.vruntime[2] = 500 * MS;
            tasks.execStart[2] = 1;
            now = days105;
            queue().dequeueSleep(ANCHOR);
            queue().schedule(2_000);
            queue().refresh(now);
            queue().enqueueWakeup(2);

            assertThat(tasks.vruntime[2]).isEqualTo(rules.equals("6.1") ? 88 * MS : 500 * MS);
            queue().dequeueSleep(2);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "88000000, 0, true",
        "96500000, 0, false",
        "96400000, 0, true",
        "96400000, 5, false",
        "99000000, -10, true"
    })
    void aWakeePreemptsWhenItIsMoreThanItsGranularityBehind(long wakee, int nice, boolean preempts) {
        LoadWeights.assign(tasks, 2, TaskTable.POLICY_NORMAL, nice);
        runAnchorAt(queue(), ANCHOR, 100_500_000);
        enqueueAt(2, wakee);

        assertThat(queue().checkPreempt(2)).isEqualTo(preempts);
    }

    @Test
    void anIdleTaskNeverPreemptsAndIsAlwaysPreemptedByOthers() {
        LoadWeights.assign(tasks, 2, TaskTable.POLICY_IDLE, 0);
        runAnchorAt(queue(), ANCHOR, 100 * MS);
        enqueueAt(2, 10 * MS);
        assertThat(queue().checkPreempt(2)).isFalse();

        queue().dequeueSleep(ANCHOR);
        assertThat(queue().schedule(now)).isEqualTo(2);
        enqueueAt(3, 200 * MS);
        assertThat(queue().checkPreempt(3)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"103, 2", "105, 1"})
    void aTaskThatYieldedIsSkippedForOneThatIsAtMostAGranularityAhead(long second, int picked) {
        runAnchorAt(queue(), ANCHOR, 100 * MS);
        enqueueAt(2, second * MS);
        queue().yieldCurrent();

        assertThat(queue().schedule(now)).isEqualTo(picked);
    }

    @Test
    void theSwitchAfterAPreemptionIsChargedWithTheTimeOfTheWakeupThoughOthersReadTheClockBetween() {
        runAnchorAt(queue(), ANCHOR, 100 * MS);
        long before = tasks.sumExec[ANCHOR];
        now += 3_000;
        queue().refresh(now);
        enqueueAt(2, 50 * MS);
        assertThat(queue().checkPreempt(2)).isTrue();
        assertThat(queue().schedule(now + 700)).isEqualTo(2);
        assertThat(tasks.sumExec[ANCHOR]).isEqualTo(before + 3_000);

        now += 3_000;
        queue().refresh(now);
        enqueueAt(3, 20 * MS);
        assertThat(queue().checkPreempt(3)).isTrue();
        queue().refresh(now + 500);
        assertThat(queue().schedule(now + 700)).isEqualTo(3);
        assertThat(tasks.execStart[3]).isEqualTo(now + 500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.8", "4.15"})
    void theBalanceListBeginsWithTheNewestAndSince415WithTheOldest(String rules) {
        queues = TestQueues.of(rules, tasks, 1, 8, 250, "");
        for (int task = 1; task <= 3; task++) {
            queue().enqueueMoved(task);
        }
        boolean oldestFirst = rules.equals("4.15");
        assertThat(queue().firstInList()).isEqualTo(oldestFirst ? 1 : 3);

        queue().moveToTail(queue().firstInList());
        assertThat(queue().firstInList()).isEqualTo(2);
        queue().schedule(0);
        assertThat(queue().current()).isEqualTo(1);
        assertThat(queue().firstInList()).isEqualTo(2);
    }

    @Test
    void unknownRulesAreAProgrammerError() {
        org.assertj.core.api.Assertions.assertThatIllegalArgumentException()
                .isThrownBy(() -> new Runqueues("2.4", tasks, 1))
                .withMessageContaining("2.4");
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
        tasks.vruntime[task] = vruntime - queue().minVruntime();
        queue().enqueueMoved(task);
    }

    /** Scheduler.md 1.1, skip rule: active from where the schedule call starts to its end, balancing of a newly idle CPU included. */
    @ParameterizedTest
    @ValueSource(strings = {"4.8", "5.16", "6.1", "6.6", "6.12", "6.18"})
    void theWholeSwitchAfterAPreemptionSeesTheTimeOfTheWakeup(String rules) {
        Runqueue queue = TestQueues.one(rules, tasks, 8, "");
        queue.enqueueMoved(1);
        queue.schedule(0);
        queue.refresh(100 * MS);
        tasks.lag[2] = MS;
        queue.enqueueWakeup(2);
        assertThat(queue.checkPreempt(2)).isTrue();

        queue.refreshForSwitch(100 * MS + 500);
        queue.dequeueAtOnce(1);
        queue.refresh(100 * MS + 500);

        assertThat(queue.schedule(100 * MS + 500)).isEqualTo(2);
        assertThat(tasks.sumExec[1]).isEqualTo(100 * MS);
        assertThat(tasks.execStart[2]).isEqualTo(100 * MS);
        queue.refresh(100 * MS + 900);
        assertThat(queue.clock()).isEqualTo(100 * MS + 900);
    }

    /** {@code set_user_nice}: the value that a task has already is no change. */
    @ParameterizedTest
    @ValueSource(strings = {"3.2", "6.1", "6.6", "6.12", "6.18"})
    void theSameNiceValueAgainChangesNothing(String rules) {
        Runqueue queue = TestQueues.one(rules, tasks, 8, "");
        queue.enqueueMoved(1);
        queue.enqueueMoved(2);
        int running = queue.schedule(0);
        queue.refresh(MS);
        queue.tick();
        long vruntime = tasks.vruntime[running];
        long deadline = tasks.deadline[running];

        queue.renice(running, 0);

        assertThat(tasks.vruntime[running]).isEqualTo(vruntime);
        assertThat(tasks.deadline[running]).isEqualTo(deadline);
    }
}
