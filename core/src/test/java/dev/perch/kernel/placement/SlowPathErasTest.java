package dev.perch.kernel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TestMachines;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fork and exec placement of 3.12 and later: F1 – F5 of placement.md 14.4, and the rules of 8.6 – 8.8 worked by hand. */
class SlowPathErasTest {
    /** The parent runs on CPU 0 of two nodes of four two-threaded cores; of each core the second thread became idle last. */
    private static Bench twoNodes(String era) {
        Bench bench = new Bench(Eras.named(era), "2xNHM");
        bench.run(0, 1, 1024);
        for (int cpu = 0; cpu < 16; cpu++) {
            bench.view.idleStamp[cpu] = cpu < 8 ? 100 - cpu : 200 - cpu;
        }
        return bench;
    }

    /**
     * F1. Loads alone lead to the last thread that was looked at, 13; by idle times the youngest of node 1, which is 8 + 4 = 12. Kernels
     * that hold the node take core {1,9}.
     */
    @ParameterizedTest
    @CsvSource({
        "3.9, 13",
        "3.12, 13",
        "5.6, 9",
        "5.9, 9",
        "5.10, 9",
        "5.11, 9",
        "5.15, 9",
        "5.18, 12",
        "6.0, 12",
        "6.1.0, 12",
        "6.1.192, 12",
        "6.7, 12",
        "6.12.117, 12",
        "6.18, 12",
        "6.19, 12"
    })
    void forkOnAnIdleMachineGoesWhereTheEraSends(String era, int chosen) {
        assertThat(twoNodes(era).place(WakeKind.FORK, 0)).isEqualTo(chosen);
    }

    /** F2. */
    @ParameterizedTest
    @ValueSource(strings = {"5.6", "5.11", "5.18", "6.0", "6.1.0", "6.1.192", "6.18"})
    void forkStaysOffAFullyBusyNode(String era) {
        Bench bench = twoNodes(era);
        bench.run(CpuMask.parse("4-7,12-15"));
        assertThat(bench.place(WakeKind.FORK, 0)).isEqualTo(9);
    }

    /** F3. */
    @ParameterizedTest
    @ValueSource(strings = {"5.6", "5.11", "6.1.0", "6.1.192", "6.18"})
    void execDoesNotCountAgainstItself(String era) {
        Bench bench = new Bench(Eras.named(era), "E5620");
        bench.run(3, 1, 1024);
        bench.request.queuedOnPrev = true;
        bench.request.wakeeUtilAvg = 1024;
        bench.request.wakeeRunnable = 1024;
        assertThat(bench.place(WakeKind.EXEC, 3)).isEqualTo(3);
        bench.request.queuedOnPrev = false;
        assertThat(bench.place(WakeKind.EXEC, 3)).isNotEqualTo(3);
    }

    /** F4, and 3.16 – 4.8, which look at the CPU and the affinity. */
    @Test
    void aGroupOfOneCpuIsAnsweredAtOnceFrom49() {
        Bench bench = new Bench(Eras.named("6.1.0"), "FLAT8");
        bench.run(5, 3, 1024);
        bench.request.allow(CpuMask.range(0, 3));
        IdlestCpu young = new ShallowestIdleCpu(ShallowestIdleCpu.Form.SINGLE_AT_ONCE);
        assertThat(young.find(CpuMask.of(5), 1, bench.request, bench.view)).isEqualTo(5);
        IdlestCpu old = new ShallowestIdleCpu(ShallowestIdleCpu.Form.FIRST);
        assertThat(old.find(CpuMask.of(5), 1, bench.request, bench.view)).isEqualTo(1);
        assertThat(bench.view.probeCount).isZero();
    }

