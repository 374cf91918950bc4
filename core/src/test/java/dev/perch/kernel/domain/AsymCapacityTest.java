package dev.perch.kernel.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.kernel.TestMachines;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Domains of machines whose CPUs differ in capacity: placement.md 11.3. */
class AsymCapacityTest {
    private static final int BOTH = DomainFlags.ASYM_CAPACITY | DomainFlags.ASYM_CAPACITY_FULL;

    /** Two caches of four CPUs: small ones and large ones. */
    private static final Topology TWO_KINDS = machine(446, 446, 446, 446, 1024, 1024, 1024, 1024);

    /** The first cache holds small and middle CPUs, the second large ones. */
    private static final Topology THREE_KINDS = machine(446, 446, 700, 700, 1024, 1024, 1024, 1024);

    private static Topology machine(int... capacities) {
        List<CpuMask> caches = List.of(CpuMask.range(0, 3), CpuMask.range(4, 7));
        List<CpuMask> all = List.of(CpuMask.range(0, 7));
        return new Topology(8, TestMachines.singles(8), null, caches, all, all, new int[][] {{10}})
                .withCapacities(capacities);
    }

    private static SchedDomains build(Topology topology, DomainRules rules) {
        return SchedDomains.build(topology, List.of(topology.cpus()), rules);
    }

    private static SchedDomain lowest(SchedDomains domains, int cpu) {
        return Objects.requireNonNull(domains.lowest(cpu));
    }

    private static SchedDomain parent(SchedDomain domain) {
        return Objects.requireNonNull(domain.parent());
    }

    @ParameterizedTest
    @EnumSource(DomainRules.class)
    void theLevelWithAllKindsIsAsymmetricFrom49(DomainRules rules) {
        SchedDomains domains = build(TWO_KINDS, rules);
        SchedDomain mc = lowest(domains, 1);
        SchedDomain all = parent(mc);
        boolean known = rules.since(DomainRules.FROM_4_9);
        boolean full = rules.since(DomainRules.FROM_5_14);
        assertThat(mc.flags() & BOTH).isZero();
        assertThat(all.flags() & BOTH).isEqualTo(full ? BOTH : known ? DomainFlags.ASYM_CAPACITY : 0);
        assertThat(domains.asymCapacity(1)).isSameAs(known ? all : null);
    }

    @ParameterizedTest
    @EnumSource(DomainRules.class)
    void from49To56WakeupsTakeTheSlowPathUpToThatLevel(DomainRules rules) {
        SchedDomain mc = lowest(build(TWO_KINDS, rules), 6);
        boolean slow = rules.since(DomainRules.FROM_4_9) && !rules.since(DomainRules.FROM_5_7);
        assertThat(mc.has(DomainFlags.BALANCE_WAKE)).isEqualTo(slow);
        assertThat(parent(mc).has(DomainFlags.BALANCE_WAKE)).isEqualTo(slow);
    }

    @Test
    void theLevelBelowDoesNotPreferSiblingsFrom420() {
        assertThat(lowest(build(TWO_KINDS, DomainRules.FROM_4_19), 0).has(DomainFlags.PREFER_SIBLING))
                .isTrue();
        for (DomainRules rules : List.of(DomainRules.FROM_4_20, DomainRules.FROM_5_10, DomainRules.FROM_6_18)) {
            assertThat(lowest(build(TWO_KINDS, rules), 0).has(DomainFlags.PREFER_SIBLING))
                    .isFalse();
        }
    }

    @Test
    void aLevelWithSomeOfTheKindsCountsFrom514ButIsNotFull() {
        SchedDomain before = lowest(build(THREE_KINDS, DomainRules.FROM_5_13), 0);
        assertThat(before.flags() & BOTH).isZero();
        assertThat(parent(before).flags() & BOTH).isEqualTo(DomainFlags.ASYM_CAPACITY);
        SchedDomains domains = build(THREE_KINDS, DomainRules.FROM_5_14);
        SchedDomain small = lowest(domains, 0);
        assertThat(small.flags() & BOTH).isEqualTo(DomainFlags.ASYM_CAPACITY);
        assertThat(parent(small).flags() & BOTH).isEqualTo(BOTH);
        assertThat(lowest(domains, 5).flags() & BOTH).isZero();
        assertThat(domains.asymCapacity(0)).isSameAs(parent(small));
        assertThat(DomainFlags.names(parent(small).flags(), DomainRules.FROM_5_14))
                .contains("SD_ASYM_CPUCAPACITY,SD_ASYM_CPUCAPACITY_FULL,");
    }

    @Test
    void anyTwoKindsInOneCacheMakeThatCacheTheLevel() {
        Topology topology = machine(446, 446, 1024, 1024, 446, 446, 1024, 1024);
        for (DomainRules rules : List.of(DomainRules.FROM_5_10, DomainRules.FROM_6_9)) {
            SchedDomains domains = build(topology, rules);
            assertThat(domains.asymCapacity(4)).isSameAs(domains.lowest(4));
        }
    }

    @Test
    void aCpusetOfEqualCpusIsSymmetric() {
        SchedDomains domains =
                SchedDomains.build(TWO_KINDS, List.of(CpuMask.range(0, 3), CpuMask.range(4, 7)), DomainRules.FROM_6_9);
        assertThat(domains.all()).allMatch(domain -> (domain.flags() & BOTH) == 0);
        assertThat(domains.asymCapacity(0)).isNull();
    }

    @Test
    void capacitiesOutOfRangeAreRefused() {
        Topology topology = TestMachines.named("Q6600");
        assertThatThrownBy(() -> topology.withCapacities(new int[] {1024, 1024}))
                .isInstanceOf(InputException.class)
                .hasMessage("2 capacities for 4 CPUs; give one for each");
        assertThatThrownBy(() -> topology.withCapacities(new int[] {1024, 0, 1024, 1024}))
                .hasMessage("capacity of CPU 1 is 0; capacities are 1 to 1024, the largest CPU's is 1024");
        assertThatThrownBy(() -> topology.withReclaimDistance(9))
                .isInstanceOf(InputException.class)
                .hasMessage("reclaim distance 9 is not in 10..254");
    }
}
