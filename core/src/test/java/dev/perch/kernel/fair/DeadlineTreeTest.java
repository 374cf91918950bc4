package dev.perch.kernel.fair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.perch.kernel.TaskTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reference is a list in the order of deadlines, searched from its beginning. */
class DeadlineTreeTest {
    private static final int TASKS = 200;

    private final TaskTable tasks = new TaskTable(TASKS + 1);
    private final DeadlineTree.Links links = new DeadlineTree.Links(TASKS + 1);
    private final DeadlineTree tree = new DeadlineTree(tasks, links);
    private final List<Integer> sorted = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void findsTheFirstEligibleTheSmallestRuntimeAndTheShortestSlice(long seed) {
        Random random = new Random(seed);
        long base = Long.MAX_VALUE - 500;
        for (int step = 0; step < 5_000; step++) {
            int task = 1 + random.nextInt(TASKS);
            if (sorted.contains(task)) {
                tree.remove(task);
                sorted.remove(Integer.valueOf(task));
            } else {
                tasks.deadline[task] = base + random.nextInt(50);
                tasks.vruntime[task] = base + random.nextInt(1000);
                tasks.slice[task] = 1L + random.nextInt(1000);
                tree.insert(task);
                sorted.add(placeAfterEquals(task), task);
            }
            check();
        }
    }

    private int placeAfterEquals(int task) {
        int place = 0;
        while (place < sorted.size() && tasks.deadline[task] - tasks.deadline[sorted.get(place)] >= 0) {
            place++;
        }
        return place;
    }

    private void check() {
        assertThat(tree.size()).isEqualTo(sorted.size());
        assertThat(tree.first()).isEqualTo(sorted.isEmpty() ? TaskTable.IDLE_TASK : sorted.getFirst());
        if (sorted.isEmpty()) {
            assertThat(tree.isEmpty()).isTrue();
            return;
        }
        VirtualAverage average = new VirtualAverage(Long.MAX_VALUE);
        long least = tasks.vruntime[sorted.getFirst()];
        long shortest = Long.MAX_VALUE;
        for (int task : sorted) {
            average.add(tasks.vruntime[task], 1024);
            least = tasks.vruntime[task] - least < 0 ? tasks.vruntime[task] : least;
            shortest = Math.min(shortest, tasks.slice[task]);
        }
        assertThat(tree.minVruntime()).isEqualTo(least);
        assertThat(tree.minSlice()).isEqualTo(shortest);
        int expected = sorted.stream()
                .filter(task -> average.isEligible(tasks.vruntime[task]))
                .findFirst()
                .orElseThrow();
        assertThat(tree.firstEligible(average)).isEqualTo(expected);
    }

    @Test
    void noOrderOfInsertionMakesItDeep() {
        int many = 100_000;
        TaskTable table = new TaskTable(many + 1);
        DeadlineTree.Links nodes = new DeadlineTree.Links(many + 1);
        DeadlineTree large = new DeadlineTree(table, nodes);
        for (int task = 1; task <= many; task++) {
            table.deadline[task] = task;
            large.insert(task);
        }

        // the greatest depth of a random search tree is about 4.3 ln n, here 50; twice that is beyond chance
        int deepest = 0;
        for (int task = 1; task <= many; task++) {
            int depth = 0;
            for (int at = task; at > 0; at = nodes.parent[at]) {
                depth++;
            }
            deepest = Math.max(deepest, depth);
        }
        assertThat(deepest).isLessThan(100);
    }

    @Test
    void anEntityWaitsOnceAndIsTakenFromWhereItWaits() {
        tree.insert(1);

        assertThatIllegalStateException().isThrownBy(() -> tree.insert(1));
        assertThatIllegalStateException().isThrownBy(() -> tree.remove(2));
    }
}
