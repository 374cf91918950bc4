package dev.perch.kernel.balance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TestMachines;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.model.Topology;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may balance, and from which queue: scheduler.md 4.3 and 4.8. */
class TypedSearchTest {
    private static final Topology E5620 = TestMachines.named("E5620");
    private static final Topology FLAT8 = TestMachines.named("FLAT8");

    @Test
    void theFirstIdleCpuOfTheGroupBalancesOrTheFirstIfNoneIsIdle() {
        HogMachine machine = withTasks("v5.16", E5620, 1, 0, 0, 0, 0, 0, 0, 0);
        TypedSearch search = search(machine, BalanceVersion.V5_5);

        assertThat(allowed(search, machine, 0, BalanceMode.BUSY)).isFalse();
        assertThat(allowed(search, machine, 4, BalanceMode.IDLE)).isTrue();
        assertThat(allowed(search, machine, 0, BalanceMode.NEWLY_IDLE)).isTrue();
        machine.addHog(4);
        assertThat(allowed(search, machine, 0, BalanceMode.BUSY)).isTrue();
        assertThat(allowed(search, machine, 4, BalanceMode.BUSY)).isFalse();
    }

    @Test
    void since612AnIdleCoreGoesBeforeAnIdleThread() {
        // two nodes, so that the local group of the top domain has four cores of two threads
        Topology nodes = TestMachines.named("2xNHM");
        HogMachine machine = HogMachine.of("v6.12.0", nodes);
        SchedDomain top = top(machine, 0);
        int[] local = top.group(0).toArray();
        int sibling = nodes.smt(local[0]).next(local[0] + 1);
        machine.addHog(sibling);

        assertThat(machine.isIdle(local[0])).isTrue();
        assertThat(allowed(search(machine, BalanceVersion.V5_5), machine, top, local[0], BalanceMode.IDLE))
                .isTrue();
        TypedSearch later = search(machine, BalanceVersion.V6_12);
        assertThat(allowed(later, machine, top, local[0], BalanceMode.IDLE)).isFalse();
        assertThat(allowed(later, machine, top(machine, local[1]), local[1], BalanceMode.IDLE))
                .isTrue();
        // without an idle core the first idle thread balances
        for (int cpu : local) {
            if (nodes.smt(cpu).first() != cpu && machine.isIdle(cpu)) {
                machine.addHog(cpu);
            }
        }
        assertThat(allowed(later, machine, top, local[0], BalanceMode.IDLE)).isTrue();
    }

    @Test
    void since612ACpuThatHasGotATaskMeanwhileIsNotNewlyIdle() {
        HogMachine machine = withTasks("v6.12.0", FLAT8, 1, 2);

        assertThat(allowed(search(machine, BalanceVersion.V5_5), machine, 0, BalanceMode.NEWLY_IDLE))
                .isTrue();
        assertThat(allowed(search(machine, BalanceVersion.V6_12), machine, 0, BalanceMode.NEWLY_IDLE))
                .isFalse();
    }

    @Test
    void anIdleCpuTakesATaskFromTheQueueOfMost() {
        HogMachine machine = withTasks("v5.16", FLAT8, 0, 2, 4, 3, 1, 1, 1, 1);
        TypedSearch search = search(machine, BalanceVersion.V5_5);
        SchedDomain domain = lowest(machine, 0);

        assertThat(search.find(domain, 0, BalanceMode.IDLE, machine)).isTrue();
        assertThat(search.imbalance.kind).isEqualTo(MigrationKind.TASKS);
        assertThat(search.imbalance.amount).isEqualTo(2);
        assertThat(search.fullestCpu(domain, 0)).isEqualTo(2);
        assertThat(search.probes()).isEqualTo(9);
    }

    @Test
    void aBusyCpuTakesLoadForTheCapacityThatIsThere() {
        HogMachine machine = withTasks("v5.16", FLAT8, 2, 4, 4, 2, 2, 2, 2, 2);
        TypedSearch search = search(machine, BalanceVersion.V5_5);
        SchedDomain domain = lowest(machine, 0);
        machine.capacity[2] = 1000;
        assertThat(search.find(domain, 0, BalanceMode.BUSY, machine)).isTrue();

        assertThat(search.imbalance.kind).isEqualTo(MigrationKind.LOAD);
        assertThat(search.fullestCpu(domain, 0)).isEqualTo(2);
    }

