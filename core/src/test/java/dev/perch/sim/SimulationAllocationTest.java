package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tcp-rr",
                "tcp-rr*3+hog*2",
                "pipe*2",
                "socketpair*2+futex-pair",
                "hackbench:groups=2,loops=1000000",
                "messaging:groups=2,loops=1000000",
                "tbench:clients=4",
                "schbench+semaphore",
                "oltp+futex+periodic"
            })
    void theEventLoopAllocatesNothingAfterWarmUp(String workload) {
        allocatesNothing(Specs.spec("e5620", "v3.2-rc1", workload, Settings.DEFAULT, "1-3,5-7"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v3.12", "v5.4", "v6.1", "v6.12"})
    void norDoesItUnderLaterKernelsWithAllThatTheirRulesRead(String kernel) {
        allocatesNothing(Specs.withOldBalancer("e5620", kernel, "tcp-rr*3+pipe*3+hog*2", Settings.DEFAULT, "1-3,5-7"));
    }

    private static void allocatesNothing(SimulationSpec spec) {
        Run run = new Run(spec, Simulation.NO_LISTENER);
        run.begin();
        run.advance(500_000_000);
        long eventsBefore = run.queue.taken();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        run.advance(1_500_000_000);
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        long events = run.queue.taken() - eventsBefore;

        assertThat(events).isGreaterThan(500_000);
        // what the compiler's deoptimisations and the measurement itself take does not grow with the events
        assertThat(allocated).isLessThan(20_000);
    }
}
