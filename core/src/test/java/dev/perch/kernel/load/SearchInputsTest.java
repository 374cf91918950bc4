package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What limits a search: Y15 – Y21 of placement.md 14.2, the worked values of 7.2, and the rules of 5.3 and 5.7. */
class SearchInputsTest {
    private static final long MIGRATION_COST = 500_000;

    @ParameterizedTest
    @CsvSource({"1000000, 31", "50000, 4", "400000, 12"})
    void until513TheBudgetFollowsTheIdleTime(long idleTime, long budget) {
        ScanCost cost = costs(1000);

        assertThat(cost.budget(0, 16, idleTime / ScanCost.IDLE_FRACTION)).isEqualTo(budget);
    }

    @ParameterizedTest
    @CsvSource({"3, 50000, 32", "7, 3125, 4"})
    void from514TheIdleTimeAgesByTicks(long ticks, long left, long budget) {
        IdleTime idle = new IdleTime(MIGRATION_COST, IdleTime.Form.AGED);
        // one idle period without length: 1 000 000 - 125 000; the next one's length makes it 800 000
        idle.begin(0);
        idle.end(0, 90);
        idle.begin(0);
        idle.end(275_000, 100);
        assertThat(idle.average()).isEqualTo(800_000);
        assertThat(idle.forSearches(100)).isEqualTo(400_000);
        assertThat(idle.forSearches(100 + ticks)).isEqualTo(left);

        assertThat(costs(24_999).budget(0, 16, left)).isEqualTo(budget);
    }

    @Test
    void asManyTicksAsALongHasBitsLeaveNothing() {
        IdleTime idle = new IdleTime(MIGRATION_COST, IdleTime.Form.AGED);
        assertThat(idle.forSearches(64)).isZero();
    }

    @Test
    void aSearchUsesUpWhatTheNextMayTake() {
        IdleTime idle = new IdleTime(MIGRATION_COST, IdleTime.Form.AGED);
        idle.searched(300_000);
        assertThat(idle.forSearches(0)).isEqualTo(700_000);
        idle.searched(900_000);
        assertThat(idle.forSearches(0)).isZero();
    }

    @Test
    void theCostOfSearchesMovesByEighthsTowardsZero() {
        ScanCost cost = new ScanCost(2);
        cost.fold(1, 8000);
        assertThat(cost.average(1)).isEqualTo(1000);
        cost.fold(1, 993);
        assertThat(cost.average(1)).isEqualTo(1000);
        cost.fold(1, 992);
        assertThat(cost.average(1)).isEqualTo(999);
        assertThat(cost.average(0)).isZero();
    }

    @Test
    void aSearchIsTooExpensiveIfItCostsMoreThanTheIdleTime() {
        ScanCost cost = costs(1000);
        assertThat(cost.tooExpensive(0, 1000)).isTrue();
        assertThat(cost.tooExpensive(0, 1001)).isFalse();
        assertThat(cost.tooExpensiveUntil412(0, 999)).isTrue();
        assertThat(cost.tooExpensiveUntil412(0, 1000)).isFalse();
    }

    private static ScanCost costs(long average) {
        ScanCost cost = new ScanCost(1);
        cost.fold(0, 8 * average);
        assertThat(cost.average(0)).isEqualTo(average);
        return cost;
    }

    @ParameterizedTest
    @CsvSource({
        "8192, 16, 10", "27000, 32, 2", "0, 16, 16", "4800, 16, 14", "12800, 16, 2", "13440, 16, 1", "13760, 16, 0",
        "14000, 16, 0", "16384, 16, 0", "2400, 8, 7", "4096, 8, 5"
    })
    void from60UtilisationLimitsTheSearch(long utilSum, int cpus, int limit) {
        assertThat(IdleScanLimit.limit(utilSum, cpus, 117)).isEqualTo(limit);
    }

    @Test
    void nothingMayBeLookedAtBeforeTheFirstBalance() {
        IdleScanLimit limits = new IdleScanLimit(8);
        assertThat(limits.of(4)).isZero();
        limits.update(4, 0, 4, 117);
        assertThat(limits.of(4)).isEqualTo(4);
        assertThat(limits.of(0)).isZero();
    }
}
