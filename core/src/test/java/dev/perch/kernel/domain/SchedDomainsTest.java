package dev.perch.kernel.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.kernel.TestMachines;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Chains, flags, groups and numbers against placement.md 11 and scheduler.md 4.1. */
class SchedDomainsTest {
    private static SchedDomains whole(Topology topology, DomainRules rules) {
        return SchedDomains.build(topology, List.of(topology.cpus()), rules);
    }

    private static SchedDomains shield() {
        return SchedDomains.build(
                TestMachines.named("E5620"),
                List.of(CpuMask.parse("1-3,5-7"), CpuMask.parse("0,4")),
                DomainRules.UNTIL_3_4);
    }

    /** The chain as {@code SMT 3,7; MC 0-7}. */
    private static String chain(SchedDomains domains, int cpu) {
        List<String> levels = new ArrayList<>();
        for (SchedDomain d = domains.lowest(cpu); d != null; d = d.parent()) {
            levels.add(d.name() + " " + d.span());
        }
        return String.join("; ", levels);
    }

    private static SchedDomain level(SchedDomains domains, int cpu, DomainLevel level) {
        for (SchedDomain d = domains.lowest(cpu); d != null; d = d.parent()) {
            if (d.level() == level) {
                return d;
            }
        }
        throw new AssertionError("CPU " + cpu + " has no " + level + " domain");
    }

    private static String groups(SchedDomain domain) {
        List<String> groups = new ArrayList<>();
        for (int i = 0; i < domain.groupCount(); i++) {
            groups.add(domain.group(i).toString());
        }
        return String.join(" | ", groups);
    }

    private static Topology twoNodes(int distance) {
        return TestMachines.nodes(4, new int[][] {{10, distance}, {distance, 10}});
    }

    private static Topology nehalemEx() {
        List<CpuMask> cores = new ArrayList<>();
        List<CpuMask> sockets = new ArrayList<>();
        for (int core = 0; core < 64; core++) {
            cores.add(CpuMask.of(core, core + 64));
        }
        int[][] distances = new int[8][8];
        for (int socket = 0; socket < 8; socket++) {
            int first = socket * 8;
            sockets.add(CpuMask.range(first, first + 7).or(CpuMask.range(first + 64, first + 71)));
            for (int other = 0; other < 8; other++) {
                distances[socket][other] = socket == other ? 10 : 15;
            }
        }
        return new Topology(128, cores, null, sockets, sockets, sockets, distances);
    }

    @Test
    void stopAfterTheFirstLevelThatSpansThePartition() {
        SchedDomains domains = whole(TestMachines.named("E5620"), DomainRules.UNTIL_3_4);
        assertThat(chain(domains, 3)).isEqualTo("SMT 3,7; MC 0-7");
        assertThat(chain(whole(TestMachines.named("K16"), DomainRules.FROM_3_5), 3))
                .isEqualTo("MC 0-15");
    }

    @Test
    void machinesWithoutSmtLoseTheSmtLevel() {
        for (DomainRules rules : DomainRules.values()) {
            SchedDomains domains = whole(TestMachines.named("Q6600"), rules);
            assertThat(chain(domains, 3)).isEqualTo("MC 2-3; " + DomainLevel.PKG.name(rules) + " 0-3");
            assertThat(level(domains, 3, DomainLevel.MC).child()).isNull();
            assertThat(groups(level(domains, 3, DomainLevel.MC))).isEqualTo("3 | 2");
            assertThat(groups(level(domains, 3, DomainLevel.PKG))).isEqualTo("2-3 | 0-1");
        }
    }

    @Test
    void anExclusiveCpusetHasDomainsOfItsOwn() {
        SchedDomains domains = shield();
        assertThat(chain(domains, 3)).isEqualTo("SMT 3,7; MC 1-3,5-7");
        assertThat(groups(level(domains, 3, DomainLevel.MC))).isEqualTo("3,7 | 1,5 | 2,6");
        assertThat(chain(domains, 0)).isEqualTo("SMT 0,4");
        assertThat(domains.partitionOf(5)).isEqualTo(CpuMask.parse("1-3,5-7"));
        assertThat(domains.shareCache(0, 1)).isFalse();
        assertThat(domains.shareCache(1, 7)).isTrue();
    }

