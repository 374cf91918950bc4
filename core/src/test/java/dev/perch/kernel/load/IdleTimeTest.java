package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values: scheduler.md 11, C11 and C12, and placement.md 5.7. */
class IdleTimeTest {
    private final IdleTime idle = new IdleTime(500_000);
    private long clock = 1_000;

    @Test
    void shortIdlePeriodsLowerTheEstimateByEighths() {
        assertThat(idle.average()).isEqualTo(1_000_000);
        assertThat(afterIdle(50_000)).isEqualTo(881_250);
        assertThat(afterIdle(50_000)).isEqualTo(777_343);
        assertThat(afterIdle(50_000)).isEqualTo(686_425);
        assertThat(afterIdle(50_000)).isEqualTo(606_871);
        assertThat(afterIdle(50_000)).isGreaterThan(500_000);
        assertThat(afterIdle(50_000)).isEqualTo(476_354);
    }

    @ParameterizedTest
    @CsvSource({"7, 0, 6", "1, 0, 0", "0, 7, 0", "0, 8, 1"})
    void theAverageRoundsDown(long average, long sample, long expected) {
        assertThat(IdleTime.average(average, sample)).isEqualTo(expected);
    }

    @Test
    void oneLongIdlePeriodSetsTheEstimateToItsMost() {
        while (idle.average() > 300_000) {
            afterIdle(0);
        }
        assertThat(afterIdle(1_500_000)).isEqualTo(1_000_000);
    }

    @Test
    void aPeriodThatBalancingEndedDoesNotCountNorDoesAWakeupWithoutOne() {
        idle.begin(clock);
        idle.cancel();
        idle.end(clock + 50_000);
        idle.end(clock + 90_000);

        assertThat(idle.average()).isEqualTo(1_000_000);
    }

    @Test
    void from313ALongIdlePeriodCountsAnEighthAndTheCostOfBalancingIsTheMost() {
        IdleTime capped = new IdleTime(500_000, IdleTime.Form.CAPPED);
        lower(capped, 300_000);
        after(capped, capped.average() + 8 * (300_000 - capped.average()));
        assertThat(capped.average()).isEqualTo(300_000);

        after(capped, 1_500_000);
        assertThat(capped.average()).isEqualTo(450_000);
        after(capped, 10_000_000);
        assertThat(capped.average()).isEqualTo(1_000_000);

        capped.raiseBalanceCost(700_000);
        after(capped, 10_000_000);
        assertThat(capped.average()).isEqualTo(1_400_000);
        capped.raiseBalanceCost(600_000);
        assertThat(capped.balanceCost()).isEqualTo(700_000);
        capped.decayBalanceCost(400_000);
        assertThat(capped.balanceCost()).isEqualTo(500_000);
    }

    @Test
    void from58AnEighthIsRoundedTowardsZero() {
        assertThat(IdleTime.averageToZero(7, 0)).isEqualTo(7);
        assertThat(IdleTime.averageToZero(8, 0)).isEqualTo(7);
        assertThat(IdleTime.averageToZero(0, 8)).isEqualTo(1);
    }

    @Test
    void whatIsAgedByTicksNeedsTheTick() {
        IdleTime aged = new IdleTime(500_000, IdleTime.Form.AGED);
        assertThatIllegalStateException().isThrownBy(() -> aged.end(5));
    }

    private static void lower(IdleTime idle, long to) {
        while (idle.average() > to) {
            after(idle, 0);
        }
    }

    private static void after(IdleTime idle, long ns) {
        idle.begin(77);
        idle.end(77 + ns);
    }

    private long afterIdle(long ns) {
        idle.begin(clock);
        clock += ns;
        idle.end(clock);
        return idle.average();
    }
}
