package dev.perch.sim;

import static dev.perch.model.CostItem.DEQUEUE;
import static dev.perch.model.CostItem.ENQUEUE;
import static dev.perch.model.CostItem.IDLE_EXIT;
import static dev.perch.model.CostItem.IPI_DELIVERY;
import static dev.perch.model.CostItem.IPI_HANDLER;
import static dev.perch.model.CostItem.IPI_SEND;
import static dev.perch.model.CostItem.PICK;
import static dev.perch.model.CostItem.PREEMPTION_CHECK;
import static dev.perch.model.CostItem.PROBE;
import static dev.perch.model.CostItem.RUNQUEUE_LOCK;
import static dev.perch.model.CostItem.SWITCH_IDLE;
import static dev.perch.model.CostItem.SWITCH_PROCESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.perch.model.CostItem;
import dev.perch.model.Distance;
import dev.perch.model.HardwareModel;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import org.junit.jupiter.api.Test;

/** What a hop between the two ends of a pair costs can be added up by hand; the simulation must come to the same. */
class SimulationTest {
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

    @Test
    void aHopOnOneCpuCostsTheMessageTheWakeupTheTailAndTheSwitch() {
        SimulationSpec spec = Specs.spec("e5620", "v3.2-rc1,NO_TTWU_QUEUE", "tcp-rr:pin=3/3", Specs.QUIET, "");
        HardwareModel model = spec.machine().requireModel();
        int hop = model.workloadCost("e5620", "tcp-rr", "message").coreNs()
                + core(model, PROBE, RUNQUEUE_LOCK, ENQUEUE, PREEMPTION_CHECK)
                + model.workloadCost("e5620", "tcp-rr", "tail").coreNs()
                + core(model, DEQUEUE, PICK, SWITCH_PROCESS);

        // the ticks take a hundredth of a per cent, the search a mask operation or two
        assertThat(transactionsPerSecond(spec)).isCloseTo(1e9 / (2 * hop), withinPercentage(0.4));
    }

    @Test
    void aHopToAnIdleCpuThatWatchesItsFlagsCostsTheWayOutOfIdleInsteadOfTheTail() {
        SimulationSpec spec = Specs.spec("e5620", "v3.2-rc1,NO_TTWU_QUEUE", "tcp-rr:pin=3/1", Specs.QUIET, "");
        HardwareModel model = spec.machine().requireModel();
        int hop = crossingHop(model);

        assertThat(transactionsPerSecond(spec)).isCloseTo(1e9 / (2 * hop), withinPercentage(0.4));
    }

    @Test
    void aHaltedCpuNeedsAnInterruptOnTop() {
        Settings halt = SettingsText.with(Specs.QUIET, "idle=halt");
        SimulationSpec spec = Specs.spec("e5620", "v3.2-rc1,NO_TTWU_QUEUE", "tcp-rr:pin=3/1", halt, "");
        HardwareModel model = spec.machine().requireModel();
        // timeline of scheduler.md 5.10: I, I', handler
        int hop = crossingHop(model)
                + core(model, IPI_SEND, IPI_HANDLER)
                + model.cost(IPI_DELIVERY).wallNs();

        assertThat(transactionsPerSecond(spec)).isCloseTo(1e9 / (2 * hop), withinPercentage(0.4));
    }

    /** Both ends on cores of one LLC, where lines are hidden. */
    private static int crossingHop(HardwareModel model) {
        return model.workloadCost("e5620", "tcp-rr", "message").coreNs()
                + core(model, PROBE, RUNQUEUE_LOCK, ENQUEUE, PREEMPTION_CHECK)
                + model.idleStates().getFirst().realExitNs()
                + core(model, IDLE_EXIT, PICK, SWITCH_IDLE)
                + model.workloadCost("e5620", "tcp-rr", "crossing").coreNs();
    }

