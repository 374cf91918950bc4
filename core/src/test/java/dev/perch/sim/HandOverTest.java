package dev.perch.sim;

import static dev.perch.model.CostItem.ENQUEUE;
import static dev.perch.model.CostItem.IDLE_EXIT;
import static dev.perch.model.CostItem.IPI_DELIVERY;
import static dev.perch.model.CostItem.IPI_HANDLER;
import static dev.perch.model.CostItem.IPI_SEND;
import static dev.perch.model.CostItem.PICK;
import static dev.perch.model.CostItem.PREEMPTION_CHECK;
import static dev.perch.model.CostItem.RUNQUEUE_LOCK;
import static dev.perch.model.CostItem.SWITCH_IDLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.perch.model.CostItem;
import dev.perch.model.HardwareModel;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a wakeup reaches the CPU that was chosen for it, by the examples Q1 to Q8 of placement.md 14.3 and the timelines of scheduler.md 5.10. */
class HandOverTest {
    private static final Settings HALT = SettingsText.with(Specs.QUIET, "idle=halt");

    /** Counts what a wakeup leaves: by whom it is enqueued, and what interrupts there are. */
    private static final class Counts implements SchedEvents {
        private long wakeups;
        private long onTarget;
        private long flags;
        private long calls;
        private long reschedules;

        @Override
        public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
            wakeups++;
            onTarget += cpu == targetCpu ? 1 : 0;
        }

        @Override
        public void wakeIdleWithoutIpi(long ns, int cpu, int targetCpu) {
            flags++;
        }

        @Override
        public void callFunctionIpi(long ns, int cpu) {
            calls++;
        }

        @Override
        public void rescheduleIpi(long ns, int cpu) {
            reschedules++;
        }

