package dev.perch.kernel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TestKernels;
import dev.perch.kernel.TestMachines;
import dev.perch.model.CpuMask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The idle searches of 4.9 and later: properties in random states (placement.md 14.5), what sets eras apart, what they touch and tell. */
class CacheSearchTest {
    private static final String[] MACHINES = {"E5620", "Q6600", "2xNHM", "K16", "FLAT8", "ADJ8", "CCX16"};

    static List<String> searches() {
        return TestKernels.SCANNING_SEARCHES;
    }

    private static Bench bench(String search, String machine) {
        Bench bench = new Bench(TestKernels.idleSearch(search), machine);
        bench.unlimited();
        return bench;
    }

    /** A wakeup of a task that last ran on the target, by a waker there. */
    private static int search(Bench bench, int target) {
        return search(bench, target, target, target);
    }

    /** The recent CPU is prev, so that it is not asked. */
    private static int search(Bench bench, int thisCpu, int prevCpu, int target) {
        return search(bench, thisCpu, prevCpu, target, prevCpu);
    }

    private static int search(Bench bench, int thisCpu, int prevCpu, int target, int recent) {
        bench.request.recentCpu = recent;
        bench.ask(WakeKind.WAKE, thisCpu, prevCpu, false);
        return bench.rules.selectIdleSibling(bench.request, target, bench.view);
    }

    private static int[] probes(Bench bench) {
        return Arrays.copyOf(bench.view.probedCpu, bench.view.probeCount);
    }

    private static int[] cpus(String list) {
        return Arrays.stream(list.split(",")).mapToInt(Integer::parseInt).toArray();
    }

