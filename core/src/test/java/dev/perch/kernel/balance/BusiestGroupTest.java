package dev.perch.kernel.balance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TestMachines;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.load.CpuLoad;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Expected values: scheduler.md 11, D1 to D7; past loads are as the present ones. */
class BusiestGroupTest {
    @Test
    void aNewlyIdleCpuOfAnIdlePairPullsFromTheOtherPair() {
        HogMachine q6600 = withTasks(TestMachines.named("Q6600"), 0, 0, 2, 1);
        SchedDomain cpu = Objects.requireNonNull(lowest(q6600, 0).parent());
        BusiestGroup search = search(q6600);

        assertThat(search.find(cpu, 0, BalanceMode.NEWLY_IDLE, q6600)).isEqualTo(1536);
        assertThat(search.fullestCpu(cpu, 1536)).isEqualTo(2);
        assertThat(search.probes()).isEqualTo(4);
    }

    @Test
    void anIdleCpuSpreadsTwoTasksOfOnePairToTheIdlePair() {
        HogMachine q6600 = withTasks(TestMachines.named("Q6600"), 0, 0, 1, 1);
        SchedDomain cpu = Objects.requireNonNull(lowest(q6600, 0).parent());

        assertThat(search(q6600).find(cpu, 0, BalanceMode.IDLE, q6600)).isEqualTo(1024);
    }

    @Test
    void anIdleCpuTakesOneOfTwoTasksOfItsNeighbour() {
        HogMachine q6600 = withTasks(TestMachines.named("Q6600"), 0, 0, 2, 0);

        assertThat(search(q6600).find(lowest(q6600, 3), 3, BalanceMode.IDLE, q6600))
                .isEqualTo(1024);
        assertThat(search(q6600).find(lowest(q6600, 3), 3, BalanceMode.NEWLY_IDLE, q6600))
                .isEqualTo(1024);
    }

    @Test
    void aBusyCpuTakesOneOfTwoTasksToRotateThem() {
        HogMachine q6600 = withTasks(TestMachines.named("Q6600"), 0, 0, 2, 1);

        assertThat(search(q6600).find(lowest(q6600, 3), 3, BalanceMode.BUSY, q6600))
                .isEqualTo(1024);
    }

    @Test
    void oneTaskMovesBetweenThreeAndOne() {
        HogMachine q6600 = withTasks(TestMachines.named("Q6600"), 0, 0, 3, 1);

        assertThat(search(q6600).find(lowest(q6600, 3), 3, BalanceMode.BUSY, q6600))
                .isEqualTo(1024);
    }

    @Test
    void anIdleCoreTakesATaskFromACoreWithBothThreadsBusy() {
        HogMachine twoCores = withTasks(cores(2), 1, 0, 1, 0);
        assertThat(search(twoCores).find(mc(twoCores, 1), 1, BalanceMode.IDLE, twoCores))
                .isEqualTo(1024);

        HogMachine fourCores = withTasks(cores(4), 1, 0, 1, 0, 1, 0, 0, 0);
        assertThat(search(fourCores).find(mc(fourCores, 1), 1, BalanceMode.IDLE, fourCores))
                .isEqualTo(1024);
    }

    @Test
    void equallyBusyCoresAreInBalance() {
        HogMachine machine = withTasks(cores(4), 1, 1, 1, 1, 1, 1, 1, 1);

        assertThat(search(machine).find(mc(machine, 0), 0, BalanceMode.BUSY, machine))
                .isEqualTo(Imbalance.NONE);
    }

    @Test
    void onlyTheFirstIdleCpuOfItsGroupBalancesUnlessItIsAboutToBeIdle() {
        HogMachine q6600 = withTasks(TestMachines.named("Q6600"), 1, 0, 2, 2);
        SchedDomain of0 = Objects.requireNonNull(lowest(q6600, 0).parent());
        SchedDomain of1 = Objects.requireNonNull(lowest(q6600, 1).parent());
        BusiestGroup search = search(q6600);

        search.find(of0, 0, BalanceMode.BUSY, q6600);
        assertThat(search.wasAllowed()).isFalse();
        assertThat(search.find(of1, 1, BalanceMode.IDLE, q6600)).isPositive();
        assertThat(search.wasAllowed()).isTrue();
        search.find(of0, 0, BalanceMode.NEWLY_IDLE, q6600);
        assertThat(search.wasAllowed()).isTrue();
    }

