package dev.perch.sim.check;

import static dev.perch.kernel.TaskTable.IDLE_TASK;
import static dev.perch.model.SchedEvents.IN_TASK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.perch.model.CpuMask;
import dev.perch.model.TaskState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A check that cannot fail is worth nothing: each invariant is broken on purpose, and the right one complains. */
class InvariantsTest {
    private static final long MS = 1_000_000;
    private static final int PRIO = 120;

    /** When {@link #rightly} is over. */
    private static final long THEN = 4 * MS;

    /** On CPU 0: {@link #RUNS} runs and {@link #WAITS} waits; CPU 1 is idle; nobody else was started. */
    private static final int RUNS = 2;

    private static final int WAITS = 1;

    /** Something that is wrong after {@link #rightly}. */
    interface Fault {
        void in(StandIn run);
    }

    record Way(Invariant breaks, String name, String rules, Fault fault) {
        @Override
        public String toString() {
            return breaks + ": " + name;
        }
    }

    private static StandIn rightly(String rules) {
        StandIn run = new StandIn(rules);
        run.start(1_000, 0, 1);
        run.inspect(1_000);
        run.schedule(1_200, 0, TaskState.RUNNABLE);
        run.inspect(1_200);
        run.start(1_500, 0, 2);
        run.inspect(1_500);
        run.schedule(2 * MS, 0, TaskState.SLEEPING);
        run.inspect(2 * MS);
        run.wake(3 * MS, 1);
        run.inspect(3 * MS);
        run.inspect(THEN);
        return run;
    }