    @Test
    void cpusOutsideAllPartitionsHaveNoDomain() {
        SchedDomains domains =
                SchedDomains.build(TestMachines.named("E5620"), List.of(CpuMask.parse("0-2,5")), DomainRules.UNTIL_3_4);
        assertThat(domains.lowest(7)).isNull();
        assertThat(domains.llc(7)).isNull();
        assertThat(domains.llcId(7)).isEqualTo(7);
        assertThat(domains.llcSize(7)).isEqualTo(1);
        assertThat(domains.partitionOf(7).isEmpty()).isTrue();
    }

    @Test
    void aPartitionOfOneCpuHasNoDomain() {
        SchedDomains domains =
                SchedDomains.build(TestMachines.named("E5620"), List.of(CpuMask.of(2)), DomainRules.FROM_3_5);
        assertThat(domains.lowest(2)).isNull();
        assertThat(domains.all()).isEmpty();
    }

    @Test
    void nodeLevelOfTwoSocketsUntil34() {
        SchedDomains domains = whole(TestMachines.named("2xNHM"), DomainRules.UNTIL_3_4);
        assertThat(chain(domains, 3)).isEqualTo("SMT 3,11; MC 0-3,8-11; NODE 0-15");
        SchedDomain node = level(domains, 4, DomainLevel.NODE);
        assertThat(groups(node)).isEqualTo("4-7,12-15 | 0-3,8-11");
        assertThat(node.has(DomainFlags.WAKE_AFFINE | DomainFlags.SERIALIZE)).isTrue();
        assertThat(node.has(DomainFlags.SHARE_CACHE)).isFalse();
        assertThat(level(domains, 4, DomainLevel.MC).span()).isEqualTo(CpuMask.parse("4-7,12-15"));
    }

    @Test
    void oneGroupCpuLevelSurvivesFrom35To311BecauseItPrefersSiblings() {
        SchedDomains domains = whole(TestMachines.named("2xNHM"), DomainRules.FROM_3_5);
        assertThat(chain(domains, 3)).isEqualTo("SMT 3,11; MC 0-3,8-11; CPU 0-3,8-11; NUMA 0-15");
        SchedDomain cpu = level(domains, 3, DomainLevel.PKG);
        assertThat(cpu.groupCount()).isEqualTo(1);
        assertThat(cpu.has(DomainFlags.SHARE_CACHE)).isFalse();
        assertThat(domains.llc(3)).isSameAs(level(domains, 3, DomainLevel.MC));
        assertThat(level(domains, 3, DomainLevel.MC).has(DomainFlags.PREFER_SIBLING))
                .isFalse();
    }

    @Test
    void from312ADroppedLevelHandsPreferSiblingDown() {
        SchedDomains domains = whole(TestMachines.named("2xNHM"), DomainRules.FROM_3_12);
        assertThat(chain(domains, 3)).isEqualTo("SMT 3,11; MC 0-3,8-11; NUMA 0-15");
        assertThat(level(domains, 3, DomainLevel.MC).has(DomainFlags.PREFER_SIBLING))
                .isTrue();
        SchedDomains oneSocket = whole(TestMachines.named("E5620"), DomainRules.FROM_3_12);
        assertThat(level(oneSocket, 3, DomainLevel.MC).has(DomainFlags.PREFER_SIBLING))
                .isFalse();
    }

    @Test
    void numaLevelsKeepWakeAffineUpToTheReclaimDistance() {
        SchedDomain near = level(whole(twoNodes(30), DomainRules.FROM_3_5), 0, DomainLevel.NUMA);
        assertThat(DomainFlags.words(near.flags())).isEqualTo("load-balance newidle exec fork wake-affine serialize overlap");
        SchedDomain far = level(whole(twoNodes(31), DomainRules.FROM_3_5), 0, DomainLevel.NUMA);
        assertThat(DomainFlags.words(far.flags())).isEqualTo("load-balance newidle serialize overlap");
        assertThat(far.distance()).isEqualTo(31);
    }

