package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Worked by hand from placement.md 8.5. */
class HierarchicalLoadTest {
    private final HierarchicalLoad loads = new HierarchicalLoad(3);

    @Test
    void aTasksLoadIsItsPartOfItsQueueWhichIsItsEntitysPartOfItsParent() {
        assertThat(loads.root(0, 7, 3000)).isEqualTo(3000);
        assertThat(loads.below(1, 0, 7, 1000, 3000)).isEqualTo(3000 * 1000 / 3001).isEqualTo(999);
        assertThat(loads.task(1, 1024, 2048)).isEqualTo(1024 * 999 / 2049).isEqualTo(499);
        assertThat(loads.below(2, 1, 7, 100, 2048)).isEqualTo(999 * 100 / 2049);
    }

    @Test
    void aTaskOfTheRootQueueLosesAtMostOne() {
        loads.root(0, 7, 6583);
        assertThat(loads.task(0, 456, 6583)).isEqualTo(455);
        loads.root(0, 8, 0);
        assertThat(loads.task(0, 0, 0)).isZero();
    }

    @Test
    void withinATickAQueueKeepsWhatWasWorkedOut() {
        loads.root(0, 7, 1000);
        assertThat(loads.root(0, 7, 2000)).isEqualTo(1000);
        assertThat(loads.task(0, 400, 2000)).isEqualTo(199);

        assertThat(loads.root(0, 8, 2000)).isEqualTo(2000);
        assertThat(loads.task(0, 400, 2000)).isEqualTo(399);
    }
}
