package dev.perch.kernel.balance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TestMachines;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.model.CpuMask;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Detaching and attaching: scheduler.md 4.8, "Moving (detach)". */
class TypedMoverTest {
    private final HogMachine machine = HogMachine.of("v5.16", TestMachines.named("FLAT8"));
    private final SchedDomain domain = Objects.requireNonNull(machine.domains.lowest(0));

    @Test
    void theLeastRecentlyQueuedTaskMovesFirstAndTheRunningOneNever() {
        List<Integer> hogs = hogs(1, 4);
        int running = machine.queues[1].current();
        machine.jiffies += 10;

        assertThat(move(BalanceVersion.V5_5, MigrationKind.TASKS, 2, 0, BalanceMode.IDLE))
                .isEqualTo(2);
        hogs.removeIf(hog -> hog == running);
        assertThat(machine.tasks.cpu[hogs.get(0)]).isZero();
        assertThat(machine.tasks.cpu[hogs.get(1)]).isZero();
        assertThat(machine.tasks.cpu[hogs.get(2)]).isEqualTo(1);
        assertThat(machine.tasks.cpu[running]).isEqualTo(1);
    }

    @Test
    void anIdleCpuLeavesTheLastTask() {
        hogs(1, 3);
        machine.jiffies += 10;

        assertThat(move(BalanceVersion.V5_5, MigrationKind.TASKS, 99, 0, BalanceMode.IDLE))
                .isEqualTo(2);
        assertThat(machine.queues[1].nrRunning()).isEqualTo(1);
        assertThat(move(BalanceVersion.V5_5, MigrationKind.TASKS, 99, 0, BalanceMode.IDLE))
                .isZero();
    }

    @Test
    void noMoreThan32TasksAreLookedAt() {
        hogs(1, 40);
        machine.jiffies += 10;

        // the first of them runs
        assertThat(move(BalanceVersion.V5_5, MigrationKind.TASKS, 99, 0, BalanceMode.IDLE))
                .isEqualTo(31);
    }

    @ParameterizedTest
    @CsvSource({"1024, 0, 1", "1023, 0, 0", "512, 1, 1", "511, 1, 0", "2048, 0, 2", "2047, 0, 1"})
    void aLoadIsHalvedForEachFailedAttempt(long amount, int failed, int moved) {
        hogs(1, 4);
        machine.jiffies += 10;

        assertThat(move(BalanceVersion.V5_5, MigrationKind.LOAD, amount, failed, BalanceMode.BUSY))
                .isEqualTo(moved);
    }

    @ParameterizedTest
    @CsvSource({"V5_5, 256, 0, 1", "V5_5, 255, 1, 0", "V6_12, 255, 1, 1", "V6_12, 127, 1, 0"})
    void aUtilisationIsHalvedSince612(BalanceVersion version, long amount, int failed, int moved) {
        // each of four tasks has a quarter of the CPU
        hogs(1, 4);
        machine.jiffies += 10;

        assertThat(move(version, MigrationKind.UTIL, amount, failed, BalanceMode.IDLE))
                .isEqualTo(moved);
    }

    @ParameterizedTest
    @CsvSource({"639, 1", "640, 1", "641, 0"})
    void aMisfitIsATaskThatWouldNotFitWithAQuarterMore(int capacity, int moved) {
        // each of two tasks has half a CPU: 512 * 1280 = 640 * 1024, which does not yet fit
        hogs(1, 2);
        machine.capacity[1] = capacity;
        machine.jiffies += 10;

        assertThat(move(BalanceVersion.V5_5, MigrationKind.MISFIT, 1, 0, BalanceMode.IDLE))
                .isEqualTo(moved);
    }

    @Test
    void tasksThatMayNotMoveBecomeTheMostRecent() {
        List<Integer> hogs = new ArrayList<>();
        hogs.add(machine.addHog(1));
        hogs.add(machine.addHog(1, CpuMask.of(1)));
        hogs.add(machine.addHog(1));
        machine.jiffies += 10;

        assertThat(move(BalanceVersion.V5_5, MigrationKind.TASKS, 1, 0, BalanceMode.NEWLY_IDLE))
                .isEqualTo(1);
        assertThat(machine.tasks.cpu[hogs.get(2)]).isZero();
    }

