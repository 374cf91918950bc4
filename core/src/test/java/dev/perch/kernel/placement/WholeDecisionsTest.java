package dev.perch.kernel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.perch.kernel.Kernel;
import dev.perch.kernel.TestMachines;
import dev.perch.model.CpuMask;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole decisions of every era: the worked examples of placement.md 14.1, the properties of 14.5, and that nothing is allocated. */
class WholeDecisionsTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final String[] MACHINES = {"E5620", "Q6600", "2xNHM", "K16", "FLAT8", "ADJ8", "CCX16"};

    private static List<String> eras() {
        return Eras.names().toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "3.12", "4.3", "4.9", "4.13", "4.14", "4.16", "4.18", "5.4", "5.6", "5.11", "5.12.0", "5.13", "5.15", "YANG",
                "6.1.0", "6.7"
            })
    void everyExampleGivesTheSameCpu(String policy) {
        List<String> wrong = new ArrayList<>();
        List<String> examples = TestMachines.lines("/placement/whole-decisions.txt");
        for (String example : examples) {
            String[] field =
                    Arrays.stream(example.split("\\|")).map(String::strip).toArray(String[]::new);
            String expected = expected(field[8], policy);
            String result = decide(field, policy);
            if (!result.equals(expected)) {
                wrong.add(field[0] + " should be " + expected + " but is " + result);
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(examples).hasSize(44);
    }

    /** The CPU, or both if the affinity check changed it, of the group of results that names the policy. */
    private static String expected(String results, String policy) {
        for (String result : results.split("; ")) {
            String[] policies = result.substring(result.indexOf(':') + 2).split(" ");
            if (Arrays.asList(policies).contains(policy)) {
                return result.substring(0, result.indexOf(':'));
            }
        }
        throw new IllegalArgumentException(policy + " is not in " + results);
    }

    private static String decide(String[] field, String policy) {
        Kernel kernel = Eras.named(policy);
        Bench bench = field[1].equals("E5620-shield")
                ? new Bench(kernel, TestMachines.named("E5620"), CpuMask.parse("1-3,5-7"))
                : new Bench(kernel, field[1]);
        int thisCpu = Integer.parseInt(field[4]);
        int prevCpu = Integer.parseInt(field[5]);
        bench.run(CpuMask.parse(field[2]));
        if (!field[3].equals("all")) {
            bench.request.allow(CpuMask.parse(field[3]));
        }
        bench.request.recentCpu = prevCpu;
        Arrays.fill(bench.view.avgIdle, 1_000_000);
        Arrays.fill(bench.view.wakeAvgIdle, 1_000_000);
        Arrays.fill(bench.view.nrIdleScan, 1000);
        tellTheTruthAboutIdleCores(bench);
        for (String more : field[7].split(" ")) {
            apply(more, thisCpu, bench);
        }
        bench.view.loadAvg[prevCpu] += 1024;
        List<Integer> refused = new ArrayList<>();
        bench.view.listenWith((step, cpu, taken) -> {
            if (step == PlacementStep.VALIDITY && !taken) {
                refused.add(cpu);
            }
        });
        int result = bench.wake(thisCpu, prevCpu, field[6].equals("sync"));
        boolean pinned = bench.request.allowedCount == 1;
        return refused.isEmpty() || pinned ? "" + result : refused.getFirst() + " > " + result;
    }

    private static void apply(String more, int thisCpu, Bench bench) {
        String[] part = more.split("=");
        CpuView view = bench.view;
        switch (part[0]) {
            case "-" -> {}
            case "recent" -> bench.request.recentCpu = Integer.parseInt(part[1]);
            case "kthread" -> bench.request.wakerIsPerCpuKthread = true;
            case "budget" -> {
                Arrays.fill(view.avgIdle, 512);
                Arrays.fill(view.wakeAvgIdle, 1);
                Arrays.fill(view.avgScanCost, 1);
            }
            case "scan" -> Arrays.fill(view.nrIdleScan, Integer.parseInt(part[1]));
            case "sched-idle" -> {
                int cpu = Integer.parseInt(part[1]);
                bench.run(cpu, 1, 3);
                view.schedIdle[cpu] = 1;
            }
            case "idle-cores" -> Arrays.fill(view.hasIdleCores, Boolean.parseBoolean(part[1]));
            case "wide" -> {
                bench.request.wakeeFlips = 9;
                bench.request.wakerFlips = 100;
            }
            case "running" -> bench.run(thisCpu, Integer.parseInt(part[1]), 1024);
            default -> throw new IllegalArgumentException(more);
        }
    }

    private static void tellTheTruthAboutIdleCores(Bench bench) {
        for (CpuMask core : bench.topology.cores()) {
            boolean idle = core.count() > 1;
            for (int cpu : core.toArray()) {
                idle &= bench.view.currentIdle[cpu];
            }
            bench.view.hasIdleCores[bench.domains.llcId(core.first())] |= idle;
        }
    }

    @ParameterizedTest
    @MethodSource("eras")
    void aDecisionIsAllowedWhateverTheState(String era) {
        Random random = new Random(5);
        for (String machine : MACHINES) {
            Bench bench = new Bench(Eras.named(era), machine);
            for (int i = 0; i < 150; i++) {
                randomise(bench, random);
                for (WakeKind kind : WakeKind.values()) {
                    bench.request.kind = kind;
                    int cpu = bench.rules.select(bench.request, bench.view);
                    assertThat(bench.request.allowed.contains(cpu)).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("eras")
    void theFastPathStaysInTheCacheOfWakerOrPrev(String era) {
        Random random = new Random(6);
        for (String machine : MACHINES) {
            Bench bench = new Bench(Eras.named(era), machine);
            int cpus = bench.topology.cpuCount();
            for (int i = 0; i < 150; i++) {
                randomise(bench, random);
                bench.request.allow(bench.topology.cpus());
                bench.request.recentCpu = random.nextInt(cpus);
                int cpu = bench.rules.select(bench.request, bench.view);
                CpuMask caches = bench.topology
                        .llc(bench.request.thisCpu)
                        .or(bench.topology.llc(bench.request.prevCpu));
                assertThat(caches.contains(cpu)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("eras")
    void decisionsAllocateNothing(String era) {
        Bench bench = new Bench(Eras.named(era), "2xNHM");
        bench.run(CpuMask.parse("0-4,9,12-15"));
        Arrays.fill(bench.view.nrIdleScan, 8);
        bench.request.allow(CpuMask.parse("0-12,14"));
        long smallest = Long.MAX_VALUE;
        for (int round = 0; round < 4; round++) {
            smallest = Math.min(smallest, allocatedBy(bench));
        }
        assertThat(smallest).isZero();
    }

    private static long allocatedBy(Bench bench) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 6_000; i++) {
            bench.wake(i & 15, (i >> 4) & 15, (i & 256) == 0);
            bench.place(WakeKind.FORK, i & 15);
            bench.place(WakeKind.EXEC, i & 15);
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /** Fills the bench with a random state and asks from random CPUs. */
    private static void randomise(Bench bench, Random random) {
        int cpus = bench.topology.cpuCount();
        int busyOfTen = random.nextInt(11);
        CpuMask allowed = CpuMask.empty();
        for (int cpu = 0; cpu < cpus; cpu++) {
            bench.run(cpu, random.nextInt(10) < busyOfTen ? 1 + random.nextInt(3) : 0, 1 + random.nextInt(2048));
            bench.view.schedIdle[cpu] = random.nextInt(4) == 0 ? bench.view.nrRunning[cpu] : 0;
            bench.view.loadAvg[cpu] += random.nextInt(500);
            bench.view.hasIdleCores[cpu] = random.nextBoolean();
            bench.view.nrIdleScan[cpu] = random.nextInt(cpus);
            bench.view.idleStamp[cpu] = random.nextInt(1000);
            bench.view.exitLatencyNs[cpu] = random.nextInt(4) - 1;
            if (random.nextInt(3) > 0) {
                allowed = allowed.or(CpuMask.of(cpu));
            }
        }
        bench.request.allow(allowed.isEmpty() ? CpuMask.of(random.nextInt(cpus)) : allowed);
        bench.request.recentCpu = random.nextInt(cpus);
        bench.request.wakeeFlips = random.nextInt(20);
        bench.request.wakerFlips = random.nextInt(400);
        bench.request.queuedOnPrev = false;
        bench.ask(WakeKind.WAKE, random.nextInt(cpus), random.nextInt(cpus), random.nextBoolean());
    }
}
