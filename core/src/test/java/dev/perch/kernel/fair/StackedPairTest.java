package dev.perch.kernel.fair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TaskTable;
import org.junit.jupiter.api.Test;

/**
 * Two tasks on one CPU that wake each other in turn, under delayed dequeue (6.12; scheduler.md 2.6, computed by hand in the comments). A task
 * that owes time stays on the queue when it sleeps and is woken in place; one that is owed time leaves it and is placed at each wakeup, until it has had
 * what it was owed. Recordings of 6.12.117 show both: of the wakeups of pipe partners on their waker's own CPU, 139 of
 * 150, 646 of 938, 625 of 1219 and 61 of 722 were not placed.
 */
class StackedPairTest {
    private static final long US = 1000;
    private static final int A = 1;
    private static final int B = 2;

    private final TaskTable tasks = new TaskTable(4);
    private final Runqueue queue = TestQueues.one("6.12", tasks, 8, "");
    private long now;

    StackedPairTest() {
        LoadWeights.assign(tasks, A, TaskTable.POLICY_NORMAL, 0);
        LoadWeights.assign(tasks, B, TaskTable.POLICY_NORMAL, 0);
    }

    /** @return whether the wakee takes the CPU */
    private boolean wake(int task) {
        queue.refresh(now);
        if (tasks.delayed[task]) {
            queue.requeueDelayed(task);
        } else {
            queue.enqueueWakeup(task);
        }
        return queue.checkPreempt(task);
    }

    private void sleep(int task) {
        queue.refreshForSwitch(now);
        queue.dequeueSleep(task);
        queue.schedule(now);
    }

    /**
     * A wakes B at v = 2, where B is placed, and sleeps at 3: V = 2.5, so it owes 0.5 and stays. B wakes it at v = 4: V counts B's 2 still, as B is not
     * charged for the wakeup of a delayed task, so A is owed nothing and stays where it is; then B is charged, V = 3.5, and A takes the CPU. It sleeps at
     * 6, V = 5; B wakes it at 7, V = 6.5; and so on.
     */
    @Test
    void aPairThatOwesNothingAtFirstIsWokenInPlaceForEver() {
        wake(A);
        queue.schedule(now);
        now += 2 * US;
        assertThat(wake(B)).isFalse();
        now += US;
        sleep(A);
        now += 2 * US;
        for (int round = 0; round < 200; round++) {
            assertThat(tasks.delayed[A]).isTrue();
            assertThat(queue.current()).isEqualTo(B);
            assertThat(wake(A)).isTrue();
            assertThat(queue.schedule(now)).isEqualTo(A);
            assertThat(tasks.vruntime[B] - tasks.vruntime[A]).isEqualTo(US);
            now += 3 * US;
            sleep(A);
            now += 3 * US;
        }
    }

    /** B comes 2 · lag behind A, so that V is lag behind A, who gives way. In B's 2 µs V moves by 1: so much less is B owed when it leaves. */
    @Test
    void aPartnerThatIsOwedTimeIsPlacedAndPreemptsUntilItHasHadIt() {
        wake(A);
        queue.schedule(now);
        tasks.lag[B] = 100 * US;
        for (int owed = 100; owed > 0; owed--) {
            now += 4 * US;
            assertThat(wake(B)).isTrue();
            assertThat(queue.schedule(now)).isEqualTo(B);
            now += 2 * US;
            sleep(B);
            assertThat(tasks.delayed[B]).isFalse();
            assertThat(tasks.lag[B]).isEqualTo((owed - 1) * US);
            assertThat(queue.current()).isEqualTo(A);
        }
        now += 4 * US;
        assertThat(wake(B)).isFalse();
    }
}
