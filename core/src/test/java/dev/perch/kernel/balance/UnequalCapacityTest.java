package dev.perch.kernel.balance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TestMachines;
import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines with CPUs of unequal capacity: misfits, and what a small CPU leaves to the large ones; scheduler.md 4.8. */
class UnequalCapacityTest {
    /** Four small CPUs, 0 to 3, and four large ones. */
    private static final Topology BIG_LITTLE = unequal();

    @ParameterizedTest
    @ValueSource(strings = {"v5.16", "v6.1.0", "v6.12.0"})
    void aHogOnASmallCpuIsPushedToALargeOne(String kernel) {
        HogMachine machine = machine(kernel);
        machine.run(4);
        int hog = machine.addHog(1);
        machine.run(100);

        assertThat(machine.tasks.cpu[hog]).isGreaterThanOrEqualTo(4);
        assertThat(machine.activeBalances).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v5.16", "v6.12.0"})
    void aHogOnALargeCpuStays(String kernel) {
        HogMachine machine = machine(kernel);
        machine.run(4);
        int hog = machine.addHog(6);
        machine.run(500);

        assertThat(machine.tasks.cpu[hog]).isEqualTo(6);
        assertThat(machine.balancer.moves()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1024, 446, true", "446, 446, false", "468, 446, false", "470, 446, true"})
    void onlyALargerCpuHelpsAMisfit(int destination, int largest, boolean helps) {
        HogMachine machine = machine("v5.16");
        machine.capacity[7] = destination;
        GroupStats misfit = group(GroupType.MISFIT_TASK, largest, largest);

        assertThat(isBusier(machine, misfit, GroupType.HAS_SPARE)).isEqualTo(helps);
        assertThat(isBusier(machine, misfit, GroupType.FULLY_BUSY)).isFalse();
    }

    @Test
    void aSmallCpuTakesNothingFromLargeOnesThatCanDoWithoutHelp() {
        HogMachine machine = machine("v5.16");
        machine.capacity[7] = 446;

        assertThat(isBusier(machine, group(GroupType.FULLY_BUSY, 1024, 1024), GroupType.HAS_SPARE))
                .isFalse();
        assertThat(isBusier(machine, group(GroupType.FULLY_BUSY, 400, 1024), GroupType.HAS_SPARE))
                .isTrue();
        assertThat(isBusier(machine, group(GroupType.OVERLOADED, 1024, 1024), GroupType.HAS_SPARE))
                .isTrue();
    }

    private static boolean isBusier(HogMachine machine, GroupStats group, GroupType local) {
        SchedDomain domain = Objects.requireNonNull(machine.domains.lowest(7));
        while (!domain.has(DomainFlags.ASYM_CAPACITY)) {
            domain = Objects.requireNonNull(domain.parent());
        }
        return new BusiestOrder(machine, BalanceVersion.V5_5)
                .isBusier(group, null, group(local, 1024, 1024), domain, 7, new DomainTraits(machine.domains), machine);
    }

    private static GroupStats group(GroupType type, int least, int most) {
        GroupStats group = new GroupStats();
        group.clear();
        group.type = type;
        group.nrFair = 1;
        group.minCapacity = least;
        group.maxCapacity = most;
        return group;
    }

    private static HogMachine machine(String kernel) {
        return HogMachine.of(kernel, BIG_LITTLE);
    }

    private static Topology unequal() {
        CpuMask all = CpuMask.range(0, 7);
        List<CpuMask> one = List.of(all);
        return new Topology(8, TestMachines.singles(8), null, one, one, one, new int[][] {{10}})
                .withCapacities(new int[] {446, 446, 446, 446, 1024, 1024, 1024, 1024});
    }
}
