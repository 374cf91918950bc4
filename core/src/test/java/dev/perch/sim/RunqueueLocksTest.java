package dev.perch.sim;

import static dev.perch.model.CostItem.ENQUEUE;
import static dev.perch.model.CostItem.IDLE_EXIT;
import static dev.perch.model.CostItem.PICK;
import static dev.perch.model.CostItem.PREEMPTION_CHECK;
import static dev.perch.model.CostItem.PROBE;
import static dev.perch.model.CostItem.RUNQUEUE_LOCK;
import static dev.perch.model.CostItem.SWITCH_IDLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.perch.machines.Machines;
import dev.perch.model.CostItem;
import dev.perch.model.HardwareModel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who waits for a runqueue's lock and what its way between CPUs costs, added up by hand from scheduler.md 5.3, 5.7 and 5.9. */
class RunqueueLocksTest {
    /** What a line costs beyond what is hidden, between neighbouring sockets of the eight: 120 - 52 ns. */
    private static final int ONE_HOP = 68;

    private RunqueueLocks locks;

    @BeforeEach
    void makeLocks() {
        locks = new RunqueueLocks(new CostTable(Machines.find("nehalem-ex-8s", Specs.HOME)), 128);
    }

    @Test
    void aFreeLockIsTakenAtOnce() {
        assertThat(locks.waitFor(3, 1, 1000, 150)).isZero();
        assertThat(locks.waitFor(4, 1, 1000, 150)).isZero();
        assertThat(locks.waitFor(3, 2, 1150, 150)).isZero();
    }

    @Test
    void threeWakersThatComeTogetherTakeTurns() {
        assertThat(locks.waitFor(3, 0, 1000, 150)).isZero();
        assertThat(locks.waitFor(3, 1, 1000, 150)).isEqualTo(150);
        assertThat(locks.waitFor(3, 2, 1010, 150)).isEqualTo(290);
        assertThat(locks.waitFor(3, 4, 1500, 150)).isZero();
    }

    @Test
    void whoIsDoneBeforeThePlannedHolderComesDoesNotWaitForIt() {
        locks.waitFor(3, 0, 2000, 150);

        assertThat(locks.waitFor(3, 1, 1700, 150)).isZero();
        assertThat(locks.waitFor(3, 1, 1900, 150)).isEqualTo(250);
    }

    @Test
    void aCpuDoesNotWaitForItselfAndKeepsWhatItHas() {
        assertThat(locks.takeOwn(3, 1000, 600)).isZero();
        assertThat(locks.takeOwn(3, 1200, 100)).isZero();

        assertThat(locks.waitFor(3, 1, 1200, 150)).isEqualTo(400);
    }

    @Test
    void aCpuFetchesTheLockFromWhoeverHeldItLast() {
        locks.waitFor(3, 8, 1000, 150); // of the next socket
        assertThat(locks.takeOwn(3, 2000, 300)).isEqualTo(ONE_HOP);
        assertThat(locks.takeOwn(3, 3000, 300)).isZero();

        locks.waitFor(3, 1, 4000, 150); // of the same socket, where lines are hidden
        assertThat(locks.takeOwn(3, 5000, 300)).isZero();
    }

    @Test
    void aHopBetweenSocketsBringsTheLockThereAndBack() {
        SimulationSpec spec = Specs.spec("nehalem-ex-8s", "v3.2-rc1,NO_TTWU_QUEUE", "tcp-rr:pin=0/8", Specs.QUIET, "");
        HardwareModel model = spec.machine().requireModel();
        int hop = cost(model, "message")
                + core(model, PROBE, RUNQUEUE_LOCK, ENQUEUE, PREEMPTION_CHECK)
                + model.cost(ENQUEUE).lines() * ONE_HOP
                + model.idleStates().getFirst().realExitNs()
                + core(model, IDLE_EXIT, PICK, SWITCH_IDLE)
                + ONE_HOP // the lock that the waker had
                + cost(model, "crossing")
                + model.workloadCost("nehalem-ex-8s", "tcp-rr", "crossing").lines() * ONE_HOP;

        assertThat(Simulation.run(spec).instances().getFirst().value())
                .isCloseTo(1e9 / (2 * hop), withinPercentage(0.3));
    }

    private static int cost(HardwareModel model, String name) {
        return model.workloadCost("nehalem-ex-8s", "tcp-rr", name).coreNs();
    }

    private static int core(HardwareModel model, CostItem... items) {
        int sum = 0;
        for (CostItem item : items) {
            sum += model.cost(item).coreNs();
        }
        return sum;
    }
}
