package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Worked by hand from scheduler.md 1.19. */
class GroupSharesTest {
    private static final long MS = 1_000_000;

    @Test
    void aGroupOnOneCpuHasAllItsSharesThereAndHalfOfThemOnEachOfTwo() {
        GroupShares groups = new GroupShares(LoadTracking.V5_5, 1, 2);
        groups.contribute(0, 0, 0, 2048);
        assertThat(groups.weight(0, 0, 1024, 2048)).isEqualTo(1024);

        groups.contribute(1, 0, 0, 2048);

        assertThat(groups.total(0)).isEqualTo(4096);
        assertThat(groups.weight(0, 0, 1024, 2048)).isEqualTo(512);
        assertThat(groups.weight(0, 0, 1024, 0)).isEqualTo(GroupShares.MIN);
        assertThat(groups.weight(0, 0, 1024, 6144)).isEqualTo(768);
    }

    @Test
    void smallChangesAreNotContributed() {
        GroupShares groups = new GroupShares(LoadTracking.V5_5, 1, 1);
        groups.contribute(0, 0, 0, 6400);
        groups.contribute(0, 0, 0, 6500);
        assertThat(groups.contribution(0)).isEqualTo(6400);
        groups.contribute(0, 0, 0, 6501);
        assertThat(groups.contribution(0)).isEqualTo(6501);
        assertThat(groups.total(0)).isEqualTo(6501);
    }

    @Test
    void from66AQueueContributesOnceAMillisecond() {
        GroupShares groups = new GroupShares(LoadTracking.V6_6, 1, 1);
        groups.contribute(0, 0, 5 * MS, 1000);
        groups.contribute(0, 0, 6 * MS - 1, 2000);
        assertThat(groups.total(0)).isEqualTo(1000);
        groups.contribute(0, 0, 6 * MS, 2000);
        assertThat(groups.total(0)).isEqualTo(2000);
    }

    @Test
    void until37TheWeightIsAveragedOverAWindow() {
        GroupShares groups = new GroupShares(LoadTracking.V3_2, 1, 2);
        groups.averageWindow(0, 0, 20 * MS, 1024, false);
        assertThat(groups.contribution(0)).isEqualTo(1023);

        // the window is halved to 10 ms, grows to 15, is halved to 7.5 and ends with 7.5 busy ms of 12.5
        groups.averageWindow(0, 0, 25 * MS, 1024, false);
        groups.averageWindow(0, 0, 30 * MS, 0, false);
        assertThat(groups.contribution(0)).isEqualTo(75L * 1024 * MS / (125 * MS + 10));
    }

    @Test
    void aQueueThatWasIdleForLongForgetsItsWindow() {
        GroupShares groups = new GroupShares(LoadTracking.V3_2, 1, 1);
        groups.averageWindow(0, 0, 20 * MS, 1024, false);
        groups.averageWindow(0, 0, 21 * MS, 0, true);
        groups.averageWindow(0, 0, 100 * MS, 2048, true);

        assertThat(groups.contribution(0)).isEqualTo(2047);
    }
}
