package dev.perch.kernel.cpuidle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values: scheduler.md 11, F1, F3, F4, and the rules of 7.2 and 7.3. */
class EarlyMenuTest {
    /** POLL and C1 of an ACPI driver; firmware gives C1 a latency of 1. */
    private static final IdleStates ACPI = new IdleStates(true, new int[] {0, 1}, new int[] {0, 2});

    /** POLL and the table of intel_idle for Westmere in 3.4. */
    private static final IdleStates WESTMERE =
            new IdleStates(true, new int[] {0, 3, 20, 200}, new int[] {0, 6, 80, 800});

    @Test
    void correctsTheExpectedTimeByHowEarlyItUsedToBeWoken() {
        EarlyMenu menu = new EarlyMenu(WESTMERE, true);
        int[] factors = {7193, 6318, 5553, 4883};
        int[] predictions = {3512, 3085, 2711, 2384};
        assertThat(menu.select(entry(4000))).isEqualTo(3);
        for (int i = 0; i < 4; i++) {
            // the way out of the state counts until the hardware is awake
            menu.reflect(0, (100 + WESTMERE.exitUs(3)) * 1000L, false, false);
            assertThat(menu.factor()).isEqualTo(factors[i]);
            assertThat(menu.select(entry(4000))).isEqualTo(3);
            assertThat(menu.predictedUs()).isEqualTo(predictions[i]);
        }
    }

    @Test
    void believesEightAlikePeriods() {
        EarlyMenu menu = new EarlyMenu(WESTMERE, false);
        for (int i = 0; i < 8; i++) {
            menu.select(entry(4000));
            menu.reflect(0, 40_000 + i % 2 * 10_000, false, false);
        }
        assertThat(menu.select(entry(4000))).isEqualTo(1);
        assertThat(menu.predictedUs()).isEqualTo(45);
    }

    @ParameterizedTest
    @CsvSource({"6, 1", "4, 1", "1, 0"})
    void sleepsInC1IfThatPays(int expectedUs, int state) {
        assertThat(new EarlyMenu(ACPI, false).select(entry(expectedUs))).isEqualTo(state);
    }

    @Test
    void withoutDynamicTicksItKnowsNoTimerAndPolls() {
        IdleEntry entry = entry(4000);
        entry.dynamicTicks = false;
        EarlyMenu menu = new EarlyMenu(ACPI, false);
        for (int i = 0; i < 10; i++) {
            assertThat(menu.select(entry)).isZero();
            assertThat(menu.predictedUs()).isZero();
            menu.reflect(0, 4_000_000, true, false); // the polling state cannot measure, so nothing is learned
        }
        IdleStates free = new IdleStates(true, new int[] {0, 0}, new int[] {0, 0});
        assertThat(new EarlyMenu(free, false).select(entry)).isEqualTo(1);
    }

    @Test
    void aLoadedCpuNeedsLongerPeriodsForDeepStates() {
        assertThat(EarlyMenu.loadTerm(1024)).isEqualTo(5);
        assertThat(EarlyMenu.loadTerm(2048)).isEqualTo(10);
        // C3 with a latency of 20 us and a multiplier of 11
        assertThat(loaded(true, 219)).isEqualTo(1);
        assertThat(loaded(true, 220)).isEqualTo(2);
        assertThat(loaded(false, 80)).isEqualTo(2);
        assertThat(loaded(false, 79)).isEqualTo(1);
    }

    private static int loaded(boolean weighsLoad, int expectedUs) {
        IdleEntry entry = entry(expectedUs);
        entry.cpuLoad = 1024;
        return new EarlyMenu(WESTMERE, weighsLoad).select(entry);
    }

    @Test
    void waitersForInputOrOutputAndLatencyLimitsMakeItShallow() {
        IdleEntry waiting = entry(4000);
        waiting.iowaiters = 2; // multiplier 21: C6 would need 4200 us
        assertThat(new EarlyMenu(WESTMERE, false).select(waiting)).isEqualTo(2);

        IdleEntry limited = entry(4000);
        limited.latencyLimitUs = 10;
        assertThat(new EarlyMenu(WESTMERE, false).select(limited)).isEqualTo(1);
        limited.latencyLimitUs = 0;
        assertThat(new EarlyMenu(WESTMERE, false).select(limited)).isZero();
    }

    @Test
    void theTickCountsAsATimerWhileItRuns() {
        IdleEntry ticking = entry(100_000);
        ticking.tickStopped = false;
        ticking.eventNs = 50_000;
        assertThat(new EarlyMenu(WESTMERE, false).select(ticking)).isEqualTo(1);
    }

    static IdleEntry entry(int us) {
        IdleEntry entry = new IdleEntry();
        entry.dynamicTicks = true;
        entry.tickStopped = true;
        entry.tickNs = 4_000_000;
        entry.timerNs = us * 1000L;
        entry.eventNs = us * 1000L;
        return entry;
    }
}
