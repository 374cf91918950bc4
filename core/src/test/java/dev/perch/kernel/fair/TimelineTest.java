package dev.perch.kernel.fair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.perch.kernel.TaskTable;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimelineTest {
    private static final int TASKS = 200;

    private final TaskTable tasks = new TaskTable(TASKS + 1);
    private final Timeline timeline = new Timeline(tasks);

    @ParameterizedTest
    @ValueSource(longs = {0, 1_000_000_000L, Long.MAX_VALUE - 20, -20})
    void firstAndSecondAreThoseOfASortedListWithEqualsInOrderOfInsertion(long base) {
        SplittableRandom random = new SplittableRandom(base);
        List<Integer> sorted = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            int task = 1 + random.nextInt(TASKS);
            if (sorted.contains(task)) {
                sorted.remove(Integer.valueOf(task));
                timeline.remove(task);
            } else {
                tasks.vruntime[task] = base + random.nextInt(40);
                sorted.add(placeAfterEquals(sorted, task), task);
                timeline.insert(task);
            }

            assertThat(timeline.size()).isEqualTo(sorted.size());
            assertThat(timeline.leftmost()).isEqualTo(sorted.isEmpty() ? TaskTable.IDLE_TASK : sorted.get(0));
            assertThat(timeline.second()).isEqualTo(sorted.size() < 2 ? TaskTable.IDLE_TASK : sorted.get(1));
        }
        while (!sorted.isEmpty()) {
            int first = sorted.removeFirst();
            assertThat(timeline.leftmost()).isEqualTo(first);
            timeline.remove(first);
        }
    }

    private int placeAfterEquals(List<Integer> sorted, int task) {
        int place = 0;
        while (place < sorted.size() && tasks.vruntime[task] - tasks.vruntime[sorted.get(place)] >= 0) {
            place++;
        }
        return place;
    }

    @Test
    void aTaskWaitsOnceAndOnOneQueue() {
        Timeline other = new Timeline(tasks);
        timeline.insert(1);
        other.insert(2);

        assertThat(timeline.contains(1)).isTrue();
        assertThat(timeline.contains(2)).isFalse();
        assertThatIllegalStateException().isThrownBy(() -> other.insert(1));
        assertThatIllegalStateException().isThrownBy(() -> timeline.remove(2));
        assertThatIllegalStateException().isThrownBy(() -> timeline.remove(3));
    }
}
