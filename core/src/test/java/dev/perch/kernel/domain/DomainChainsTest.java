package dev.perch.kernel.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TestKernels;
import dev.perch.kernel.TestMachines;
import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole chains, as placement.md 11.7 gives them, and what the kernel caches of them (11.6, 8.8). */
class DomainChainsTest {
    private static SchedDomains build(Topology topology, String rules) {
        return SchedDomains.build(topology, List.of(topology.cpus()), DomainRules.named(rules));
    }

    private static String chain(SchedDomains domains, int cpu) {
        List<String> levels = new ArrayList<>();
        for (SchedDomain d = domains.lowest(cpu); d != null; d = d.parent()) {
            levels.add(d.name() + " " + d.span());
        }
        return String.join("; ", levels);
    }

    private static SchedDomain top(SchedDomains domains, int cpu) {
        SchedDomain top = Objects.requireNonNull(domains.lowest(cpu));
        for (SchedDomain d = top; d != null; d = d.parent()) {
            top = d;
        }
        return top;
    }

    private static String groups(SchedDomain domain) {
        List<String> groups = new ArrayList<>();
        for (int i = 0; i < domain.groupCount(); i++) {
            groups.add(domain.group(i).toString());
        }
        return String.join(" | ", groups);
    }

    private static Topology kunpeng() {
        return Machines.find("kunpeng-920", TestKernels.HOME).topology();
    }

    /** One package of two nodes, each with two caches of four CPUs: a multi-die or sub-NUMA-cluster part. */
    private static Topology nodesInAPackage() {
        List<CpuMask> caches =
                List.of(CpuMask.range(0, 3), CpuMask.range(4, 7), CpuMask.range(8, 11), CpuMask.range(12, 15));
        return new Topology(
                16,
                TestMachines.singles(16),
                null,
                caches,
                List.of(CpuMask.range(0, 15)),
                List.of(CpuMask.range(0, 7), CpuMask.range(8, 15)),
                new int[][] {{10, 16}, {16, 10}});
    }

