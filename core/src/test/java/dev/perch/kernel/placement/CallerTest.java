package dev.perch.kernel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.RuleKind;
import dev.perch.kernel.TestMachines;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is asked: pinned tasks, shortcuts and the walk of the eras (placement.md 0.5, 4, 5.6, 7.4), worked by hand. */
class CallerTest {
    private static List<PlacementStep> stepsOf(Bench bench) {
        List<PlacementStep> steps = new ArrayList<>();
        bench.view.listenWith((step, cpu, taken) -> {
            if (taken) {
                steps.add(step);
            }
        });
        return steps;
    }

    /** 0.5: the table of steps 4 and 5; the task ran on 1, the waker is on 3, and only 5 is allowed. */
    @ParameterizedTest
    @CsvSource({
        "3.2, AFFINE_DOMAIN FALLBACK",
        "3.3, PINNED FALLBACK",
        "3.12, PINNED FALLBACK",
        "4.0, PINNED FALLBACK",
        "4.3, PINNED FALLBACK",
        "4.9, PINNED VALIDITY",
        "5.9, PINNED VALIDITY",
        "6.18, PINNED VALIDITY"
    })
    void aPinnedTaskGetsItsCpuByTheErasRule(String era, String steps) {
        Bench bench = new Bench(Eras.named(era), "E5620");
        bench.run(3, 1, 1024);
        bench.request.allow(CpuMask.of(5));
        List<PlacementStep> taken = stepsOf(bench);
        assertThat(bench.wake(3, 1, false)).isEqualTo(5);
        taken.remove(PlacementStep.AFFINE_DOMAIN);
        assertThat(taken)
                .containsExactlyElementsOf(Arrays.stream(steps.split(" "))
                        .filter(step -> !step.equals("AFFINE_DOMAIN"))
                        .map(PlacementStep::valueOf)
                        .toList());
        assertThat(bench.view.probeCount).isZero();
    }

    /** 4.5: a node beyond the reclaim distance has no affine domain with this. */
    @ParameterizedTest
    @CsvSource({"3.9, 0", "3.12, 0", "4.0, 1", "4.3, 1", "4.9, 1", "5.15, 1", "6.18, 1"})
    void withoutAnAffineDomainPrevIsSearchedAroundFrom40(String era, int chosen) {
        Topology far = TestMachines.nodes(4, new int[][] {{10, 31}, {31, 10}});
        Bench bench = new Bench(Eras.named(era), far, far.cpus());
        Arrays.fill(bench.view.avgIdle, 1_000_000);
        Arrays.fill(bench.view.wakeAvgIdle, 1_000_000);
        Arrays.fill(bench.view.nrIdleScan, 4);
        bench.run(0, 1, 1024);
        assertThat(bench.wake(4, 0, true)).isEqualTo(chosen);
    }

    @ParameterizedTest
    @CsvSource({"5.15, 1", "6.6, 3", "6.18, 3"})
    void aWakeupMayAskForTheWakersCpuFrom66(String era, int chosen) {
        Bench bench = new Bench(Eras.named(era), "E5620");
        bench.run(3, 2, 1024);
        bench.request.currentCpu = true;
        assertThat(bench.wake(3, 1, false)).isEqualTo(chosen);
        bench.request.allow(CpuMask.parse("0-2"));
        assertThat(bench.wake(3, 1, false)).isEqualTo(1);
    }

    /** 5.6, last column but one. */
    @ParameterizedTest
    @CsvSource({"4.3, 0", "4.16, 3", "5.4, 3", "5.7, 3", "5.14, 3", "5.15, 0", "6.18, 0"})
    void theWakersCpuIsNotedAsRecentUntil514(String era, int recent) {
        Bench bench = new Bench(Eras.named(era), "E5620");
        bench.run(3, 1, 1024);
        bench.wake(3, 1, false);
        assertThat(bench.request.wakerRecentCpu).isEqualTo(recent);
    }

    @Test
    void aWideWakerLeavesNoRecentCpuBehind() {
        Bench bench = new Bench(Eras.named("5.11"), "E5620");
        bench.run(3, 1, 1024);
        bench.request.wakeeFlips = 8;
        bench.request.wakerFlips = 64;
        bench.wake(3, 1, false);
        assertThat(bench.request.wakerRecentCpu).isZero();
    }

    /**
     * 4.5: a task of 500 does not fit 512 with a quarter to spare, one of 409 does. A restricted wakeup takes the slow path, since levels
     * of unequal capacities have balance-wake to 5.6.
     */
    @ParameterizedTest
    @CsvSource({"4.3, 500, false", "4.9, 500, true", "4.9, 409, false", "5.6, 500, true", "5.7, 500, false"})
    void aTaskTooBigForPrevTakesTheSlowPath(String era, int util, boolean slow) {
        int[] capacities = {512, 512, 512, 512, 1024, 1024, 1024, 1024};
        Topology big = TestMachines.named("FLAT8").withCapacities(capacities);
        Bench bench = new Bench(Eras.named(era), big, big.cpus());
        System.arraycopy(capacities, 0, bench.view.originalCapacity, 0, 8);
        System.arraycopy(capacities, 0, bench.view.capacity, 0, 8);
        bench.run(4, 1, 1024);
        bench.request.wakeeUtil = util;
        bench.request.wakeeUtilAvg = util;
        List<PlacementStep> taken = stepsOf(bench);
        int chosen = bench.wake(4, 0, false);
        assertThat(taken.contains(PlacementStep.WAKE_CAP)).isEqualTo(slow);
        assertThat(taken.contains(PlacementStep.IDLEST_CPU)).isEqualTo(slow);
        assertThat(!slow || chosen >= 5).isTrue();
    }

