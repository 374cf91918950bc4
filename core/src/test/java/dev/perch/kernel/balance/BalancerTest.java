package dev.perch.kernel.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import dev.perch.kernel.TestMachines;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of scheduler.md 4.2 to 4.7 (E32), and D12 of its section 11. */
class BalancerTest {
    private static final Topology E5620 = TestMachines.named("E5620");
    private static final Topology Q6600 = TestMachines.named("Q6600");

    @ParameterizedTest
    @CsvSource({"1000, false, 64", "250, false, 16", "1000, true, 1", "250, true, 1"})
    void aBusyCpuBalancesLessOften(int hz, boolean idle, long jiffies) {
        HogMachine machine = machine(E5620, hz, "3.2");
        if (!idle) {
            machine.addHog(0);
        }
        machine.jiffies += 100;
        machine.balancer.softirq(0, idle, machine.jiffies, machine);

        assertThat(machine.balancer.nextBalance(0)).isEqualTo(machine.jiffies + jiffies);
    }

    @Test
    void anIdleCpuWithNothingToPullWaitsTwiceAsLongUpToTheLongestInterval() {
        HogMachine machine = machine(Q6600, 1000, "3.2");
        long[] waits = new long[4];
        for (int i = 0; i < waits.length; i++) {
            machine.jiffies = machine.balancer.nextBalance(0) + 1000;
            machine.balancer.softirq(0, true, machine.jiffies, machine);
            waits[i] = machine.balancer.nextBalance(0) - machine.jiffies;
        }

        assertThat(waits).containsExactly(1, 2, 4, 4);
    }

    @Test
    void twoHogsOnOneCpuPartWhenTheNeighbourLooksForWork() {
        HogMachine machine = machine(Q6600, 1000, "3.2");
        machine.nohz = false;
        machine.addHog(2);
        machine.addHog(2);
        machine.run(5);

        assertThat(machine.queues[2].nrRunning()).isEqualTo(1);
        assertThat(machine.balancer.moves()).isPositive();
        assertThat(machine.tasks.cpu[machine.queues[2].current()]).isEqualTo(2);
    }

    @Test
    void aTaskIsPulledByACpuThatIsAboutToBeIdle() {
        HogMachine machine = machine(Q6600, 1000, "3.2");
        machine.addHog(3);
        machine.addHog(2);
        int waiting = machine.addHog(2);
        machine.jiffies += 10;

        assertThat(machine.block(3)).isTrue();
        assertThat(machine.queues[3].current()).isEqualTo(waiting);
        assertThat(machine.tasks.cpu[waiting]).isEqualTo(3);
        assertThat(machine.balancer.moves()).isEqualTo(1);
        assertThat(machine.balancer.probes()).isEqualTo(2);
    }

    @Test
    void aCpuWhoseIdlePeriodsAreShortDoesNotLookForWork() {
        HogMachine machine = machine(Q6600, 1000, "3.2");
        machine.addHog(3);
        machine.addHog(2);
        machine.addHog(2);
        machine.jiffies += 10;
        while (machine.queues[3].idleTime().average() >= 500_000) {
            machine.queues[3].idleTime().begin(0);
            machine.queues[3].idleTime().end(50_000);
        }

        assertThat(machine.block(3)).isFalse();
        assertThat(machine.balancer.probes()).isZero();
    }

    @Test
    void aTaskThatRanAMomentAgoIsLeftInItsCache() {
        HogMachine machine = machine(Q6600, 1000, "3.2");
        machine.addHog(3);
        machine.addHog(2);
        int waiting = machine.addHog(2);
        machine.jiffies += 10;
        machine.tasks.execStart[waiting] = machine.queues[2].clock() - 499_999;
        assertThat(machine.block(3)).isFalse();

        machine.addHog(3);
        machine.tasks.execStart[waiting] = machine.queues[2].clock() - 500_000;
        assertThat(machine.block(3)).isTrue();
    }