    /** F5: CPU 1 is idle, CPU 2 runs SCHED_IDLE work only, CPU 3 has least load; then without the idle one. */
    @ParameterizedTest
    @CsvSource({"LOWEST_OF_EQUALS, 1, 3", "SCHED_IDLE_IF_NONE_IDLE, 1, 2", "SCHED_IDLE_AT_ONCE, 2, 2"})
    void cpusOfSchedIdleWorkCountByTheErasRule(ShallowestIdleCpu.Form form, int chosen, int withoutIdle) {
        Bench bench = new Bench(Eras.named("5.4"), "FLAT8");
        bench.run(CpuMask.range(1, 3));
        bench.run(2, 1, 30);
        bench.view.schedIdle[2] = 1;
        bench.run(3, 1, 3);
        bench.run(1, 0, 0);
        IdlestCpu rule = new ShallowestIdleCpu(form);
        assertThat(rule.find(CpuMask.range(1, 3), 7, bench.request, bench.view)).isEqualTo(chosen);
        bench.run(1, 1, 1024);
        assertThat(rule.find(CpuMask.range(1, 3), 7, bench.request, bench.view)).isEqualTo(withoutIdle);
    }

    @Test
    void theShallowestIdleStateWinsThenTheYoungestIdleTime() {
        Bench bench = new Bench(Eras.named("6.1.0"), "FLAT8");
        IdlestCpu rule = new ShallowestIdleCpu(ShallowestIdleCpu.Form.SCHED_IDLE_AT_ONCE);
        CpuMask group = CpuMask.range(1, 4);
        int[] latency = {0, 50, 2, 2, 9};
        System.arraycopy(latency, 0, bench.view.exitLatencyNs, 0, 5);
        bench.view.idleStamp[1] = 900;
        bench.view.idleStamp[2] = 100;
        bench.view.idleStamp[3] = 101;
        assertThat(rule.find(group, 1, bench.request, bench.view)).isEqualTo(3);
        bench.view.idleStamp[3] = 100;
        assertThat(rule.find(group, 1, bench.request, bench.view)).isEqualTo(2);
        bench.view.exitLatencyNs[4] = -1;
        assertThat(rule.find(group, 1, bench.request, bench.view)).isEqualTo(2);
        bench.view.idleStamp[4] = 101;
        assertThat(rule.find(group, 1, bench.request, bench.view)).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({"FIRST, 3", "SINGLE_AT_ONCE, 3", "LOWEST_OF_EQUALS, 2", "SCHED_IDLE_AT_ONCE, 2"})
    void ofBusyCpusOfEqualLoadTheReferenceWinsUntil415(ShallowestIdleCpu.Form form, int chosen) {
        Bench bench = new Bench(Eras.named("4.9"), "FLAT8");
        bench.run(CpuMask.range(0, 7));
        assertThat(new ShallowestIdleCpu(form).find(CpuMask.range(2, 4), 3, bench.request, bench.view))
                .isEqualTo(chosen);
    }

    /** A busy two-LLC machine; R and A of a group are half the sum of its two CPUs' loads times two, so the load of one. */
    private static Bench pairs(String era, int thisLoad, int otherLoad, int otherAverage) {
        Bench bench = new Bench(Eras.named(era), "Q6600");
        for (int cpu = 0; cpu < 4; cpu++) {
            bench.run(cpu, 1, cpu < 2 ? otherLoad : thisLoad);
        }
        bench.view.loadAvg[0] = otherAverage;
        bench.view.loadAvg[1] = otherAverage;
        return bench;
    }

    /**
     * 8.7, 4.10 – 5.4: package level of 125 %, so a margin of 256 and a bias of 112. 1024 < R + 256 and 100 · 1024 < 112 · A stays; 768 is
     * a margin less than 1024, 915 · 112 = 102 480.
     */
    @ParameterizedTest
    @CsvSource({"768, 9999, 0", "769, 915, 3", "769, 914, 0", "1281, 10, 3", "1280, 10, 0"})
    void forkComparesRunnableThenAverageLoad(int otherLoad, int otherAverage, int chosen) {
        for (String era : new String[] {"4.11", "4.15", "4.16", "4.19", "5.4"}) {
            assertThat(pairs(era, 1024, otherLoad, otherAverage).place(WakeKind.FORK, 3))
                    .describedAs(era)
                    .isEqualTo(chosen);
        }
    }

    /** 8.7: more than half of the task's utilisation spare, and 112 % of it more than elsewhere. */
    @ParameterizedTest
    @CsvSource({"500, 559, true", "500, 560, false", "100, 100, true", "100, 103, false", "80, 50, true"})
    void execStaysInTheCacheWhereEnoughIsSpare(int thisSpare, int otherSpare, boolean stays) {
        Bench bench = pairs("4.19", 1024, 1024, 1024);
        bench.view.utilAvg[0] = 1024L - otherSpare;
        bench.view.utilAvg[2] = 1024L - thisSpare;
        bench.view.utilAvg[3] = 1024 + 200;
        bench.request.wakeeUtilAvg = 200;
        assertThat(bench.place(WakeKind.EXEC, 3) >= 2).isEqualTo(stays);
    }

    /** 8.7: without an allowed CPU in the own group; endless load there (4.15+) leaves, no load (4.10) stays unless the other is idle. */
    @ParameterizedTest
    @CsvSource({"4.11, 3, 0", "4.15, 0, 0", "4.19, 0, 0"})
    void aForeignAffinityIsFollowedFrom415(String era, int position, int repaired) {
        Bench bench = pairs(era, 0, 1024, 1024);
        bench.request.allow(CpuMask.range(0, 1));
        int[] first = {-1};
        bench.view.listenWith((step, cpu, taken) -> first[0] = step == PlacementStep.VALIDITY ? cpu : first[0]);
        assertThat(bench.place(WakeKind.FORK, 3)).isEqualTo(repaired);
        assertThat(first[0]).isEqualTo(position);
    }

    /** 8.7: nodes 256 apart in runnable load, the margin of 125 %. */
    @ParameterizedTest
    @CsvSource({"4.16, 767, 8", "4.16, 768, 8", "4.19, 767, 8", "4.19, 768, 0", "5.4, 768, 0"})
    void aNodeIsLeftOnlyForAClearGainFrom419(String era, int otherLoad, int firstOfChosen) {
        Topology nodes = TestMachines.nodes(8, new int[][] {{10, 20}, {20, 10}});
        Bench bench = new Bench(Eras.named(era), nodes, nodes.cpus());
        for (int cpu = 0; cpu < 16; cpu++) {
            bench.run(cpu, 1, cpu < 8 ? 1024 : otherLoad);
            bench.view.loadAvg[cpu] = cpu < 8 ? 1024 : 1;
        }
        int chosen = bench.place(WakeKind.FORK, 0);
        assertThat(nodes.nodes().get(nodes.nodeOf(chosen)).first()).isEqualTo(firstOfChosen);
    }

    /** 8.8: what keeps a fork on its node of 8 CPUs with so many tasks, the other node being idle. */
    @ParameterizedTest
    @CsvSource({
        "5.9, 7, true",
        "5.9, 8, false",
        "5.11, 3, true",
        "5.11, 4, false",
        "5.18, 1, false",
        "6.0, 1, false",
        "6.1.0, 1, false"
    })
    void aNodeHoldsItsForksByTheErasRule(String era, int tasks, boolean stays) {
        Bench bench = new Bench(Eras.named(era), "2xNHM");
        int[] node = bench.topology.nodes().getFirst().toArray();
        for (int i = 0; i < tasks; i++) {
            bench.run(node[i], 1, 1024);
        }
        int chosen = bench.place(WakeKind.FORK, 0);
        assertThat(bench.topology.nodeOf(chosen) == 0).isEqualTo(stays);
    }

    /** 8.8: two nodes of 32 CPUs, each one cache, so imbNuma is 32 / 8; differences of idle CPUs of more than 2 leave from 6.0 on. */
    @ParameterizedTest
    @CsvSource({
        "5.18, 3, 0, true",
        "5.18, 4, 0, false",
        "6.0, 2, 0, true",
        "6.0, 3, 0, false",
        "6.0, 5, 5, true",
        "6.1.0, 3, 1, true"
    })
    void theAllowedImbalanceIsLimitedFrom60(String era, int tasksHere, int tasksThere, boolean stays) {
        Topology nodes = TestMachines.nodes(32, new int[][] {{10, 20}, {20, 10}});
        Bench bench = new Bench(Eras.named(era), nodes, nodes.cpus());
        for (int i = 0; i < tasksHere; i++) {
            bench.run(i, 1, 1024);
        }
        for (int i = 0; i < tasksThere; i++) {
            bench.run(32 + i, 1, 1024);
        }
        assertThat(bench.topology.nodeOf(bench.place(WakeKind.FORK, 0)) == 0).isEqualTo(stays);
    }

    @Test
    void thePreferredNodeDecidesBetweenNodesWithSpareCpus() {
        Bench bench = twoNodes("6.1.0");
        bench.request.preferredNode = 0;
        assertThat(bench.topology.nodeOf(bench.place(WakeKind.FORK, 0))).isZero();
        Bench other = twoNodes("5.6");
        other.request.preferredNode = 1;
        assertThat(other.topology.nodeOf(other.place(WakeKind.FORK, 0))).isEqualTo(1);
    }

    /** 8.8: equally many idle CPUs, the third core in less use than the second. */
    @ParameterizedTest
    @CsvSource({"5.6, 0", "5.9, 1"})
    void ofGroupsWithEquallyManyIdleCpusTheLessUsedWinsFrom59(String era, int chosen) {
        Bench bench = new Bench(Eras.named(era), "E5620");
        bench.run(3, 1, 1024);
        bench.view.utilAvg[0] = 300;
        bench.view.utilAvg[1] = 100;
        bench.view.utilAvg[2] = 200;
        assertThat(bench.place(WakeKind.FORK, 3)).isEqualTo(chosen);
    }

    /**
     * 8.8: the own core is busy by both threads; of core {1,5} only the busy thread is allowed. Counting all, the core has spare capacity
     * and the own has none; counting the allowed, each core has a task too few to be busy and no idle CPU.
     */
    @ParameterizedTest
    @CsvSource({"6.1.0, 1", "6.12, 1", "6.18, 1", "6.1.192, 3", "6.12.117, 3", "6.19, 3"})
    void onlyAllowedCpusAreSummedInLateKernels(String era, int chosen) {
        Bench bench = new Bench(Eras.named(era), "E5620");
        bench.run(CpuMask.parse("1,3,7"));
        bench.request.allow(CpuMask.parse("1,3"));
        assertThat(bench.place(WakeKind.FORK, 3)).isEqualTo(chosen);
    }

    /** 8.8: groups with more tasks than CPUs; MC level of 117 %, so a margin of 174 on capacities of 1024. */
    @ParameterizedTest
    @CsvSource({"3000, 2000, 0", "2340, 2000, 2", "2341, 2000, 0", "1000, 900, 2"})
    void overloadedGroupsAreComparedByLoad(int thisLoad, int otherLoad, int firstOfChosen) {
        Topology twoCpus = TestMachines.nodes(2, new int[][] {{10}});
        Bench bench = new Bench(Eras.named("6.1.0"), twoCpus, twoCpus.cpus());
        bench.run(0, 3, 0);
        bench.run(1, 3, 0);
        bench.view.loadAvg[0] = otherLoad;
        bench.view.loadAvg[1] = thisLoad;
        assertThat(bench.place(WakeKind.FORK, 1)).isEqualTo(firstOfChosen == 2 ? 1 : 0);
    }

    /** 8.8: on a machine of unequal CPUs a group that the task does not fit is worse than a busy one that it fits. */
    @ParameterizedTest
    @ValueSource(strings = {"5.11", "6.1.0", "6.18"})
    void aTaskGoesToACpuThatItFits(String era) {
        int[] capacities = {512, 512, 512, 512, 1024, 1024, 1024, 1024};
        Topology big = TestMachines.named("FLAT8").withCapacities(capacities);
        Bench bench = new Bench(Eras.named(era), big, big.cpus());
        System.arraycopy(capacities, 0, bench.view.originalCapacity, 0, 8);
        System.arraycopy(capacities, 0, bench.view.capacity, 0, 8);
        bench.run(0, 1, 1024);
        bench.request.wakeeUtil = 500;
        assertThat(bench.place(WakeKind.FORK, 0)).isEqualTo(4);
        bench.request.wakeeUtil = 100;
        assertThat(bench.place(WakeKind.FORK, 0)).isEqualTo(1);
    }

    /** 8.6. */
    @ParameterizedTest
    @CsvSource({"3.12, 589", "4.9, 589", "4.19, 589", "5.0, 1024", "5.4, 1024", "6.18, 1024"})
    void smtThreadsCountFullFrom50(String era, int capacity) {
        assertThat(new Bench(Eras.named(era), "E5620").view.capacity[3]).isEqualTo(capacity);
        assertThat(new Bench(Eras.named(era), "FLAT8").view.capacity[3]).isEqualTo(1024);
    }
}
