package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values: scheduler.md 11, C1 – C3, C5 and C6. */
class LoadAveragesTest {
    private static final long PERIOD_NS = 1_048_576;

    private final LoadAverages averages = new LoadAverages(1, Pelt.SINCE_4_12);
    private long now;

    @ParameterizedTest
    @CsvSource({
        "1, 21, 1002",
        "2, 43, 1981",
        "5, 105, 4795",
        "10, 199, 9098",
        "32, 512, 23359",
        "64, 768, 35039",
        "345, 1023, 46692"
    })
    void aTaskRunsFromNothingForSoManyPeriodsAtOnce(int periods, long util, long loadSum) {
        run(periods * PERIOD_NS);

        assertThat(averages.util(0)).isEqualTo(util);
        assertThat(averages.load(0)).isEqualTo(util);
        assertThat(averages.loadSum(0)).isEqualTo(loadSum);
        assertThat(averages.utilSum(0)).isEqualTo(loadSum << 10);
    }

    @Test
    void anAverageChangesWhenAPeriodEnds() {
        run(1_000_000);
        assertThat(averages.util(0)).isZero();
        assertThat(averages.position(0)).isEqualTo(976);
        assertThat(averages.last(0)).isEqualTo(999_424);

        run(1_000_000);
        assertThat(averages.util(0)).isEqualTo(41);
        assertThat(averages.loadSum(0)).isEqualTo(1930);
        assertThat(averages.position(0)).isEqualTo(929);
        assertThat(averages.last(0)).isEqualTo(1_999_872);

        run(1_000_000);
        run(1_000_000);
        assertThat(averages.util(0)).isEqualTo(81);

        for (int i = 0; i < 6; i++) {
            run(1_000_000);
        }
        assertThat(averages.util(0)).isEqualTo(191);
        assertThat(averages.loadSum(0)).isEqualTo(8821);
        assertThat(averages.position(0)).isEqualTo(549);
        assertThat(averages.last(0)).isEqualTo(9_999_360);
    }

    @ParameterizedTest
    @CsvSource({"1, 1002, 45716", "8, 861, 39284", "16, 724, 33034", "32, 511, 23358", "64, 255, 11678"})
    void aFullTaskSleepsForSoManyPeriods(int periods, long util, long loadSum) {
        averages.setSums(0, 46_718, 46_718L << 10, 46_718L << 10);
        averages.average(0, 1024);
        assertThat(averages.util(0)).isEqualTo(1024);

        sleep(periods * PERIOD_NS);

        assertThat(averages.util(0)).isEqualTo(util);
        assertThat(averages.loadSum(0)).isEqualTo(loadSum);
    }

    @ParameterizedTest
    @CsvSource({"4, 4, 533, 490", "1, 9, 112, 93"})
    void aDutyCycleSettles(long msOn, long msOff, long utilAfterOn, long utilAfterOff) {
        for (int i = 0; i < 1000; i++) {
            run(msOn * 1_000_000);
            sleep(msOff * 1_000_000);
        }
        assertThat(averages.util(0)).isEqualTo(utilAfterOff);
        run(msOn * 1_000_000);
        assertThat(averages.util(0)).isEqualTo(utilAfterOn);
    }

    @Test
    void aQueueOfTwoTasksCountsBothAsLoadAndOneAsRunning() {
        averages.step(0, 100 * PERIOD_NS, 2048, 2, true);
        averages.average(0, 1);

        assertThat(averages.load(0)).isEqualTo(1813);
        assertThat(averages.runnable(0)).isEqualTo(1813);
        assertThat(averages.util(0)).isEqualTo(906);
    }

    @Test
    void manySmallStepsAddUpToTheSameTime() {
        for (int i = 0; i < 100_000; i++) {
            run(777);
        }
        assertThat(averages.last(0)).isBetween(now - 1023, now);
        assertThat(averages.last(0) % 1024).isZero();
        assertThat(averages.position(0)).isEqualTo((int) (averages.last(0) / 1024 % 1024));
    }

    @Test
    void aClockThatWentBackCountsForNothing() {
        run(50 * PERIOD_NS);
        long sum = averages.loadSum(0);

        assertThat(averages.step(0, 10 * PERIOD_NS, 1, 1, true)).isFalse();

        assertThat(averages.loadSum(0)).isEqualTo(sum);
        assertThat(averages.last(0)).isEqualTo(10 * PERIOD_NS);
    }

    @Test
    void whatHasNoLoadHasNoRunnableTasksEither() {
        averages.step(0, 50 * PERIOD_NS, 0, 3, true);

        assertThat(averages.runnableSum(0)).isZero();
        assertThat(averages.utilSum(0)).isZero();
    }

    private void run(long ns) {
        now += ns;
        if (averages.step(0, now, 1, 1, true)) {
            averages.average(0, 1024);
        }
    }

    private void sleep(long ns) {
        now += ns;
        if (averages.step(0, now, 0, 0, false)) {
            averages.average(0, 1024);
        }
    }
}
