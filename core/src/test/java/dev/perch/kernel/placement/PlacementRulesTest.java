package dev.perch.kernel.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.RuleKind;
import dev.perch.kernel.RuleSets;
import dev.perch.kernel.TestKernels;
import dev.perch.kernel.TestMachines;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.load.LoadTracking;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of whole decisions (placement.md 14.5), what they count and report, and the callers around the searches. */
class PlacementRulesTest {
    private static final String[] MACHINES = {"E5620", "Q6600", "2xNHM", "K16", "FLAT8", "ADJ8", "CCX16"};

    @ParameterizedTest
    @ValueSource(strings = {"V", "MK", "P1", "3.2", "3.3", "M2", "M2S", "BUD", "3.9"})
    void aDecisionIsAllowedAndRepeatsItselfWhateverTheState(String policy) {
        Random random = new Random(1);
        for (String machine : MACHINES) {
            Bench bench = new Bench(TestKernels.policy(policy), machine);
            for (int i = 0; i < 500; i++) {
                bench.randomise(random);
                for (WakeKind kind : WakeKind.values()) {
                    bench.request.kind = kind;
                    int cpu = bench.rules.select(bench.request, bench.view);
                    assertThat(bench.request.allowed.contains(cpu)).isTrue();
                    assertThat(bench.rules.select(bench.request, bench.view)).isEqualTo(cpu);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"V", "MK", "P1", "3.2", "3.3", "M2", "M2S", "BUD", "3.9"})
    void theSearchNeverLeavesTheCacheOfItsTarget(String policy) {
        Random random = new Random(2);
        for (String machine : MACHINES) {
            Bench bench = new Bench(TestKernels.policy(policy), machine);
            for (int i = 0; i < 1000; i++) {
                bench.randomise(random);
                int target = random.nextBoolean() ? bench.request.thisCpu : bench.request.prevCpu;
                int cpu = bench.rules.selectIdleSibling(bench.request, target, bench.view);
                assertThat(bench.topology.llc(target).contains(cpu)).isTrue();
            }
        }
    }

    @Test
    void mikieAlwaysFindsAnIdleCpuOfTheCacheIfThereIsOne() {
        Random random = new Random(3);
        for (String machine : MACHINES) {
            Bench bench = new Bench(TestKernels.policy("MK"), machine);
            for (int i = 0; i < 2000; i++) {
                bench.randomise(random);
                int target = bench.request.thisCpu;
                boolean some = Arrays.stream(bench.topology
                                .llc(target)
                                .and(bench.request.allowed)
                                .toArray())
                        .anyMatch(cpu -> bench.view.nrRunning[cpu] == 0);
                int cpu = bench.rules.selectIdleSibling(bench.request, target, bench.view);
                assertThat(bench.view.nrRunning[cpu] == 0 || !some).isTrue();
            }
        }
    }

    @Test
    void walkingOnPastTheAffineDomainChangesNoDecision() {
        Kernel climbing = TestKernels.policy("3.3");
        RuleSets r = climbing.rules();
        Kernel breaking = new Kernel(
                "early break",
                "early break",
                climbing.version(),
                List.of(),
                r.with(RuleKind.CALLER, "3.7"),
                climbing.features(),
                climbing.tunables(),
                List.of());
        for (String machine : MACHINES) {
            Bench a = new Bench(climbing, machine);
            Bench b = new Bench(breaking, machine);
            Random randomA = new Random(4);
            Random randomB = new Random(4);
            for (int i = 0; i < 500; i++) {
                a.randomise(randomA);
                b.randomise(randomB);
                assertThat(b.rules.select(b.request, b.view)).isEqualTo(a.rules.select(a.request, a.view));
            }
        }
    }

    @Test
    void withoutACommonWakeAffineDomainPrevIsTakenUnsearched() {
        Topology far = TestMachines.nodes(4, new int[][] {{10, 31}, {31, 10}});
        Bench bench = new Bench(TestKernels.policy("3.9"), far, far.cpus());
        bench.run(0, 1, 1024);
        assertThat(bench.wake(4, 0, true)).isEqualTo(0);
        assertThat(bench.view.probeCount).isZero();
        Topology near = TestMachines.nodes(4, new int[][] {{10, 30}, {30, 10}});
        Bench reachable = new Bench(TestKernels.policy("3.9"), near, near.cpus());
        reachable.run(0, 1, 1024);
        assertThat(reachable.wake(4, 0, true)).isEqualTo(4);
    }

    @Test
    void anotherPartitionIsNeverPulledFrom() {
        Kernel kernel = TestKernels.policy("3.2");
        Topology topology = TestMachines.named("E5620");
        SchedDomains domains = SchedDomains.build(
                topology,
                List.of(CpuMask.parse("1-3,5-7"), CpuMask.parse("0,4")),
                DomainRules.named(kernel.rules().schedDomains()));
        PlacementRules rules = Placement.rules(kernel, topology, domains);
        CpuView view = Placement.view(kernel, domains);
        WakeRequest request = new WakeRequest();
        request.thisCpu = 0;
        request.prevCpu = 3;
        request.sync = true;
        request.allow(topology.cpus());
        view.currentIdle[3] = false;
        view.nrRunning[3] = 1;
        assertThat(rules.select(request, view)).isEqualTo(3);
    }

    @Test
    void idleIsWhatTheEraSaysItIs() {
        Topology topology = TestMachines.named("FLAT8");
        SchedDomains domains = SchedDomains.build(topology, List.of(topology.cpus()), DomainRules.UNTIL_3_4);
        CpuView old = new CpuView(domains, IdlePredicate.CURRENT_ONLY, LoadTracking.Capacity.SMT_SHARE);
        CpuView young =
                new CpuView(domains, IdlePredicate.CURRENT_QUEUE_AND_WAKE_LIST, LoadTracking.Capacity.SMT_SHARE);
        for (CpuView view : List.of(old, young)) {
            view.nrRunning[1] = 1;
            view.wakePending[2] = true;
            view.currentIdle[3] = false;
            assertThat(view.idle(0)).isTrue();
            assertThat(view.idle(1)).isEqualTo(view == old);
            assertThat(view.idle(2)).isEqualTo(view == old);
            assertThat(view.idle(3)).isFalse();
        }
    }

    /** The RK3588's device tree: 530 for the small CPUs. */
    @Test
    void smallerCpusHaveLessCapacity() {
        int[] capacities = {530, 530, 1024, 1024};
        Topology topology = new Topology(
                        4,
                        TestMachines.singles(4),
                        null,
                        List.of(CpuMask.range(0, 3)),
                        List.of(CpuMask.range(0, 3)),
                        List.of(CpuMask.range(0, 3)),
                        new int[][] {{10}})
                .withCapacities(capacities);
        for (String kernel : List.of("v3.9", "v6.1")) {
            CpuView view = new Bench(TestKernels.named(kernel), topology, topology.cpus()).view;
            assertThat(view.capacity).as(kernel).isEqualTo(capacities);
            assertThat(view.originalCapacity).as(kernel).isEqualTo(capacities);
        }
    }

    @Test
    void smtThreadsShareTheCapacityOfTheirCore() {
        assertThat(new Bench(TestKernels.policy("3.2"), "E5620").view.capacity[3])
                .isEqualTo(589);
        assertThat(new Bench(TestKernels.policy("3.2"), "Q6600").view.capacity[3])
                .isEqualTo(1024);
    }

    @Test
    void everyLookAtAnotherCpuIsCounted() {
        Bench virgin = new Bench(TestKernels.policy("V"), "E5620");
        virgin.run(3, 1, 1024);
        assertThat(virgin.wake(3, 3, true)).isEqualTo(7);
        assertThat(probes(virgin.view)).containsExactly(3, 3, 3, 7);
        assertThat(virgin.view.maskOperations).isZero();

        Bench topDown = new Bench(TestKernels.policy("3.3"), "E5620");
        topDown.run(3, 1, 1024);
        assertThat(topDown.wake(3, 3, true)).isEqualTo(0);
        assertThat(probes(topDown.view)).containsExactly(3, 3, 3, 0, 4);
        assertThat(topDown.view.maskOperations).isEqualTo(2);

        Bench buddies = new Bench(TestKernels.policy("BUD"), "E5620");
        buddies.run(3, 1, 1024);
        assertThat(buddies.wake(3, 3, true)).isEqualTo(2);
        assertThat(probes(buddies.view)).containsExactly(3, 3, 2);
    }

    private static int[] probes(CpuView view) {
        return Arrays.copyOf(view.probedCpu, view.probeCount);
    }

    @Test
    void stepsAreReportedInOrder() {
        Bench bench = new Bench(TestKernels.policy("3.2"), "E5620");
        bench.run(3, 1, 1024);
        bench.request.allow(CpuMask.of(5));
        List<String> steps = new ArrayList<>();
        bench.view.listenWith((step, cpu, taken) -> steps.add(step + " " + cpu + " " + taken));
        assertThat(bench.wake(3, 3, true)).isEqualTo(5);
        assertThat(steps).containsExactly("AFFINE_DOMAIN 3 false", "VALIDITY 3 false", "FALLBACK 5 true");

        steps.clear();
        bench.request.allow(bench.topology.cpus());
        assertThat(bench.wake(3, 1, true)).isEqualTo(0);
        assertThat(steps)
                .containsExactly(
                        "AFFINE_DOMAIN 1 true",
                        "WAKE_AFFINE 3 true",
                        "IDLE 3 false",
                        "TARGET_IDLE 3 false",
                        "IDLE 3 false",
                        "IDLE 0 true",
                        "IDLE 4 true",
                        "GROUP_SCAN 0 true",
                        "VALIDITY 0 true");
    }

    @Test
    void theFallbackPrefersPrevsNode() {
        Bench bench = new Bench(TestKernels.policy("3.2"), "2xNHM");
        bench.run(CpuMask.range(0, 15));
        bench.request.allow(CpuMask.parse("2,5,13"));
        assertThat(bench.wake(0, 4, false)).isEqualTo(5);
        bench.request.allow(CpuMask.parse("2,3"));
        assertThat(bench.wake(0, 4, false)).isEqualTo(2);
    }

    @Test
    void anAffinityOutsideTheMachineIsRefused() {
        Bench bench = new Bench(TestKernels.policy("3.2"), "Q6600");
        bench.request.allow(CpuMask.of(9));
        assertThatThrownBy(() -> bench.wake(0, 1, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("9");
    }

    @Test
    void ruleSetsThatAreNotKnownAreNamed() {
        Kernel kernel = new Kernel(
                "x",
                "x",
                TestKernels.policy("V").version(),
                List.of(),
                TestKernels.policy("V").rules().with(RuleKind.IDLE_SEARCH, "dreamy"),
                Map.of(),
                Map.of(),
                List.of());
        assertThatThrownBy(() -> new Bench(kernel, "Q6600"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("idle-search rules 'dreamy'");
    }
}
