package dev.perch.sim;

import dev.perch.kernel.cpuidle.DefaultIdle;
import dev.perch.kernel.cpuidle.IdleEntry;
import dev.perch.kernel.cpuidle.IdleGovernor;
import dev.perch.kernel.cpuidle.IdleStates;
import dev.perch.kernel.cpuidle.TickStop;
import dev.perch.model.CostItem;
import dev.perch.model.IdleState;
import dev.perch.sim.Settings.IdleRoutine;
import java.util.List;

/**
 * The idle thread: stopping and restarting the tick, entering and leaving the idle states that the idle governor chooses (spec
 * scheduler.md 5.5, 5.8, 7).
 *
 * <p>The boot setting says in which way states are entered: HALT, which only an interrupt ends; MWAIT, which a write to the thread's
 * flags ends; or always polling. After each interrupt that leaves the CPU idle, tick and state are decided anew. Limitations:
 * entering a state takes no time of its own; what is decided at idle entry is not decided again when the entry is over; no task is
 * known to wait for input or output.
 */
final class Idling {
    private final Run run;
    private final Cpus cpus;
    private final boolean needsInterrupt;
    private final boolean dynamicTicks;
    private final TickStop tickStop;
    private final IdleStates states;
    private final IdleGovernor[] governors;
    private final IdleEntry entry = new IdleEntry();
    private final boolean hasDriver;
    private final int[] realExitNs;
    private final boolean[] votes;
    private final long pollLimitNs;
    /** Start of the present idle period, as accounting sees it. */
    private final long[] idleSince;
    /** When the CPU entered its present state. */
    private final long[] stateSince;

    private final long[] idleNs;
    private final int[] entries;

    Idling(Run run) {
        this.run = run;
        cpus = run.cpus;
        Settings settings = run.settings;
        needsInterrupt = settings.idle() == IdleRoutine.HALT;
        dynamicTicks = settings.nohz();
        tickStop = TickStop.named(run.kernel.rules().tickStop(), run.cpuCount, run.interrupts.jiffyNs());
        List<IdleState> sleeping = run.machine.requireModel().idleStates();
        boolean polls = settings.idle() == IdleRoutine.POLL;
        hasDriver = !polls && settings.maxCstate() > 0;
        states = polls
                ? new IdleStates(true, new int[1], new int[1])
                : IdleStates.of(sleeping, Math.max(1, settings.maxCstate()));
        int first = states.polls(0) ? 1 : 0;
        realExitNs = new int[states.count()];
        votes = new boolean[states.count()];
        votes[0] = true;
        for (int state = first; state < votes.length; state++) {
            realExitNs[state] = sleeping.get(state - first).realExitNs();
            votes[state] = sleeping.get(state - first).votes();
        }
        governors = new IdleGovernor[run.cpuCount];
        String form = run.kernel.rules().idleGovernor();
        IdleGovernor.Kind kind = settings.idleGovernor().orElse(IdleGovernor.standard(form, dynamicTicks));
        for (int cpu = 0; cpu < run.cpuCount; cpu++) {
            governors[cpu] = hasDriver
                    ? IdleGovernor.named(form, kind, states, run.interrupts.jiffyNs())
                    : new DefaultIdle(states, states.shallowest());
        }
        pollLimitNs =
                hasDriver && tickStop.asksGovernor() ? states.pollLimitNs(run.interrupts.jiffyNs()) : EventQueue.NEVER;
        idleSince = new long[run.cpuCount];
        stateSince = new long[run.cpuCount];
        idleNs = new long[run.cpuCount];
        entries = new int[run.cpuCount];
        entry.dynamicTicks = dynamicTicks;
        entry.tickNs = run.interrupts.jiffyNs();
    }

    /**
     * Refuses an idle governor that the kernel does not have.
     *
     * @throws dev.perch.model.InputException if so
     */
    static void check(SimulationSpec spec) {
        Settings settings = spec.settings();
        String form = spec.kernel().rules().idleGovernor();
        IdleGovernor.Kind kind = settings.idleGovernor().orElse(IdleGovernor.standard(form, settings.nohz()));
        IdleGovernor.named(form, kind, new IdleStates(true, new int[1], new int[1]), 1);
    }