    @ParameterizedTest
    @EnumSource(DomainRules.class)
    void oneSocketWithSmtHasSmtAndMc(DomainRules rules) {
        SchedDomains domains = build(TestMachines.named("E5620"), rules.id());
        assertThat(chain(domains, 3)).isEqualTo("SMT 3,7; MC 0-7");
        assertThat(domains.clustersActive()).isFalse();
        assertThat(domains.sameCluster(0, 3)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(DomainRules.class)
    void twoCachesWithoutSmtHaveMcAndThePackage(DomainRules rules) {
        SchedDomains domains = build(TestMachines.named("Q6600"), rules.id());
        assertThat(chain(domains, 3)).isEqualTo("MC 2-3; " + DomainLevel.PKG.name(rules) + " 0-3");
        assertThat(groups(top(domains, 3))).isEqualTo("2-3 | 0-1");
        assertThat(domains.llcId(3)).isEqualTo(2);
        assertThat(domains.llcSize(3)).isEqualTo(2);
        assertThat(domains.shareCache(1, 2)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(DomainRules.class)
    void twoSocketsHaveALevelForBothNodes(DomainRules rules) {
        SchedDomains domains = build(TestMachines.named("2xNHM"), rules.id());
        String between = rules == DomainRules.FROM_3_5 ? "CPU 0-3,8-11; " : "";
        String both = rules == DomainRules.UNTIL_3_4 ? "NODE" : "NUMA";
        assertThat(chain(domains, 3)).isEqualTo("SMT 3,11; MC 0-3,8-11; " + between + both + " 0-15");
        assertThat(top(domains, 3).has(DomainFlags.WAKE_AFFINE)).isTrue();
        assertThat(groups(top(domains, 12))).isEqualTo("4-7,12-15 | 0-3,8-11");
        assertThat(domains.llcSize(3)).isEqualTo(8);
        assertThat(domains.nodeOf(12)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(DomainRules.class)
    void clustersBelowTheCacheAreALevelFrom516(DomainRules rules) {
        SchedDomains domains = build(TestMachines.named("K16"), rules.id());
        boolean level = rules.since(DomainRules.FROM_5_16);
        assertThat(chain(domains, 3)).isEqualTo(level ? "CLS 0-3; MC 0-15" : "MC 0-15");
        assertThat(domains.llcSize(3)).isEqualTo(16);
        boolean active = rules.since(DomainRules.FROM_6_7);
        assertThat(domains.clustersActive()).isEqualTo(active);
        assertThat(domains.sameCluster(0, 3)).isTrue();
        assertThat(domains.sameCluster(3, 4)).isEqualTo(!active);
        assertThat(domains.clusterId(6)).isEqualTo(active ? 4 : 0);
    }

    @Test
    void theFirstGroupRecordsTheFlagsOfItsCluster() {
        SchedDomain mc = top(build(TestMachines.named("K16"), "6.7"), 5);
        assertThat(mc.firstGroupFlags() & DomainFlags.CLUSTER).isNotZero();
        assertThat(top(build(TestMachines.named("K16"), "5.16"), 5).firstGroupFlags() & DomainFlags.CLUSTER)
                .isZero();
        assertThat(top(build(TestMachines.named("K16"), "5.14"), 5).firstGroupFlags())
                .isZero();
    }

    @Test
    void aDroppedClusterLevelStaysOnRecordUntil66() {
        SchedDomain before = top(build(TestMachines.named("E5620"), "5.18"), 0);
        assertThat(before.firstGroupFlags() & DomainFlags.SHARE_CAPACITY).isZero();
        assertThat(before.firstGroupFlags() & DomainFlags.SHARE_CACHE).isNotZero();
        SchedDomain after = top(build(TestMachines.named("E5620"), "6.6"), 0);
        assertThat(after.firstGroupFlags() & DomainFlags.SHARE_CAPACITY).isNotZero();
        SchedDomain withFlag = top(build(TestMachines.named("E5620"), "6.7"), 0);
        assertThat(withFlag.firstGroupFlags() & DomainFlags.CLUSTER).isZero();
    }

    @Test
    void aBottomThatLostItsChildHasNothingOnRecord() {
        SchedDomains domains = build(TestMachines.named("Q6600"), "6.9");
        assertThat(Objects.requireNonNull(domains.lowest(0)).firstGroupFlags()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "3.12, 0, MC 0-31; NUMA 0-63; NUMA 0-95; NUMA 0-127",
        "5.10, 0, MC 0-31; NUMA 0-63; NUMA 0-95; NUMA 0-127",
        "5.10, 33, MC 32-63; NUMA 0-63; NUMA 0-95",
        "5.12, 33, MC 32-63; NUMA 0-63; NUMA 0-95; NUMA 0-127",
        "5.16, 33, CLS 32-35; MC 32-63; NUMA 0-63; NUMA 0-95; NUMA 0-127",
        "6.9, 0, CLS 0-3; MC 0-31; NUMA 0-63; NUMA 0-95; NUMA 0-127"
    })
    void fourNodesHaveALevelForEachDistanceThatIsKnown(String rules, int cpu, String expected) {
        assertThat(chain(build(kunpeng(), rules), cpu)).isEqualTo(expected);
    }

    @Test
    void groupsOfANumaLevelThatReachOutAreTakenFromBelowFrom513() {
        SchedDomain before = Objects.requireNonNull(build(kunpeng(), "5.12").llc(0));
        SchedDomain after = Objects.requireNonNull(build(kunpeng(), "5.13").llc(0));
        // nodes 0 to 2; node 2's own level below holds node 3 too
        assertThat(groups(above(above(before)))).isEqualTo("0-63 | 64-127");
        assertThat(groups(above(above(after)))).isEqualTo("0-63 | 64-95");
    }

    private static SchedDomain above(SchedDomain domain) {
        return Objects.requireNonNull(domain.parent());
    }

    @Test
    void overlappingGroupsBeginWithTheOwners() {
        Topology line = TestMachines.nodes(2, new int[][] {{10, 20, 30}, {20, 10, 20}, {30, 20, 10}});
        SchedDomains domains = build(line, "6.9");
        assertThat(chain(domains, 0)).isEqualTo("MC 0-1; NUMA 0-3; NUMA 0-5");
        assertThat(groups(top(domains, 0))).isEqualTo("0-3 | 2-5");
        assertThat(groups(top(domains, 4))).isEqualTo("2-5 | 0-3");
        assertThat(chain(domains, 2)).isEqualTo("MC 2-3; NUMA 0-5");
        assertThat(groups(top(domains, 2))).isEqualTo("2-3 | 4-5 | 0-1");
    }

    @ParameterizedTest
    @CsvSource({
        "3.2, MC 4-7; CPU 0-7; NODE 0-15",
        "3.5, MC 4-7; CPU 0-7; NUMA 0-15",
        "4.4, MC 4-7; DIE 0-7; NUMA 0-15",
        "4.9, MC 4-7; NUMA 0-15",
        "4.14, MC 4-7; NODE 0-7; NUMA 0-15",
        "5.10, MC 4-7; NODE 0-7; NUMA 0-15",
        "6.9, MC 4-7; NODE 0-7; NUMA 0-15",
        "6.18, MC 4-7; NODE 0-7; NUMA 0-15"
    })
    void nodesInsideAPackageTakeTheLevelOfThePackage(String rules, String expected) {
        SchedDomains domains = build(nodesInAPackage(), rules);
        assertThat(chain(domains, 5)).isEqualTo(expected);
        assertThat(groups(top(domains, 5))).isEqualTo(rules.equals("4.9") ? "4-7 | 8-11 | 12-15 | 0-3" : "0-7 | 8-15");
    }

    @ParameterizedTest
    @CsvSource({"30, true", "31, false"})
    void nodesBeyondTheReclaimDistanceAreNoAffineDomain(int distance, boolean affine) {
        Topology topology = TestMachines.nodes(4, new int[][] {{10, distance}, {distance, 10}});
        for (DomainRules rules : DomainRules.values()) {
            SchedDomain both = top(build(topology, rules.id()), 0);
            assertThat(both.span()).isEqualTo(topology.cpus());
            boolean expected = affine || rules == DomainRules.UNTIL_3_4;
            assertThat(both.has(DomainFlags.WAKE_AFFINE)).isEqualTo(expected);
            assertThat(both.has(DomainFlags.BALANCE_FORK)).isEqualTo(expected);
        }
    }

    @Test
    void aCpusetEndsTheChainAtItsOwnCpus() {
        Topology topology = TestMachines.named("2xNHM");
        CpuMask shield = CpuMask.parse("1-3,9-11");
        for (DomainRules rules : DomainRules.values()) {
            SchedDomains domains =
                    SchedDomains.build(topology, List.of(shield, topology.cpus().minus(shield)), rules);
            assertThat(chain(domains, 9)).isEqualTo("SMT 1,9; MC 1-3,9-11");
            assertThat(domains.llcId(9)).isEqualTo(1);
            assertThat(domains.llcSize(9)).isEqualTo(6);
            assertThat(domains.shareCache(0, 1)).isFalse();
        }
    }

    @Test
    void imbalanceIsAllowedBetweenNodesFrom518() {
        SchedDomains twoSockets = build(TestMachines.named("2xNHM"), "5.18");
        assertThat(top(twoSockets, 0).imbNuma()).isEqualTo(1);
        assertThat(imbNuma(build(TestMachines.named("CCX16"), "6.9"), 0)).containsExactly(0, 0, 2);
        assertThat(imbNuma(build(kunpeng(), "6.9"), 0)).containsExactly(0, 0, 4, 4, 8);
        assertThat(imbNuma(build(kunpeng(), "5.16"), 0)).containsExactly(0, 0, 0, 0, 0);
    }

    private static List<Integer> imbNuma(SchedDomains domains, int cpu) {
        List<Integer> values = new ArrayList<>();
        for (SchedDomain d = domains.lowest(cpu); d != null; d = d.parent()) {
            values.add(d.imbNuma());
        }
        return values;
    }
}