    @Test
    void pinnedTasksStayAndTheirDomainIsLeftAloneForLonger() {
        HogMachine machine = new HogMachine(Q6600, CpuMask.of(2, 3), 1000, "3.2", "3.2");
        machine.addHog(2, CpuMask.of(2));
        machine.addHog(2, CpuMask.of(2));
        for (int i = 0; i < 12; i++) {
            machine.jiffies += 10_000;
            machine.balancer.softirq(3, true, machine.jiffies, machine);
        }

        assertThat(machine.queues[2].nrRunning()).isEqualTo(2);
        assertThat(machine.activeBalances).isZero();
        // The pair's interval has grown to 512 ms, cut to a tenth of a second for each CPU; that of the whole machine
        // grows alike.
        assertThat(machine.balancer.nextBalance(3) - machine.jiffies).isEqualTo(400);
    }

    @Test
    void theStopperMovesARunningTaskOnceFourAttemptsHaveFailed() {
        HogMachine machine = machine(Q6600, 1000, "3.2");
        machine.nohz = false;
        machine.addHog(2);
        machine.addHog(3);
        int attempts = 0;
        while (machine.activeBalances == 0 && attempts < 100) {
            machine.jiffies += 1000;
            machine.loads[2].update(machine.jiffies, 1024);
            machine.loads[3].update(machine.jiffies, 1024);
            machine.balancer.softirq(0, true, machine.jiffies, machine);
            attempts++;
        }
        assertThat(attempts).isEqualTo(4);

        machine.run(1);
        assertThat(machine.queues[2].nrRunning() + machine.queues[3].nrRunning())
                .isEqualTo(1);
        assertThat(machine.queues[0].nrRunning() + machine.queues[1].nrRunning())
                .isEqualTo(1);
    }

    @Test
    void aStopperThatNobodyAskedForIsAProgrammerError() {
        HogMachine machine = machine(Q6600, 1000, "3.2");

        assertThatIllegalStateException().isThrownBy(() -> machine.balancer.activeBalance(0, 1, machine));
    }

    @ParameterizedTest
    @CsvSource({"250, 3.2", "1000, 3.2", "250, 3.3", "1000, 3.3"})
    void twoHogsOnOneCoreAreParted(int hz, String nohzKick) {
        HogMachine machine = machine(E5620, hz, nohzKick);
        machine.run(4);
        int first = machine.addHog(1);
        int second = machine.addHog(5);
        machine.run(hz / 5);

        int cpu = machine.tasks.cpu[first];
        assertThat(E5620.smt(cpu).contains(machine.tasks.cpu[second])).isFalse();
        assertThat(machine.kicks).isPositive();
        assertThat(machine.activeBalances).isPositive();
    }

    @Test
    void twoHogsOnOneCoreOfACpusetArePartedWithinIt() {
        CpuMask shield = CpuMask.parse("1-3,5-7");
        HogMachine machine = new HogMachine(E5620, shield, 250, "3.2", "3.2");
        machine.run(4);
        int first = machine.addHog(1, shield);
        int second = machine.addHog(5, shield);
        machine.run(250);

        assertThat(shield.contains(machine.tasks.cpu[first])).isTrue();
        assertThat(shield.contains(machine.tasks.cpu[second])).isTrue();
        assertThat(E5620.smt(machine.tasks.cpu[first]).contains(machine.tasks.cpu[second]))
                .isFalse();
    }

    @Test
    void aLoneHogKicksNobody() {
        HogMachine machine = machine(E5620, 250, "3.2");
        machine.run(4);
        machine.addHog(1);
        machine.run(250);

        assertThat(machine.kicks).isZero();
    }

    @Test
    void ofTwoLoneHogsTheSecondPickKicksAndSince33NobodyDoes() {
        HogMachine old = machine(E5620, 250, "3.2");
        HogMachine later = machine(E5620, 250, "3.3");
        for (HogMachine machine : new HogMachine[] {old, later}) {
            machine.run(4);
            machine.addHog(1);
            machine.addHog(2);
            machine.run(250);
        }

        assertThat(old.kicks).isPositive();
        assertThat(later.kicks).isZero();
        assertThat(old.balancer.moves()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"3.2", "3.3", "3.6"})
    void manyHogsSpreadOverAllCores(String balance) {
        HogMachine machine = new HogMachine(E5620, E5620.cpus(), 250, balance, balance.equals("3.2") ? "3.2" : "3.3");
        for (int i = 0; i < 16; i++) {
            machine.addHog(0);
        }
        machine.run(500);

        for (int cpu = 0; cpu < 8; cpu++) {
            assertThat(machine.queues[cpu].nrRunning()).isBetween(1, 3);
        }
    }