    @Test
    void aLoneTaskHeavierThanTheImbalanceStaysUnlessItsCpuHasLostCapacity() {
        HogMachine machine = withTasks("v5.16", FLAT8, 2, 1);
        TypedSearch search = search(machine, BalanceVersion.V5_5);
        SchedDomain domain = lowest(machine, 0);
        search.find(domain, 0, BalanceMode.IDLE, machine);
        search.imbalance.kind = MigrationKind.LOAD;
        search.imbalance.amount = 1000;
        assertThat(search.fullestCpu(domain, 0)).isEqualTo(TypedSearch.NO_CPU);

        machine.capacity[1] = 875;
        assertThat(search.fullestCpu(domain, 0)).isEqualTo(1);
        machine.capacity[1] = 876;
        assertThat(search.fullestCpu(domain, 0)).isEqualTo(TypedSearch.NO_CPU);
        search.imbalance.amount = 1024;
        assertThat(search.fullestCpu(domain, 0)).isEqualTo(1);
    }

    @Test
    void ofUtilisationACpuWithOneTaskHasNoneToGive() {
        HogMachine machine = withTasks("v5.16", FLAT8, 0, 3, 1);
        TypedSearch search = search(machine, BalanceVersion.V5_5);
        SchedDomain domain = lowest(machine, 0);
        search.find(domain, 0, BalanceMode.IDLE, machine);
        search.imbalance.kind = MigrationKind.UTIL;
        assertThat(search.fullestCpu(domain, 0)).isEqualTo(1);
        machine.addHog(1);

        search.exclude(1);
        search.find(domain, 0, BalanceMode.IDLE, machine);
        search.imbalance.kind = MigrationKind.UTIL;
        assertThat(search.fullestCpu(domain, 0)).isEqualTo(TypedSearch.NO_CPU);
    }

    @Test
    void statisticsAreToldUnlessTheCpuIsAboutToBeIdleOrMayNotBalance() {
        HogMachine machine = withTasks("v6.1.0", FLAT8, 0, 1, 1, 1);
        TypedSearch search = search(machine, BalanceVersion.V6_1);
        search.find(lowest(machine, 0), 0, BalanceMode.NEWLY_IDLE, machine);
        assertThat(machine.statisticsOf).isNull();

        HogMachine threads = withTasks("v6.1.0", E5620, 1);
        TypedSearch other = search(threads, BalanceVersion.V6_1);
        other.find(top(threads, 0), 0, BalanceMode.BUSY, threads);
        assertThat(threads.statisticsOf).isNull();
        other.find(top(threads, 4), 4, BalanceMode.IDLE, threads);
        assertThat(threads.statisticsOf).isSameAs(top(threads, 4));
    }

    @ParameterizedTest
    @CsvSource({"875, true", "876, false"})
    void since612ATaskOnACpuOfReducedCapacityIsAMisfitForAnIdleOne(int capacity, boolean misfit) {
        HogMachine machine = withTasks("v6.12.0", FLAT8, 0, 1);
        machine.capacity[1] = capacity;

        assertThat(search(machine, BalanceVersion.V6_12).find(lowest(machine, 0), 0, BalanceMode.IDLE, machine))
                .isEqualTo(misfit);
        assertThat(search(machine, BalanceVersion.V6_1).find(lowest(machine, 0), 0, BalanceMode.IDLE, machine))
                .isFalse();
    }

    private static boolean allowed(TypedSearch search, HogMachine machine, int cpu, BalanceMode mode) {
        return allowed(search, machine, top(machine, cpu), cpu, mode);
    }

    private static boolean allowed(
            TypedSearch search, HogMachine machine, SchedDomain domain, int cpu, BalanceMode mode) {
        search.begin();
        search.find(domain, cpu, mode, machine);
        return search.wasAllowed();
    }

    private static TypedSearch search(HogMachine machine, BalanceVersion version) {
        DomainTraits traits = new DomainTraits(machine.domains);
        return new TypedSearch(
                machine.queues,
                machine,
                traits,
                new PinnedMarks(machine.domains),
                new Overload(traits),
                new GroupSums(traits, machine),
                version);
    }

    private static HogMachine withTasks(String kernel, Topology topology, int... perCpu) {
        HogMachine machine = HogMachine.of(kernel, topology);
        for (int cpu = 0; cpu < perCpu.length; cpu++) {
            for (int i = 0; i < perCpu[cpu]; i++) {
                machine.addHog(cpu);
            }
        }
        return machine;
    }

    private static SchedDomain lowest(HogMachine machine, int cpu) {
        return Objects.requireNonNull(machine.domains.lowest(cpu));
    }

    private static SchedDomain top(HogMachine machine, int cpu) {
        SchedDomain domain = lowest(machine, cpu);
        while (domain.parent() != null) {
            domain = Objects.requireNonNull(domain.parent());
        }
        return domain;
    }
}
