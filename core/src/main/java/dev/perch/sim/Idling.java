package dev.perch.sim;

import dev.perch.model.CostItem;
import dev.perch.model.IdleState;
import dev.perch.sim.Settings.IdleRoutine;
import java.util.List;

/**
 * The idle thread: entering and leaving idle states, stopping and restarting the tick (spec scheduler.md 5.5, 5.8).
 *
 * <p>An idle CPU enters the shallowest state, in the way the boot setting says: HALT, which only an interrupt ends; MWAIT, which a write
 * to the thread's flags ends; or polling. With its tick stopped it sinks into the next deeper state of the machine's table when it
 * has been idle for that state's target residency. Limitations: a real governor predicts the length of the idle period at entry
 * instead (menu, ladder); entering a state takes no time of its own.
 */
final class Idling {
    private static final int POLLING = -1;

    private final Run run;
    private final Cpus cpus;
    private final IdleRoutine routine;
    private final boolean dynamicTicks;
    private final int[] realExitNs;
    private final long[] residencyNs;
    private final boolean[] votes;
    private final int deepest;
    /** Start of the present idle period, as accounting sees it. */
    private final long[] idleSince;
    /** When the CPU entered its shallowest state. */
    private final long[] stateSince;

    private final long[] idleNs;

    Idling(Run run) {
        this.run = run;
        cpus = run.cpus;
        routine = run.settings.idle();
        dynamicTicks = run.settings.nohz();
        List<IdleState> states = run.machine.requireModel().idleStates();
        realExitNs = states.stream().mapToInt(IdleState::realExitNs).toArray();
        residencyNs =
                states.stream().mapToLong(state -> state.residencyUs() * 1000L).toArray();
        votes = new boolean[states.size()];
        for (int state = 0; state < votes.length; state++) {
            votes[state] = states.get(state).votes();
        }
        deepest = routine == IdleRoutine.POLL
                ? POLLING
                : Math.min(states.size() - 1, Math.max(0, run.settings.maxCstate() - 1));
        idleSince = new long[run.cpuCount];
        stateSince = new long[run.cpuCount];
        idleNs = new long[run.cpuCount];
    }

    /** Time begins with every CPU idle. */
    void begin() {
        for (int cpu = 0; cpu < run.cpuCount; cpu++) {
            run.clocks.setVotes(cpu, true, run.now);
            run.balancing.enterIdle(cpu);
            cpus.tickStopped[cpu] = dynamicTicks;
            if (dynamicTicks) {
                run.interrupts.stopTick(cpu);
            }
            settle(cpu);
        }
    }

    /** Ns that a CPU has been idle so far, the present idle period included; as tick accounting in µs would see it. */
    long idleNs(int cpu) {
        return idleNs[cpu] + (isAccounted(cpu) ? run.now - idleSince[cpu] : 0);
    }

    private boolean isAccounted(int cpu) {
        int phase = cpus.phase[cpu];
        return phase == Cpus.IDLE || phase == Cpus.LEAVING || phase == Cpus.IDLE_ENTRY;
    }

    /** The idle thread has been switched to. */
    void enter(int cpu) {
        if (run.runqueues[cpu].reschedulePending()) {
            run.scheduling.schedule(cpu);
            return;
        }
        idleSince[cpu] = run.now;
        long core = run.costs.coreNs(CostItem.IDLE_ENTRY);
        long wall = run.costs.wallNs(CostItem.IDLE_ENTRY);
        run.balancing.enterIdle(cpu);
        if (dynamicTicks) {
            cpus.tickStopped[cpu] = true;
            run.interrupts.stopTick(cpu);
            core += run.costs.coreNs(CostItem.TICK_STOP);
            wall += run.costs.wallNs(CostItem.TICK_STOP);
        }
        run.work(cpu, Cpus.IDLE_ENTRY, core, wall);
    }

    /** The way into the idle state is over; whoever came meanwhile is served now. */
    void entered(int cpu) {
        if (run.runqueues[cpu].reschedulePending()) {
            exit(cpu);
        } else if (cpus.pending[cpu] != 0) {
            interrupt(cpu);
        } else {
            settle(cpu);
        }
    }

