package dev.perch.kernel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TestKernels;
import dev.perch.kernel.TestMachines;
import dev.perch.model.CpuMask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Searches on a machine of unequal CPUs (placement.md 5.8): 0 – 3 have a capacity of 446, 4 and 5 of 700, 6 and 7 of 1024. A task fits
 * below four fifths: 356, 559 and 819.
 */
class CapacitiesTest {
    private static final int[] CAPACITY = {446, 446, 446, 446, 700, 700, 1024, 1024};

    private static Bench bench(String search) {
        Bench bench = new Bench(
                TestKernels.idleSearch(search),
                TestMachines.named("FLAT8").withCapacities(CAPACITY),
                CpuMask.range(0, 7));
        System.arraycopy(CAPACITY, 0, bench.view.capacity, 0, 8);
        System.arraycopy(CAPACITY, 0, bench.view.originalCapacity, 0, 8);
        bench.unlimited();
        return bench;
    }

    private static int search(Bench bench, int prev, int target, int util) {
        bench.ask(WakeKind.WAKE, target, prev, false);
        bench.request.wakeeUtil = util;
        bench.request.recentCpu = prev;
        return bench.rules.selectIdleSibling(bench.request, target, bench.view);
    }

    @ParameterizedTest
    @CsvSource({"5.6, 0, 0", "5.7, 4, 6", "5.10, 4, 6", "5.16, 4, 6", "6.1, 4, 6", "6.9, 4, 6"})
    void theFirstIdleCpuThatTheTaskFitsIsTaken(String search, int halfBusy, int busy) {
        Bench bench = bench(search);
        assertThat(search(bench, 0, 0, 356)).isEqualTo(0);
        assertThat(search(bench, 0, 0, 357)).isEqualTo(halfBusy);
        assertThat(search(bench, 0, 0, 700)).isEqualTo(busy);
    }

    @ParameterizedTest
    @CsvSource({"5.7, 1, 5", "5.10, 5, 5", "6.1, 5, 5"})
    void from510OnAnIdlePrevComesBeforeTheScanIfTheTaskFits(String search, int small, int middle) {
        Bench bench = bench(search);
        bench.run(CpuMask.of(0));
        assertThat(search(bench, 5, 0, 100)).isEqualTo(small);
        bench.run(CpuMask.of(4));
        assertThat(search(bench, 5, 0, 500)).isEqualTo(middle);
        assertThat(search(bench, 5, 0, 600)).as("prev is too small").isEqualTo(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5.7", "5.10", "6.1", "6.9"})
    void ofIdleCpusThatAreAllTooSmallTheFirstOfTheLargestIsTaken(String search) {
        Bench bench = bench(search);
        bench.run(CpuMask.of(6, 7));
        assertThat(search(bench, 0, 0, 900)).isEqualTo(4);
        bench.run(CpuMask.of(4, 5));
        assertThat(search(bench, 0, 0, 900)).isEqualTo(0);
        bench.run(CpuMask.range(0, 3));
        assertThat(search(bench, 0, 0, 900)).as("none is idle").isEqualTo(0);
    }

    @ParameterizedTest
    @CsvSource({"6.0, 1", "6.1, 4"})
    void whereOnlyTheMinimumClampIsTooHighTheLargestCpuComesFirstWhateverInterruptsLeaveOfIt(String search, int result) {
        Bench bench = bench(search);
        bench.run(CpuMask.of(0, 5, 6, 7));
        bench.request.uclampMin = 900;
        bench.view.capacity[4] = 440;
        assertThat(search(bench, 0, 0, 350)).isEqualTo(result);
    }

    @ParameterizedTest
    @CsvSource({"6.0, 1", "6.1, 0"})
    void aMaximumClampMakesALargeTaskFit(String search, int unused) {
        Bench bench = bench(search);
        bench.request.uclampMax = 300;
        assertThat(search(bench, 0, 0, 900)).isEqualTo(0);
        bench.request.uclampMax = 400;
        assertThat(search(bench, 0, 0, 900)).isEqualTo(unused == 0 ? 0 : 4);
    }

    @Test
    void aKernelThreadsWakeeHasToFitFrom516On() {
        for (String search : new String[] {"5.15", "5.16"}) {
            Bench bench = bench(search);
            bench.run(CpuMask.of(0));
            bench.request.wakerIsPerCpuKthread = true;
            assertThat(search(bench, 0, 0, 100)).isEqualTo(0);
            assertThat(search(bench, 0, 0, 500)).isEqualTo(search.equals("5.15") ? 0 : 4);
        }
    }
}
