package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values: scheduler.md 11, C4, and the constants of 3.4. */
class PeltTest {
    @ParameterizedTest
    @CsvSource({"47742, 32, 23870", "47742, 1, 46718", "47742, 0, 47741", "1024, 16, 724", "1024, 32, 511"})
    void aSumDecays(long sum, long periods, long left) {
        assertThat(Pelt.SINCE_4_12.decay(sum, periods)).isEqualTo(left);
    }

    @Test
    void untilThe412KernelASumDecayedOverNoPeriodIsKept() {
        assertThat(Pelt.UNTIL_4_11.decay(47_742, 0)).isEqualTo(47_742);
        assertThat(Pelt.UNTIL_4_11.decay(47_742, 1)).isEqualTo(46_718);
    }

    @Test
    void after2016PeriodsNothingIsLeft() {
        assertThat(Pelt.SINCE_4_12.decay(Long.MAX_VALUE >> 1, 2017)).isZero();
        assertThat(Pelt.SINCE_4_12.decay(Long.MAX_VALUE >> 1, 1_000_000_000_000L)).isZero();
    }

    @Test
    void theLongerTheLessIsLeft() {
        for (long sum : new long[] {1, 1024, 47_742, 48_887_808L, 1L << 40, (1L << 50) + 12_345}) {
            long before = sum;
            for (long periods = 0; periods < 2100; periods++) {
                long left = Pelt.SINCE_4_12.decay(sum, periods);
                assertThat(left).isBetween(0L, before);
                before = left;
            }
        }
    }

    @Test
    void anAverageIsTheQuotientRoundedDown() {
        for (int position : new int[] {0, 1, 511, 1022, 1023}) {
            long divider = 47_742 - 1024 + position;
            for (long quotient : new long[] {0, 1, 1024, 88_761, 123_456_789, Long.MAX_VALUE / 47_742 - 1}) {
                assertThat(Pelt.average(quotient * divider, position)).isEqualTo(quotient);
                assertThat(Pelt.average(quotient * divider + divider - 1, position)).isEqualTo(quotient);
                assertThat(Pelt.average(quotient * divider + divider, position)).isEqualTo(quotient + 1);
            }
        }
    }

    @Test
    void largeSumsDecayAsExactlyAsSmallOnes() {
        long sum = (1L << 44) + 987_654_321L;
        for (int periods = 0; periods < 32; periods++) {
            long left = Pelt.SINCE_4_12.decay(sum, periods);
            double exact = sum * StrictMath.pow(2, -periods / 32.0);
            assertThat((double) left).isBetween(exact - exact / (1L << 30), exact);
        }
    }
}
