package dev.perch.kernel.balance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.perch.kernel.RuleKind;
import dev.perch.kernel.TestKernels;
import dev.perch.kernel.TestMachines;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Balancing by types of groups: scheduler.md 4.2 to 4.8 (E516 to E612), D12 and D13 of its section 11. */
class TypedBalancerTest {
    private static final Topology E5620 = TestMachines.named("E5620");
    private static final Topology FLAT8 = TestMachines.named("FLAT8");
    private static final Topology TWO_NODES = TestMachines.nodes(4, new int[][] {{10, 20}, {20, 10}});

    // Intervals

    @Test
    void intervalsAreTheSpanTimesTheBusyFactorLessATick() {
        // 128 CPUs, caches of 32, nodes of 64
        int[][] distances = {{10, 12, 20, 20}, {12, 10, 20, 20}, {20, 20, 10, 12}, {20, 20, 12, 10}};
        HogMachine machine = HogMachine.of("v5.16", TestMachines.nodes(32, distances));
        SchedDomain mc = Objects.requireNonNull(machine.domains.lowest(0));
        SchedDomain top = mc;
        while (top.parent() != null) {
            top = Objects.requireNonNull(top.parent());
        }
        assertThat(mc.weight()).isEqualTo(32);
        assertThat(top.weight()).isEqualTo(128);
        PeriodicBalance periodic = periodic(machine);

        assertThat(periodic.waitJiffies(mc, false)).isEqualTo(127);
        assertThat(periodic.waitJiffies(mc, true)).isEqualTo(8);
        assertThat(periodic.waitJiffies(top, false)).isEqualTo(511);
    }

    private static PeriodicBalance periodic(HogMachine machine) {
        BalanceSettings settings = new BalanceSettings(250, machine.queues.length, 500_000, true, false, false);
        DomainTraits traits = new DomainTraits(machine.domains);
        DomainState state = new DomainState(machine.domains, 0);
        Attempt attempt = new TypedAttempt(
                BalanceVersion.V5_5,
                settings,
                machine.domains,
                traits,
                machine.tasks,
                machine.queues,
                machine,
                state,
                new Stoppers(machine.queues.length),
                new Overload(traits),
                new GroupSums(traits, machine));
        return new PeriodicBalance(machine.domains, machine.queues, settings, BalanceVersion.V5_5, state, attempt, 0);
    }

    // Spreading