    /** Time begins with every CPU idle. */
    void begin() {
        for (int cpu = 0; cpu < run.cpuCount; cpu++) {
            run.clocks.setVotes(cpu, true, run.now);
            run.balancing.enterIdle(cpu);
            choose(cpu);
            cpus.debtCoreNs[cpu] = 0; // what came before the beginning is paid
            cpus.debtWallNs[cpu] = 0;
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

    /** How often the CPU has gone idle; wraps. */
    int entries(int cpu) {
        return entries[cpu];
    }

    /** The idle thread has been switched to. */
    void enter(int cpu) {
        if (run.runqueues[cpu].reschedulePending()) {
            run.scheduling.schedule(cpu);
            return;
        }
        idleSince[cpu] = run.now;
        entries[cpu]++;
        long core = run.costs.coreNs(CostItem.IDLE_ENTRY);
        long wall = run.costs.wallNs(CostItem.IDLE_ENTRY);
        run.balancing.enterIdle(cpu);
        choose(cpu);
        run.work(cpu, Cpus.IDLE_ENTRY, core, wall);
    }

    /** Decides about tick and idle state of a CPU that has nothing to do; a tick that is stopped is owed. */
    private void choose(int cpu) {
        long timer = run.interrupts.nextTimer(cpu);
        entry.now = run.now;
        entry.timerNs = Math.min(IdleEntry.FAR_NS, Math.max(0, timer - run.now));
        boolean mayStop = dynamicTicks && !cpus.tickStopped[cpu] && tickStop.mayStop(cpu, run.now, entry.timerNs);
        if (mayStop && !tickStop.asksGovernor()) {
            stopTick(cpu);
        }
        entry.tickStopped = cpus.tickStopped[cpu];
        long event = Math.min(timer, run.interrupts.nextTick(cpu));
        entry.eventNs = Math.min(IdleEntry.FAR_NS, Math.max(0, event - run.now));
        if (!dynamicTicks) {
            entry.timerNs = entry.eventNs; // the tick is a timer as any other
        }
        entry.cpuLoad = run.cpuLoads[cpu].copy(0);
        entry.keepTick = false;
        cpus.idleState[cpu] = governors[cpu].select(entry);
        if (mayStop && tickStop.asksGovernor() && !entry.keepTick) {
            stopTick(cpu);
        }
    }

    private void stopTick(int cpu) {
        cpus.tickStopped[cpu] = true;
        run.interrupts.stopTick(cpu);
        run.balancing.tickStopped(cpu);
        run.owe(cpu, CostItem.TICK_STOP);
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
        int state = cpus.idleState[cpu];
        stateSince[cpu] = run.now;
        run.events.idle(run.now, cpu, state);
        if (states.polls(state)) {
            run.processors.setPolling(cpu, true, run.now);
            if (pollLimitNs != EventQueue.NEVER) {
                run.queue.schedule(run.idleSlot + cpu, run.now + pollLimitNs);
            }
        } else {
            run.clocks.setRunning(cpu, false, run.now);
            run.clocks.setVotes(cpu, votes[state], run.now);
        }
        run.view.exitLatencyNs[cpu] = hasDriver ? 1000 * states.exitUs(state) : -1;
        run.processors.setExecuting(cpu, false, run.now);
    }

    /** Whether the idle thread of a CPU can only be woken by an interrupt. */
    boolean needsInterrupt(int cpu) {
        return needsInterrupt && cpus.phase[cpu] == Cpus.IDLE && !states.polls(cpus.idleState[cpu]);
    }

    /** The reschedule flag of an idle CPU was set, and the idle thread sees it; or an interrupt has arrived. */
    void wake(int cpu) {
        if (cpus.phase[cpu] != Cpus.IDLE) {
            return; // on its way in or out: it will look by itself
        }
        rouse(cpu);
        run.work(cpu, Cpus.LEAVING, 0, realExitNs[cpus.idleState[cpu]]);
    }

    private void rouse(int cpu) {
        run.clocks.setVotes(cpu, true, run.now);
        if (states.polls(cpus.idleState[cpu])) {
            run.queue.cancel(run.idleSlot + cpu);
            run.processors.setPolling(cpu, false, run.now);
        } else {
            run.clocks.setRunning(cpu, true, run.now);
        }
        run.processors.setExecuting(cpu, true, run.now);
    }

    /** The CPU has polled for as long as it should at a time: the governor is asked again. */
    void pollLimit(int cpu) {
        rouse(cpu);
        leaveState(cpu, true);
        choose(cpu);
        run.work(cpu, Cpus.IDLE_ENTRY, run.costs.coreNs(CostItem.IDLE_ENTRY), run.costs.wallNs(CostItem.IDLE_ENTRY));
    }

    /** The hardware is awake. */
    void left(int cpu) {
        leaveState(cpu, false);
        if (cpus.pending[cpu] != 0) {
            interrupt(cpu);
        } else {
            exit(cpu);
        }
    }

    private void leaveState(int cpu, boolean pollLimit) {
        run.events.idle(run.now, cpu, -1);
        run.view.exitLatencyNs[cpu] = -1;
        boolean wokenByTick = (cpus.pending[cpu] & Cpus.TICK_INTERRUPT) != 0;
        governors[cpu].reflect(run.now, run.now - stateSince[cpu], wokenByTick, pollLimit);
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
            return;
        }
        choose(cpu);
        if (cpus.isInDebt(cpu)) {
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
        if (cpus.tickStopped[cpu]) {
            cpus.tickStopped[cpu] = false;
            run.balancing.tickRestarted(cpu);
            run.interrupts.restartTick(cpu);
            core += run.costs.coreNs(CostItem.TICK_RESTART);
            wall += run.costs.wallNs(CostItem.TICK_RESTART);
        }
        run.work(cpu, Cpus.IDLE_EXIT, core, wall);
    }
}
