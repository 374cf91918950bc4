package dev.perch.kernel.cpuidle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Expected values: scheduler.md 11, F2, and the rules of 7.4, worked through by hand for the tables of 7.1. */
class MenuTest {
    private static final long TICK_NS = 4_000_000;

    /** POLL, C1, C1E, C6 of Skylake servers. */
    private static final IdleStates SKYLAKE =
            new IdleStates(true, new int[] {0, 2, 10, 133}, new int[] {0, 2, 20, 600});

    private static final long[] NOISE = {
        3_000_000, 40_000_000, 1_000_000, 20_000_000, 9_000_000, 90_000, 60_000_000, 500_000
    };

    @ParameterizedTest
    @CsvSource({
        "20 22 19 21 20 20 23 20, 20",
        "20 22 19 21 4000 20 23 20, 20",
        "20 22 19 3000 4000 2500 23 20, -1",
        "100 110 90 105 95 100 100 2000, 100"
    })
    void findsTheTypicalIntervalBehindOutliers(String intervals, long typical) {
        TypicalInterval ring = new TypicalInterval();
        Arrays.stream(intervals.split(" ")).mapToLong(Long::parseLong).forEach(ring::add);
        long expected = typical < 0 ? TypicalInterval.NONE : typical;

        assertThat(ring.typicalUs(1_000_000)).isEqualTo(expected);
        assertThat(ring.typicalUs(TypicalInterval.NONE)).isEqualTo(expected);
    }

    @Test
    void aTypicalIntervalThatIsNotShorterThanPredictedDoesNotMatter() {
        TypicalInterval ring = new TypicalInterval();
        for (int i = 0; i < 8; i++) {
            ring.add(20);
        }
        assertThat(ring.typicalUs(20)).isEqualTo(TypicalInterval.NONE);
        assertThat(ring.typicalUs(21)).isEqualTo(20);
    }

    @ParameterizedTest
    @EnumSource(Menu.Form.class)
    void sleepsDeepAndStopsTheTickIfNothingIsDue(Menu.Form form) {
        IdleEntry entry = entry(50_000_000);
        assertThat(unlike(form).select(entry)).isEqualTo(3);
        assertThat(entry.keepTick).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Menu.Form.class)
    void keepsTheTickAndStaysShallowWhenPeriodsAreShort(Menu.Form form) {
        Menu menu = new Menu(form, SKYLAKE, TICK_NS);
        for (int i = 0; i < 20; i++) {
            menu.select(entry(50_000_000));
            menu.reflect(0, 12_000, false, false);
        }
        IdleEntry entry = entry(50_000_000);
        assertThat(menu.select(entry)).isEqualTo(1);
        assertThat(entry.keepTick).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Menu.Form.class)
    void aTimerWithinTheResidencyOfC1MeansPolling(Menu.Form form) {
        IdleEntry entry = entry(1_900);
        assertThat(unlike(form).select(entry)).isZero();
        assertThat(entry.keepTick).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Menu.Form.class)
    void aTickSoonerThanTheStatePaysMakesItShallower(Menu.Form form) {
        IdleEntry entry = entry(700_000);
        entry.eventNs = 100_000;
        assertThat(unlike(form).select(entry)).isEqualTo(2);
        assertThat(entry.keepTick).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Menu.Form.class)
    void aStoppedTickWouldNotEndAMistakeSoShortGuessesAreNotBelieved(Menu.Form form) {
        Menu menu = new Menu(form, SKYLAKE, TICK_NS);
        for (int i = 0; i < 20; i++) {
            menu.select(entry(50_000_000));
            menu.reflect(0, 12_000, false, false);
        }
        IdleEntry stopped = entry(50_000_000);
        stopped.tickStopped = true;
        assertThat(menu.select(stopped)).isEqualTo(3);
    }

    @Test
    void aWakeupByTheTickCountsAsALongSleep() {
        Menu menu = new Menu(Menu.Form.V6_12, SKYLAKE, TICK_NS);
        for (int i = 0; i < 8; i++) {
            menu.select(entry(900_000_000));
            menu.reflect(0, 12_000, true, false);
        }
        IdleEntry entry = entry(900_000_000);
        assertThat(menu.select(entry)).isEqualTo(3);
        assertThat(entry.keepTick).isFalse();
    }

    @Test
    void waitersMakeTheEarlierFormShallowAndDoNotMatterToTheLater() {
        IdleEntry waiting = entry(1_000_000);
        waiting.eventNs = 1_000_000;
        waiting.iowaiters = 1; // limit 1000 us / 11 = 90 us, less than the 133 us of C6
        assertThat(unlike(Menu.Form.V5_16).select(waiting)).isEqualTo(2);
        assertThat(unlike(Menu.Form.V6_12).select(waiting)).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(Menu.Form.class)
    void aSingleStateThatSleepsStopsTheTick(Menu.Form form) {
        IdleStates wfi = new IdleStates(false, new int[] {1}, new int[] {1});
        IdleEntry entry = entry(50_000_000);
        assertThat(new Menu(form, wfi, TICK_NS).select(entry)).isZero();
        assertThat(entry.keepTick).isFalse();
    }

    /** A governor whose last periods have no typical length, and whose corrections are those of a fresh one. */
    private static Menu unlike(Menu.Form form) {
        Menu menu = new Menu(form, SKYLAKE, TICK_NS);
        for (long ns : NOISE) {
            IdleEntry timer = entry(ns);
            menu.select(timer);
            // woken by that very timer: measured and expected agree
            menu.reflect(0, ns + 1_000_000, false, false);
        }
        return menu;
    }

    private static IdleEntry entry(long timerNs) {
        IdleEntry entry = new IdleEntry();
        entry.dynamicTicks = true;
        entry.tickNs = TICK_NS;
        entry.timerNs = timerNs;
        entry.eventNs = Math.min(timerNs, 3_000_000);
        return entry;
    }
}
