package dev.perch.kernel.balance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Types of groups: scheduler.md 4.8 and D9 of its section 11. */
class GroupStatsTest {
    @ParameterizedTest
    @CsvSource({
        "8, 6000, 7000, HAS_SPARE",
        "8, 7100, 8000, FULLY_BUSY",
        "8, 6900, 9800, FULLY_BUSY",
        "9, 7100, 9000, OVERLOADED",
        "9, 6500, 9500, HAS_SPARE",
        "12, 6500, 12000, OVERLOADED",
        "7, 8192, 8192, HAS_SPARE"
    })
    void aGroupOfEightCpusIsTypedByItsTasksUtilisationAndRunnableAverage(
            int nrRunning, long util, long runnable, GroupType type) {
        GroupStats group = eightCpus(nrRunning, util, runnable);
        group.classify(117);

        assertThat(group.type).isEqualTo(type);
    }

    @Test
    void theFirstTypeThatAppliesIsTaken() {
        GroupStats group = eightCpus(12, 8192, 12_000);
        group.pinned = true;
        group.asymPacking = true;
        group.smtBusy = true;
        group.misfitLoad = 1024;
        group.load = 12_288;
        group.classify(117);
        assertThat(group.type).isEqualTo(GroupType.OVERLOADED);
        assertThat(group.average).isEqualTo(1536);

        group.nrRunning = 8;
        group.average = 0;
        group.classify(117);
        assertThat(group.type).isEqualTo(GroupType.IMBALANCED);
        assertThat(group.average).isZero();
        group.pinned = false;
        group.classify(117);
        assertThat(group.type).isEqualTo(GroupType.ASYM_PACKING);
        group.asymPacking = false;
        group.classify(117);
        assertThat(group.type).isEqualTo(GroupType.SMT_BALANCE);
        group.smtBusy = false;
        group.classify(117);
        assertThat(group.type).isEqualTo(GroupType.MISFIT_TASK);
    }

    @ParameterizedTest
    @CsvSource({"1024, 972, true", "1024, 973, false", "446, 1024, false"})
    void aCapacityIsGreaterByAboutFivePercentOnly(long a, long b, boolean greater) {
        assertThat(GroupStats.greater(a, b)).isEqualTo(greater);
    }

    private static GroupStats eightCpus(int nrRunning, long util, long runnable) {
        GroupStats group = new GroupStats();
        group.clear();
        group.weight = 8;
        group.capacity = 8192;
        group.nrRunning = nrRunning;
        group.nrFair = nrRunning;
        group.util = util;
        group.runnable = runnable;
        return group;
    }
}
