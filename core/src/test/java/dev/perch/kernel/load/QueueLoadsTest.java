package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Expected values: scheduler.md 11, C7; else properties that scheduler.md 3.4 – 3.6 states. */
class QueueLoadsTest {
    private static final long MS = 1_000_000;
    private static final long NICE_0 = 1024;

    @ParameterizedTest
    @CsvSource({
        "6.12, 300, 512, 362", "6.12, 100, 1024, 99", "6.12, 0, 0, 512", "6.12, 1024, 0, 0",
        "5.14, 300, 512, 362", "5.14, 100, 1024, 462", "5.14, 0, 0, 512"
    })
    void aNewTasksUtilisationIsGuessed(String era, long queueUtil, long queueLoad, long util) {
        QueueLoads queues = new Pair(LoadTracking.named(era)).queues;

        assertThat(queues.guessUtil(queueUtil, queueLoad, NICE_0, 1024)).isEqualTo(util);
    }

    @Test
    void aNewTaskOnAnIdleQueueBringsItsWeightAndHalfACpu() {
        Pair pair = new Pair(LoadTracking.V6_12);
        pair.entities.beginTask(0, 335);
        pair.queues.update(0, 5 * MS, 0, 0, false);
        pair.queues.attachNew(0, 0, 335, 1024);

        assertThat(pair.queues.load(0)).isEqualTo(335);
        assertThat(pair.queues.util(0)).isEqualTo(512);
        assertThat(pair.queues.runnable(0)).isEqualTo(512);
        assertThat(pair.entities.load(0)).isEqualTo(335);
        assertThat(pair.entities.queue(0)).isZero();
        assertThat(pair.entities.averages().last(0))
                .isEqualTo(pair.queues.averages().last(0));
    }

    @ParameterizedTest
    @EnumSource(names = {"V4_3", "V4_12", "V5_5", "V5_14", "V6_0", "V6_12"})
    void whatIsLetInAndTakenOutAgainLeavesTheQueueAsItWas(LoadTracking era) {
        Pair pair = new Pair(era);
        pair.start(0, 0, NICE_0);
        pair.runAlone(0, 0, NICE_0, 37 * MS);
        pair.entities.beginTask(1, 335);
        long load = pair.queues.load(0);
        long runnable = pair.queues.runnable(0);
        long util = pair.queues.util(0);

        pair.queues.attach(0, 1, 335);
        assertThat(pair.queues.load(0)).isEqualTo(load + 335);
        pair.queues.detach(1, 335);

        assertThat(pair.queues.load(0)).isEqualTo(load);
        assertThat(pair.queues.runnable(0)).isEqualTo(runnable);
        assertThat(pair.queues.util(0)).isEqualTo(util);
        assertThat(pair.entities.queue(1)).isEqualTo(EntityLoads.DETACHED);
    }

    @ParameterizedTest
    @EnumSource(names = {"V4_3", "V4_12", "V5_5", "V5_14", "V6_0", "V6_12"})
    void theQueueHoldsTheLoadsOfItsTasksWhetherTheySleepOrNot(LoadTracking era) {
        Pair pair = new Pair(era);
        pair.start(0, 0, NICE_0);
        pair.start(1, 0, 335);
        boolean[] queued = {true, true};
        long[] weights = {NICE_0, 335};
        long now = pair.now;
        for (int step = 1; step < 4000; step++) {
            now += 300_000 + step * 7919 % 2_000_000;
            long weight = (queued[0] ? weights[0] : 0) + (queued[1] ? weights[1] : 0);
            int tasks = (queued[0] ? 1 : 0) + (queued[1] ? 1 : 0);
            for (int task = 0; task < 2; task++) {
                pair.entities.updateTask(task, now, weights[task], queued[task], queued[task] && task == step % 2);
            }
            pair.queues.update(0, now, weight, tasks, tasks > 0);
            if (step % 3 == 0) {
                queued[step / 3 % 2] = !queued[step / 3 % 2];
            }
            assertThat(pair.queues.load(0))
                    .isCloseTo(pair.entities.load(0) + pair.entities.load(1), within(3L));
        }
    }

