package dev.perch.sim;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.model.CostItem;
import dev.perch.model.SchedEvents;
import java.util.Arrays;

/**
 * The interrupts: ticks, timers, and those that CPUs send each other.
 *
 * <p>An interrupt acts at once on a CPU that runs a task, and adds its cost to what the CPU is doing. An idle CPU first leaves its idle
 * state. Where the kernel has interrupts off, an interrupt waits. All CPUs tick at the same instants. A second interrupt
 * of a kind to a CPU that has not received the first one merges with it.
 */
final class Interrupts {
    private final Run run;
    private final Cpus cpus;
    private final long jiffyNs;
    private long tickOffset;
    /** Tasks of a CPU whose timers have expired and wait for its handler: the last one, and for each the one before. */
    private final int[] timerHead;

    private final int[] timerNext;
    /** When the interrupt that a CPU sent last leaves it. */
    private final long[] senderFree;
    /** Tasks of a CPU whose timers are running, in a ring through the slot of the CPU itself, {@code taskCount} + CPU. */
    private final int[] armedNext;

    private final int[] armedPrevious;

    Interrupts(Run run) {
        this.run = run;
        cpus = run.cpus;
        jiffyNs = 1_000_000_000L / run.settings.hz();
        timerHead = new int[run.cpuCount];
        timerNext = new int[run.taskCount];
        senderFree = new long[run.cpuCount];
        Arrays.fill(timerHead, TaskTable.IDLE_TASK);
        armedNext = new int[run.taskCount + run.cpuCount];
        armedPrevious = new int[run.taskCount + run.cpuCount];
        Arrays.setAll(armedNext, index -> index);
        Arrays.setAll(armedPrevious, index -> index);
    }

    /** Length of a tick period, ns. */
    long jiffyNs() {
        return jiffyNs;
    }

    /** Number of the present tick period. */
    long jiffies() {
        // one period is over before the first tick, so that "never yet" (0) is in the past
        return (run.now - tickOffset) / jiffyNs + 2;
    }

    /** Ticks happen at {@code offset} and every period after that. */
    void begin(long offset) {
        tickOffset = offset - jiffyNs;
        for (int cpu = 0; cpu < run.cpuCount; cpu++) {
            restartTick(cpu);
        }
    }

    void stopTick(int cpu) {
        run.queue.cancel(run.tickSlot + cpu);
    }

    void restartTick(int cpu) {
        long periods = (run.now - tickOffset) / jiffyNs + 1;
        run.queue.schedule(run.tickSlot + cpu, tickOffset + periods * jiffyNs);
    }

    void tickDue(int cpu) {
        run.queue.schedule(run.tickSlot + cpu, run.now + jiffyNs);
        raise(cpu, Cpus.TICK_INTERRUPT);
    }

    /** Starts the timer of a task that is going to sleep, on the CPU on which it runs; it expires at {@code at}. */
    void startTimer(int task, int cpu, long at) {
        int ring = run.taskCount + cpu;
        armedNext[task] = armedNext[ring];
        armedPrevious[task] = ring;
        armedPrevious[armedNext[ring]] = task;
        armedNext[ring] = task;
        run.queue.schedule(run.timerSlot + task, at);
    }

    /** When the next timer of a CPU expires, the tick not counted, or {@link EventQueue#NEVER}. */
    long nextTimer(int cpu) {
        long next = run.limits.nextTimer(cpu);
        int ring = run.taskCount + cpu;
        for (int task = armedNext[ring]; task != ring; task = armedNext[task]) {
            next = Math.min(next, run.queue.timeOf(run.timerSlot + task));
        }
        return next;
    }

    /** When the next tick of a CPU is due, or {@link EventQueue#NEVER} if it is stopped. */
    long nextTick(int cpu) {
        return run.queue.timeOf(run.tickSlot + cpu);
    }

    /** The timer of a sleeping task, armed on the CPU on which it ran, expires. */
    void timerExpired(int task) {
        armedNext[armedPrevious[task]] = armedNext[task];
        armedPrevious[armedNext[task]] = armedPrevious[task];
        armedNext[task] = task;
        armedPrevious[task] = task;
        int cpu = run.tasks.cpu[task];
        timerNext[task] = timerHead[cpu];
        timerHead[cpu] = task;
        raise(cpu, Cpus.TIMER_INTERRUPT);
    }