    static final List<Way> WAYS = List.of(
            new Way(Invariant.TIME_ORDER, "an event before the last", "3.2", run -> run.events.frequency(MS, 0, 1)),
            new Way(Invariant.SWITCH_CHAIN, "away from one that waits", "3.2", run -> {
                run.events.switched(THEN, 0, WAITS, PRIO, TaskState.RUNNABLE, RUNS, PRIO);
            }),
            new Way(Invariant.SWITCH_CHAIN, "to itself", "3.2", run -> {
                run.events.switched(THEN, 0, RUNS, PRIO, TaskState.RUNNABLE, RUNS, PRIO);
            }),
            new Way(
                    Invariant.CURRENT_TASK,
                    "a fork by one that waits",
                    "3.2",
                    run -> run.events.forked(THEN, 0, WAITS, 3)),
            new Way(Invariant.RUNS_ONCE, "a task on two CPUs", "3.2", run -> {
                run.events.switched(THEN, 1, IDLE_TASK, PRIO, TaskState.RUNNABLE, RUNS, PRIO);
            }),
            new Way(Invariant.RUNS_WHEN_WOKEN, "a sleeper runs", "3.2", run -> {
                run.schedule(THEN, 0, TaskState.SLEEPING);
                run.events.switched(THEN, 0, WAITS, PRIO, TaskState.RUNNABLE, RUNS, PRIO);
            }),
            new Way(Invariant.RUNS_WHEN_WOKEN, "a task runs that was never started", "3.2", run -> {
                run.events.switched(THEN, 1, IDLE_TASK, PRIO, TaskState.RUNNABLE, 3, PRIO);
            }),
            new Way(Invariant.WAKEUP_ORDER, "a wakeup without announcement", "3.2", run -> {
                run.events.wakeup(THEN, 0, RUNS, IN_TASK, WAITS, PRIO, 0);
            }),
            new Way(Invariant.WAKEUP_ORDER, "a wakeup of one that waits to run", "3.2", run -> {
                run.events.waking(THEN, 0, RUNS, IN_TASK, WAITS, PRIO, 0);
            }),
            new Way(Invariant.WAKEUP_ORDER, "a second announcement", "3.2", run -> {
                run.events.waking(THEN, 0, RUNS, IN_TASK, RUNS, PRIO, 0);
                run.events.waking(THEN, 1, IDLE_TASK, IN_TASK, RUNS, PRIO, 0);
            }),
            new Way(Invariant.MIGRATION, "from where it was not", "3.2", run -> {
                run.events.migrated(THEN, 0, RUNS, WAITS, PRIO, 1, 0);
            }),
            new Way(Invariant.MIGRATION, "a sleeper that nobody wakes", "3.2", run -> {
                run.schedule(THEN, 0, TaskState.SLEEPING);
                run.events.migrated(THEN, 0, WAITS, RUNS, PRIO, 0, 1);
            }),
            new Way(Invariant.MIGRATION, "a task runs where it was not put", "3.2", run -> {
                run.events.switched(THEN, 1, IDLE_TASK, PRIO, TaskState.RUNNABLE, WAITS, PRIO);
            }),
            new Way(Invariant.LIFE, "a task ends twice", "3.2", run -> {
                run.events.exited(THEN, 0, RUNS, PRIO);
                run.events.exited(THEN, 0, RUNS, PRIO);
            }),
            new Way(Invariant.LIFE, "a task is born twice", "3.2", run -> {
                run.events.wakeupNew(THEN, 0, RUNS, IN_TASK, WAITS, PRIO, 0);
            }),
            new Way(Invariant.LIFE, "dead without having ended", "3.2", run -> {
                run.events.switched(THEN, 0, RUNS, PRIO, TaskState.DEAD, WAITS, PRIO);
            }),
            new Way(Invariant.IDLE_STATES, "two idle states at once", "3.2", run -> {
                run.events.idle(THEN, 1, 0);
                run.events.idle(THEN, 1, 1);
            }),
            new Way(Invariant.IDLE_STATES, "an idle state under a task", "3.2", run -> run.events.idle(THEN, 0, 0)),
            new Way(Invariant.INTERRUPTS, "an interrupt from nowhere", "3.2", run -> run.events.rescheduleIpi(THEN, 1)),
            new Way(Invariant.ONE_QUEUE, "a task that says it is elsewhere", "3.2", run -> {
                run.tasks.cpu[WAITS] = 1;
                run.inspect(THEN);
            }),
            new Way(Invariant.ONE_QUEUE, "a task in a list that says it is on no queue", "3.2", run -> {
                run.tasks.onQueue[WAITS] = false;
                run.inspect(THEN);
            }),
            new Way(Invariant.ONE_QUEUE, "a task queued that was never woken", "3.2", run -> {
                run.tasks.cpu[3] = 1;
                run.runqueues[1].enqueueNew(3);
                run.inspect(THEN);
            }),
            new Way(Invariant.ONE_QUEUE, "the queue runs another task than the CPU", "3.2", run -> {
                run.current[0] = WAITS;
                run.inspect(THEN);
            }),
            new Way(Invariant.QUEUE_COUNTS, "a weight that changed behind the queue's back", "3.2", run -> {
                run.tasks.weight[WAITS] = 15;
                run.inspect(THEN);
            }),
            new Way(Invariant.IDLE_WITH_WORK, "an idle state over a queue with a task", "3.2", run -> {
                run.start(THEN, 1, 3);
                run.asleep[1] = true;
                run.inspect(THEN);
            }),
            new Way(Invariant.WAKEUP_ACCOUNTED, "a wakeup that is in nobody's hands", "3.2", run -> {
                run.schedule(THEN, 0, TaskState.SLEEPING);
                run.events.waking(THEN, 1, IDLE_TASK, IN_TASK, RUNS, PRIO, 0);
                run.inspect(THEN);
            }),
            new Way(Invariant.WAKEUP_ACCOUNTED, "a woken task that is on no queue", "3.2", run -> {
                run.schedule(THEN, 0, TaskState.SLEEPING);
                run.events.waking(THEN, 1, IDLE_TASK, IN_TASK, RUNS, PRIO, 0);
                run.events.wakeup(THEN, 1, IDLE_TASK, IN_TASK, RUNS, PRIO, 0);
                run.inspect(THEN);
            }),
            new Way(Invariant.WAKEUP_ACCOUNTED, "an idle state over a wake list", "3.2", run -> {
                run.wakeList[1] = true;
                run.asleep[1] = true;
                run.inspect(THEN);
            }),
            new Way(Invariant.AFFINITY, "a queue on which a task may not be", "3.2", run -> {
                run.tasks.allowed[WAITS] = CpuMask.of(1);
                run.inspect(THEN);
            }),
            new Way(Invariant.AFFINITY, "a new task outside of the cpuset", "3.2", run -> {
                run.cpuset = CpuMask.of(0);
                run.start(THEN, 1, 3);
            }),
            new Way(Invariant.VIRTUAL_TIME, "a task charged more than it ran", "3.2", run -> {
                run.tasks.vruntime[RUNS] += 10;
                run.inspect(THEN);
            }),
            new Way(Invariant.VIRTUAL_TIME, "a task that pays too little", "6.12", run -> {
                run.runqueues[0].refresh(THEN);
                run.runqueues[0].tick();
                run.tasks.vruntime[RUNS] -= 100;
                run.inspect(THEN);
            }),
            new Way(Invariant.MIN_VRUNTIME, "a task passed by the queue's time", "3.2", run -> {
                run.tasks.vruntime[WAITS] -= 100 * MS;
                run.inspect(THEN);
            }),
            new Way(Invariant.SLEEPER_CREDIT, "a sleeper far behind", "3.2", run -> {
                run.schedule(THEN, 0, TaskState.SLEEPING);
                run.wake(THEN, RUNS);
                run.tasks.vruntime[RUNS] = run.runqueues[0].minVruntime() - 7 * MS;
                run.inspect(THEN);
            }),
            new Way(Invariant.PICK, "CFS picks one far ahead", "3.2", run -> {
                run.runqueues[0].refresh(THEN);
                run.runqueues[0].tick();
                run.tasks.vruntime[WAITS] = run.tasks.vruntime[RUNS] + 100 * MS;
                run.events.switched(THEN, 0, RUNS, PRIO, TaskState.RUNNABLE, WAITS, PRIO);
            }),
            new Way(Invariant.PICK, "EEVDF picks one that is not eligible", "6.12", run -> {
                run.runqueues[0].refresh(THEN);
                run.runqueues[0].tick();
                run.tasks.vruntime[WAITS] = run.tasks.vruntime[RUNS] + 1;
                run.events.switched(THEN, 0, RUNS, PRIO, TaskState.RUNNABLE, WAITS, PRIO);
            }),
            new Way(Invariant.PICK, "EEVDF picks a later deadline", "6.12", run -> {
                run.runqueues[0].refresh(THEN);
                run.runqueues[0].tick();
                run.tasks.vruntime[WAITS] = run.tasks.vruntime[RUNS];
                run.tasks.deadline[WAITS] = run.tasks.deadline[RUNS] + 1;
                run.events.switched(THEN, 0, RUNS, PRIO, TaskState.RUNNABLE, WAITS, PRIO);
            }),
            new Way(Invariant.LAG, "an average that is not the tasks'", "6.12", run -> {
                run.tasks.vruntime[WAITS] += 5;
                run.inspect(THEN);
            }),
            new Way(Invariant.LAG, "a sleeper that is owed too much", "6.6", run -> {
                run.schedule(THEN, 0, TaskState.SLEEPING);
                run.tasks.lag[RUNS] = 100 * MS;
                run.inspect(THEN);
            }),
            new Way(Invariant.EXECUTION_TIME, "a waiting task is charged", "3.2", run -> {
                run.tasks.sumExec[WAITS] += 1;
                run.inspect(THEN);
            }),
            new Way(Invariant.EXECUTION_TIME, "a stint is charged short", "3.2", run -> {
                run.tasks.sumExec[RUNS]--;
                run.events.switched(THEN, 0, RUNS, PRIO, TaskState.RUNNABLE, WAITS, PRIO);
            }),
            new Way(Invariant.CPU_TIME, "more idle time than there was", "3.2", run -> {
                run.idleNs[1]++;
                run.inspect(THEN);
            }),
            new Way(Invariant.CPU_TIME, "a task's time that no switch began", "3.2", run -> {
                run.timeOf[1] = CheckedRun.TimeOf.TASK;
                run.inspect(THEN);
                run.inspect(THEN + 1);
            }));

