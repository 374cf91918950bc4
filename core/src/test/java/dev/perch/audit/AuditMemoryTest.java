package dev.perch.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import dev.perch.model.Topology;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory depends on tasks, CPUs and pairs, not on the number of events. */
class AuditMemoryTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int PRIO = 120;
    private static final int ROUNDS = 20_000;

    /** A few objects of the compiler's moods; one object a round would be 16 bytes for each of {@link #ROUNDS}. */
    private static final long TOLERANCE = 64 * 1024;

    private long now;

    private static SchedEvents events(@Nullable Topology topology) {
        TaskNames names = new TaskNames();
        names.learn(1, "ping");
        names.learn(2, "pong");
        return new Audit(AuditOptions.of(topology), names).events();
    }

    /** One after the other wakes the other on CPU 0 or 2 and sleeps; the wakeups come with all the records there are. */
    private void pingPong(SchedEvents events, int rounds, boolean wakeupRecords) {
        for (int i = 0; i < rounds; i++) {
            int me = i & 1;
            int cpu = me == 0 ? 0 : 2;
            int other = 2 - cpu;
            now += 1_000;
            events.runtime(now, cpu, 1 + me, 900);
            events.waking(now, cpu, 1 + me, SchedEvents.IN_TASK, 2 - me, PRIO, (i & 2) == 0 ? other : 4);
            if ((i & 2) != 0) {
                events.migrated(now + 10, cpu, 1 + me, 2 - me, PRIO, 4, other);
            }
            events.ipiSent(now + 20, cpu, other);
            if (wakeupRecords) {
                events.wakeup(now + 30, cpu, 1 + me, SchedEvents.IN_TASK, 2 - me, PRIO, other);
            }
            events.idle(now + 40, other, -1);
            events.switched(now + 50, other, 0, PRIO, TaskState.RUNNABLE, 2 - me, PRIO);
            events.switched(now + 60, cpu, 1 + me, PRIO, TaskState.SLEEPING, 0, PRIO);
            events.idle(now + 70, cpu, 1);
        }
    }

    private long allocated(Runnable work) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        work.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void allocatesNothingAnEvent(boolean wakeupRecords) {
        SchedEvents events = events(Story.TWO_LLCS);
        pingPong(events, ROUNDS, wakeupRecords);
        assertThat(allocated(() -> pingPong(events, ROUNDS, wakeupRecords))).isLessThan(TOLERANCE);
    }

    @Test
    void allocatesNothingAnEventWithoutTopologyOrAffinity() {
        SchedEvents events = events(null);
        pingPong(events, ROUNDS, true);
        assertThat(allocated(() -> pingPong(events, ROUNDS, true))).isLessThan(TOLERANCE);
    }

    /** A parent forks a task that runs, is woken once, and exits, over and over. */
    private void churn(SchedEvents events, int rounds, int firstPid) {
        for (int i = 0; i < rounds; i++) {
            int child = firstPid + i;
            now += 10_000;
            events.forked(now, 0, 1, child);
            events.wakeupNew(now + 10, 0, 1, SchedEvents.IN_TASK, child, PRIO, 2);
            events.switched(now + 100, 2, 0, PRIO, TaskState.RUNNABLE, child, PRIO);
            events.switched(now + 200, 2, child, PRIO, TaskState.SLEEPING, 0, PRIO);
            events.waking(now + 300, 0, 1, SchedEvents.IN_TASK, child, PRIO, 2);
            events.wakeup(now + 310, 0, 1, SchedEvents.IN_TASK, child, PRIO, 2);
            events.switched(now + 400, 2, 0, PRIO, TaskState.RUNNABLE, child, PRIO);
            events.exited(now + 500, 2, child, PRIO);
            events.switched(now + 600, 2, child, PRIO, TaskState.DEAD, 0, PRIO);
            events.freed(now + 700, 2, child);
        }
    }

    @Test
    void tasksThatComeAndGoTakeTheirRowsAndNoMore() {
        SchedEvents events = events(Story.TWO_LLCS);
        // the tables double, so that they have rows for twice 131,072 tasks now
        churn(events, 140_000, 10);
        long bytes = allocated(() -> churn(events, 60_000, 200_000));
        // of each task a row has a set of CPUs, an object and its words, beside the tables
        assertThat(bytes / 60_000).isLessThanOrEqualTo(48);
    }
}