    @ParameterizedTest
    @ValueSource(strings = {"v5.5", "v5.16", "v6.1.0", "v6.6", "v6.12.0", "v6.18.0"})
    void asManyHogsAsCpusSpreadOneOnEach(String kernel) {
        for (Topology topology : new Topology[] {FLAT8, E5620, TWO_NODES, TestMachines.named("2xNHM")}) {
            HogMachine machine = HogMachine.of(kernel, topology);
            machine.run(4);
            for (int i = 0; i < topology.cpuCount(); i++) {
                machine.addHog(0);
            }
            machine.run(1000);

            for (int cpu = 0; cpu < topology.cpuCount(); cpu++) {
                assertThat(machine.queues[cpu].nrRunning()).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"v5.5", "v5.16", "v6.1.0", "v6.12.0", "v6.18.0"})
    void asManyHogsAsCoresSpreadOneOnEachCore(String kernel) {
        HogMachine machine = HogMachine.of(kernel, E5620);
        machine.run(4);
        for (int i = 0; i < 4; i++) {
            machine.addHog(i % 2 == 0 ? 1 : 5);
        }
        machine.run(500);

        for (int core = 0; core < 4; core++) {
            assertThat(machine.queues[core].nrRunning() + machine.queues[core + 4].nrRunning())
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"v5.16", "v6.1.0", "v6.12.0"})
    void twoHogsOnOneCoreArePartedByTheStopper(String kernel) {
        HogMachine machine = HogMachine.of(kernel, E5620);
        machine.run(4);
        machine.addHog(1);
        machine.addHog(5);
        machine.run(250);

        assertThat(machine.queues[1].nrRunning() + machine.queues[5].nrRunning())
                .isEqualTo(1);
        assertThat(machine.activeBalances).isEqualTo(1);
        assertThat(machine.kicks).isPositive();
    }

    @Test
    void aLoneHogStaysWhereItIs() {
        HogMachine machine = HogMachine.of("v6.12.0", E5620);
        machine.run(4);
        int hog = machine.addHog(3);
        machine.run(2000);

        assertThat(machine.tasks.cpu[hog]).isEqualTo(3);
        assertThat(machine.balancer.moves()).isZero();
        assertThat(machine.activeBalances).isZero();
    }

    @Test
    void oneTaskMoreThanCpusDoesNotLetACpuIdle() {
        HogMachine machine = HogMachine.of("v6.1.0", FLAT8);
        machine.run(4);
        for (int i = 0; i < 9; i++) {
            machine.addHog(i % 2);
        }
        machine.run(500);

        for (int cpu = 0; cpu < 8; cpu++) {
            assertThat(machine.queues[cpu].nrRunning()).isBetween(1, 2);
        }
    }

    // Pinned tasks

    @ParameterizedTest
    @CsvSource({"2, true", "1, false"})
    void tasksPinnedTogetherMarkTheirNodeSoThatAnotherTakesOneOfItsTasks(int pinned, boolean taken) {
        // as many idle CPUs on both nodes: but for the mark there is nothing to do between them
        HogMachine machine = HogMachine.of("v5.16", TWO_NODES);
        machine.nohz = false;
        for (int i = 0; i < pinned; i++) {
            machine.addHog(0, CpuMask.of(0));
        }
        for (int cpu : new int[] {1, 2, 4, 5, 6}) {
            machine.addHog(cpu);
        }
        machine.run(500);

        assertThat(machine.queues[0].nrRunning()).isEqualTo(pinned);
        assertThat(machine.queues[7].nrRunning()).isEqualTo(taken ? 1 : 0);
        assertThat(machine.activeBalances > 0).isEqualTo(taken);
    }

    // Newly idle

    @Test
    void aCpuThatIsAboutToBeIdlePullsOneTask() {
        HogMachine machine = HogMachine.of("v5.16", FLAT8);
        machine.addHog(3);
        machine.addHog(2);
        int waiting = machine.addHog(2);
        machine.jiffies += 10;

        assertThat(machine.block(3)).isTrue();
        assertThat(machine.queues[3].current()).isEqualTo(waiting);
        assertThat(machine.queues[3].idleTime().stamped()).isFalse();
    }

    @Test
    void withoutAnOverloadedCpuNobodyLooks() {
        HogMachine machine = HogMachine.of("v5.16", FLAT8);
        machine.addHog(3);
        machine.addHog(2);
        assertThat(machine.block(3)).isFalse();
        assertThat(machine.balancer.probes()).isZero();
        assertThat(machine.queues[3].idleTime().stamped()).isTrue();
    }

    @Test
    void aPassOverTheWholeMachineThatSeesNoOverloadEndsIt() {
        HogMachine machine = HogMachine.of("v5.16", FLAT8);
        machine.addHog(3);
        machine.addHog(4);
        machine.addHog(2);
        machine.addHog(2);
        machine.block(2);
        assertThat(machine.block(3)).isFalse();
        long looked = machine.balancer.probes();
        assertThat(looked).isEqualTo(8);

        assertThat(machine.block(4)).isFalse();
        assertThat(machine.balancer.probes()).isEqualTo(looked);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v3.13", "v5.5", "v6.12.0"})
    void aDomainIsLeftOutOnceItsCostIsMoreThanTheTimeTheCpuStaysIdle(String kernel) {
        int cpus = 9;
        HogMachine machine = HogMachine.of(kernel, TestMachines.nodes(cpus, new int[][] {{10}}));
        // a look at each of nine CPUs takes 2250 ns
        machine.addHog(1, CpuMask.of(1));
        machine.addHog(1, CpuMask.of(1));
        machine.addHog(0);
        machine.jiffies += 10;
        machine.block(0);
        long first = machine.balancer.probes();
        assertThat(first).isGreaterThanOrEqualTo(cpus);
        assertThat(machine.queues[0].idleTime().balanceCost()).isEqualTo(500_000);

        idle(machine, 0, 2000);
        machine.addHog(0);
        machine.block(0);
        assertThat(machine.balancer.probes()).isEqualTo(first);
    }

    private static void idle(HogMachine machine, int cpu, long ns) {
        for (int i = 0; i < 200; i++) {
            machine.queues[cpu].idleTime().begin(0);
            machine.queues[cpu].idleTime().end(ns);
        }
    }

    @Test
    void costsDecayByAHundredthOnceASecond() {
        DomainState state = new DomainState(HogMachine.of("v5.16", FLAT8).domains, 0);
        state.attemptCost(0, 25_600, 10, 250);
        assertThat(state.maxCost[0]).isEqualTo(25_600);
        state.attemptCost(0, 100, 260, 250);
        assertThat(state.maxCost[0]).isEqualTo(25_600);
        state.attemptCost(0, 100, 261, 250);
        assertThat(state.maxCost[0]).isEqualTo(25_300);
        assertThat(state.decayCost(0, 262, 250)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"513, true", "514, false"})
    void withNiRandomADomainIsTriedByItsShareOfSuccesses(int drawn, boolean tried) {
        HogMachine machine = atRandom();
        machine.drawn = drawn;
        machine.addHog(3);
        machine.addHog(2);
        machine.addHog(2);
        machine.jiffies += 10;

        assertThat(machine.block(3)).isEqualTo(tried);
        assertThat(machine.draws).isEqualTo(1);
    }

    @Test
    void aSuccessCountsForTheAttemptsLeftOut() {
        DomainState state = new DomainState(HogMachine.of("v5.16", FLAT8).domains, 0);
        assertThat(state.ratio[0]).isEqualTo(512);
        for (int i = 0; i < 512; i++) {
            state.newIdleAttempt(0, 0);
        }
        // of 1024 calls 256 were successes; both are halved and half as many calls make it up
        assertThat(state.ratio[0]).isEqualTo(256);
        for (int i = 0; i < 512; i++) {
            state.newIdleAttempt(0, i == 0 ? 4 : 0);
        }
        assertThat(state.ratio[0]).isEqualTo(132);
    }

    private static HogMachine atRandom() {
        return new HogMachine(
                FLAT8, FLAT8.cpus(), 250, TestKernels.named("v5.16").rules().with(RuleKind.BALANCE, "6.12"), true);
    }

    // Nohz

    @Test
    void aBusyCpuKicksForAnotherInItsCacheOrTwoTasks() {
        HogMachine one = HogMachine.of("v5.16", FLAT8);
        HogMachine two = HogMachine.of("v5.16", FLAT8);
        one.run(4);
        two.run(4);
        one.addHog(1);
        two.addHog(1);
        two.addHog(2);
        one.run(250);
        two.run(250);

        // the stats kick that follows the last idle entry is the only one of a lone hog
        assertThat(one.kicks).isLessThanOrEqualTo(1);
        assertThat(two.kicks).isGreaterThan(5);
    }

    @ParameterizedTest
    @CsvSource({"v5.16, 1", "v6.12.0, 0"})
    void aCpuOfReducedCapacityKicksAndSince612LosesItsTask(String kernel, int left) {
        HogMachine machine = HogMachine.of(kernel, FLAT8);
        machine.run(4);
        machine.addHog(1);
        machine.capacity[1] = 800;
        machine.run(250);

        assertThat(machine.kicks).isPositive();
        assertThat(machine.queues[1].nrRunning()).isEqualTo(left);
    }

    @Test
    void aKickThatFindsTheCpuBusyIsForgotten() {
        HogMachine machine = HogMachine.of("v5.16", FLAT8);
        machine.balancer.tickStopped(5);
        machine.addHog(0);
        machine.addHog(0);
        machine.jiffies += 100;
        machine.balancer.tick(0, machine.jiffies, false, machine);
        assertThat(machine.kicks).isEqualTo(1);
        machine.jiffies += 100;
        machine.balancer.tick(0, machine.jiffies, false, machine);
        assertThat(machine.kicks).isEqualTo(1);

        machine.balancer.kickMissed(5);
        machine.jiffies += 100;
        machine.balancer.tick(0, machine.jiffies, false, machine);
        assertThat(machine.kicks).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v5.16", "v6.12.0"})
    void balancingAllocatesNothing(String kernel) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        HogMachine machine = HogMachine.of(kernel, E5620);
        for (int i = 0; i < 20; i++) {
            machine.addHog(i % 3);
        }
        machine.run(3_000);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            machine.run(1_000);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }

        // The least of some rounds, because the virtual machine now and then allocates on its own behalf.
        assertThat(least).isZero();
    }
}
