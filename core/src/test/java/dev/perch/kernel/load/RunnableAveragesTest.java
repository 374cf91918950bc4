package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values: the table and the rules of scheduler.md 3.8. */
class RunnableAveragesTest {
    private static final long PERIOD_NS = 1_048_576;
    private static final long NICE_0 = 1024;

    private final RunnableAverages averages = new RunnableAverages(2, 2);

    @BeforeEach
    void begin() {
        averages.begin(0, 0, 0, NICE_0);
        averages.begin(1, 0, 0, NICE_0);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1002", "5, 4798", "32, 23371", "345, 47742", "100000, 47742"})
    void fullPeriodsAreTabulated(long periods, long sum) {
        assertThat(RunnableAverages.ofFullPeriods(periods)).isEqualTo(sum);
    }

    @Test
    void betweenTableAndLimitTheSumRisesByHalves() {
        // 33 periods: 23371 once, decayed by one, and one more
        assertThat(RunnableAverages.ofFullPeriods(33)).isEqualTo((long) (23371 * 0.978572062) + 1002);
        long before = 0;
        for (int periods = 0; periods < 400; periods++) {
            long sum = RunnableAverages.ofFullPeriods(periods);
            assertThat(sum).isBetween(before, (long) Pelt.MAX);
            before = sum;
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1002", "2, 1982", "3, 2941", "4, 3880", "10, 9103", "32, 23371"})
    void aTaskThatRunsFromNothingHasTheTabulatedSum(int periods, long sum) {
        averages.step(0, periods * PERIOD_NS, true);

        assertThat(averages.runnableSum(0)).isCloseTo(sum, within(2L));
        assertThat(averages.periodSum(0)).isEqualTo(averages.runnableSum(0));
    }

    @Test
    void timeThatMakesNoUnitIsLeftForTheNextStepAndARestIsLost() {
        averages.step(0, 1023, true);
        assertThat(averages.runnableSum(0)).isZero();
        averages.step(0, 2047, true);
        assertThat(averages.runnableSum(0)).isEqualTo(1);
        averages.step(0, 3070, true);
        assertThat(averages.runnableSum(0)).isEqualTo(1);
        averages.step(0, 3071, true);
        assertThat(averages.runnableSum(0)).isEqualTo(2);
    }

    @Test
    void aTaskThatIsAlwaysRunnableCountsForAlmostItsWeight() {
        averages.enqueue(0, 0, 0, NICE_0);
        averages.update(0, 0, 1000 * PERIOD_NS, NICE_0, true);

        assertThat(averages.contribution(0)).isEqualTo(1023);
        assertThat(averages.runnableLoad(0)).isEqualTo(1023);
    }

    @Test
    void aSlicesCreditLetsANewTaskCountAtOnce() {
        averages.begin(0, 0, 4000, NICE_0);

        assertThat(averages.contribution(0)).isEqualTo(4000 * 1024 / 4001);
    }

    @Test
    void sleepMovesTheLoadToTheBlockedSideWhereItDecaysOncePerPeriod() {
        averages.enqueue(0, 0, 0, NICE_0);
        averages.dequeue(0, 0, 1000 * PERIOD_NS, NICE_0, true);
        assertThat(averages.runnableLoad(0)).isZero();
        assertThat(averages.blockedLoad(0)).isEqualTo(1023);

        averages.ageBlocked(0, 1001 * PERIOD_NS - 1, false);
        assertThat(averages.blockedLoad(0)).isEqualTo(1023);
        averages.ageBlocked(0, 1032 * PERIOD_NS, false);
        assertThat(averages.blockedLoad(0)).isBetween(510L, 511L);

        averages.enqueue(0, 0, 1032 * PERIOD_NS, NICE_0);
        assertThat(averages.blockedLoad(0)).isZero();
        assertThat(averages.runnableLoad(0)).isEqualTo(averages.contribution(0)).isCloseTo(512, within(1L));
    }

    @Test
    void whatWokeElsewhereIsTakenOffAtTheNextDecay() {
        averages.enqueue(0, 0, 0, NICE_0);
        averages.dequeue(0, 0, 1000 * PERIOD_NS, NICE_0, true);

        averages.removed(0, 1000 * PERIOD_NS, NICE_0);
        averages.enqueue(0, 1, 1000 * PERIOD_NS, NICE_0);

        assertThat(averages.blockedLoad(0)).isEqualTo(1023);
        assertThat(averages.runnableLoad(1)).isEqualTo(1023);
        averages.ageBlocked(0, 1001 * PERIOD_NS, false);
        assertThat(averages.blockedLoad(0)).isZero();
    }

    @Test
    void aMovedTaskTakesItsLoadAlong() {
        averages.enqueue(0, 0, 0, NICE_0);
        averages.dequeue(0, 0, 1000 * PERIOD_NS, NICE_0, false);
        averages.enqueue(0, 1, 1000 * PERIOD_NS, NICE_0);

        assertThat(averages.runnableLoad(0)).isZero();
        assertThat(averages.blockedLoad(0)).isZero();
        assertThat(averages.runnableLoad(1)).isEqualTo(1023);
    }

    @Test
    void aSleeperMustBeRemovedBeforeItWakesElsewhere() {
        averages.enqueue(0, 0, 0, NICE_0);
        averages.dequeue(0, 0, PERIOD_NS, NICE_0, true);

        assertThatIllegalStateException().isThrownBy(() -> averages.enqueue(0, 1, 2 * PERIOD_NS, NICE_0));
        assertThatIllegalStateException().isThrownBy(() -> averages.removed(1, 0, NICE_0));
    }
}