    @Test
    void theFirstCpuOfABusyGroupBalances() {
        HogMachine q6600 = withTasks(TestMachines.named("Q6600"), 1, 1, 2, 2);
        BusiestGroup search = search(q6600);

        search.find(Objects.requireNonNull(lowest(q6600, 0).parent()), 0, BalanceMode.BUSY, q6600);
        assertThat(search.wasAllowed()).isTrue();
        search.find(Objects.requireNonNull(lowest(q6600, 1).parent()), 1, BalanceMode.BUSY, q6600);
        assertThat(search.wasAllowed()).isFalse();
    }

    @Test
    void aThreadOfTwoHasRoomForOneTaskThoughItIsWorthLittleMoreThanHalfACpu() {
        HogMachine machine = withTasks(cores(4), 0, 0, 0, 0, 0, 0, 0, 0);
        CpuPower power = new CpuPower(machine.domains);

        assertThat(power.ofCpu(3)).isEqualTo(589);
        assertThat(power.ofGroup(mc(machine, 0), 0)).isEqualTo(1178);
        assertThat(CpuPower.roomIn(lowest(machine, 0), 589)).isEqualTo(1);
        assertThat(CpuPower.roomIn(lowest(machine, 0), 294)).isEqualTo(1);
        assertThat(CpuPower.roomIn(mc(machine, 0), 294)).isZero();
        assertThat(CpuPower.roomIn(mc(machine, 0), 1178)).isEqualTo(1);
        assertThat(new CpuPower(withTasks(TestMachines.named("Q6600"), 0, 0, 0, 0).domains).ofCpu(0))
                .isEqualTo(1024);
    }

    @Test
    void unevenGroupsAreToldByTheMostLoadedCpuOrSince36ByTheirTaskCounts() {
        HogMachine q6600 = withTasks(TestMachines.named("Q6600"), 1, 2, 2, 1);
        SchedDomain of0 = Objects.requireNonNull(lowest(q6600, 0).parent());

        // scheduler.md 4.7, by hand: equal averages, so only an uneven group is searched, and nothing is gained by
        // moving.
        assertThat(search(q6600, "3.2").find(of0, 0, BalanceMode.BUSY, q6600)).isZero();
        assertThat(search(q6600, "3.6").find(of0, 0, BalanceMode.BUSY, q6600)).isEqualTo(Imbalance.NONE);
    }

    private static BusiestGroup search(HogMachine machine) {
        return search(machine, "3.2");
    }

    private static BusiestGroup search(HogMachine machine, String rules) {
        CpuLoad[] present = new CpuLoad[machine.queues.length];
        Arrays.setAll(present, cpu -> new CpuLoad(false));
        BusiestGroup search = new BusiestGroup(
                machine.domains,
                new DomainTraits(machine.domains),
                machine,
                present,
                BalanceRules.of(HogMachine.rules(rules, "3.2")));
        search.begin();
        return search;
    }

    private static HogMachine withTasks(Topology topology, int... perCpu) {
        HogMachine machine = new HogMachine(topology, topology.cpus(), 1000, "3.2", "3.2");
        for (int cpu = 0; cpu < perCpu.length; cpu++) {
            for (int i = 0; i < perCpu[cpu]; i++) {
                machine.addHog(cpu);
            }
        }
        return machine;
    }

    /** One package; core c has the CPUs c and c + cores. */
    private static Topology cores(int cores) {
        CpuMask all = CpuMask.range(0, 2 * cores - 1);
        CpuMask[] siblings = new CpuMask[cores];
        Arrays.setAll(siblings, core -> CpuMask.of(core, core + cores));
        return new Topology(
                2 * cores, List.of(siblings), null, List.of(all), List.of(all), List.of(all), new int[][] {{10}});
    }

    private static SchedDomain lowest(HogMachine machine, int cpu) {
        return Objects.requireNonNull(machine.domains.lowest(cpu));
    }

    private static SchedDomain mc(HogMachine machine, int cpu) {
        return Objects.requireNonNull(lowest(machine, cpu).parent());
    }
}
