package dev.perch.kernel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TestKernels;
import dev.perch.model.CpuMask;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many CPUs the searches may look at (placement.md 5.3, 6.2, 7.1; worked examples Y15 – Y20), and which scans are timed. */
class ScanBudgetTest {
    /** CPUs the scan may look at on K16, one cache of 16, when all are busy; −1 if no limit was told. */
    private static int allowed(Bench bench) {
        List<Integer> told = new ArrayList<>();
        bench.view.listenWith((step, cpu, taken) -> {
            if (step == PlacementStep.BUDGET) {
                told.add(cpu);
            }
        });
        search(bench);
        return told.isEmpty() ? -1 : told.getFirst();
    }

    private static int search(Bench bench) {
        bench.request.recentCpu = 5;
        bench.ask(WakeKind.WAKE, 5, 5, false);
        return bench.rules.selectIdleSibling(bench.request, 5, bench.view);
    }

    private static Bench busy(String search, String... features) {
        Bench bench = new Bench(TestKernels.idleSearch(search, features), "K16");
        bench.run(bench.topology.cpus());
        bench.unlimited();
        return bench;
    }

    @ParameterizedTest
    @CsvSource({"6.0, 0, BUDGET_SPENT", "6.0, 4, BUDGET_SPENT", "6.0, 16, NOTHING_IDLE", "6.7, 0, BUDGET_SPENT"})
    void aScanThatMayNotLookAtAllFailsForThat(String search, int limit, ScanResult result) {
        Bench bench = busy(search);
        bench.view.nrIdleScan[0] = limit;
        search(bench);
        assertThat(bench.view.scan).isEqualTo(result);
    }

    @ParameterizedTest
    @CsvSource({
        "4.13, 1000000, 1000, 30",
        "5.13, 1000000, 1000, 30",
        "4.16, 50000, 1000, 3",
        "5.13, 50000, 1000, 3",
        "5.13, 400000, 1000, 11"
    })
    void theProportionalBudgetComesFromTheAverageIdleTime(String search, long avgIdle, long cost, int cpus) {
        Bench bench = busy(search);
        bench.view.avgIdle[5] = avgIdle;
        bench.view.avgScanCost[5] = cost;
        assertThat(allowed(bench)).isEqualTo(cpus);
    }

    @ParameterizedTest
    @CsvSource({"5.14, 3, 24999, 31, 50000", "5.15, 3, 24999, 31, 50000", "5.16, 7, 24999, 3, 3125"})
    void from514OnTheIdleTimeIsHalvedEachTickThatPassed(String search, int ticks, long cost, int cpus, long left) {
        Bench bench = busy(search);
        bench.view.wakeAvgIdle[5] = 400_000;
        bench.view.wakeStamp[5] = 100;
        bench.view.tick = 100L + ticks;
        bench.view.avgScanCost[5] = cost;
        assertThat(allowed(bench)).isEqualTo(cpus);
        assertThat(bench.view.wakeAvgIdle[5]).isEqualTo(left);
        assertThat(bench.view.wakeStamp[5]).isEqualTo(bench.view.tick);
        assertThat(allowed(bench)).as("asked again in the same tick").isEqualTo(cpus);
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.0", "6.1", "6.5", "6.9"})
    void from60OnTheNumberIsTheCachesOwn(String search) {
        Bench bench = busy(search);
        bench.view.nrIdleScan[0] = 10;
        assertThat(allowed(bench)).isEqualTo(10);
        assertThat(bench.view.probeCount).as("the target and ten more").isEqualTo(11);
        bench.view.nrIdleScan[0] = 0;
        assertThat(allowed(bench)).isZero();
        assertThat(bench.view.probeCount).as("the target").isEqualTo(1);
    }

    @Test
    void zeroForbidsEvenTheSearchForACoreAndLeavesTheMarkAlone() {
        Bench bench = new Bench(TestKernels.idleSearch("6.1"), "E5620");
        bench.run(CpuMask.range(0, 5));
        bench.view.hasIdleCores[0] = true;
        bench.request.recentCpu = 3;
        bench.ask(WakeKind.WAKE, 3, 3, false);
        assertThat(bench.rules.selectIdleSibling(bench.request, 3, bench.view)).isEqualTo(3);
        assertThat(bench.view.hasIdleCores[0]).isTrue();
        bench.view.nrIdleScan[0] = 1;
        assertThat(bench.rules.selectIdleSibling(bench.request, 3, bench.view))
                .as("no core is idle, but of them all some thread")
                .isEqualTo(6);
        assertThat(bench.view.hasIdleCores[0]).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "4.9,  '',             97, true",
        "4.9,  '',             98, false",
        "4.11, '',             98, true",
        "4.11, SIS_AVG_CPU,    97, true",
        "4.11, SIS_AVG_CPU,    98, false",
        "4.13, SIS_AVG_CPU,    96, true",
        "4.13, SIS_AVG_CPU,    97, false",
        "5.10, SIS_AVG_CPU,    97, false",
        "5.12, SIS_AVG_CPU,    97, true"
    })
    void noScanIsMadeWhereTheWakersCpuIsIdleForLessThanItTakes(String search, String feature, long cost, boolean made) {
        Bench bench = feature.isEmpty() ? busy(search) : busy(search, feature);
        bench.run(6, 0, 0);
        bench.view.avgIdle[5] = 50_000;
        bench.view.avgScanCost[5] = cost;
        assertThat(search(bench)).isEqualTo(made ? 6 : 5);
    }

