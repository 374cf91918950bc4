package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TaskTable;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Expected values: scheduler.md 11, B2 to B9, B11 to B13; and the rules of scheduler.md 2. */
class EevdfQueueTest {
    private static final long MS = 1_000_000;
    private static final int A = 1;
    private static final int B = 2;
    private static final int C = 3;
    private static final int K = 4;

    private final TaskTable tasks = new TaskTable(8);
    private final RunqueueState state = new RunqueueState(0, true);
    private EevdfQueue queue = queueOf(EevdfVersion.V6_12, 3 * MS, 4 * MS, Map.of());

    EevdfQueueTest() {
        for (int task = 1; task < tasks.capacity(); task++) {
            LoadWeights.assign(tasks, task, TaskTable.POLICY_NORMAL, 0);
            tasks.slice[task] = 3 * MS;
        }
    }

    @Test
    void lagIsTheDistanceFromTheAverage() {
        LoadWeights.assign(tasks, C, TaskTable.POLICY_NORMAL, -3);
        waiting(A, 10_000_000, 13_000_000);
        waiting(B, 12_000_000, 15_000_000);
        waiting(C, 9_000_000, 12_000_000);

        assertThat(queue.average()).isEqualTo(10_014_112);
        assertThat(queue.lagOf(A)).isEqualTo(14_112);
        assertThat(queue.lagOf(B)).isEqualTo(-1_985_888);
        assertThat(queue.lagOf(C)).isEqualTo(1_014_112);
        assertThat(queue.isEligible(A)).isTrue();
        assertThat(queue.isEligible(B)).isFalse();
        assertThat(queue.isEligible(C)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0, 3000000, 6000000", "5, 3000000, 18340298", "0, 750000, 4000000"})
    void lagIsLimitedToTwoSlicesOrATick(int nice, long slice, long limit) {
        LoadWeights.assign(tasks, A, TaskTable.POLICY_NORMAL, nice);
        tasks.slice[A] = slice;
        waiting(A, -1000 * MS, 0);
        LoadWeights.assign(tasks, B, TaskTable.POLICY_NORMAL, nice);
        tasks.slice[B] = slice;
        waiting(B, 1000 * MS, 0);

        assertThat(queue.lagOf(A)).isEqualTo(limit);
        assertThat(queue.lagOf(B)).isEqualTo(-limit);
    }

    @ParameterizedTest
    @CsvSource({
        "1000000, 0, 0, 9500000, 12500000, 10500000, 1000000",
        "-600000, 0, 0, 11900000, 14900000, 11300000, -600000",
        "0, 0, 2, 11000000, 12500000, 11000000, 0",
        "500000, 5, 0, 10418213, 19588362, , "
    })
    void aTaskIsPlacedByItsLagAndCompensatedForItsOwnWeight(
            long lag, int nice, int flags, long vruntime, long deadline, Long averageAfter, Long lagAfter) {
        waiting(A, 10 * MS, 13 * MS);
        waiting(B, 12 * MS, 15 * MS);
        LoadWeights.assign(tasks, C, TaskTable.POLICY_NORMAL, nice);
        tasks.lag[C] = lag;
        queue.enqueue(C, flags);

        assertThat(tasks.vruntime[C]).isEqualTo(vruntime);
        assertThat(tasks.deadline[C]).isEqualTo(deadline);
        if (averageAfter != null && lagAfter != null) {
            assertThat(queue.average()).isEqualTo(averageAfter);
            assertThat(queue.lagOf(C)).isEqualTo(lagAfter);
            assertThat(queue.isEligible(C)).isEqualTo(lagAfter >= 0);
        }
    }

    @Test
    void compensationTruncatesTowardsZero() {
        waiting(A, 10 * MS, 13 * MS);
        waiting(B, 12 * MS, 15 * MS);
        tasks.lag[C] = -600_001;
        queue.enqueue(C, FairQueue.WAKEUP);

        assertThat(tasks.vruntime[C]).isEqualTo(11 * MS + 900_001);
    }

    @Test
    void onAnEmptyQueueLagIsForgotten() {
        waiting(A, 10 * MS, 13 * MS);
        queue.advanceMinVruntime();
        queue.dequeue(A, FairQueue.SLEEP);
        tasks.lag[C] = 700_000;
        queue.enqueue(C, FairQueue.WAKEUP);

        assertThat(tasks.vruntime[C]).isEqualTo(10 * MS);
        assertThat(tasks.deadline[C]).isEqualTo(13 * MS);
    }

    @ParameterizedTest
    @EnumSource(EevdfVersion.class)
    void theEarliestDeadlineOfTheEligibleIsPickedUnlessTheRunningTaskIsProtected(EevdfVersion version) {
        queue = queueOf(version, 3 * MS, 4 * MS, Map.of());
        waiting(A, 10_000_000, 12_500_000);
        waiting(B, 9_500_000, 12_900_000);
        waiting(C, 11_500_000, 12_000_000);
        running(K, 10_200_000, 12_600_000);

        assertThat(queue.average()).isEqualTo(10_300_000);
        assertThat(queue.isEligible(C)).isFalse();
        queue.protection.cancel(K);
        assertThat(queue.pick()).isEqualTo(A);
        tasks.protection[K] = tasks.deadline[K];
        assertThat(queue.protection.holds(K)).isTrue();
        assertThat(queue.pick()).isEqualTo(K);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 3000000, 101000000, 104000000, false",
        "2000000, 3000000, 97000000, 100000000, true",
        "300000, 700000, 100400000, 101100000, true"
    })
    void aWakeeWithPositiveLagMakesTheRunningTaskIneligible(
            long lag, long slice, long vruntime, long deadline, boolean wins) {
        running(A, 101 * MS, 103 * MS);
        tasks.protection[A] = tasks.deadline[A];
        queue.minVruntime = 101 * MS;
        tasks.slice[B] = slice;
        tasks.customSlice[B] = true;
        tasks.lag[B] = lag;
        queue.enqueue(B, FairQueue.WAKEUP);

        assertThat(tasks.vruntime[B]).isEqualTo(vruntime);
        assertThat(tasks.deadline[B]).isEqualTo(deadline);
        assertThat(queue.pickByDeadline(true)).isEqualTo(wins ? B : A);
        assertThat(queue.pickByDeadline(false)).isEqualTo(wins ? B : A);
    }

    @Test
    void aSleeperThatOwesTimeStaysQueuedAndEarnsNothingBeyondIt() {
        running(A, 104 * MS, 105 * MS);
        waiting(B, 102 * MS, 105 * MS);
        assertThat(queue.average()).isEqualTo(103 * MS);
        assertThat(queue.lagOf(A)).isEqualTo(-MS);
        assertThat(queue.dequeue(A, FairQueue.SLEEP)).isFalse();
        assertThat(tasks.delayed[A]).isTrue();
        assertThat(tasks.onQueue[A]).isTrue();
        assertThat(queue.nr).isEqualTo(2);

        queue.putPrevious(A);
        queue.setNext(B);
        tasks.vruntime[B] = 106_500_000;
        assertThat(queue.average()).isEqualTo(105_250_000);
        assertThat(queue.lagOf(A)).isEqualTo(1_250_000);
        queue.requeueDelayed(A);
        assertThat(tasks.delayed[A]).isFalse();
        assertThat(tasks.vruntime[A]).isEqualTo(106_500_000);
        assertThat(tasks.deadline[A]).isEqualTo(109_500_000);
        assertThat(queue.nr).isEqualTo(2);
    }

    @Test
    void aSleeperThatOwesNothingLeavesAtOnceAndSoDoesAnyoneBefore612() {
        running(A, 102 * MS, 105 * MS);
        waiting(B, 104 * MS, 105 * MS);
        assertThat(queue.dequeue(A, FairQueue.SLEEP)).isTrue();
        assertThat(tasks.lag[A]).isEqualTo(MS);
        assertThat(tasks.onQueue[A]).isFalse();

        queue = queueOf(EevdfVersion.V6_6, 3 * MS, 4 * MS, Map.of());
        tasks.onQueue[B] = false;
        waiting(C, 104 * MS, 105 * MS);
        waiting(K, 102 * MS, 105 * MS);
        assertThat(queue.dequeue(C, FairQueue.SLEEP)).isTrue();
        assertThat(tasks.lag[C]).isEqualTo(-MS);
    }

    @Test
    void whatADelayedTaskHasEarnedWhenItLeavesIsForfeitUnlessTheFeatureIsOff() {
        for (boolean forfeit : new boolean[] {true, false}) {
            queue = queueOf(EevdfVersion.V6_12, 3 * MS, 4 * MS, Map.of("DELAY_ZERO", forfeit));
            tasks.onQueue[B] = false;
            waiting(A, 100 * MS, 105 * MS);
            waiting(B, 102 * MS, 105 * MS);
            tasks.delayed[A] = true;
            assertThat(queue.dequeue(A, FairQueue.SLEEP | FairQueue.FINISH_DELAYED))
                    .isTrue();

            assertThat(tasks.lag[A]).isEqualTo(forfeit ? 0 : MS);
            assertThat(tasks.delayed[A]).isFalse();
            queue.remove(B);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "V6_6, 2048, 9500000, 11000000",
        "V6_6, 512, 8000000, 14000000",
        "V6_12, 2048, 9500000, 11000000",
        "V6_12, 512, 8000000, 14000000"
    })
    void aChangeOfWeightKeepsLagAndRestOfTheRequestInWallTime(
            EevdfVersion version, int weight, long vruntime, long deadline) {
        queue = queueOf(version, 3 * MS, 4 * MS, Map.of());
        waiting(A, 9 * MS, 12 * MS);
        waiting(B, 11 * MS, 14 * MS);
        assertThat(queue.average()).isEqualTo(10 * MS);
        queue.reweight(A, weight, (1L << 32) / weight);

        assertThat(tasks.vruntime[A]).isEqualTo(vruntime);
        assertThat(tasks.deadline[A]).isEqualTo(deadline);
        assertThat(queue.weight).isEqualTo(1024 + weight);
    }

    @Test
    void from618OnAReweightedTaskIsPlacedAnewSoThatItsLagIsScaled() {
        queue = queueOf(EevdfVersion.V6_18, 3 * MS, 4 * MS, Map.of());
        waiting(A, 9 * MS, 12 * MS);
        waiting(B, 11 * MS, 14 * MS);
        queue.reweight(A, 2048, 2_097_152);

        // lag 1 ms becomes 0.5 ms at twice the weight; the rest of the request, 3 ms, becomes 1.5 ms
        assertThat(queue.lagOf(A)).isEqualTo(500_000);
        assertThat(tasks.deadline[A] - tasks.vruntime[A]).isEqualTo(1_500_000);
        assertThat(tasks.relativeDeadline[A]).isFalse();
    }

    @Test
    void lagOfASleeperIsScaledByAChangeOfWeight() {
        for (EevdfVersion version : EevdfVersion.values()) {
            queue = queueOf(version, 3 * MS, 4 * MS, Map.of());
            LoadWeights.assign(tasks, A, TaskTable.POLICY_NORMAL, 0);
            tasks.lag[A] = -MS;
            queue.reweight(A, 2048, 2_097_152);

            assertThat(tasks.lag[A]).isEqualTo(-500_000);
        }
    }

    @ParameterizedTest
    @CsvSource({"2800000, 103000000", "700000, 100700000"})
    void from618OnProtectionLastsAsLongAsTheShortestSliceOnTheQueue(long shortest, long until) {
        queue = queueOf(EevdfVersion.V6_18, 2_800_000, 4 * MS, Map.of());
        tasks.slice[A] = 2_800_000;
        tasks.slice[B] = shortest;
        waiting(A, 100 * MS, 103 * MS);
        waiting(B, 100 * MS, 103 * MS);
        queue.setNext(A);

        assertThat(tasks.protection[A]).isEqualTo(until);
        assertThat(queue.protection.holds(A)).isTrue();
        queue.protection.cancel(A);
        assertThat(queue.protection.holds(A)).isFalse();
    }

    @Test
    void aDeadlineIsKeptRelativeOnTheWayToAnotherQueue() {
        waiting(A, 9 * MS, 12 * MS);
        queue.dequeue(A, 0);
        assertThat(tasks.deadline[A]).isEqualTo(3 * MS);
        assertThat(tasks.relativeDeadline[A]).isTrue();
        tasks.lag[A] = 0;
        EevdfQueue other = queueOf(EevdfVersion.V6_12, 3 * MS, 4 * MS, Map.of());
        other.minVruntime = 19 * MS;
        tasks.vruntime[B] = 20 * MS;
        other.insert(B);
        other.account(B);
        tasks.onQueue[B] = true;
        other.enqueue(A, 0);

        assertThat(tasks.vruntime[A]).isEqualTo(20 * MS);
        assertThat(tasks.deadline[A]).isEqualTo(23 * MS);
        assertThat(tasks.relativeDeadline[A]).isFalse();
    }

    @ParameterizedTest
    @EnumSource(EevdfVersion.class)
    void theNextBuddyIsPickedIfItIsEligibleAndTheVersionHonoursBuddies(EevdfVersion version) {
        queue = queueOf(version, 3 * MS, 4 * MS, Map.of());
        waiting(A, 9 * MS, 12 * MS);
        waiting(B, 9 * MS, 13 * MS);
        waiting(C, 12 * MS, 14 * MS);
        queue.nextBuddy = B;
        boolean honours = version != EevdfVersion.V6_6;

        assertThat(queue.pick()).isEqualTo(honours ? B : A);
        queue.nextBuddy = C;
        assertThat(queue.isEligible(C)).isFalse();
        assertThat(queue.pick()).isEqualTo(A);
    }

    @Test
    void anEmptyQueueHasNobodyToPick() {
        assertThat(queue.pickByDeadline(true)).isEqualTo(IDLE_TASK);
        assertThat(queue.average()).isEqualTo(-1_048_576);
    }

    private EevdfQueue queueOf(EevdfVersion version, long baseSlice, long tick, Map<String, Boolean> features) {
        return new EevdfQueue(
                version,
                tasks,
                new DeadlineTree.Links(tasks.entityCount()),
                new EevdfTunables(baseSlice, version.unscaledBaseSlice(), tick),
                EevdfFeatures.of(version, features),
                state,
                null,
                FairQueue.GroupFace.ROOT);
    }

    private void waiting(int task, long vruntime, long deadline) {
        tasks.vruntime[task] = vruntime;
        tasks.deadline[task] = deadline;
        queue.insert(task);
        queue.account(task);
        tasks.onQueue[task] = true;
    }

    private void running(int task, long vruntime, long deadline) {
        waiting(task, vruntime, deadline);
        queue.remove(task);
        queue.current = task;
    }
}
