package dev.perch.kernel.fair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.perch.kernel.TaskTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values: scheduler.md 11, A4 and A8, columns E32. */
class LoadWeightsTest {
    private final TaskTable tasks = new TaskTable(2);

    @ParameterizedTest
    @CsvSource({
        "-20, 88761, 11537, 46146",
        "-10, 9548, 107248, 428990",
        "-5, 3121, 328100, 1312400",
        "-1, 1277, 801879, 3207518",
        "0, 1024, 1000000, 4000000",
        "1, 820, 1248780, 4995122",
        "5, 335, 3056716, 12226866",
        "10, 110, 9309091, 37236363",
        "19, 15, 68266667, 273066667"
    })
    void virtualTimePassesFasterForLightTasks(int nice, int weight, long ofOneMs, long ofFourMs) {
        LoadWeights.assign(tasks, 1, TaskTable.POLICY_NORMAL, nice);

        assertThat(tasks.weight[1]).isEqualTo(weight);
        assertThat(virtualTime(1_000_000)).isEqualTo(ofOneMs);
        assertThat(virtualTime(4_000_000)).isEqualTo(ofFourMs);
    }

    @Test
    void virtualTimePassesFastestUnderTheIdlePolicyWhateverTheNiceValue() {
        LoadWeights.assign(tasks, 1, TaskTable.POLICY_IDLE, -20);

        assertThat(tasks.weight[1]).isEqualTo(3);
        assertThat(virtualTime(1_000_000)).isEqualTo(341_333_333);
    }

    @ParameterizedTest
    @CsvSource({"-20, 34610", "-10, 321743", "-5, 984300", "0, 3000000", "5, 9170149", "10, 27927273", "19, 204800000"})
    void threeMillisecondsOfGranularityInVirtualTime(int nice, long expected) {
        LoadWeights.assign(tasks, 1, TaskTable.POLICY_NORMAL, nice);

        assertThat(virtualTime(3_000_000)).isEqualTo(expected);
    }

    @Test
    void theWeightOfAQueuedTaskMayNotChange() {
        tasks.onQueue[1] = true;

        assertThatIllegalStateException().isThrownBy(() -> LoadWeights.assign(tasks, 1, TaskTable.POLICY_NORMAL, 0));
    }

    private long virtualTime(long delta) {
        return LoadWeights.virtualDelta(delta, tasks.weight[1], tasks.inverseWeight[1]);
    }
}