    @Test
    void aSleepingTasksLoadStaysAndDecaysUntilTheQueueIsForgotten() {
        Pair pair = new Pair(LoadTracking.V6_0);
        pair.start(0, 0, NICE_0);
        pair.runAlone(0, 0, NICE_0, 400 * MS);
        assertThat(pair.queues.load(0)).isBetween(1022L, 1024L);
        assertThat(pair.queues.decayed(0)).isFalse();

        pair.queues.update(0, pair.now + 32 * 1_048_576, 0, 0, false);
        assertThat(pair.queues.load(0)).isBetween(510L, 512L);

        pair.queues.update(0, pair.now + 3000 * MS, 0, 0, false);
        assertThat(pair.queues.decayed(0)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"V5_5", "V6_0", "V6_12"})
    void aTaskThatWokeElsewhereIsTakenOffAtTheNextUpdateAsOldAsItsQueue(LoadTracking era) {
        Pair pair = new Pair(era);
        pair.start(0, 0, NICE_0);
        pair.runAlone(0, 0, NICE_0, 100 * MS);
        long sleptAt = pair.now;
        pair.queues.update(0, sleptAt + 20 * MS, 0, 0, false);
        long load = pair.queues.load(0);

        pair.queues.remove(0, NICE_0);

        assertThat(pair.entities.load(0)).isCloseTo(load, within(1L));
        assertThat(pair.queues.load(0)).isEqualTo(load);
        assertThat(pair.queues.update(0, sleptAt + 20 * MS + 1, 0, 0, false)).isTrue();
        assertThat(pair.queues.load(0)).isBetween(0L, 1L);
        assertThat(pair.queues.util(0)).isBetween(0L, 1L);

        pair.queues.update(1, sleptAt + 21 * MS, 0, 0, false);
        pair.queues.attach(1, 0, NICE_0);
        assertThat(pair.queues.load(1)).isEqualTo(pair.entities.load(0));
    }

    @Test
    void until54TheRunnableLoadLeavesOutWhatSleeps() {
        Pair pair = new Pair(LoadTracking.V4_12);
        pair.start(0, 0, NICE_0);
        pair.runAlone(0, 0, NICE_0, 100 * MS);
        long load = pair.queues.load(0);
        assertThat(pair.queues.runnableLoad(0)).isCloseTo(load, within(2L));

        pair.queues.dequeued(0, NICE_0);

        assertThat(pair.queues.runnableLoad(0)).isZero();
        assertThat(pair.queues.load(0)).isEqualTo(load);

        pair.now += 32 * 1_048_576;
        pair.entities.updateTask(0, pair.now, NICE_0, false, false);
        pair.queues.update(0, pair.now, 0, 0, false);
        pair.queues.enqueued(0, NICE_0);
        assertThat(pair.queues.runnableLoad(0)).isEqualTo(pair.entities.load(0));
        assertThat(pair.queues.runnableLoad(0)).isCloseTo(load / 2, within(2L));
    }

    @Test
    void anotherWeightChangesTheLoadOfAnEntityAtOnce() {
        Pair pair = new Pair(LoadTracking.V6_0);
        pair.start(0, 0, NICE_0);
        pair.runAlone(0, 0, NICE_0, 500 * MS);

        pair.entities.reweigh(0, 2048);

        assertThat(pair.entities.load(0)).isBetween(2045L, 2048L);
    }

    @Test
    void whoIsInOneQueuesAveragesCannotBeLetIntoAnothersOrLeaveTwice() {
        Pair pair = new Pair(LoadTracking.V6_0);
        pair.start(0, 0, NICE_0);

        assertThatIllegalStateException().isThrownBy(() -> pair.queues.attach(1, 0, NICE_0));
        assertThatIllegalStateException().isThrownBy(() -> pair.entities.beginTask(0, NICE_0));
        pair.queues.detach(0, NICE_0);
        assertThatIllegalStateException().isThrownBy(() -> pair.queues.detach(0, NICE_0));
        assertThatIllegalStateException().isThrownBy(() -> pair.queues.remove(0, NICE_0));
    }

    @Test
    void kernelsBefore43HaveNoSuchAverages() {
        EntityLoads entities = new EntityLoads(1, Pelt.UNTIL_4_11);
        assertThatIllegalArgumentException().isThrownBy(() -> new QueueLoads(LoadTracking.V4_0, 1, entities));
    }

    @Test
    void roomForMoreEntitiesKeepsThoseThereAre() {
        Pair pair = new Pair(LoadTracking.V6_0);
        pair.start(0, 0, NICE_0);
        pair.entities.ensure(50);

        assertThat(pair.entities.queue(0)).isZero();
        assertThat(pair.entities.queue(49)).isEqualTo(EntityLoads.DETACHED);
        assertThat(pair.entities.load(0)).isEqualTo(NICE_0);
    }

    /** Two tasks and two queues. */
    private static final class Pair {
        final EntityLoads entities;
        final QueueLoads queues;
        long now;

        Pair(LoadTracking era) {
            entities = new EntityLoads(2, era.pelt());
            queues = new QueueLoads(era, 2, entities);
        }

        void start(int task, int queue, long weight) {
            entities.beginTask(task, weight);
            queues.attachNew(queue, task, weight, 1024);
            queues.enqueued(task, weight);
        }

        void runAlone(int task, int queue, long weight, long ns) {
            long end = now + ns;
            while (now < end) {
                now = Math.min(end, now + 4 * MS);
                entities.updateTask(task, now, weight, true, true);
                queues.update(queue, now, weight, 1, true);
            }
        }
    }
}
