package dev.perch.kernel.balance;

import static dev.perch.kernel.balance.BalanceVersion.V5_5;
import static dev.perch.kernel.balance.BalanceVersion.V6_12;
import static dev.perch.kernel.balance.GroupType.ASYM_PACKING;
import static dev.perch.kernel.balance.GroupType.FULLY_BUSY;
import static dev.perch.kernel.balance.GroupType.HAS_SPARE;
import static dev.perch.kernel.balance.GroupType.IMBALANCED;
import static dev.perch.kernel.balance.GroupType.MISFIT_TASK;
import static dev.perch.kernel.balance.GroupType.OVERLOADED;
import static dev.perch.kernel.balance.GroupType.SMT_BALANCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TestMachines;
import dev.perch.kernel.domain.SchedDomain;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which group is the busier, and packing: the tables of scheduler.md 4.8. */
class BusiestOrderTest {
    private final HogMachine machine = HogMachine.of("v6.12.0", TestMachines.named("E5620"));
    private final DomainTraits traits = new DomainTraits(machine.domains);
    private final SchedDomain cores = Objects.requireNonNull(
            Objects.requireNonNull(machine.domains.lowest(0)).parent());
    private final GroupStats local = group(HAS_SPARE);

    @Test
    void aGroupWithoutFairTasksIsNeverTheBusiest() {
        GroupStats none = group(OVERLOADED);
        none.nrFair = 0;

        assertThat(busier(V5_5, none, null)).isFalse();
        assertThat(busier(V5_5, group(HAS_SPARE), null)).isTrue();
    }

    @Test
    void theHigherTypeWins() {
        GroupType[] types = GroupType.values();
        for (int low = 0; low < types.length; low++) {
            for (int high = low + 1; high < types.length; high++) {
                assertThat(busier(V6_12, group(types[high]), group(types[low]))).isTrue();
                assertThat(busier(V6_12, group(types[low]), group(types[high]))).isFalse();
            }
        }
    }

    @Test
    void ofOverloadedGroupsTheGreaterAverageWins() {
        assertThat(busier(V5_5, average(OVERLOADED, 2001), average(OVERLOADED, 2000)))
                .isTrue();
        assertThat(busier(V5_5, average(OVERLOADED, 2000), average(OVERLOADED, 2000)))
                .isFalse();
    }

    @Test
    void ofImbalancedGroupsTheFirstStays() {
        assertThat(busier(V5_5, average(IMBALANCED, 9), average(IMBALANCED, 1))).isFalse();
    }

    @Test
    void ofMisfitsTheLargerWinsAndUntil611AnEqualOneToo() {
        GroupStats one = group(MISFIT_TASK);
        one.misfitLoad = 500;
        GroupStats same = group(MISFIT_TASK);
        same.misfitLoad = 500;

        assertThat(busier(V5_5, same, one)).isTrue();
        assertThat(busier(V6_12, same, one)).isFalse();
        same.misfitLoad = 501;
        assertThat(busier(V6_12, same, one)).isTrue();
    }

    @Test
    void ofFullyBusyGroupsTheFirstStaysAndSince612TheLastUnlessTheFirstIsACore() {
        assertThat(busier(V5_5, group(FULLY_BUSY), group(FULLY_BUSY))).isFalse();
        assertThat(busier(V6_12, group(FULLY_BUSY), group(FULLY_BUSY))).isTrue();
        GroupStats core = group(FULLY_BUSY);
        core.smt = true;
        assertThat(busier(V6_12, group(FULLY_BUSY), core)).isFalse();
    }

    @Test
    void ofGroupsWithSpareTheOneWithFewerIdleCpusWinsThenTheOneWithMoreTasks() {
        GroupStats one = spare(2, 2);
        assertThat(busier(V5_5, spare(1, 1), one)).isTrue();
        assertThat(busier(V5_5, spare(3, 9), one)).isFalse();
        assertThat(busier(V5_5, spare(2, 3), one)).isTrue();
        assertThat(busier(V5_5, spare(2, 2), one)).isFalse();
    }

