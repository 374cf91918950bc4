package dev.perch.host.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Ticks among other gaps, made by hand: a tick of 250 Hz for 80 periods. */
class TickProbeTest {
    private static final long PERIOD = 4_000_000;
    private static final long END = 80 * PERIOD;
    private static final long PHASE = 3_990_000;

    private static double[] ticks(long[][] gaps) {
        long[][] sorted = gaps.clone();
        Arrays.sort(sorted, (a, b) -> Long.compare(a[0], b[0]));
        return TickProbe.ticks(
                Arrays.stream(sorted).mapToLong(gap -> gap[0]).toArray(),
                Arrays.stream(sorted).mapToLong(gap -> gap[1]).toArray(),
                PERIOD,
                0,
                END);
    }

    private static long[][] regular(int every) {
        return LongStream.range(0, 80)
                .filter(period -> period % every == 0)
                .mapToObj(period -> new long[] {period * PERIOD + PHASE + period % 3 * 10_000, 2_000 + period})
                .toArray(long[][]::new);
    }

    private static long[][] random(int count) {
        Random random = new Random(1);
        return LongStream.range(0, count)
                .mapToObj(i -> new long[] {(long) (random.nextDouble() * END), 50_000})
                .toArray(long[][]::new);
    }

    private static long[][] both(long[][] a, long[][] b) {
        long[][] all = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        return all;
    }

    @Test
    void aGapInEachPeriodIsTheTick() {
        assertThat(ticks(regular(1)))
                .containsExactly(LongStream.range(2_000, 2_080).asDoubleStream().toArray());
    }

    @Test
    void otherGapsDoNotHideIt() {
        double[] found = ticks(both(regular(1), random(80)));
        assertThat(found).hasSize(80);
        // at 25 windows a period some three of the others fall upon a tick
        assertThat(Arrays.stream(found).filter(length -> length < 3_000).count())
                .isGreaterThan(65);
    }

    @Test
    void twoGapsOfOneTickCountOnceWithTheLonger() {
        long[][] second = regular(1);
        for (long[] gap : second) {
            gap[0] += 5_000;
            gap[1] = 9_000;
        }
        assertThat(ticks(both(regular(1), second))).hasSize(80).containsOnly(9_000);
    }

    @Test
    void periodsThatSomebodyElseRanThroughDoNotCount() {
        // of 80 ticks every fourth is seen, and three periods after it the thread is away until just before the next
        long[][] away = regular(4);
        for (long[] gap : away) {
            gap[0] += 20_000;
            gap[1] = 3 * PERIOD;
        }
        double[] found = ticks(both(regular(4), away));
        assertThat(found).hasSize(20);
        assertThat(Arrays.stream(found).max().orElseThrow()).isLessThan(3_000);
    }

    @Test
    void gapsWithoutThatPeriodAreNoTick() {
        assertThat(ticks(random(400))).isEmpty();
        assertThat(ticks(regular(2))).isEmpty();
        assertThat(ticks(new long[0][])).isEmpty();
    }
}
