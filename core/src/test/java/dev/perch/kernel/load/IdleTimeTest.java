package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values: scheduler.md 11, C11 and C12 (E32). */
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

    private long afterIdle(long ns) {
        idle.begin(clock);
        clock += ns;
        idle.end(clock);
        return idle.average();
    }
}
