package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.sun.management.ThreadMXBean;
import dev.perch.kernel.Kernel;
import dev.perch.kernel.RuleKind;
import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs under the fair schedulers of later kernels, everything else being 3.9's. */
class SchedulersTest {
    private static SimulationSpec spec(String runqueue, String workload, Settings settings, String cpuset) {
        SimulationSpec spec = Specs.spec("e5620", "v3.9,NO_TTWU_QUEUE", workload, settings, cpuset);
        return new SimulationSpec(
                spec.machine(),
                withRunqueue(spec.kernel(), runqueue),
                spec.workload(),
                spec.settings(),
                spec.cpuset(),
                spec.taskset(),
                spec.randomSeed(),
                spec.warmupNs(),
                spec.durationNs());
    }

    private static Kernel withRunqueue(Kernel kernel, String runqueue) {
        return new Kernel(
                kernel.expression(),
                kernel.name(),
                kernel.version(),
                kernel.patches(),
                kernel.rules().with(RuleKind.RUNQUEUE, runqueue),
                kernel.features(),
                kernel.tunables(),
                kernel.notes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.13", "4.8", "4.15", "5.13", "5.16", "6.1", "6.6", "6.12", "6.18"})
    void aPairOnOneCpuTakesAsLongAHopAsUnderTheFirstScheduler(String runqueue) {
        double first = Simulation.run(spec("3.2", "pipe:pin=3/3", Specs.QUIET, ""))
                .instances()
                .getFirst()
                .value();
        double later = Simulation.run(spec(runqueue, "pipe:pin=3/3", Specs.QUIET, ""))
                .instances()
                .getFirst()
                .value();

        // EEVDF lets a wakee preempt that is owed time, and a wakeup of a delayed task saves the search for a CPU
        boolean deadlines = List.of("6.6", "6.12", "6.18").contains(runqueue);
        assertThat(later).isCloseTo(first, withinPercentage(deadlines ? 6 : 0.5));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.2", "5.16", "6.1", "6.6", "6.12", "6.18"})
    void threeHogsOnOneCpuGetAThirdEach(String runqueue) {
        SimulationSpec one = spec(runqueue, "hog*3", Specs.QUIET, "");
        SimulationSpec spec = new SimulationSpec(
                one.machine(),
                one.kernel(),
                one.workload(),
                one.settings(),
                CpuMask.empty(),
                CpuMask.of(3),
                1,
                0,
                3_000_000_000L);
        for (SimulationResult.Instance hog : Simulation.run(spec).instances()) {
            // nominal ms of work a second
            assertThat(hog.value()).isCloseTo(1000 / 3.0, within(12.0));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.13", "5.16", "6.1", "6.6", "6.12", "6.18"})
    void pairsAndHogsOnAllCpusRunTheSameEveryTimeAndSleepersAreSeenToSleep(String runqueue) {
        SimulationSpec spec = spec(runqueue, "tcp-rr*4+pipe*2+hog*10", Settings.DEFAULT, "1-3,5-7");
        Sleepers sleepers = new Sleepers();
        SimulationResult result = Simulation.run(spec, sleepers, new TaskNames());

        assertThat(Simulation.run(spec).digest()).isEqualTo(result.digest());
        assertThat(result.instances())
                .allSatisfy(instance -> assertThat(instance.operations()).isPositive());
        assertThat(sleepers.asleep).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"5.16", "6.6", "6.12", "6.18"})
    void theEventLoopAllocatesNothingAfterWarmUp(String runqueue) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        SimulationSpec spec = spec(runqueue, "tcp-rr*3+hog*8", Settings.DEFAULT, "1-3,5-7");
        Run run = new Run(spec, Simulation.NO_LISTENER);
        run.begin();
        run.advance(300_000_000);
        long before = threads.getCurrentThreadAllocatedBytes();
        run.advance(900_000_000);

        // what the compiler's deoptimisations and the measurement itself take does not grow with the events
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000);
    }

    /** Whoever wakes up was seen to go to sleep, and nobody runs in his sleep. */
    private static final class Sleepers implements SchedEvents {
        private final boolean[] sleeps = new boolean[200];
        private long asleep;

        @Override
        public void switched(
                long ns, int cpu, int previous, int previousPrio, TaskState previousState, int next, int nextPrio) {
            boolean wentToSleep = previousState == TaskState.SLEEPING;
            sleeps[previous] = wentToSleep;
            asleep += wentToSleep ? 1 : 0;
            assertThat(sleeps[next] && next != 0).isFalse();
        }

        @Override
        public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
            sleeps[wakee] = false;
        }
    }
}
