package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.sim.workload.Workload;
import dev.perch.sim.workload.Workload.Shared;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Expected: spec scheduler.md 9.1 (not sync), and what POSIX says of each. */
class FutexesTest {
    private static final int A = 1;
    private static final int B = 2;
    private static final int C = 3;

    private final Shared shared =
            new Shared(0, 0, 0, List.of(new Workload.Semaphore(0, 1)), 4, List.of(3), 1, 0, List.of(), List.of());
    private final WaitQueues queues = new WaitQueues(Futexes.queueCount(shared), 5);
    private final long[] mark = new long[5];
    private final Futexes futexes = new Futexes(shared, 5, queues, 0, mark);

    @Test
    void aPostHandsTheUnitToWhoWaitsLongestAndIsNotSync() {
        assertThat(futexes.await(0, A)).isFalse();
        assertThat(futexes.await(0, B)).isFalse();
        futexes.post(0, 1, C, 70);
        assertThat(queues.isSync(C)).isFalse();
        assertThat(queues.nextToWake(C)).isEqualTo(A);
        assertThat(queues.nextToWake(C)).isEqualTo(WaitQueues.NOBODY);
        assertThat(futexes.await(0, A)).isTrue();
        assertThat(mark[A]).isEqualTo(70);
    }

    @Test
    void aBinarySemaphoreRemembersOnePost() {
        futexes.post(0, 1, C, 1);
        futexes.post(0, 5, C, 2);
        assertThat(futexes.await(0, A)).isTrue();
        assertThat(mark[A]).isEqualTo(2);
        assertThat(futexes.await(0, A)).isFalse();
    }

    @Test
    void aFreedLockGoesToWhoComesFirst() {
        assertThat(futexes.lock(0, A)).isTrue();
        assertThat(futexes.lock(0, B)).isFalse();
        futexes.unlock(0, A);
        assertThat(queues.nextToWake(A)).isEqualTo(B);
        assertThat(futexes.lock(0, C)).isTrue();
        assertThat(futexes.lock(0, B)).isFalse();
    }

    @Test
    void theLockOfACpuIsThatOfTheFirstTry() {
        assertThat(futexes.lockOfCpu(1, 2, A)).isTrue();
        assertThat(futexes.lockOfCpu(1, 2, B)).isFalse();
        futexes.unlockOfCpu(A);
        assertThat(queues.nextToWake(A)).isEqualTo(B);
        assertThat(futexes.lockOfCpu(1, 0, B)).isTrue();
        assertThat(futexes.lock(3, C)).isFalse();
    }

    @Test
    void aBarrierLetsAllGoWhenTheLastOneComes() {
        assertThat(futexes.arrive(0, A)).isFalse();
        assertThat(futexes.arrive(0, B)).isFalse();
        assertThat(futexes.arrive(0, C)).isTrue();
        assertThat(queues.isSync(C)).isFalse();
        assertThat(queues.nextToWake(C)).isEqualTo(A);
        assertThat(queues.nextToWake(C)).isEqualTo(B);
        assertThat(futexes.arrive(0, A)).isTrue();
        assertThat(futexes.arrive(0, A)).isFalse();
    }

    @Test
    void whoWaitsForAConditionFreesTheLockAndMissesNoSignal() {
        assertThat(futexes.lock(0, A)).isTrue();
        assertThat(futexes.lock(0, B)).isFalse();
        assertThat(futexes.awaitCondition(0, 0, A)).isFalse();
        assertThat(queues.nextToWake(A)).isEqualTo(B);
        assertThat(futexes.awaitCondition(0, 0, A)).isFalse();
        futexes.signal(0, Integer.MAX_VALUE, B, 5);
        assertThat(queues.nextToWake(B)).isEqualTo(A);
        assertThat(futexes.awaitCondition(0, 0, A)).isTrue();
    }
}
