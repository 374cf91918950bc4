package dev.perch.kernel.cpuidle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import dev.perch.model.IdleState;
import dev.perch.model.InputException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables and the choice of a governor (scheduler.md 7.1, 7.5), and what every governor must keep to. */
class IdleStatesTest {
    private static final List<IdleState> WESTMERE = List.of(
            new IdleState("C1", 3, 6, 750, true),
            new IdleState("C3", 20, 80, 20_000, false),
            new IdleState("C6", 200, 800, 40_000, false));

    private static final long TICK_NS = 4_000_000;

    @Test
    void onX86APollingStateComesFirst() {
        IdleStates states = IdleStates.of(WESTMERE, Integer.MAX_VALUE);
        assertThat(states.count()).isEqualTo(4);
        assertThat(states.polls(0)).isTrue();
        assertThat(states.shallowest()).isEqualTo(1);
        assertThat(states.exitUs(3)).isEqualTo(200);
        assertThat(states.residencyUs(2)).isEqualTo(80);
    }

    @Test
    void whereTheFirstStateIsWfiThereIsNone() {
        IdleStates states = IdleStates.of(List.of(new IdleState("WFI", 1, 1, 1500, true)), Integer.MAX_VALUE);
        assertThat(states.count()).isEqualTo(1);
        assertThat(states.polls(0)).isFalse();
        assertThat(states.shallowest()).isZero();
    }

    @Test
    void theBootOptionLimitsTheStates() {
        assertThat(IdleStates.of(WESTMERE, 1).count()).isEqualTo(2);
        assertThat(IdleStates.of(WESTMERE, 2).count()).isEqualTo(3);
    }

    @Test
    void pollingEndsAtTheFirstStateThatIsWorthIt() {
        assertThat(IdleStates.of(WESTMERE, 9).pollLimitNs(TICK_NS)).isEqualTo(80_000);
        assertThat(IdleStates.of(WESTMERE, 1).pollLimitNs(TICK_NS)).isEqualTo(250_000);
        assertThat(IdleStates.of(WESTMERE, 9).pollLimitNs(1_000_000)).isEqualTo(62_500);
    }

    @Test
    void tablesThatMakeNoSenseAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new IdleStates(true, new int[0], new int[0]));
        assertThatIllegalArgumentException().isThrownBy(() -> new IdleStates(true, new int[1], new int[2]));
    }

    @ParameterizedTest
    @CsvSource({"3.2, true, MENU", "3.2, false, MENU", "5.16, false, MENU", "6.12, true, MENU", "6.12, false, LADDER"})
    void theGovernorWithTheHighestRatingRuns(String form, boolean dynamicTicks, IdleGovernor.Kind kind) {
        assertThat(IdleGovernor.standard(form, dynamicTicks)).isEqualTo(kind);
    }

    @Test
    void aGovernorThatTheKernelDoesNotHaveIsNamed() {
        IdleStates states = IdleStates.of(WESTMERE, 9);
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> IdleGovernor.named("3.2", IdleGovernor.Kind.TEO, states, TICK_NS))
                .withMessageContaining("idle_governor=teo is modelled as of 6.12 only");
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> IdleGovernor.named("2.4", IdleGovernor.Kind.MENU, states, TICK_NS))
                .withMessageContaining("known are 3.2, 3.4, 5.16, 6.12");
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> TickStop.named("never", 1, TICK_NS))
                .withMessageContaining("known are every-entry, throttled, governor");
    }

    @Test
    void theTickIsNotStoppedForATimerWithinATick() {
        TickStop always = TickStop.named("every-entry", 2, TICK_NS);
        assertThat(always.mayStop(0, 0, TICK_NS)).isFalse();
        assertThat(always.mayStop(0, 0, TICK_NS + 1)).isTrue();
        assertThat(always.mayStop(0, 10, TICK_NS + 1)).isTrue();
    }

    @Test
    void throttledItIsNotStoppedAgainWithinHalfATick() {
        TickStop throttled = TickStop.named("throttled", 2, TICK_NS);
        assertThat(throttled.mayStop(0, 100, 10 * TICK_NS)).isTrue();
        assertThat(throttled.mayStop(0, 100 + TICK_NS / 2 - 1, 10 * TICK_NS)).isFalse();
        assertThat(throttled.mayStop(1, 101, 10 * TICK_NS)).isTrue();
        assertThat(throttled.mayStop(0, 99 + TICK_NS, 10 * TICK_NS)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"3.2, MENU", "3.4, MENU", "5.16, MENU", "6.12, MENU", "6.12, TEO", "3.4, LADDER"})
    void everyGovernorKeepsToTableLatencyLimitAndAllocatesNothing(String form, IdleGovernor.Kind kind) {
        IdleStates states = IdleStates.of(WESTMERE, 9);
        IdleGovernor governor = IdleGovernor.named(form, kind, states, TICK_NS);
        IdleEntry entry = new IdleEntry();
        entry.dynamicTicks = true;
        entry.tickNs = TICK_NS;
        SplittableRandom random = new SplittableRandom(3);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        // the early menu stretches the time until a timer, teo with a stopped tick and ladder do not heed it
        boolean neverBeyondTimer = kind == IdleGovernor.Kind.MENU && !form.startsWith("3");
        int outside = 0;
        int tooSlow = 0;
        int tooDeep = 0;
        for (int round = 0; round < 200_000; round++) {
            if (round == 100_000) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            entry.tickStopped = random.nextInt(4) == 0;
            entry.timerNs = 1L << random.nextInt(8, 36);
            entry.eventNs = entry.tickStopped ? entry.timerNs : Math.min(entry.timerNs, random.nextInt(4_000_000));
            entry.latencyLimitUs = random.nextInt(3) == 0 ? random.nextInt(1, 300) : Integer.MAX_VALUE;
            entry.iowaiters = random.nextInt(3) / 2;
            entry.cpuLoad = random.nextInt(3) * 1024L;
            int state = governor.select(entry);
            outside += state < 0 || state >= states.count() ? 1 : 0;
            boolean deeperThanC1 = state > 1;
            tooSlow += deeperThanC1 && states.exitUs(state) > entry.latencyLimitUs ? 1 : 0;
            tooDeep +=
                    neverBeyondTimer && deeperThanC1 && states.residencyUs(state) * 1000L > entry.timerNs + 500 ? 1 : 0;
            entry.now += random.nextInt(2_000_000);
            governor.reflect(entry.now, random.nextInt(2_000_000), random.nextInt(5) == 0, false);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000);
        assertThat(outside).isZero();
        assertThat(tooSlow).isZero();
        assertThat(tooDeep).isZero();
    }
}