    @ParameterizedTest
    @ValueSource(strings = {"3.2", "5.16", "6.6", "6.12", "6.18"})
    void aRightRunBreaksNothing(String rules) {
        assertThatCode(() -> {
                    StandIn run = rightly(rules);
                    run.schedule(THEN, 0, TaskState.RUNNABLE);
                    run.inspect(THEN);
                    run.inspect(5 * MS);
                })
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @FieldSource("WAYS")
    void whatIsBrokenIsNoticed(Way way) {
        StandIn run = rightly(way.rules());
        assertThat(run.current[0]).isEqualTo(RUNS);
        InvariantViolation violation =
                catchThrowableOfType(InvariantViolation.class, () -> way.fault().in(run));

        assertThat(violation).isNotNull();
        assertThat(violation.invariant()).as(violation.getMessage()).isEqualTo(way.breaks());
    }

    @ParameterizedTest
    @EnumSource
    void everyInvariantIsBrokenInSomeWay(Invariant invariant) {
        assertThat(WAYS).extracting(Way::breaks).contains(invariant);
    }

    @Test
    void theMessageSaysWhatWhenAndWhere() {
        StandIn run = rightly("3.2");
        run.tasks.allowed[WAITS] = CpuMask.of(1);

        assertThatCode(() -> run.inspect(THEN))
                .hasMessage("'a task is only where it may run' is broken at 4000000 ns on CPU 0, task 1 (actor): "
                        + "it is queued, but may only be on 1");
    }
}
