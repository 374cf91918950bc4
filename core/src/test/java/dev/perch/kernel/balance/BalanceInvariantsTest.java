package dev.perch.kernel.balance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.TestMachines;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What holds for every machine, kernel and load: no task is lost or doubled, and affinity is never broken. */
class BalanceInvariantsTest {
    private static final List<String> KERNELS =
            List.of("v3.2", "v3.9", "v3.13", "v4.4", "v5.5", "v5.16", "v6.1.0", "v6.6", "v6.12.0", "v6.18.26");
    private static final List<Topology> MACHINES = List.of(
            TestMachines.named("FLAT8"),
            TestMachines.named("E5620"),
            TestMachines.named("2xNHM"),
            TestMachines.named("CCX16"),
            TestMachines.nodes(3, new int[][] {{10, 15, 20}, {15, 10, 15}, {20, 15, 10}}));

    @Test
    void tasksAreNeitherLostNorPutWhereTheyMayNotRun() {
        Random random = new Random(7);
        for (int round = 0; round < 150; round++) {
            Topology topology = MACHINES.get(random.nextInt(MACHINES.size()));
            String kernel = KERNELS.get(round % KERNELS.size());
            HogMachine machine = HogMachine.of(kernel, topology);
            machine.nohz = random.nextBoolean();
            machine.run(2);
            int tasks = 0;
            for (int step = 0; step < 40; step++) {
                if (random.nextInt(3) > 0 && tasks < 60) {
                    CpuMask allowed = mask(random, topology.cpuCount());
                    machine.addHog(pick(random, allowed), allowed);
                    tasks++;
                } else {
                    tasks -= blockOne(machine, random) ? 1 : 0;
                }
                if (random.nextInt(10) == 0) {
                    machine.capacity[random.nextInt(topology.cpuCount())] = 300 + random.nextInt(725);
                }
                machine.run(1 + random.nextInt(12));
                check(machine, tasks, kernel + " round " + round);
            }
        }
    }

    /** The running task of some CPU goes to sleep for good; returns whether one left its queue. */
    private static boolean blockOne(HogMachine machine, Random random) {
        int cpu = random.nextInt(machine.queues.length);
        int task = machine.queues[cpu].current();
        if (task == TaskTable.IDLE_TASK) {
            return false;
        }
        machine.block(cpu);
        return true;
    }

    private static void check(HogMachine machine, int tasks, String where) {
        int counted = 0;
        int delayed = 0;
        for (int cpu = 0; cpu < machine.queues.length; cpu++) {
            counted += machine.queues[cpu].nrRunning();
            delayed += machine.queues[cpu].nrDelayed();
            assertThat(machine.queues[cpu].nrRunning() - machine.queues[cpu].nrDelayed())
                    .as(where)
                    .isNotNegative();
        }
        assertThat(counted - delayed).as(where).isEqualTo(tasks);
        int queued = 0;
        for (int task = 1; task < machine.tasks.capacity(); task++) {
            if (machine.tasks.onQueue[task]) {
                queued++;
                assertThat(machine.tasks.allowed[task].contains(machine.tasks.cpu[task]))
                        .as(where)
                        .isTrue();
            }
        }
        assertThat(queued).as(where).isEqualTo(counted);
    }

    @Test
    void onceThereIsOneTaskACpuNothingMovesAnyMore() {
        for (String kernel : List.of("v5.5", "v5.16", "v6.1.0", "v6.6", "v6.12.0", "v6.18.0")) {
            for (Topology topology : MACHINES) {
                for (int hogs : new int[] {1, 2, topology.cpuCount() / 2, topology.cpuCount()}) {
                    HogMachine machine = HogMachine.of(kernel, topology);
                    machine.run(2);
                    for (int i = 0; i < hogs; i++) {
                        machine.addHog(i % 2);
                    }
                    machine.run(1000);
                    long moved = machine.balancer.moves();
                    machine.run(1000);

                    assertThat(machine.balancer.moves())
                            .as(kernel + ", " + hogs + " hogs on " + topology.cpuCount() + " CPUs")
                            .isEqualTo(moved);
                }
            }
        }
    }

    private static CpuMask mask(Random random, int cpus) {
        if (random.nextInt(3) > 0) {
            return CpuMask.range(0, cpus - 1);
        }
        CpuMask mask = CpuMask.of(random.nextInt(cpus));
        for (int i = random.nextInt(3); i > 0; i--) {
            mask = mask.or(CpuMask.of(random.nextInt(cpus)));
        }
        return mask;
    }

    private static int pick(Random random, CpuMask allowed) {
        int[] cpus = allowed.toArray();
        return cpus[random.nextInt(cpus.length)];
    }
}