    private void settle(int cpu) {
        cpus.phase[cpu] = Cpus.IDLE;
        int state = routine == IdleRoutine.POLL ? POLLING : 0;
        cpus.idleState[cpu] = state;
        stateSince[cpu] = run.now;
        run.events.idle(run.now, cpu, state + 1);
        if (state == POLLING) {
            run.processors.setPolling(cpu, true, run.now);
        } else {
            run.clocks.setRunning(cpu, false, run.now);
        }
        run.processors.setExecuting(cpu, false, run.now);
        scheduleDeepening(cpu);
    }

    private void scheduleDeepening(int cpu) {
        int next = cpus.idleState[cpu] + 1;
        if (cpus.tickStopped[cpu] && next <= deepest) {
            run.queue.schedule(run.idleSlot + cpu, stateSince[cpu] + residencyNs[next]);
        }
    }

    /** The CPU has been idle long enough for the next deeper state. */
    void deepen(int cpu) {
        int state = ++cpus.idleState[cpu];
        run.events.idle(run.now, cpu, state + 1);
        run.clocks.setVotes(cpu, votes[state], run.now);
        scheduleDeepening(cpu);
    }

    /** Whether the idle thread of a CPU can only be woken by an interrupt. */
    boolean needsInterrupt(int cpu) {
        return cpus.phase[cpu] == Cpus.IDLE && routine == IdleRoutine.HALT;
    }

    /** The reschedule flag of an idle CPU was set, and the idle thread sees it; or an interrupt has arrived. */
    void wake(int cpu) {
        if (cpus.phase[cpu] != Cpus.IDLE) {
            return; // on its way in or out: it will look by itself
        }
        run.queue.cancel(run.idleSlot + cpu);
        int state = cpus.idleState[cpu];
        run.clocks.setVotes(cpu, true, run.now);
        if (state == POLLING) {
            run.processors.setPolling(cpu, false, run.now);
        } else {
            run.clocks.setRunning(cpu, true, run.now);
        }
        run.processors.setExecuting(cpu, true, run.now);
        run.work(cpu, Cpus.LEAVING, 0, state == POLLING ? 0 : realExitNs[state]);
    }

    /** The hardware is awake. */
    void left(int cpu) {
        run.events.idle(run.now, cpu, -1);
        if (cpus.pending[cpu] != 0) {
            interrupt(cpu);
        } else {
            exit(cpu);
        }
    }

    private void interrupt(int cpu) {
        idleNs[cpu] += run.now - idleSince[cpu];
        run.interrupts.oweHandlers(cpu);
        run.work(cpu, Cpus.IDLE_INTERRUPT, 0, 0);
    }

    /** The interrupt handlers are done. */
    void interruptDone(int cpu) {
        idleSince[cpu] = run.now;
        run.interrupts.handlePending(cpu);
        if (run.runqueues[cpu].reschedulePending()) {
            exit(cpu);
        } else if (cpus.isInDebt(cpu)) {
            run.work(cpu, Cpus.IDLE_ENTRY, 0, 0); // what the handlers did takes its time before the CPU is idle again
        } else {
            settle(cpu);
        }
    }

    /** The idle thread leaves its loop. */
    private void exit(int cpu) {
        idleNs[cpu] += run.now - idleSince[cpu];
        long core = run.costs.coreNs(CostItem.IDLE_EXIT);
        long wall = run.costs.wallNs(CostItem.IDLE_EXIT);
        run.balancing.leaveIdle(cpu);
        if (cpus.tickStopped[cpu]) {
            cpus.tickStopped[cpu] = false;
            run.interrupts.restartTick(cpu);
            core += run.costs.coreNs(CostItem.TICK_RESTART);
            wall += run.costs.wallNs(CostItem.TICK_RESTART);
        }
        run.work(cpu, Cpus.IDLE_EXIT, core, wall);
    }

    /** The idle thread is out of its loop: before it schedules, it works off the wake list if nobody sent an interrupt for that. */
    void exited(int cpu) {
        run.wakeups.drainAfterIdle(cpu);
        run.scheduling.schedule(cpu);
    }

    /** Whether a flag is enough to make the idle thread of a CPU look; a CPU that is still switching to it does not yet. */
    boolean isPolling(int cpu) {
        return cpus.isIdle(cpu) && cpus.phase[cpu] != Cpus.SWITCHING && !needsInterrupt(cpu);
    }
}