        private double share(long count) {
            return (double) count / wakeups;
        }
    }

    private static Counts counts(SimulationSpec spec) {
        Counts counts = new Counts();
        Simulation.run(spec, counts, new TaskNames());
        return counts;
    }

    @ParameterizedTest(name = "{0} on {1}: CPUs {2}, {3}")
    @CsvSource({
        // list: the target enqueues; flag: the event "wake idle without IPI"
        // Q1
        "v3.2, e5620, 3/7, mwait, list, none, resched",
        "v3.9, e5620, 3/7, mwait, direct, none, none",
        "v4.14, e5620, 3/7, mwait, direct, flag, none",
        "v5.15, e5620, 3/7, mwait, direct, flag, none",
        "v6.1, e5620, 3/7, mwait, list, flag, none",
        "v6.6, e5620, 3/7, mwait, list, flag, none",
        "v6.12, e5620, 3/7, mwait, list, flag, none",
        // Q2
        "v3.2, e5620, 3/7, halt, list, none, resched",
        "v3.9, e5620, 3/7, halt, direct, none, resched",
        "v4.14, e5620, 3/7, halt, direct, none, resched",
        "v5.15, e5620, 3/7, halt, direct, none, resched",
        "v6.1, e5620, 3/7, halt, list, none, call",
        "v6.12, e5620, 3/7, halt, list, none, call",
        // Q3: another last-level cache
        "v3.2, q6600, 0/2, mwait, list, none, resched",
        "v3.9, q6600, 0/2, mwait, list, none, resched",
        "v4.14, q6600, 0/2, mwait, list, flag, none",
        "v5.4, q6600, 0/2, mwait, list, flag, none",
        "v5.15, q6600, 0/2, mwait, list, flag, none",
        "v6.1, q6600, 0/2, mwait, list, flag, none",
        "v4.14, q6600, 0/2, halt, list, none, resched",
        "v5.15, q6600, 0/2, halt, list, none, call",
        // Q8
        "'v3.2,NO_TTWU_QUEUE', e5620, 3/7, mwait, direct, none, none",
        "'v5.15,NO_TTWU_QUEUE', q6600, 0/2, mwait, direct, flag, none",
        "'v6.1,NO_TTWU_QUEUE', e5620, 3/7, halt, direct, none, resched"
    })
    void anIdleTargetIsToldAsItsKernelDoes(
            String kernel, String machine, String pins, String idle, String hand, String flag, String interrupt) {
        Settings settings = idle.equals("halt") ? HALT : Specs.QUIET;
        Counts counts = counts(Specs.withOldBalancer(machine, kernel, "tcp-rr:pin=" + pins, settings, ""));

        assertThat(counts.wakeups).isGreaterThan(10_000);
        assertThat(counts.share(counts.onTarget)).isCloseTo(hand.equals("list") ? 1 : 0, within(0.01));
        assertThat(counts.share(counts.flags)).isCloseTo(flag.equals("flag") ? 1 : 0, within(0.01));
        assertThat(counts.share(counts.reschedules)).isCloseTo(interrupt.equals("resched") ? 1 : 0, within(0.01));
        assertThat(counts.share(counts.calls)).isCloseTo(interrupt.equals("call") ? 1 : 0, within(0.01));
    }

    @Test
    void aWakeeThatStillLeavesItsCpuGoesToThatCpusListFrom58() {
        // One cache, and no CPU without a task for long: the only way to a list is that of Q6.
        assertThat(counts(Specs.withOldBalancer("e5620", "v5.7", "pipe*6", Specs.QUIET, "")).calls)
                .isZero();
        assertThat(counts(Specs.withOldBalancer("e5620", "v5.15", "pipe*6", Specs.QUIET, "")).calls)
                .isPositive();
    }

    private static int core(HardwareModel model, CostItem... items) {
        int sum = 0;
        for (CostItem item : items) {
            sum += model.cost(item).coreNs();
        }
        return sum;
    }

    private static double transactionsPerSecond(SimulationSpec spec) {
        return Simulation.run(spec).instances().getFirst().value();
    }

    /** From the choice on; pinned tasks are not searched for from 4.9 on. */
    private static int crossingHop(HardwareModel model) {
        return model.workloadCost("e5620", "tcp-rr", "message").coreNs()
                + core(model, RUNQUEUE_LOCK, ENQUEUE, PREEMPTION_CHECK)
                + model.idleStates().getFirst().realExitNs()
                + core(model, IDLE_EXIT, PICK, SWITCH_IDLE)
                + model.workloadCost("e5620", "tcp-rr", "crossing").coreNs();
    }

    @Test
    void aDirectHopUnder515CostsWhatItCostUnder32() {
        SimulationSpec spec = Specs.withOldBalancer("e5620", "v5.15", "tcp-rr:pin=3/1", Specs.QUIET, "");

        assertThat(transactionsPerSecond(spec))
                .isCloseTo(1e9 / (2 * crossingHop(spec.machine().requireModel())), withinPercentage(0.4));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v6.1", "v6.12"})
    void aHopThroughTheListOfAnIdleCpuPaysForTheListOnTop(String kernel) {
        SimulationSpec spec = Specs.withOldBalancer("e5620", kernel, "tcp-rr:pin=3/1", Specs.QUIET, "");
        HardwareModel model = spec.machine().requireModel();
        int hop = crossingHop(model) + core(model, RUNQUEUE_LOCK);

        assertThat(transactionsPerSecond(spec)).isCloseTo(1e9 / (2 * hop), withinPercentage(0.4));
    }

    @Test
    void aHaltedCpuWorksOffItsListInTheInterrupt() {
        SimulationSpec spec = Specs.withOldBalancer("e5620", "v6.1", "tcp-rr:pin=3/1", HALT, "");
        HardwareModel model = spec.machine().requireModel();
        int hop = crossingHop(model)
                + core(model, RUNQUEUE_LOCK, IPI_SEND, IPI_HANDLER)
                + model.cost(IPI_DELIVERY).wallNs();

        assertThat(transactionsPerSecond(spec)).isCloseTo(1e9 / (2 * hop), withinPercentage(0.4));
    }
}
