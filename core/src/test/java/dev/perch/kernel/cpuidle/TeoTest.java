package dev.perch.kernel.cpuidle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The rules of scheduler.md 7.5, worked through by hand for the Skylake server table of 7.1. */
class TeoTest {
    private static final long TICK_NS = 4_000_000;
    private static final IdleStates SKYLAKE =
            new IdleStates(true, new int[] {0, 2, 10, 133}, new int[] {0, 2, 20, 600});

    private long now;

    @Test
    void withoutExperienceItTakesTheDeepestStateThatTheTimersAllow() {
        assertThat(select(new Teo(SKYLAKE, TICK_NS), 50_000_000).state).isEqualTo(3);
        assertThat(select(new Teo(SKYLAKE, TICK_NS), 500_000).state).isEqualTo(2);
        assertThat(select(new Teo(SKYLAKE, TICK_NS), 50_000_000).keepsTick).isFalse();
        assertThat(select(new Teo(SKYLAKE, TICK_NS), 500_000).keepsTick).isTrue();
    }

    @Test
    void periodsThatEndEarlyMakeItShallow() {
        Teo teo = new Teo(SKYLAKE, TICK_NS);
        for (int i = 0; i < 20; i++) {
            select(teo, 50_000_000);
            wake(teo, 8_000);
        }
        Choice choice = select(teo, 50_000_000);
        assertThat(choice.state).isEqualTo(1);
        assertThat(choice.keepsTick).isTrue();
    }

    @Test
    void periodsThatEndWithTheirTimerMakeItDeepAgain() {
        Teo teo = new Teo(SKYLAKE, TICK_NS);
        for (int i = 0; i < 20; i++) {
            select(teo, 50_000_000);
            wake(teo, 8_000);
        }
        // a short guess is not asked for the timer, so long sleeps show as periods for the deepest state
        for (int i = 0; i < 20; i++) {
            select(teo, 50_000_000);
            wake(teo, 50_000_000);
        }
        assertThat(select(teo, 50_000_000).state).isEqualTo(3);
    }

    @Test
    void whenMostPeriodsEndWithinATickTheTickIsKept() {
        Teo teo = new Teo(SKYLAKE, TICK_NS);
        for (int i = 0; i < 20; i++) {
            select(teo, 50_000_000);
            wake(teo, 1_000_000); // C6 pays, but the tick would not have been in the way
        }
        Choice choice = select(teo, 50_000_000);
        assertThat(choice.state).isEqualTo(3);
        assertThat(choice.keepsTick).isTrue();
    }

    @Test
    void aLatencyLimitBoundsTheState() {
        Teo teo = new Teo(SKYLAKE, TICK_NS);
        IdleEntry entry = entry(50_000_000);
        entry.latencyLimitUs = 50;
        assertThat(teo.select(entry)).isEqualTo(2);
    }

    @Test
    void withTheTickStoppedItLeavesItStopped() {
        Teo teo = new Teo(SKYLAKE, TICK_NS);
        IdleEntry entry = entry(1_000_000);
        entry.tickStopped = true;
        assertThat(teo.select(entry)).isEqualTo(3);
        assertThat(entry.keepTick).isFalse();
    }

    private record Choice(int state, boolean keepsTick) {}

    private Choice select(Teo teo, long timerNs) {
        IdleEntry entry = entry(timerNs);
        return new Choice(teo.select(entry), entry.keepTick);
    }

    private IdleEntry entry(long timerNs) {
        IdleEntry entry = new IdleEntry();
        entry.now = now;
        entry.dynamicTicks = true;
        entry.tickNs = TICK_NS;
        entry.timerNs = timerNs;
        entry.eventNs = Math.min(timerNs, 3_000_000);
        return entry;
    }

    private void wake(Teo teo, long afterNs) {
        now += afterNs;
        teo.reflect(now, afterNs, false, false);
    }
}