    @Test
    void aDomainThatOneCpuAtATimeBalancesWaitsForTheLock() {
        HogMachine machine = machine(TestMachines.named("2xNHM"), 1000, "3.2");
        CpuMask other = TestMachines.named("2xNHM").nodes().get(1);
        for (int cpu : other.toArray()) {
            for (int i = 0; i < 3; i++) {
                machine.addHog(cpu);
            }
        }
        for (int i = 0; i < 100; i++) {
            machine.jiffies++;
            for (int cpu : other.toArray()) {
                machine.loads[cpu].update(machine.jiffies, machine.queues[cpu].weight());
            }
        }
        machine.balancingIsLocked = true;
        machine.balancer.softirq(0, true, machine.jiffies, machine);
        assertThat(machine.balancer.moves()).isZero();

        machine.balancingIsLocked = false;
        machine.balancer.softirq(0, true, machine.jiffies, machine);
        assertThat(machine.balancer.moves()).isPositive();
    }

    @Test
    void anIsolatedCpuDoesNotBalance() {
        HogMachine machine = new HogMachine(E5620, CpuMask.parse("1-3,5-7"), 250, "3.2", "3.2");

        assertThat(machine.balancer.tick(0, machine.jiffies + 100, true, machine))
                .isFalse();
        assertThat(machine.balancer.tick(1, machine.jiffies + 100, true, machine))
                .isTrue();
    }

    @Test
    void unknownRulesAreNamedWithTheKnownOnes() {
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> new HogMachine(Q6600, Q6600.cpus(), 250, "9.9", "3.2"))
                .withMessage("there are no balance rules '9.9'; known are 3.2, 3.3, 3.6, 3.13, 5.5, 6.1, 6.12");
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> new HogMachine(Q6600, Q6600.cpus(), 250, "3.2", "9.9"))
                .withMessage("there are no nohz-kick rules '9.9'; known are 3.2, 3.3, 5.5");
    }

    @ParameterizedTest
    @CsvSource({"3.2, 40, 33", "3.2, 2, 33", "3.3, 40, 32", "3.3, 2, 2", "3.6, 40, 32"})
    void anAttemptLooksAtAFewTasksOnly(String balance, int nrRunning, int most) {
        assertThat(BalanceRules.of(HogMachine.rules(balance, "3.2")).mostLookedAt(nrRunning))
                .isEqualTo(most);
    }

    @ParameterizedTest
    @CsvSource({"3.2, 3, 1", "3.3, 1, 3"})
    void aTaskThatIsPassedOverGoesToTheTailOfTheListSince34(String balance, int first, int second) {
        HogMachine machine = new HogMachine(Q6600, CpuMask.of(2, 3), 1000, balance, "3.2");
        machine.addHog(2);
        int free = machine.addHog(2);
        machine.addHog(2, CpuMask.of(2));
        machine.addHog(3);
        for (int i = 0; i < 100; i++) {
            machine.jiffies++;
            machine.loads[2].update(machine.jiffies, 3 * 1024);
            machine.loads[3].update(machine.jiffies, 1024);
        }
        machine.balancer.softirq(3, false, machine.jiffies, machine);

        assertThat(machine.balancer.moves()).isEqualTo(1);
        assertThat(machine.tasks.cpu[free]).isEqualTo(3);
        assertThat(machine.queues[2].firstInList()).isEqualTo(first);
        assertThat(machine.queues[2].nextInList(first)).isEqualTo(second);
    }

    @Test
    void balancingAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        HogMachine machine = machine(E5620, 250, "3.2");
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

    private static HogMachine machine(Topology topology, int hz, String nohzKick) {
        return new HogMachine(topology, topology.cpus(), hz, "3.2", nohzKick);
    }
}