    @Test
    void aTaskThatMayNotRunHereGoesToAnotherCpuOfTheGroup() {
        HogMachine cores = HogMachine.of("v5.16", TestMachines.named("E5620"));
        SchedDomain mc = Objects.requireNonNull(
                Objects.requireNonNull(cores.domains.lowest(0)).parent());
        cores.addHog(1);
        int task = cores.addHog(1, CpuMask.of(1, 4));
        cores.jiffies += 10;
        TypedSearch search = search(cores, BalanceVersion.V5_5);
        search.imbalance.kind = MigrationKind.TASKS;
        search.imbalance.amount = 1;
        TypedMover mover = mover(cores, BalanceVersion.V5_5, search);

        assertThat(mover.move(1, 0, mc, search.imbalance, 0, BalanceMode.IDLE, cores))
                .isEqualTo(1);
        assertThat(cores.tasks.cpu[task]).isEqualTo(4);
        assertThat(mover.somePinned()).isTrue();
        assertThat(search.isCandidate(0)).isFalse();
    }

    @Test
    void aTaskIsHotForHalfAMillisecondExceptOnItsOwnCore() {
        HogMachine cores = HogMachine.of("v5.16", TestMachines.named("E5620"));
        SchedDomain smt = Objects.requireNonNull(cores.domains.lowest(0));
        SchedDomain mc = Objects.requireNonNull(smt.parent());
        cores.addHog(4);
        int task = cores.addHog(4);
        cores.jiffies += 10;
        cores.queues[4].refresh(cores.now());
        cores.tasks.execStart[task] = cores.queues[4].clock() - 499_999;
        TypedSearch search = search(cores, BalanceVersion.V5_5);
        search.imbalance.kind = MigrationKind.TASKS;
        search.imbalance.amount = 1;
        TypedMover mover = mover(cores, BalanceVersion.V5_5, search);

        assertThat(mover.move(4, 0, mc, search.imbalance, 0, BalanceMode.IDLE, cores))
                .isZero();
        // one failure more than the nice tries, 1
        assertThat(mover.move(4, 0, mc, search.imbalance, 1, BalanceMode.IDLE, cores))
                .isZero();
        assertThat(mover.move(4, 0, smt, search.imbalance, 0, BalanceMode.IDLE, cores))
                .isEqualTo(1);
    }

    @Test
    void hotTasksMoveAfterTheNiceTries() {
        List<Integer> hogs = hogs(1, 2);
        machine.jiffies += 10;
        machine.queues[1].refresh(machine.now());
        for (int hog : hogs) {
            machine.tasks.execStart[hog] = machine.queues[1].clock();
        }
        assertThat(domain.parameters().cacheNiceTries()).isEqualTo(1);

        assertThat(move(BalanceVersion.V5_5, MigrationKind.TASKS, 1, 1, BalanceMode.IDLE))
                .isZero();
        assertThat(move(BalanceVersion.V5_5, MigrationKind.TASKS, 1, 2, BalanceMode.IDLE))
                .isEqualTo(1);
    }

    private int move(BalanceVersion version, MigrationKind kind, long amount, int failed, BalanceMode mode) {
        TypedSearch search = search(machine, version);
        search.imbalance.kind = kind;
        search.imbalance.amount = amount;
        return mover(machine, version, search).move(1, 0, domain, search.imbalance, failed, mode, machine);
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

    private static TypedMover mover(HogMachine machine, BalanceVersion version, TypedSearch search) {
        BalanceSettings settings = new BalanceSettings(250, 8, 500_000, true, false, false);
        return new TypedMover(machine.queues, machine.tasks, machine, version, settings, search);
    }

    private List<Integer> hogs(int cpu, int count) {
        List<Integer> hogs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hogs.add(machine.addHog(cpu));
        }
        return hogs;
    }
}