    @Test
    void aNumaLevelForEachDistanceFromNodeZero() {
        int[][] distances = {{10, 12, 20, 22}, {12, 10, 22, 20}, {20, 22, 10, 12}, {22, 20, 12, 10}};
        SchedDomains domains = whole(TestMachines.nodes(2, distances), DomainRules.FROM_3_12);
        assertThat(chain(domains, 0)).isEqualTo("MC 0-1; NUMA 0-3; NUMA 0-5; NUMA 0-7");
        assertThat(chain(domains, 6)).isEqualTo("MC 6-7; NUMA 4-7; NUMA 2-7; NUMA 0-7");
        SchedDomain middle = domains.all().stream()
                .filter(d -> d.cpu() == 0 && d.distance() == 20)
                .findFirst()
                .orElseThrow();
        assertThat(groups(middle)).isEqualTo("0-3 | 4-7");
    }

    @Test
    void eightSocketsUntil34AreOneNodeDomain() {
        SchedDomains domains = whole(nehalemEx(), DomainRules.UNTIL_3_4);
        assertThat(chain(domains, 9)).isEqualTo("SMT 9,73; MC 8-15,72-79; NODE 0-127");
        assertThat(level(domains, 9, DomainLevel.NODE).groupCount()).isEqualTo(8);
        assertThat(level(domains, 9, DomainLevel.MC).groupCount()).isEqualTo(8);
        assertThat(domains.all()).hasSize(3 * 128);
    }

    @Test
    void moreThanSixteenNodesNeedAllnodes() {
        int[][] distances = new int[18][18];
        for (int a = 0; a < 18; a++) {
            for (int b = 0; b < 18; b++) {
                distances[a][b] = a == b ? 10 : 10 + Math.abs(a - b);
            }
        }
        SchedDomains domains = whole(TestMachines.nodes(1, distances), DomainRules.UNTIL_3_4);
        assertThat(chain(domains, 17)).isEqualTo("NODE 2-17; ALLNODES 0-17");
        SchedDomain all = level(domains, 17, DomainLevel.ALLNODES);
        assertThat(DomainFlags.words(all.flags())).isEqualTo("load-balance newidle serialize");
        assertThat(all.parameters()).isEqualTo(new DomainParameters(64, 64 * 18, 64, 128, 133, 1, 3, 3, 0));
    }

    @Test
    void ringBeginsWithTheOwnersGroupAndAscends() {
        SchedDomains domains = whole(TestMachines.named("E5620"), DomainRules.UNTIL_3_4);
        assertThat(groups(level(domains, 2, DomainLevel.MC))).isEqualTo("2,6 | 3,7 | 0,4 | 1,5");
        assertThat(groups(level(domains, 6, DomainLevel.MC))).isEqualTo("2,6 | 3,7 | 0,4 | 1,5");
        assertThat(groups(level(domains, 6, DomainLevel.SMT))).isEqualTo("6 | 2");
    }

    @Test
    void numbersOfEachLevelAreThoseOf32() {
        SchedDomains smp = whole(TestMachines.named("2xNHM"), DomainRules.UNTIL_3_4);
        assertThat(level(smp, 0, DomainLevel.SMT).parameters())
                .isEqualTo(new DomainParameters(1, 2, 1, 64, 110, 0, 0, 0, 0));
        assertThat(level(smp, 0, DomainLevel.MC).parameters())
                .isEqualTo(new DomainParameters(1, 4, 1, 64, 125, 1, 2, 0, 0));
        assertThat(level(smp, 0, DomainLevel.NODE).parameters())
                .isEqualTo(new DomainParameters(8, 32, 1, 32, 125, 2, 3, 2, 0));
        assertThat(level(whole(TestMachines.named("Q6600"), DomainRules.UNTIL_3_4), 0, DomainLevel.PKG)
                        .parameters())
                .isEqualTo(new DomainParameters(1, 4, 1, 64, 125, 1, 2, 1, 0));
        assertThat(level(whole(TestMachines.named("2xNHM"), DomainRules.FROM_3_5), 0, DomainLevel.NUMA)
                        .parameters())
                .isEqualTo(new DomainParameters(16, 32, 16, 32, 125, 2, 3, 2, 0));
    }