    @Test
    void since612OfACoreAndAnotherGroupTheCoreWinsWithTwoTasksOnly() {
        GroupStats core = spare(0, 1);
        core.smt = true;
        assertThat(busier(V6_12, core, spare(3, 1))).isFalse();
        core.nrFair = 2;
        assertThat(busier(V6_12, core, spare(0, 9))).isTrue();
        assertThat(busier(V6_12, spare(3, 1), core)).isTrue();
    }

    @Test
    void busyCoresAreComparedAsFullyBusyOrForTheirIdleThreads() {
        GroupStats one = group(SMT_BALANCE);
        GroupStats other = group(SMT_BALANCE);
        one.smt = true;
        other.smt = true;
        assertThat(busier(V6_12, other, one)).isFalse();
        one.idleCpus = 1;
        assertThat(busier(V6_12, other, one)).isTrue();
    }

    @Test
    void tasksArePackedOnPreferredCpus() {
        Priorities priorities = new Priorities(machine);
        GroupStats other = group(HAS_SPARE);
        other.weight = 2;
        other.preferredCpu = 1;
        other.idleCpus = 1;
        BusiestOrder early = new BusiestOrder(priorities, V5_5);
        BusiestOrder late = new BusiestOrder(priorities, V6_12);

        // CPU 7 is preferred to 1, and 0 is not
        assertThat(early.packs(other, local, cores, 7, traits, machine)).isTrue();
        assertThat(early.packs(other, local, cores, 0, traits, machine)).isFalse();
        assertThat(late.packs(other, local, cores, 7, traits, machine)).isTrue();
        other.smt = true;
        other.idleCpus = 0;
        // both threads busy: no question of priority before 6.12, and since then no packing
        assertThat(early.packs(other, local, cores, 0, traits, machine)).isTrue();
        assertThat(late.packs(other, local, cores, 7, traits, machine)).isFalse();
        // both are cores: only for exactly one busy thread more
        local.smt = true;
        local.weight = 2;
        local.idleCpus = 2;
        assertThat(early.packs(other, local, cores, 7, traits, machine)).isFalse();
        local.idleCpus = 1;
        assertThat(early.packs(other, local, cores, 7, traits, machine)).isTrue();
        // the destination's core must be idle since 6.12
        other.idleCpus = 1;
        machine.addHog(3);
        assertThat(late.packs(other, local, cores, 7, traits, machine)).isFalse();
        assertThat(new BusiestOrder(machine, V5_5).packs(other, local, cores, 7, traits, machine))
                .isFalse();
    }

    @Test
    void ofGroupsToPackFromTheOneWithTheLessPreferredCpuWins() {
        BusiestOrder order = new BusiestOrder(new Priorities(machine), V5_5);
        GroupStats one = group(ASYM_PACKING);
        one.preferredCpu = 2;
        GroupStats less = group(ASYM_PACKING);
        less.preferredCpu = 1;

        assertThat(order.isBusier(less, one, local, cores, 0, traits, machine)).isTrue();
        assertThat(order.isBusier(one, less, local, cores, 0, traits, machine)).isFalse();
    }

    private boolean busier(BalanceVersion version, GroupStats group, @Nullable GroupStats than) {
        return new BusiestOrder(machine, version).isBusier(group, than, local, cores, 0, traits, machine);
    }

    private static GroupStats group(GroupType type) {
        GroupStats group = new GroupStats();
        group.clear();
        group.type = type;
        group.nrFair = 1;
        group.preferredCpu = 0;
        return group;
    }

    private static GroupStats average(GroupType type, long average) {
        GroupStats group = group(type);
        group.average = average;
        return group;
    }

    private static GroupStats spare(int idleCpus, int nrRunning) {
        GroupStats group = group(HAS_SPARE);
        group.idleCpus = idleCpus;
        group.nrRunning = nrRunning;
        group.nrFair = nrRunning;
        return group;
    }
}