    @Test
    void withoutTheFeatureNothingLimitsTheScan() {
        Bench bench = busy("4.13", "NO_SIS_PROP");
        bench.view.avgIdle[5] = 0;
        assertThat(allowed(bench)).isEqualTo(-1);
        assertThat(bench.view.probeCount).isEqualTo(1 + 16);
        Bench late = busy("6.0", "NO_SIS_UTIL");
        late.view.nrIdleScan[0] = 0;
        assertThat(allowed(late)).isEqualTo(-1);
        Bench both = busy("6.0", "NO_SIS_UTIL", "SIS_PROP");
        both.view.wakeAvgIdle[5] = 0;
        assertThat(allowed(both)).isEqualTo(3);
        Bench gone = busy("6.7", "NO_SIS_UTIL", "SIS_PROP");
        gone.view.wakeAvgIdle[5] = 0;
        assertThat(allowed(gone)).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({
        // target, all sixteen and, where the budget ended the scan, nothing to account for
        "4.9,  1000000, 16",
        "4.13, 1000000, 16",
        "4.13, 0,       -1",
        "5.4,  1000000, 16",
        "5.13, 1000000, 16",
        "5.13, 0,       -1",
        "6.0,  1000000, -1"
    })
    void aScanIsTimedUnlessItsBudgetEndedIt(String search, long avgIdle, int timed) {
        Bench bench = busy(search);
        bench.view.avgIdle[5] = avgIdle;
        search(bench);
        assertThat(bench.view.timedScanProbes).isEqualTo(timed);
    }

    @Test
    void aScanThatFindsACpuIsTimedToo() {
        Bench bench = busy("5.15");
        bench.run(8, 0, 0);
        assertThat(search(bench)).isEqualTo(8);
        assertThat(bench.view.timedScanProbes).isEqualTo(3);
        bench.run(5, 0, 0);
        assertThat(search(bench)).isEqualTo(5);
        assertThat(bench.view.timedScanProbes).as("no scan").isEqualTo(-1);
    }

    @Test
    void aSearchForACoreIsNotTimedOnceTheScansAreOne() {
        Bench bench = new Bench(TestKernels.idleSearch("5.13"), "E5620");
        bench.unlimited();
        bench.run(bench.topology.cpus());
        bench.view.hasIdleCores[0] = true;
        bench.request.recentCpu = 3;
        bench.ask(WakeKind.WAKE, 3, 3, false);
        bench.rules.selectIdleSibling(bench.request, 3, bench.view);
        assertThat(bench.view.timedScanProbes).isEqualTo(-1);
        bench.rules.selectIdleSibling(bench.request, 3, bench.view);
        assertThat(bench.view.timedScanProbes).as("the mark was cleared").isEqualTo(8);
    }

    @Test
    void clearingTheTargetLetsAScanEndByItselfWhereTheBudgetWouldHaveEndedIt() {
        for (String search : List.of("5.15", "clear-target")) {
            Bench bench = new Bench(TestKernels.idleSearch(search), "FLAT8");
            bench.run(bench.topology.cpus());
            bench.view.avgScanCost[3] = 7;
            bench.view.wakeAvgIdle[3] = 8;
            bench.request.recentCpu = 3;
            bench.ask(WakeKind.WAKE, 3, 3, false);
            assertThat(bench.rules.selectIdleSibling(bench.request, 3, bench.view))
                    .isEqualTo(3);
            assertThat(bench.view.timedScanProbes).isEqualTo(search.equals("5.15") ? -1 : 7);
        }
    }
}