    @Test
    void domainsAreNumberedDenselyAndLinkedBothWays() {
        for (Topology topology : TestMachines.all().values()) {
            for (DomainRules rules : DomainRules.values()) {
                SchedDomains domains = whole(topology, rules);
                for (int i = 0; i < domains.all().size(); i++) {
                    SchedDomain d = domains.all().get(i);
                    assertThat(d.index()).isEqualTo(i);
                    assertThat(d.group(0).contains(d.cpu())).isTrue();
                    CpuMask covered = CpuMask.empty();
                    for (int g = 0; g < d.groupCount(); g++) {
                        covered = covered.or(d.group(g));
                    }
                    assertThat(covered).isEqualTo(d.span());
                    assertThat(d.parent() == null || d.parent().child() == d).isTrue();
                    assertThat(d.child() == null || d.child().parent() == d).isTrue();
                }
            }
        }
    }

    @Test
    void unusablePartitionsAreRefused() {
        Topology topology = TestMachines.named("Q6600");
        assertThatThrownBy(() -> SchedDomains.build(topology, List.of(CpuMask.empty()), DomainRules.FROM_3_5))
                .isInstanceOf(InputException.class)
                .hasMessage("a cpuset without CPUs has no sched domains; name at least one CPU");
        assertThatThrownBy(() -> SchedDomains.build(topology, List.of(CpuMask.of(4)), DomainRules.FROM_3_5))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("names CPU 4, but the machine has only CPUs 0-3");
        assertThatThrownBy(() -> SchedDomains.build(
                        topology, List.of(CpuMask.range(0, 1), CpuMask.range(1, 2)), DomainRules.FROM_3_5))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("CPU 1 is in cpuset 0-1 and in cpuset 1-2");
        assertThatThrownBy(() -> DomainRules.named("2.4"))
                .isInstanceOf(InputException.class)
                .hasMessage("there are no sched-domains rules '2.4'; known are "
                        + "3.2, 3.5, 3.12, 3.16, 4.4, 4.9, 4.14, 4.19, 4.20, 5.4, 5.7, 5.8, 5.10, 5.12, 5.13, 5.14, 5.16, 5.18, "
                        + "6.6, 6.7, 6.9, 6.18");
    }

    @Test
    void drawingNamesLevelsFlagsSpansAndGroups() {
        assertThat(DomainDrawing.draw(whole(TestMachines.named("Q6600"), DomainRules.UNTIL_3_4)))
                .isEqualTo("""
                        MC       load-balance newidle exec fork wake-affine share-cache prefer-sibling
                                 0-1: 0 | 1
                                 2-3: 2 | 3
                        CPU      load-balance newidle exec fork wake-affine prefer-sibling
                                 0-3: 0-1 | 2-3
                        """);
        assertThat(DomainDrawing.draw(SchedDomains.build(
                        TestMachines.named("E5620"), List.of(CpuMask.parse("1-3,5-7")), DomainRules.FROM_3_5)))
                .isEqualTo("""
                        SMT      load-balance newidle exec fork wake-affine share-capacity share-cache
                                 1,5: 1 | 5
                                 2,6: 2 | 6
                                 3,7: 3 | 7
                        MC       load-balance newidle exec fork wake-affine share-cache
                                 1-3,5-7: 1,5 | 2,6 | 3,7
                        no domains: CPUs 0,4
                        """);
        assertThat(DomainDrawing.draw(shield())).contains("partition 1-3,5-7\n").contains("partition 0,4\n");
    }

    @Test
    void drawingOfManySpansIsCut() {
        assertThat(DomainDrawing.draw(whole(nehalemEx(), DomainRules.UNTIL_3_4)))
                .contains("… 48 more");
    }
}
