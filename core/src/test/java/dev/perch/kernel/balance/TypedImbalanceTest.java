package dev.perch.kernel.balance;

import static dev.perch.kernel.balance.BalanceMode.BUSY;
import static dev.perch.kernel.balance.BalanceMode.IDLE;
import static dev.perch.kernel.balance.BalanceMode.NEWLY_IDLE;
import static dev.perch.kernel.balance.BalanceVersion.V5_5;
import static dev.perch.kernel.balance.BalanceVersion.V6_1;
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
import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.Topology;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The decision and compute tables of scheduler.md 4.8, row by row, and D10 and D11 of its section 11. */
class TypedImbalanceTest {
    /** Eight CPUs of one cache, groups of one CPU; pct 117. */
    private static final SchedDomain MC = lowest(TestMachines.named("FLAT8"));

    /** Four cores of two threads, groups are cores, which prefer siblings. */
    private static final SchedDomain CORES =
            Objects.requireNonNull(lowest(TestMachines.named("E5620")).parent());

    /** Two nodes of 32 CPUs, one cache each: the allowance of each is 4. */
    private static final SchedDomain NODES = numa(32);

    @ParameterizedTest
    @CsvSource({"3, 0, 1", "2, 0, 1", "2, 1, 0"})
    void betweenSingleCpusHalfTheDifferenceOfTasksMoves(int there, int here, long amount) {
        for (BalanceVersion version : List.of(V5_5, V6_1, V6_12)) {
            GroupStats busiest = group(there >= 2 ? OVERLOADED : FULLY_BUSY, 1, there, 0);
            Result result = decide(version, MC, group(HAS_SPARE, 1, here, 1), busiest, IDLE);

            assertThat(result.moves()).isEqualTo(amount > 0);
            assertThat(result.kind()).isEqualTo(MigrationKind.TASKS);
            assertThat(result.amount()).isEqualTo(amount);
        }
    }

    @ParameterizedTest
    @CsvSource({"4, 0, 4, 4, 4", "3, 2, 1, 1, 1", "6, 2, 8, 4, 2", "2, 0, 1, 4, 4", "3, 1, 4, 2, 1", "0, 0, 4, 4, 0"})
    void siblingsAreComparedForTheirNumbersOfCores(int there, int here, int coresThere, int coresHere, long imbalance) {
        assertThat(TypedImbalance.siblingImbalance(there, here, coresThere, coresHere))
                .isEqualTo(imbalance);
    }

    @Test
    void twoTasksOfOneGroupCountAsTwoForAnIdleOneOfMoreCores() {
        // scheduler.md 4.8: x = 1 * 2 = 2 of 5 cores, rounded to 1; no task here and two there make it 2
        assertThat(TypedImbalance.siblingImbalance(2, 0, 4, 1)).isEqualTo(2);
        assertThat(TypedImbalance.siblingImbalance(1, 0, 4, 1)).isEqualTo(1);
    }

    @Test
    void betweenOverloadedGroupsLoadMovesToTheMean() {
        GroupStats busiest = loaded(OVERLOADED, 4096, 12_288);
        GroupStats local = loaded(OVERLOADED, 4096, 6_144);
        assertThat(busiest.average).isEqualTo(3072);
        assertThat(local.average).isEqualTo(1536);

        Result result = decide(V5_5, MC, local, busiest, BUSY);
        assertThat(result.kind()).isEqualTo(MigrationKind.LOAD);
        assertThat(result.amount()).isEqualTo(3072);
        assertThat(result.moves()).isTrue();
    }

    @Test
    void withoutABusiestGroupThereIsBalance() {
        assertThat(new TypedImbalance(V5_5).find(group(HAS_SPARE, 1, 0, 1), null, 0, 1024, MC, IDLE))
                .isFalse();
    }

    @Test
    void misfitsPackingAndPinnedGroupsAreAlwaysActedOn() {
        GroupStats local = loaded(OVERLOADED, 1024, 9000);
        GroupStats misfit = group(MISFIT_TASK, 4, 1, 3);
        misfit.misfitLoad = 700;

        assertThat(decide(V5_5, MC, local, misfit, BUSY)).isEqualTo(new Result(true, MigrationKind.MISFIT, 1));
        // from 6.12 on a misfit where capacities are alike is a task on a CPU of reduced capacity
        assertThat(decide(V6_12, MC, local, misfit, BUSY)).isEqualTo(new Result(true, MigrationKind.LOAD, 700));
        assertThat(decide(V5_5, MC, local, group(ASYM_PACKING, 4, 3, 1), BUSY))
                .isEqualTo(new Result(true, MigrationKind.TASKS, 3));
        assertThat(decide(V5_5, MC, local, group(IMBALANCED, 4, 3, 1), BUSY))
                .isEqualTo(new Result(true, MigrationKind.TASKS, 1));
    }

