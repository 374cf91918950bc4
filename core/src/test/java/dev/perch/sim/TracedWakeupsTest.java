package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a kernel traces of a wakeup ({@code try_to_wake_up}): sched_waking, and then sched_wakeup, also if the task was found on its queue
 * still ({@code ttwu_runnable}) or is the current one.
 */
class TracedWakeupsTest {
    /** Events in words. */
    private static final class Trace implements SchedEvents {
        private final List<String> lines = new ArrayList<>();
        private final Set<Integer> wakeupContexts = new TreeSet<>();
        private int open;

        @Override
        public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
            lines.add("waking " + wakee + " prio " + prio + " context " + context);
            open++;
        }

        @Override
        public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
            lines.add("wakeup " + wakee + " prio " + prio + " context " + context);
            wakeupContexts.add(context);
            open--;
        }

        @Override
        public void switched(
                long ns, int cpu, int previous, int previousPrio, TaskState previousState, int next, int nextPrio) {
            lines.add("switched " + previous + " prio " + previousPrio + " to " + next + " prio " + nextPrio);
        }
    }

    @Test
    void aTimerThatFindsItsTaskQueuedStillWakesItUp() {
        Trace trace = new Trace();
        Run run = new Run(Specs.spec("e5620", "v3.2", "hog:pin=3", Specs.QUIET, ""), trace);
        run.begin();
        run.advance(5_500_000);
        trace.lines.clear();
        run.programs.sleeping[1] = true; // on its way to sleep, not off its queue yet
        run.wakeups.wakeFromTimer(3, 1);

        assertThat(trace.lines).containsExactly("waking 1 prio 120 context 1", "wakeup 1 prio 120 context 1");
        assertThat(run.programs.sleeping[1]).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v3.2", "v3.9", "v5.16", "v6.1", "v6.12"})
    void everyWakingIsFollowedByAWakeup(String kernel) {
        Trace trace = new Trace();
        Run run = new Run(
                Specs.spec("e5620", kernel, "tcp-rr*3+periodic*6+messaging:groups=1", Settings.DEFAULT, ""), trace);
        run.begin();
        run.advance(100_000_000);

        assertThat(trace.lines.size()).isGreaterThan(1000);
        // but for those that are under way
        assertThat(trace.open).isBetween(0, run.cpuCount);
        assertThat(trace.wakeupContexts).containsExactly(SchedEvents.IN_TASK, SchedEvents.IN_HARDIRQ);
    }
}
