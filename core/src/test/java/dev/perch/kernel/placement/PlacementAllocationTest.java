package dev.perch.kernel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.perch.kernel.TestKernels;
import dev.perch.model.CpuMask;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A decision allocates nothing once the code is warm. */
class PlacementAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @ValueSource(strings = {"V", "MK", "P1", "3.2", "3.3", "M2", "M2S", "BUD", "3.9"})
    void decisionsAllocateNothing(String policy) {
        Bench bench = new Bench(TestKernels.policy(policy), "2xNHM");
        bench.run(CpuMask.parse("0-4,9,12-15"));
        long smallest = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            smallest = Math.min(smallest, allocatedBy(bench));
        }
        assertThat(smallest).isZero();
    }

    @ParameterizedTest
    @FieldSource("dev.perch.kernel.TestKernels#SCANNING_SEARCHES")
    void searchesAllocateNothing(String search) {
        for (String machine : new String[] {"2xNHM", "K16"}) {
            Bench bench = new Bench(TestKernels.idleSearch(search), machine);
            bench.unlimited();
            bench.run(CpuMask.parse("0-4,9,12-15"));
            long smallest = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                smallest = Math.min(smallest, allocatedBySearchesOf(bench));
            }
            assertThat(smallest).isZero();
        }
    }

    private static long allocatedBySearchesOf(Bench bench) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 20_000; i++) {
            bench.view.hasIdleCores[0] = (i & 512) == 0;
            bench.request.recentCpu = (i >> 2) & 15;
            bench.ask(WakeKind.WAKE, i & 15, (i >> 4) & 15, false);
            bench.rules.selectIdleSibling(bench.request, (i >> 4) & 15, bench.view);
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private static long allocatedBy(Bench bench) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 20_000; i++) {
            bench.wake(i & 15, (i >> 4) & 15, (i & 256) == 0);
            bench.place(WakeKind.FORK, i & 15);
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