    @Test
    void halfTheClockDoublesWhatScalesWithIt() {
        Settings slow = SettingsText.with(SettingsText.with(Specs.QUIET, "governor=ondemand"), "nohz=on");
        // two ends that are half idle each never ask ondemand for more than the lowest clock
        double low = transactionsPerSecond(Specs.spec("e5620", "v3.2-rc1,NO_TTWU_QUEUE", "tcp-rr:pin=3/1", slow, ""));
        Settings fast = SettingsText.with(Specs.QUIET, "nohz=on");
        double high = transactionsPerSecond(Specs.spec("e5620", "v3.2-rc1,NO_TTWU_QUEUE", "tcp-rr:pin=3/1", fast, ""));
        HardwareModel model =
                Specs.spec("e5620", "v3.2-rc1", "hog", slow, "").machine().requireModel();
        int wall = model.idleStates().getFirst().realExitNs();
        double hopAtHigh = 1e9 / (2 * high);
        double hopAtLow = (hopAtHigh - wall) * 2394 / 1596 + wall;

        assertThat(1e9 / (2 * low)).isCloseTo(hopAtLow, withinPercentage(1));
    }

    @Test
    void ofTwoHogsOnOneMachineEachGetsACoreOfItsOwn() {
        SimulationSpec spec = Specs.spec("e5620", "v3.2-rc1", "hog*2", Specs.QUIET, "");
        for (int seed = 1; seed <= 20; seed++) {
            SimulationResult result = Simulation.run(Specs.seeded(spec, seed));
            for (SimulationResult.Instance hog : result.instances()) {
                // nominal ms of work a second; a shared core gives at most 600, a shared CPU 500
                assertThat(hog.value()).as("seed " + seed).isGreaterThan(900);
            }
        }
    }

    @Test
    void wakeupsAreCountedByTheDistanceFromWakerToChosenCpu() {
        SimulationSpec spec = Specs.spec("e5620", "v3.2-rc1", "tcp-rr:pin=3/7", Specs.QUIET, "");
        SimulationResult result = Simulation.run(spec);

        assertThat(result.wakeups()).isPositive();
        assertThat(result.wakeupsByDistance()[Distance.SMT.ordinal()]).isEqualTo(result.wakeups());
        assertThat(result.bounced()).isZero();
        assertThat(result.instances().getFirst().state()).isEqualTo("smt, stays");
    }

    @Test
    void everyTransactionIsTwoWakeups() {
        SimulationResult result = Simulation.run(Specs.spec("e5620", "v3.2-rc1", "tcp-rr:pin=3/1", Specs.QUIET, ""));
        long operations = result.instances().getFirst().operations();

        assertThat(result.wakeups()).isBetween(2 * operations - 2, 2 * operations + 2);
    }

    @Test
    void remoteWakeupsThroughTheWakeListSendAnInterruptEvenToAWatchingCpu() {
        assertThat(interrupts("v3.2", Specs.QUIET)).isPositive();
        assertThat(interrupts("v3.2,NO_TTWU_QUEUE", Specs.QUIET)).isZero();
        // from 3.3 on only across caches, and e5620 has one
        assertThat(interrupts("v3.3", Specs.QUIET)).isZero();
        assertThat(interrupts("v3.3", SettingsText.with(Specs.QUIET, "idle=halt")))
                .isPositive();
    }

    private static long interrupts(String kernel, Settings settings) {
        long[] sent = new long[1];
        SchedEvents counter = new SchedEvents() {
            @Override
            public void ipiSent(long ns, int cpu, int targetCpu) {
                sent[0]++;
            }
        };
        Simulation.run(Specs.spec("e5620", kernel, "tcp-rr:pin=3/1", settings, ""), counter, new TaskNames());
        return sent[0];
    }

    @Test
    void timesOfEventsNeverDecreaseAndCpusStayInTheCpuset() {
        long[] last = new long[1];
        SchedEvents checker = new SchedEvents() {
            @Override
            public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
                assertThat(ns).isGreaterThanOrEqualTo(last[0]);
                last[0] = ns;
                if (wakee <= 7) { // the tasks of the workload
                    assertThat(targetCpu).isIn(1, 2, 3, 5, 6, 7);
                }
            }
        };
        SimulationSpec spec = Specs.spec("e5620", "v3.2-rc1+mikie", "tcp-rr*3+hog", Settings.DEFAULT, "1-3,5-7");
        Simulation.run(spec, checker, new TaskNames());
        assertThat(last[0]).isPositive();
    }
}
