package dev.perch.lab.recordings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks that grow while times come in, against counting all times at once. */
class TimeBlocksTest {
    /** Counts by block. */
    private static final class Counts implements TimeBlocks.Sums {
        final long[] counts = new long[TimeBlocks.MOST];

        @Override
        public void halve(int shift) {
            Blocks.halve(counts, shift);
        }

        @Override
        public void moveUp(int count) {
            Blocks.moveUp(counts, count);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1000, 3",
        "5000000000, 1000, 10000000",
        "5000000000, 5000, 7000000000",
        "123456789, 5000, 3600000000000",
        "1, 20000, 64000000",
        "63999999, 20000, 64000001"
    })
    void countsAsIfTheLengthHadBeenKnown(long start, int times, long span) {
        SplittableRandom random = new SplittableRandom(times + span);
        long[] all = new long[times];
        for (int i = 0; i < times; i++) {
            // nearly in order, as wakeups end
            all[i] = Math.max(
                    start, start + (long) ((double) span * i / times) - random.nextLong(Math.max(1, span / 50)));
        }
        Counts counts = new Counts();
        TimeBlocks blocks = new TimeBlocks(counts);
        for (long time : all) {
            counts.counts[blocks.of(time)]++;
        }
        long length = blocks.lengthNs();
        TreeMap<Long, Long> expected = new TreeMap<>();
        for (long time : all) {
            expected.merge(time / length, 1L, Long::sum);
        }
        long first = expected.firstKey();
        long[] inOrder = new long[TimeBlocks.MOST];
        expected.forEach((block, count) -> inOrder[(int) (block - first)] = count);
        assertThat(counts.counts).isEqualTo(inOrder);
        assertThat(blocks.size()).isEqualTo((int) (expected.lastKey() - first + 1));
        if (length > 1_000_000) {
            assertThat(blocks.size()).isBetween(TimeBlocks.LEAST, TimeBlocks.MOST);
        }
        assertThat(Arrays.stream(counts.counts).sum()).isEqualTo(times);
    }

    @ParameterizedTest
    @CsvSource({"3500000, 10200000"})
    void knowsHowMuchOfABlockWasRecorded(long from, long to) {
        TimeBlocks blocks = new TimeBlocks(new Counts());
        blocks.of(from);
        blocks.of(to);
        assertThat(blocks.within(0, from, to)).isEqualTo(500_000);
        assertThat(blocks.within(1, from, to)).isEqualTo(1_000_000);
        assertThat(blocks.within(7, from, to)).isEqualTo(200_000);
        assertThat(blocks.size()).isEqualTo(8);
    }
}
