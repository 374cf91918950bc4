package dev.perch.kernel.cpuidle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The rules of scheduler.md 7.5, end. */
class LadderTest {
    private static final IdleStates WESTMERE =
            new IdleStates(true, new int[] {0, 3, 20, 200}, new int[] {0, 6, 80, 800});

    private final Ladder ladder = new Ladder(WESTMERE);
    private final IdleEntry entry = new IdleEntry();

    @Test
    void goesDownAStepAfterFourLongPeriods() {
        for (int i = 0; i < 4; i++) {
            assertThat(ladder.select(entry)).isEqualTo(1);
            ladder.reflect(0, 7_000, false, false); // 4 us beyond the exit latency of 3
        }
        for (int i = 0; i < 4; i++) {
            assertThat(ladder.select(entry)).isEqualTo(2);
            ladder.reflect(0, 41_000, false, false);
        }
        assertThat(ladder.select(entry)).isEqualTo(3);
    }

    @Test
    void goesUpAStepAfterOneShortPeriod() {
        descendTo(3);
        ladder.reflect(0, 399_000, false, false);
        assertThat(ladder.select(entry)).isEqualTo(2);
        ladder.reflect(0, 39_000, false, false);
        assertThat(ladder.select(entry)).isEqualTo(1);
        ladder.reflect(0, 1_000, false, false);
        assertThat(ladder.select(entry)).isEqualTo(1);
    }

    @Test
    void aShortPeriodBreaksTheRow() {
        for (int i = 0; i < 12; i++) {
            assertThat(ladder.select(entry)).isEqualTo(1);
            ladder.reflect(0, i % 4 == 3 ? 1_000 : 50_000, false, false);
        }
    }

    @Test
    void keepsToALatencyLimit() {
        descendTo(3);
        entry.latencyLimitUs = 20;
        assertThat(ladder.select(entry)).isEqualTo(2);
        for (int i = 0; i < 8; i++) {
            ladder.reflect(0, 10_000_000, false, false);
            assertThat(ladder.select(entry)).isEqualTo(2);
        }
        entry.latencyLimitUs = 0;
        assertThat(ladder.select(entry)).isZero();
    }

    private void descendTo(int state) {
        while (ladder.select(entry) < state) {
            ladder.reflect(0, 10_000_000, false, false);
        }
    }
}
