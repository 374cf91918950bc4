package dev.perch.kernel.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TestMachines;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables of placement.md 11.1 (levels), 11.3 (flags) and 11.5 (numbers), era by era. */
class DomainTablesTest {
    private static final String SPREAD = "SD_BALANCE_NEWIDLE,SD_BALANCE_EXEC,SD_BALANCE_FORK,SD_WAKE_AFFINE";
    private static final Topology TWO_NODES = TestMachines.named("2xNHM");

    private static List<String> levels(String rules, Topology topology) {
        DomainRules era = DomainRules.named(rules);
        return era.levels(topology).stream().map(level -> level.name(era)).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "3.2, SMT MC CPU NODE ALLNODES",
        "3.5, SMT MC CPU NUMA",
        "3.12, SMT MC CPU NUMA",
        "3.16, SMT MC DIE NUMA",
        "4.4, SMT MC DIE NUMA",
        "4.9, SMT MC DIE NUMA",
        "4.14, SMT MC DIE NODE NUMA",
        "4.19, SMT MC DIE NODE NUMA",
        "5.4, SMT MC DIE NODE NUMA",
        "5.10, SMT MC DIE NODE NUMA",
        "5.14, SMT MC DIE NODE NUMA",
        "5.16, SMT CLS MC DIE NODE NUMA",
        "5.18, SMT CLS MC DIE NODE NUMA",
        "6.6, SMT CLS MC DIE NODE NUMA",
        "6.7, SMT CLS MC PKG NODE NUMA",
        "6.9, SMT CLS MC PKG NODE NUMA",
        "6.18, SMT CLS MC PKG NODE NUMA"
    })
    void levelsBottomUp(String rules, String expected) {
        assertThat(String.join(" ", levels(rules, TWO_NODES))).isEqualTo(expected);
    }

    @Test
    void theNodeLevelIsOnlyForSeveralNodes() {
        assertThat(levels("4.14", TestMachines.named("E5620"))).containsExactly("SMT", "MC", "DIE", "NUMA");
    }

    @Test
    void from618ThereIsNoSmtLevelWithoutSmt() {
        assertThat(levels("6.9", TestMachines.named("Q6600"))).contains("SMT");
        assertThat(levels("6.18", TestMachines.named("Q6600"))).containsExactly("CLS", "MC", "PKG", "NUMA");
    }

    @Test
    void hybridPartsHaveNoClusterLevelUntil66() {
        List<CpuMask> all = List.of(CpuMask.range(0, 7));
        Topology hybrid = new Topology(
                8,
                List.of(
                        CpuMask.range(0, 1),
                        CpuMask.range(2, 3),
                        CpuMask.of(4),
                        CpuMask.of(5),
                        CpuMask.of(6),
                        CpuMask.of(7)),
                List.of(CpuMask.range(0, 1), CpuMask.range(2, 3), CpuMask.range(4, 7)),
                all,
                all,
                all,
                new int[][] {{10}});
        assertThat(levels("5.16", hybrid)).doesNotContain("CLS");
        assertThat(levels("5.18", hybrid)).doesNotContain("CLS");
        assertThat(levels("6.6", hybrid)).contains("CLS");
    }

    /** LB: with load-balance, the flag that 5.8 did away with. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            3.2  | SMT        | LB | ,SD_SHARE_CPUPOWER,SD_SHARE_PKG_RESOURCES
            3.2  | MC         | LB | ,SD_SHARE_PKG_RESOURCES,SD_PREFER_SIBLING
            3.2  | PKG        | LB | ,SD_PREFER_SIBLING
            3.2  | NODE       | LB | ,SD_SERIALIZE
            3.5  | MC         | LB | ,SD_SHARE_PKG_RESOURCES
            3.5  | NUMA       | LB | ,SD_SERIALIZE,SD_OVERLAP
            3.12 | SMT        | LB | ,SD_SHARE_CPUPOWER,SD_SHARE_PKG_RESOURCES
            3.12 | PKG        | LB | ,SD_PREFER_SIBLING
            3.16 | SMT        | LB | ,SD_SHARE_CPUCAPACITY,SD_SHARE_PKG_RESOURCES
            3.16 | MC         | LB | ,SD_SHARE_PKG_RESOURCES
            3.16 | PKG        | LB | ,SD_PREFER_SIBLING
            3.16 | NUMA       | LB | ,SD_SERIALIZE,SD_OVERLAP,SD_NUMA
            4.4  | SMT        | LB | ,SD_SHARE_CPUCAPACITY,SD_SHARE_PKG_RESOURCES,SD_PREFER_SIBLING
            4.9  | MC         | LB | ,SD_SHARE_PKG_RESOURCES
            4.14 | LOCAL_NODE | LB | ,SD_PREFER_SIBLING
            4.14 | MC         | LB | ,SD_SHARE_PKG_RESOURCES
            4.19 | MC         | LB | ,SD_SHARE_PKG_RESOURCES,SD_PREFER_SIBLING
            5.7  | PKG        | LB | ,SD_PREFER_SIBLING
            5.8  | PKG        |    | ,SD_PREFER_SIBLING
            5.16 | CLS        |    | ,SD_SHARE_PKG_RESOURCES,SD_PREFER_SIBLING
            6.7  | CLS        |    | ,SD_CLUSTER,SD_SHARE_PKG_RESOURCES,SD_PREFER_SIBLING
            6.9  | CLS        |    | ,SD_CLUSTER,SD_SHARE_LLC,SD_PREFER_SIBLING
            6.18 | SMT        |    | ,SD_SHARE_CPUCAPACITY,SD_SHARE_LLC,SD_PREFER_SIBLING
            6.18 | MC         |    | ,SD_SHARE_LLC,SD_PREFER_SIBLING
            6.18 | NUMA       |    | ,SD_SERIALIZE,SD_OVERLAP,SD_NUMA
            """)
    void flagsOfALevel(String rules, DomainLevel level, String loadBalance, String more) {
        DomainRules era = DomainRules.named(rules);
        assertThat(DomainFlags.names(era.flags(level, 20, TWO_NODES), era))
                .isEqualTo((loadBalance == null ? "" : "SD_LOAD_BALANCE,") + SPREAD + more);
    }

    @Test
    void allnodesNeitherPullsNorSpreads() {
        assertThat(DomainFlags.names(
                        DomainRules.UNTIL_3_4.flags(DomainLevel.ALLNODES, 0, TWO_NODES), DomainRules.UNTIL_3_4))
                .isEqualTo("SD_LOAD_BALANCE,SD_BALANCE_NEWIDLE,SD_SERIALIZE");
    }

    @ParameterizedTest
    @EnumSource(value = DomainRules.class, mode = EnumSource.Mode.EXCLUDE, names = "UNTIL_3_4")
    void noLevelWakesOnTheSlowPathAndNumaSpreadsUpToTheReclaimDistance(DomainRules rules) {
        for (DomainLevel level : rules.levels(TWO_NODES)) {
            assertThat(rules.flags(level, 20, TWO_NODES) & DomainFlags.BALANCE_WAKE)
                    .isZero();
        }
        int spreading = DomainFlags.BALANCE_EXEC | DomainFlags.BALANCE_FORK | DomainFlags.WAKE_AFFINE;
        assertThat(rules.flags(DomainLevel.NUMA, 30, TWO_NODES) & spreading).isEqualTo(spreading);
        assertThat(rules.flags(DomainLevel.NUMA, 31, TWO_NODES) & spreading).isZero();
    }

    @Test
    void from54TheReclaimDistanceIsTheMachines() {
        Topology amd = TWO_NODES.withReclaimDistance(32);
        assertThat(DomainRules.named("4.20").flags(DomainLevel.NUMA, 32, amd) & DomainFlags.WAKE_AFFINE)
                .isZero();
        for (String rules : List.of("5.4", "5.10", "6.18")) {
            assertThat(DomainRules.named(rules).flags(DomainLevel.NUMA, 32, amd) & DomainFlags.WAKE_AFFINE)
                    .isNotZero();
            assertThat(DomainRules.named(rules).flags(DomainLevel.NUMA, 33, amd) & DomainFlags.WAKE_AFFINE)
                    .isZero();
        }
    }

    /** For a level of 8 CPUs on a machine of 64. */
    @ParameterizedTest
    @CsvSource({
        "3.2, SMT, 1, 2, 64, 110, 0, 0, 0",
        "3.2, MC, 1, 4, 64, 125, 1, 2, 0",
        "3.2, PKG, 1, 4, 64, 125, 1, 2, 1",
        "3.2, NODE, 8, 32, 32, 125, 2, 3, 2",
        "3.2, ALLNODES, 64, 4096, 128, 133, 1, 3, 3",
        "3.12, SMT, 1, 2, 64, 110, 0, 0, 0",
        "3.12, NUMA, 8, 16, 32, 125, 2, 3, 2",
        "3.16, SMT, 8, 16, 32, 110, 0, 0, 0",
        "3.16, MC, 8, 16, 32, 117, 1, 2, 0",
        "3.16, PKG, 8, 16, 32, 125, 1, 2, 1",
        "3.16, NUMA, 8, 16, 32, 125, 2, 3, 2",
        "4.14, LOCAL_NODE, 8, 16, 32, 125, 1, 2, 1",
        "4.20, PKG, 8, 16, 32, 125, 1, 2, 1",
        "5.4, MC, 8, 16, 32, 117, 1, 0, 0",
        "5.4, NUMA, 8, 16, 32, 125, 2, 0, 0",
        "5.8, PKG, 8, 16, 32, 125, 1, 0, 0",
        "5.10, SMT, 8, 16, 16, 110, 0, 0, 0",
        "5.10, MC, 8, 16, 16, 117, 1, 0, 0",
        "5.10, PKG, 8, 16, 16, 117, 1, 0, 0",
        "5.10, NUMA, 8, 16, 16, 117, 2, 0, 0",
        "5.16, CLS, 8, 16, 16, 117, 1, 0, 0",
        "6.18, SMT, 8, 16, 16, 110, 0, 0, 0",
        "6.18, CLS, 8, 16, 16, 117, 1, 0, 0",
        "6.18, LOCAL_NODE, 8, 16, 16, 117, 1, 0, 0",
        "6.18, NUMA, 8, 16, 16, 117, 2, 0, 0"
    })
    void numbersOfALevel(
            String rules, DomainLevel level, int min, int max, int busy, int percent, int tries, int index, int idle) {
        DomainParameters numbers = DomainRules.named(rules).parameters(level, 8, 64);
        int initial = level == DomainLevel.NODE ? 1 : min;
        assertThat(numbers).isEqualTo(new DomainParameters(min, max, initial, busy, percent, tries, index, idle, 0));
    }
}