    private static Bench balanceMap(String era, String machine) {
        return new Bench(Eras.with(Eras.named(era), RuleKind.CALLER, "balance-map"), machine);
    }

    /** 4.1, step 2a: the kernel pulls to this and takes the idle core {5,13}. */
    @ParameterizedTest
    @ValueSource(strings = {"3.7", "3.9"})
    void theBalanceMapSearchesAroundPrevBeforeItAsksLoads(String era) {
        Bench kernel = new Bench(Eras.named(era), "2xNHM");
        kernel.run(4, 1, 1024);
        assertThat(kernel.wake(4, 0, true)).isEqualTo(5);
        Bench map = balanceMap(era, "2xNHM");
        map.run(4, 1, 1024);
        assertThat(map.wake(4, 0, true)).isEqualTo(0);
        map.run(0, 1, 1024);
        assertThat(map.wake(4, 0, true)).isEqualTo(1);
    }

    /** 4.1, steps 2b – 2d: prev's cache is full, this one has idle cores. */
    @Test
    void theBalanceMapPullsOnlyToAnIdleCpuAndIfLoadsAgree() {
        Bench bench = balanceMap("3.9", "2xNHM");
        bench.run(CpuMask.parse("0-4,8-11"));
        assertThat(bench.wake(4, 0, true)).isEqualTo(5);
        assertThat(bench.wake(4, 0, false)).isEqualTo(0);
        bench.request.allow(CpuMask.parse("0-3,5-15"));
        assertThat(bench.wake(4, 0, true)).isEqualTo(0);
        bench.request.allow(bench.topology.cpus());
        bench.run(bench.topology.cpus());
        assertThat(bench.wake(4, 0, true)).isEqualTo(0);
        assertThat(bench.wake(4, 4, true)).isEqualTo(4);
    }

    /** 4.1, step 3, by the load comparison of F1: node 1, its core {5,13} seen from 4, then the other thread of that. */
    @Test
    void theBalanceMapLeadsForksDownTheLevels() {
        Bench bench = balanceMap("3.9", "2xNHM");
        bench.run(0, 1, 1024);
        assertThat(bench.place(WakeKind.FORK, 0)).isEqualTo(13);
        bench.run(CpuMask.range(0, 15));
        assertThat(bench.place(WakeKind.EXEC, 0)).isEqualTo(0);
    }

    @Test
    void theBalanceMapLeavesPinnedTasksAndIsolatedCpusAlone() {
        Bench bench = balanceMap("3.9", "E5620");
        bench.request.allow(CpuMask.of(1));
        assertThat(bench.wake(3, 1, true)).isEqualTo(1);
        assertThat(bench.view.probeCount).isZero();
        Kernel kernel = Eras.with(Eras.named("3.9"), RuleKind.CALLER, "balance-map");
        Bench isolated = new Bench(kernel, TestMachines.named("E5620"), CpuMask.range(0, 2));
        assertThat(isolated.wake(7, 1, true)).isEqualTo(1);
        assertThat(isolated.place(WakeKind.FORK, 7)).isEqualTo(7);
    }

    /** 4.1b. */
    @ParameterizedTest
    @ValueSource(strings = {"3.2", "3.9", "4.3", "4.13", "5.15", "6.18"})
    void wakeOnCurrentKeepsASyncWakeupWithItsLonelyWaker(String era) {
        Bench bench = new Bench(Eras.named(era, "WAKE_ON_CURRENT"), "E5620");
        bench.run(3, 1, 1024);
        assertThat(bench.wake(3, 1, true)).isEqualTo(3);
        assertThat(bench.wake(3, 1, false)).isEqualTo(1);
        bench.request.allow(CpuMask.parse("0-2"));
        assertThat(bench.wake(3, 1, true)).isNotEqualTo(3);
    }

    @Test
    void wakeOnCurrentLeavesTheRestToTheKernel() {
        Bench bench = new Bench(Eras.named("3.9", "WAKE_ON_CURRENT"), "E5620");
        bench.run(3, 2, 1024);
        assertThat(bench.wake(3, 1, true)).isEqualTo(1);
        assertThat(bench.place(WakeKind.FORK, 3)).isNotEqualTo(3);
        Bench off = new Bench(Eras.named("3.9", "NO_WAKE_ON_CURRENT"), "E5620");
        off.run(3, 1, 1024);
        assertThat(off.wake(3, 1, true)).isEqualTo(1);
    }
}
