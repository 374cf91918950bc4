package dev.perch.sim;

import static dev.perch.model.CostItem.DEQUEUE;
import static dev.perch.model.CostItem.ENQUEUE;
import static dev.perch.model.CostItem.PICK;
import static dev.perch.model.CostItem.PREEMPTION_CHECK;
import static dev.perch.model.CostItem.PROBE;
import static dev.perch.model.CostItem.RUNQUEUE_LOCK;
import static dev.perch.model.CostItem.SWITCH_PROCESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.perch.model.CostItem;
import dev.perch.model.HardwareModel;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import org.junit.jupiter.api.Test;

/** What a pair over futexes does on one CPU, and what it costs, added up by hand as in {@link SimulationTest}. */
class FutexPairTest {
    private static final long DURATION = 200_000_000;

    /** Counts wakeups. */
    private static final class Wakings implements SchedEvents {
        private long count;

        @Override
        public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
            count++;
        }
    }

    private static int core(HardwareModel model, CostItem... items) {
        int sum = 0;
        for (CostItem item : items) {
            sum += model.cost(item).coreNs();
        }
        return sum;
    }

    private record Outcome(HardwareModel model, double ns, double wakeups) {}

    private static Outcome run(String kernel) {
        SimulationSpec spec =
                Specs.lasting(Specs.spec("e5620", kernel, "futex-pair:pin=3/3", Specs.QUIET, ""), DURATION);
        Wakings wakings = new Wakings();
        SimulationResult.Instance instance =
                Simulation.run(spec, wakings, new TaskNames()).instances().getFirst();
        return new Outcome(
                spec.machine().requireModel(), instance.value() * 1000, (double) wakings.count / instance.operations());
    }

    @Test
    void withoutPreemptionEachEndSleepsUntilItIsWoken() {
        assertThat(run("v3.8,NO_WAKEUP_PREEMPTION").wakeups).isCloseTo(2, withinPercentage(1));
    }

    @Test
    void anEndThatIsPreemptedByTheOtherFindsItsAnswerAndIsNotWoken() {
        // A wakes B, which runs at once, answers a task that waits for nothing yet, and sleeps; A goes on and finds the
        // answer
        Outcome outcome = run("v3.2-rc1,NO_TTWU_QUEUE");
        // the search looks at the CPU itself, and again in each of the two domains, where affinity leaves no other
        int operation =
                4 * outcome.model.workloadCost("e5620", "system-calls", "futex").coreNs()
                        + core(outcome.model, PROBE, PROBE, PROBE, RUNQUEUE_LOCK, ENQUEUE, PREEMPTION_CHECK)
                        + core(outcome.model, DEQUEUE, PICK, PICK, SWITCH_PROCESS, SWITCH_PROCESS);
        assertThat(outcome.ns).isCloseTo(operation, withinPercentage(0.4));
        assertThat(outcome.wakeups).isCloseTo(1, withinPercentage(1));
    }
}