    @ParameterizedTest
    @MethodSource("searches")
    void theSearchNeverLeavesTheCacheOfItsTarget(String search) {
        Random random = new Random(2);
        for (String machine : MACHINES) {
            Bench bench = bench(search, machine);
            for (int i = 0; i < 500; i++) {
                bench.randomise(random);
                int target = random.nextBoolean() ? bench.request.thisCpu : bench.request.prevCpu;
                int cpu = bench.rules.selectIdleSibling(bench.request, target, bench.view);
                assertThat(bench.topology.llc(target).contains(cpu)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("searches")
    void tellWhatTheirScanCameTo(String search) {
        Bench bench = bench(search, "FLAT8");
        search(bench, 3);
        assertThat(bench.view.scan).isEqualTo(ScanResult.NONE);
        bench.run(CpuMask.parse("0-3,5-7"));
        assertThat(search(bench, 3)).isEqualTo(4);
        assertThat(bench.view.scan).isEqualTo(ScanResult.FOUND);
        bench.run(CpuMask.parse("4"));
        assertThat(search(bench, 3)).isEqualTo(3);
        assertThat(bench.view.scan).isEqualTo(ScanResult.NOTHING_IDLE);
    }

    @ParameterizedTest
    @MethodSource("searches")
    void withoutALimitAnIdleCpuOfTheCacheIsAlwaysFound(String search) {
        boolean schedIdleWillDo = searches().indexOf(search) >= searches().indexOf("5.4");
        Random random = new Random(3);
        for (String machine : MACHINES) {
            Bench bench = bench(search, machine);
            for (int i = 0; i < 1000; i++) {
                bench.randomise(random);
                bench.request.wakerIsPerCpuKthread = false;
                int target = bench.request.thisCpu;
                int[] candidates =
                        bench.topology.llc(target).and(bench.request.allowed).toArray();
                boolean some = Arrays.stream(candidates).anyMatch(cpu -> bench.view.nrRunning[cpu] == 0);
                int cpu = bench.rules.selectIdleSibling(bench.request, target, bench.view);
                int running = bench.view.nrRunning[cpu];
                boolean idle = running == 0 || schedIdleWillDo && running == bench.view.schedIdle[cpu];
                assertThat(idle || !some).isTrue();
            }
        }
    }

    @Test
    void clearingTheTargetChangesNoChoiceInAFrozenState() {
        Random random = new Random(4);
        for (String machine : MACHINES) {
            Bench plain = bench("5.15", machine);
            Bench patched = bench("clear-target", machine);
            for (int i = 0; i < 2000; i++) {
                long state = random.nextLong();
                plain.randomise(new Random(state));
                patched.randomise(new Random(state));
                int target = plain.request.prevCpu;
                int expected = plain.rules.selectIdleSibling(plain.request, target, plain.view);
                assertThat(patched.rules.selectIdleSibling(patched.request, target, patched.view))
                        .isEqualTo(expected);
                assertThat(patched.view.hasIdleCores).isEqualTo(plain.view.hasIdleCores);
            }
        }
    }

    @Test
    void clearingTheTargetPaysAMaskWriteEachScanAndSavesAProbeInAVainOne() {
        Bench plain = bench("5.15", "FLAT8");
        Bench patched = bench("clear-target", "FLAT8");
        for (Bench bench : List.of(plain, patched)) {
            bench.run(bench.topology.cpus());
            search(bench, 3);
        }
        assertThat(probes(plain)).containsExactly(3, 4, 5, 6, 7, 0, 1, 2, 3);
        assertThat(plain.view.maskOperations).isEqualTo(1);
        assertThat(probes(patched)).containsExactly(3, 4, 5, 6, 7, 0, 1, 2);
        assertThat(patched.view.maskOperations).isEqualTo(2);
        for (Bench bench : List.of(plain, patched)) {
            bench.run(4, 0, 0);
            assertThat(search(bench, 3)).isEqualTo(4);
            assertThat(probes(bench)).containsExactly(3, 4);
        }
        assertThat(plain.view.maskOperations).isEqualTo(1);
        assertThat(patched.view.maskOperations).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        // every thread of every core, then all CPUs, then the target's threads; a bit cleared for each thread
        "4.9,  '3,3,7,0,4,1,5,2,6,3,4,5,6,7,0,1,2,3,7', 9",
        // a core ends at its first busy thread, and is removed at once; one mask more for the CPU scan
        "5.7,  '3,3,0,1,2,3,4,5,6,7,0,1,2,3,7', 6",
        // in one walk both threads of a core are looked at, for want of any candidate
        "5.12, '3,3,7,0,4,1,5,2,6', 5",
        "5.15, '3,0,4,1,5,2,6,3,7', 5"
    })
    void whatAVainSearchTouchesDependsOnTheEra(String search, String probed, int maskOperations) {
        Bench bench = bench(search, "E5620");
        bench.run(bench.topology.cpus());
        bench.view.hasIdleCores[0] = true;
        assertThat(search(bench, 3)).isEqualTo(3);
        assertThat(bench.view.hasIdleCores[0]).isFalse();
        assertThat(probes(bench)).containsExactly(cpus(probed));
        assertThat(bench.view.maskOperations).isEqualTo(maskOperations);
    }

    @Test
    void inKernel512AVainSearchForACoreClearsTheMarkOfTheWakersCache() {
        for (String search : List.of("5.10", "5.12", "5.13", "6.9")) {
            Bench bench = bench(search, "2xNHM");
            bench.run(CpuMask.range(4, 7));
            bench.view.hasIdleCores[0] = true;
            bench.view.hasIdleCores[4] = true;
            assertThat(search(bench, 0, 4, 4)).isEqualTo(search.equals("6.9") ? 13 : 12);
            assertThat(bench.view.hasIdleCores[0]).isEqualTo(!search.equals("5.12"));
            assertThat(bench.view.hasIdleCores[4]).isEqualTo(search.equals("5.12"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        // search, taken if allowed, remembered then, taken if forbidden, remembered on a miss
        "4.13, false, 6, false, 6",
        "4.16, true,  1, false, 6",
        "5.14, true,  1, false, 6",
        "5.15, true,  1, true,  1",
        "6.0,  true,  1, true,  1",
        "6.1,  true,  1, true,  1",
        "6.1.192, true, 1, false, 1",
        "6.5,  true,  1, false, 1"
    })
    void theRecentCpuIsTakenAndReplaced(String search, boolean hit, int then, boolean whenForbidden, int onMiss) {
        Bench bench = bench(search, "FLAT8");
        bench.run(CpuMask.parse("1,3"));
        assertThat(search(bench, 3, 1, 3, 6)).isEqualTo(hit ? 6 : 4);
        assertThat(bench.request.recentCpu).isEqualTo(then);

        bench.request.allow(CpuMask.parse("0-5,7"));
        assertThat(search(bench, 3, 1, 3, 6)).isEqualTo(whenForbidden ? 6 : 4);

        bench.run(6, 1, 1024);
        assertThat(search(bench, 3, 1, 3, 6)).isEqualTo(4);
        assertThat(bench.request.recentCpu).isEqualTo(onMiss);
    }

    @ParameterizedTest
    @CsvSource({"5.4, false, false", "5.6, true, true", "5.15, true, true", "5.16, true, false", "6.9, true, false"})
    void aKernelThreadsWakeeStaysOnItsCpu(String search, boolean stays, boolean fromInterrupt) {
        Bench bench = bench(search, "FLAT8");
        bench.run(3, 1, 1024);
        bench.request.wakerIsPerCpuKthread = true;
        assertThat(search(bench, 3)).isEqualTo(stays ? 3 : 4);
        assertThat(search(bench, 3, 5, 3)).as("prev is elsewhere").isEqualTo(5);
        bench.request.fromInterrupt = true;
        assertThat(search(bench, 3)).isEqualTo(fromInterrupt ? 3 : 4);
        bench.request.fromInterrupt = false;
        bench.run(3, 2, 1024);
        assertThat(search(bench, 3)).as("two are queued there").isEqualTo(4);
    }

    @Test
    void kernel54HandsOutARememberedCpuOnlyIfTheBudgetEnds() {
        Bench bench = bench("5.4", "FLAT8");
        bench.run(bench.topology.cpus());
        bench.view.schedIdle[4] = 1;
        assertThat(search(bench, 3)).isEqualTo(3);
        bench.view.avgIdle[3] = 0;
        assertThat(search(bench, 3)).isEqualTo(4);
        assertThat(search(bench, 3, 4, 3)).as("as prev it will do").isEqualTo(4);
        assertThat(search(bench("5.4", "FLAT8"), 3)).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"5.12, '3,3,4', 4", "5.13, '3,3,7', 7", "6.0,  '3,3,7', 7", "6.1,  '3,7',   7", "6.9,  '3,7',   7"})
    void prevsSiblingsAreTriedBeforeTheScan(String search, String probed, int result) {
        Bench bench = bench(search, "E5620");
        bench.run(CpuMask.range(0, 3));
        assertThat(search(bench, 3)).isEqualTo(result);
        assertThat(probes(bench)).containsExactly(cpus(probed));
    }

    @ParameterizedTest
    @CsvSource({"5.13, 3", "6.0, 3", "6.1, 7", "6.5, 7", "6.7, 7", "6.1.192, 3", "6.9, 3"})
    void aSiblingOutsideTheDomainIsTakenByThoseThatDoNotAsk(String search, int result) {
        Bench bench = new Bench(TestKernels.idleSearch(search), TestMachines.named("E5620"), CpuMask.range(0, 6));
        bench.unlimited();
        bench.run(CpuMask.range(0, 6));
        assertThat(search(bench, 3)).isEqualTo(result);
    }

    @ParameterizedTest
    @CsvSource({"5.12, 7", "5.15, 7", "6.1, 7", "6.7, 7", "6.1.192, 3", "6.9, 3"})
    void aThreadOutsideTheDomainIsACandidateOfThoseThatDoNotAsk(String search, int result) {
        Bench bench = new Bench(TestKernels.idleSearch(search), TestMachines.named("E5620"), CpuMask.range(0, 6));
        bench.unlimited();
        bench.run(CpuMask.range(0, 6));
        bench.view.hasIdleCores[0] = true;
        assertThat(search(bench, 3)).isEqualTo(result);
    }

    @Test
    void anIdlePrevOrRecentCpuOfAnotherClusterIsTheLastResort() {
        Bench bench = bench("6.7", "K16");
        bench.run(CpuMask.parse("0-7,9-15"));
        bench.run(9, 0, 0);
        bench.view.nrIdleScan[0] = 2;
        assertThat(search(bench, 5, 9, 5)).isEqualTo(9);
        bench.run(9, 1, 1024);
        bench.run(8, 0, 0);
        assertThat(search(bench, 5, 9, 5, 8)).isEqualTo(8);
        bench.run(12, 0, 0);
        assertThat(search(bench, 5, 12, 5, 8)).as("prev before the recent CPU").isEqualTo(12);
        bench.view.nrIdleScan[0] = 1000;
        assertThat(search(bench, 5, 12, 5, 8)).as("the scan before prev").isEqualTo(8);
        bench.run(6, 0, 0);
        assertThat(search(bench, 5, 12, 5, 8)).as("the target's own cluster").isEqualTo(6);
        Bench before = bench("6.5", "K16");
        before.run(CpuMask.range(4, 7));
        assertThat(search(before, 5, 9, 5)).isEqualTo(9);
    }

    @ParameterizedTest
    @CsvSource({"4.16, 4", "4.18, 6", "5.4, 6", "6.9, 6"})
    void aCpuThatTheHostDoesNotRunIsNotAvailable(String search, int result) {
        Bench bench = bench(search, "FLAT8");
        bench.run(CpuMask.parse("3,5"));
        bench.view.vcpuPreempted[4] = true;
        assertThat(search(bench, 3)).isEqualTo(result);
    }

    @Test
    void withoutDomainsTheTargetIsAllThereIs() {
        for (String search : List.of("4.9", "5.6", "5.12", "6.1", "6.9")) {
            Bench bench = new Bench(TestKernels.idleSearch(search), TestMachines.named("E5620"), CpuMask.range(0, 3));
            bench.unlimited();
            bench.run(CpuMask.range(4, 7));
            assertThat(search(bench, 4, 4, 4)).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @CsvSource({"4.9, 1", "5.6, 1", "6.0, 1", "6.1, 2", "6.9, 2"})
    void aWakerWithoutDomainsKeepsOlderKernelsFromScanning(String search, int result) {
        Bench bench = new Bench(TestKernels.idleSearch(search), TestMachines.named("FLAT8"), CpuMask.range(0, 3));
        bench.unlimited();
        bench.run(1, 1, 1024);
        assertThat(search(bench, 7, 1, 1)).isEqualTo(result);
    }

    @Test
    void stepsAreReportedWithWhatTheySaw() {
        Bench bench = bench("6.9", "E5620");
        bench.run(CpuMask.parse("0-4"));
        bench.run(6, 1, 3);
        bench.view.schedIdle[6] = 1;
        bench.view.nrIdleScan[0] = 3;
        List<String> steps = new ArrayList<>();
        bench.view.listenWith((step, cpu, taken) -> steps.add(step + " " + cpu + " " + taken));
        assertThat(search(bench, 3, 0, 3, 4)).isEqualTo(5);
        assertThat(steps)
                .containsExactly(
                        "IDLE 3 false",
                        "TARGET_IDLE 3 false",
                        "IDLE 0 false",
                        "PREV_IDLE 0 false",
                        "KTHREAD 0 false",
                        "IDLE 4 false",
                        "RECENT 4 false",
                        "HAS_IDLE_CORES 0 false",
                        "IDLE 4 false",
                        "THREAD_SCAN -1 false",
                        "BUDGET 3 true",
                        "IDLE 4 false",
                        "IDLE 5 true",
                        "CPU_SCAN 5 true");

        steps.clear();
        bench.run(5, 1, 1024);
        assertThat(search(bench, 3)).isEqualTo(7);
        steps.clear();
        bench.run(7, 1, 1024);
        bench.view.nrIdleScan[0] = 2;
        assertThat(search(bench, 3)).isEqualTo(3);
        assertThat(steps.subList(steps.indexOf("BUDGET 2 true"), steps.size()))
                .containsExactly(
                        "BUDGET 2 true",
                        "IDLE 4 false",
                        "IDLE 5 false",
                        "BUDGET_SPENT 6 true",
                        "CPU_SCAN -2 false",
                        "NOTHING_FOUND 3 true");
        bench.view.nrIdleScan[0] = 3;
        assertThat(search(bench, 3)).as("runs only SCHED_IDLE work").isEqualTo(6);
        assertThat(steps).contains("SCHED_IDLE 6 true");
    }

    @Test
    void coreScansAreReportedToo() {
        Bench bench = bench("4.9", "E5620");
        bench.run(CpuMask.parse("0-5,7"));
        bench.view.hasIdleCores[0] = true;
        List<String> steps = new ArrayList<>();
        bench.view.listenWith((step, cpu, taken) -> {
            if (step != PlacementStep.IDLE) {
                steps.add(step + " " + cpu + " " + taken);
            }
        });
        assertThat(search(bench, 3)).isEqualTo(6);
        assertThat(steps)
                .containsExactly(
                        "TARGET_IDLE 3 false",
                        "PREV_IDLE 3 false",
                        "HAS_IDLE_CORES 0 true",
                        "IDLE_CORE 3 false",
                        "IDLE_CORE 4 false",
                        "IDLE_CORE 5 false",
                        "IDLE_CORE 6 false",
                        "CORE_SCAN -1 false",
                        "IDLE_CORES_CLEARED 0 true",
                        "SCAN_TOO_COSTLY 3 false",
                        "CPU_SCAN 6 true");
        assertThat(PlacementStep.BUDGET.about(3)).isEqualTo("3 CPUs");
        assertThat(PlacementStep.CPU_SCAN.about(3)).isEqualTo("CPU 3");
        assertThat(PlacementStep.CPU_SCAN.about(-1)).isEmpty();
    }
}