    /** Sends a reschedule interrupt; the sender pays, the target gets it later. */
    void sendIpi(int cpu, int target) {
        send(cpu, target, run.ipiSlot + target);
    }

    /** Sends a function-call interrupt, whose handler works off the wake list; as {@link #sendIpi}. */
    void sendCall(int cpu, int target) {
        send(cpu, target, run.callSlot + target);
    }

    /** It leaves when its sender has paid for sending it; several that a CPU sends at one moment leave one after the other. */
    private void send(int cpu, int target, int slot) {
        run.owe(cpu, CostItem.IPI_SEND);
        run.events.ipiSent(run.now, cpu, target);
        long sending =
                run.processors.wallNs(cpu, run.costs.coreNs(CostItem.IPI_SEND)) + run.costs.wallNs(CostItem.IPI_SEND);
        long leaves = Math.max(run.now, senderFree[cpu]) + sending;
        senderFree[cpu] = leaves;
        if (run.queue.timeOf(slot) == EventQueue.NEVER) {
            long way = run.costs.wallNs(CostItem.IPI_DELIVERY) + run.costs.lineNs(CostItem.IPI_DELIVERY, cpu, target);
            run.queue.schedule(slot, leaves + way);
        }
    }

    void callArrived(int cpu) {
        run.events.callFunctionIpi(run.now, cpu);
        raise(cpu, Cpus.CALL_INTERRUPT);
    }

    void ipiArrived(int cpu) {
        run.events.rescheduleIpi(run.now, cpu);
        raise(cpu, Cpus.IPI_INTERRUPT);
    }

    /** An interrupt of a kind of {@link Cpus} reaches a CPU. */
    void raise(int cpu, int kind) {
        cpus.pending[cpu] |= kind;
        if (cpus.phase[cpu] == Cpus.IDLE) {
            run.idling.wake(cpu);
        } else if (cpus.phase[cpu] == Cpus.RUNNING) {
            oweHandlers(cpu);
            handlePending(cpu);
            if (!run.scheduling.preemptIfUser(cpu)) {
                run.extendWork(cpu);
            }
        }
    }

    /** What the handlers of a CPU's pending interrupts cost by themselves is owed. */
    void oweHandlers(int cpu) {
        int pending = cpus.pending[cpu];
        if ((pending & Cpus.TICK_INTERRUPT) != 0) {
            run.owe(cpu, CostItem.TICK);
        }
        if ((pending & (Cpus.TIMER_INTERRUPT | Cpus.LIMIT_INTERRUPT | Cpus.IPI_INTERRUPT)) != 0) {
            run.owe(cpu, CostItem.IPI_HANDLER);
        }
        if ((pending & Cpus.CALL_INTERRUPT) != 0) {
            run.owe(cpu, CostItem.IPI_HANDLER);
        }
    }

    /** Does what the pending interrupts of a CPU ask for; what that costs is owed. */
    void handlePending(int cpu) {
        int pending = cpus.pending[cpu];
        cpus.pending[cpu] = 0;
        if ((pending & Cpus.TICK_INTERRUPT) != 0) {
            tick(cpu);
        }
        if ((pending & Cpus.TIMER_INTERRUPT) != 0) {
            int task = timerHead[cpu];
            timerHead[cpu] = TaskTable.IDLE_TASK;
            while (task != TaskTable.IDLE_TASK) {
                int next = timerNext[task];
                run.wakeups.wakeFromTimer(cpu, task);
                task = next;
            }
        }
        if ((pending & Cpus.LIMIT_INTERRUPT) != 0) {
            run.limits.handle(cpu);
        }
        if ((pending & Cpus.CALL_INTERRUPT) != 0) {
            run.wakeups.drain(cpu, SchedEvents.IN_HARDIRQ);
        }
        if ((pending & Cpus.IPI_INTERRUPT) != 0) {
            run.wakeups.drain(cpu, SchedEvents.IN_HARDIRQ);
            run.balancing.interrupted(cpu);
        }
    }

    private void tick(int cpu) {
        Runqueue runqueue = run.runqueues[cpu];
        runqueue.refresh(run.now);
        run.cpuLoads[cpu].update(jiffies(), run.loads.cpuLoad(cpu));
        runqueue.tick();
        run.loads.tick(cpu);
        run.governing.tick(cpu);
        run.balancing.tick(cpu);
    }
}
