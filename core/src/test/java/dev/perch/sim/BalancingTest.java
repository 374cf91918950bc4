package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import dev.perch.kernel.Kernel;
import dev.perch.kernel.RuleKind;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs under the balancers of later kernels, with the runqueues and domains that go with them; wakeups are 3.9's. */
class BalancingTest {
    private static SimulationSpec spec(
            String machine, String balance, String runqueue, String workload, long warmupNs) {
        SimulationSpec spec = Specs.spec(machine, "v3.9,NO_TTWU_QUEUE", workload, Settings.DEFAULT, "");
        Kernel kernel = spec.kernel();
        return new SimulationSpec(
                spec.machine(),
                new Kernel(
                        kernel.expression(),
                        kernel.name(),
                        kernel.version(),
                        kernel.patches(),
                        kernel.rules()
                                .with(RuleKind.RUNQUEUE, runqueue)
                                .with(RuleKind.SCHED_DOMAINS, balance.equals("3.13") ? "3.12" : "5.18")
                                .with(RuleKind.BALANCE, balance)
                                .with(RuleKind.NOHZ_KICK, balance.equals("3.13") ? "3.3" : "5.5"),
                        kernel.features(),
                        kernel.tunables(),
                        kernel.notes()),
                spec.workload(),
                spec.settings(),
                spec.cpuset(),
                spec.taskset(),
                spec.randomSeed(),
                warmupNs,
                1_000_000_000);
    }

    @ParameterizedTest
    @CsvSource({"3.13, 3.13", "5.5, 4.15", "5.5, 5.16", "6.1, 6.1", "6.1, 6.6", "6.12, 6.12", "6.12, 6.18"})
    void asManyHogsAsCoresGetOneEach(String balance, String runqueue) {
        Residents residents = new Residents();
        SimulationResult result =
                Simulation.run(spec("e5620", balance, runqueue, "hog*4", 500_000_000), residents, new TaskNames());

        for (int core = 0; core < 4; core++) {
            assertThat(residents.busy(core) + residents.busy(core + 4)).isEqualTo(1);
        }
        for (SimulationResult.Instance hog : result.instances()) {
            // nominal ms of work a second; a turbo clock gives more
            assertThat(hog.value()).isGreaterThan(950);
        }
    }

    @ParameterizedTest
    @CsvSource({"5.5, 5.16", "6.1, 6.1", "6.12, 6.12", "6.12, 6.18"})
    void asManyHogsAsCpusGetOneEach(String balance, String runqueue) {
        for (String machine : new String[] {"q6600", "e5620"}) {
            Residents residents = new Residents();
            int cpus = machine.equals("q6600") ? 4 : 8;
            SimulationSpec spec = spec(machine, balance, runqueue, "hog*" + cpus, 500_000_000);
            SimulationResult result = Simulation.run(spec, residents, new TaskNames());

            for (int cpu = 0; cpu < cpus; cpu++) {
                assertThat(residents.busy(cpu)).isEqualTo(1);
            }
            double least = Double.MAX_VALUE;
            double most = 0;
            for (SimulationResult.Instance hog : result.instances()) {
                least = Math.min(least, hog.value());
                most = Math.max(most, hog.value());
            }
            assertThat(least).isCloseTo(most, within(most / 50));
        }
    }

    @ParameterizedTest
    @CsvSource({"5.5, 5.16", "6.12, 6.12"})
    void theEventLoopAllocatesNothingAfterWarmUp(String balance, String runqueue) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Run run = new Run(spec("e5620", balance, runqueue, "tcp-rr*3+hog*8", 0), Simulation.NO_LISTENER);
        run.begin();
        run.advance(300_000_000);
        long before = threads.getCurrentThreadAllocatedBytes();
        run.advance(900_000_000);

        // what the compiler's deoptimisations and the measurement itself take does not grow with the events
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000);
    }

    /** Who runs on each CPU when no housekeeping does. */
    private static final class Residents implements SchedEvents {
        private final int[] current = new int[64];

        @Override
        public void switched(
                long ns, int cpu, int previous, int previousPrio, TaskState previousState, int next, int nextPrio) {
            current[cpu] = next;
        }

        int busy(int cpu) {
            return current[cpu] == 0 ? 0 : 1;
        }
    }
}