    @Test
    void aGroupOfAHigherTypeTakesNothingFromOneOfALower() {
        assertThat(decide(V5_5, CORES, group(FULLY_BUSY, 2, 2, 0), group(HAS_SPARE, 2, 1, 1), IDLE)
                        .moves())
                .isFalse();
        assertThat(decide(V5_5, CORES, group(OVERLOADED, 2, 3, 0), group(FULLY_BUSY, 2, 2, 0), IDLE)
                        .moves())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"6144, 6144, false", "6144, 5000, true", "5850, 5000, false", "5851, 5000, true", "5000, 6144, false"})
    void anOverloadedGroupTakesLoadFromOneThatHasSeventeenPercentMore(long there, long here, boolean moves) {
        assertThat(decide(V5_5, MC, loaded(OVERLOADED, 1024, here), loaded(OVERLOADED, 1024, there), BUSY)
                        .moves())
                .isEqualTo(moves);
    }

    @Test
    void anOverloadedGroupAboveTheMeanOfTheDomainTakesNothing() {
        TypedImbalance imbalance = new TypedImbalance(V5_5);
        GroupStats local = loaded(OVERLOADED, 1024, 3000);
        GroupStats busiest = loaded(OVERLOADED, 1024, 6000);

        // other groups of the domain are idle
        assertThat(imbalance.find(local, busiest, 9000, 4096, MC, BUSY)).isFalse();
    }

    @Test
    void coresPreferSiblingsAlsoForABusyCpuUntil611() {
        GroupStats local = group(HAS_SPARE, 2, 1, 1);
        GroupStats busiest = group(OVERLOADED, 2, 3, 0);
        assertThat(decide(V6_1, CORES, local, busiest, BUSY).amount()).isEqualTo(1);

        GroupStats full = group(FULLY_BUSY, 2, 3, 0);
        assertThat(decide(V6_1, CORES, local, full, BUSY)).isEqualTo(new Result(true, MigrationKind.TASKS, 1));
        assertThat(decide(V6_12, CORES, local, full, BUSY).moves()).isFalse();
        assertThat(decide(V6_12, CORES, local, full, IDLE)).isEqualTo(new Result(true, MigrationKind.TASKS, 1));
    }

    @Test
    void aBusyCpuTakesFromOverloadedGroupsOnly() {
        GroupStats local = group(HAS_SPARE, 1, 1, 0);
        assertThat(decide(V5_5, MC, local, group(FULLY_BUSY, 1, 4, 0), BUSY).moves())
                .isFalse();
        assertThat(decide(V5_5, MC, local, group(FULLY_BUSY, 1, 4, 0), IDLE).moves())
                .isTrue();
        assertThat(decide(V5_5, MC, local, group(OVERLOADED, 1, 4, 0), BUSY).moves())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1, 0, false", "2, 0, true", "3, 1, true", "2, 1, false"})
    void aGroupOfSeveralCpusGivesIfTheLocalOneHasTwoMoreIdleCpus(int here, int there, boolean moves) {

        GroupStats local = group(HAS_SPARE, 32, 32 - here, here);
        GroupStats busiest = group(FULLY_BUSY, 32, 32 - there, there);

        assertThat(decide(V5_5, NODES, local, busiest, IDLE).moves()).isEqualTo(moves);
    }

    @Test
    void aLoneTaskStaysUnlessItsGroupIsOverloaded() {
        assertThat(decide(V5_5, MC, group(HAS_SPARE, 1, 0, 1), group(FULLY_BUSY, 1, 1, 0), IDLE)
                        .moves())
                .isFalse();
    }

    @Test
    void onABusyCoreTheSecondTaskMovesToASingleThreadedIdleOne() {
        GroupStats core = group(SMT_BALANCE, 2, 2, 0);
        core.smt = true;
        core.cores = 1;
        GroupStats small = group(HAS_SPARE, 4, 3, 1);
        small.cores = 4;

        assertThat(decide(V6_12, MC, small, core, NEWLY_IDLE)).isEqualTo(new Result(true, MigrationKind.TASKS, 1));
        GroupStats otherCore = group(HAS_SPARE, 2, 1, 1);
        otherCore.smt = true;
        assertThat(decide(V6_12, MC, otherCore, core, NEWLY_IDLE).moves()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"V5_5", "V6_1", "V6_12"})
    void anotherCacheGivesAsMuchUtilisationAsThereIsRoomFor(BalanceVersion version) {
        GroupStats local = group(HAS_SPARE, 32, 10, 22);
        local.util = 10_000;
        GroupStats busiest = group(OVERLOADED, 32, 40, 0);
        assertThat(decide(version, NODES, local, busiest, IDLE))
                .isEqualTo(new Result(true, MigrationKind.UTIL, 32_768 - 10_000));

        local.util = 40_000;
        assertThat(decide(version, NODES, local, busiest, IDLE)).isEqualTo(new Result(true, MigrationKind.TASKS, 1));
        assertThat(decide(version, NODES, local, busiest, BUSY).moves()).isFalse();
    }

    @Test
    void fewTasksStayOnTheirNode() {
        assertThat(NODES.imbNuma()).isEqualTo(4);
        GroupStats local = group(HAS_SPARE, 32, 0, 32);
        // 5.5: less than a quarter of the node's CPUs run tasks, and no more than two would move
        GroupStats four = group(HAS_SPARE, 32, 4, 28);
        assertThat(decide(V5_5, NODES, local, four, IDLE).moves()).isFalse();
        GroupStats six = group(HAS_SPARE, 32, 6, 26);
        assertThat(decide(V5_5, NODES, local, six, IDLE)).isEqualTo(new Result(true, MigrationKind.TASKS, 3));
        // 6.1: no more than the allowance would run here, and the groups differ by no more than two
        assertThat(decide(V6_1, NODES, local, group(HAS_SPARE, 32, 2, 30), IDLE).moves())
                .isFalse();
        assertThat(decide(V6_1, NODES, local, four, IDLE)).isEqualTo(new Result(true, MigrationKind.TASKS, 2));
        GroupStats busierHere = group(HAS_SPARE, 32, 4, 28);
        assertThat(decide(V6_1, NODES, busierHere, six, IDLE)).isEqualTo(new Result(true, MigrationKind.TASKS, 1));
    }

    @Test
    void aFullyBusyGroupTakesLoadFromAnOverloadedOneOfMoreLoad() {
        GroupStats local = loaded(FULLY_BUSY, 1024, 1000);
        GroupStats busiest = loaded(OVERLOADED, 1024, 3000);
        Result result = decide(V5_5, MC, local, busiest, BUSY);
        assertThat(result).isEqualTo(new Result(true, MigrationKind.LOAD, 1000));

        assertThat(decide(V5_5, MC, loaded(FULLY_BUSY, 1024, 3000), busiest, BUSY)
                        .moves())
                .isFalse();
    }

    @Test
    void since612AFullyBusyGroupAboveTheMeanTakesNothing() {
        GroupStats local = loaded(FULLY_BUSY, 1024, 3000);
        GroupStats busiest = loaded(OVERLOADED, 1024, 6000);

        TypedImbalance later = new TypedImbalance(V6_12);
        assertThat(later.find(local, busiest, 9000, 4096, MC, BUSY)).isFalse();
    }

    private record Result(boolean moves, MigrationKind kind, long amount) {}

    private static Result decide(
            BalanceVersion version, SchedDomain domain, GroupStats local, GroupStats busiest, BalanceMode mode) {
        TypedImbalance imbalance = new TypedImbalance(version);
        imbalance.kind = MigrationKind.TASKS;
        boolean moves = imbalance.find(
                local, busiest, local.load + busiest.load, local.capacity + busiest.capacity, domain, mode);
        return new Result(moves, imbalance.kind, imbalance.amount);
    }

    private static GroupStats group(GroupType type, int weight, int nrRunning, int idleCpus) {
        GroupStats group = new GroupStats();
        group.clear();
        group.type = type;
        group.weight = weight;
        group.cores = weight;
        group.capacity = 1024L * weight;
        group.nrRunning = nrRunning;
        group.nrFair = nrRunning;
        group.idleCpus = idleCpus;
        group.load = 1024L * nrRunning;
        if (type == OVERLOADED) {
            group.computeAverage();
        }
        return group;
    }

    private static GroupStats loaded(GroupType type, long capacity, long load) {
        GroupStats group = group(type, (int) (capacity / 1024), 8, 0);
        group.load = load;
        if (type == OVERLOADED) {
            group.computeAverage();
        }
        return group;
    }

    private static SchedDomain lowest(Topology topology) {
        return Objects.requireNonNull(SchedDomains.build(topology, List.of(topology.cpus()), DomainRules.FROM_5_18)
                .lowest(0));
    }

    private static SchedDomain numa(int cpusPerNode) {
        SchedDomain domain = lowest(TestMachines.nodes(cpusPerNode, new int[][] {{10, 20}, {20, 10}}));
        while (!domain.has(DomainFlags.NUMA)) {
            domain = Objects.requireNonNull(domain.parent());
        }
        return domain;
    }
}
