package dev.perch.kernel.fair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TaskTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values: scheduler.md 11, A2 to A4, A8, B4 and B8. */
class VirtualTimeTest {
    private final TaskTable tasks = new TaskTable(2);
    private final VirtualTime rounding = new VirtualTime(false);
    private final VirtualTime truncating = new VirtualTime(true);

    @ParameterizedTest
    @CsvSource({
        "-20, 11537, 11536, 46146, 46146",
        "-10, 107248, 107247, 428990, 428990",
        "-5, 328100, 328099, 1312400, 1312399",
        "-1, 801879, 801879, 3207518, 3207517",
        "0, 1000000, 1000000, 4000000, 4000000",
        "1, 1248780, 1248780, 4995122, 4995121",
        "5, 3056716, 3056716, 12226866, 12226865",
        "10, 9309091, 9309090, 37236363, 37236363",
        "19, 68266667, 68266666, 273066667, 273066666"
    })
    void kernelsUntil312RoundAndLaterOnesTruncate(
            int nice, long rounded, long truncated, long rounded4, long truncated4) {
        LoadWeights.assign(tasks, 1, TaskTable.POLICY_NORMAL, nice);

        assertThat(of(rounding, 1_000_000)).isEqualTo(rounded);
        assertThat(of(truncating, 1_000_000)).isEqualTo(truncated);
        assertThat(of(rounding, 4_000_000)).isEqualTo(rounded4);
        assertThat(of(truncating, 4_000_000)).isEqualTo(truncated4);
    }

    @Test
    void theIdlePolicyHasTheLeastWeight() {
        LoadWeights.assign(tasks, 1, TaskTable.POLICY_IDLE, 0);

        assertThat(of(rounding, 1_000_000)).isEqualTo(341_333_333);
        assertThat(of(truncating, 1_000_000)).isEqualTo(341_333_333);
    }

    @ParameterizedTest
    @CsvSource({"5, 9170149", "-5, 984299", "19, 204799999", "-20, 34609"})
    void aSliceInVirtualTimeIsTruncated(int nice, long expected) {
        LoadWeights.assign(tasks, 1, TaskTable.POLICY_NORMAL, nice);

        assertThat(of(truncating, 3_000_000)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"1, 18000000", "2, 8999995", "3, 5999998", "5, 3599996"})
    void aShareOfAPeriodIsTruncated(int tasksOnQueue, long share) {
        assertThat(truncating.share(18_000_000, 1024, 4_194_304, 1024L * tasksOnQueue))
                .isEqualTo(share);
    }

    @Test
    void longTimesAndHeavyWeightsDoNotOverflow() {
        LoadWeights.assign(tasks, 1, TaskTable.POLICY_NORMAL, -20);

        // 10^18 ns at weight 88761, times 1024 / 88761 = 1.1536…e16; the tabulated inverse has five digits
        assertThat(of(truncating, 1_000_000_000_000_000_000L))
                .isBetween(11_536_000_000_000_000L, 11_537_000_000_000_000L);
    }

    @Test
    void theInverseOfAnEmptyQueueIsThatOfWeightOne() {
        assertThat(rounding.inverse(0)).isEqualTo(1L << 32);
        assertThat(truncating.inverse(0)).isEqualTo((1L << 32) - 1);
    }

    @Test
    void virtualTimesWrap() {
        assertThat(VirtualTime.later(Long.MAX_VALUE, Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
        assertThat(VirtualTime.earlier(Long.MAX_VALUE, Long.MIN_VALUE)).isEqualTo(Long.MAX_VALUE);
    }

    private long of(VirtualTime time, long delta) {
        return time.virtual(delta, tasks.weight[1], tasks.inverseWeight[1]);
    }
}
