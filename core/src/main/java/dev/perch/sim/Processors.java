package dev.perch.sim;

import dev.perch.model.HardwareModel;
import dev.perch.model.Machine;
import dev.perch.model.SmtSpeed;
import dev.perch.model.Topology;

/**
 * The hardware threads as things that execute: how much work each has left, how fast it goes, when it will be done.
 *
 * <p>A piece of work has a wall part, which takes its nanoseconds whatever the clock, and then a core part, which goes at the CPU's
 * speed: its own beside the fastest CPUs', times the clock of its domain relative to the nominal one, times the SMT factor while a
 * sibling executes. When a speed changes, what
 * is left is re-timed. Speeds are fixed point with 16 fractional bits, core work in nominal ns with 16 fractional bits, so that
 * nothing is lost by being interrupted.
 *
 * <p>A thread that leaves its idle state executes from the first moment on. When a thread begins or ends to execute, its siblings lose
 * the time in which the core shares out its resources anew.
 *
 * <p>Limitations: SMT slowdown is one factor for any mix of work; two or more busy siblings slow a thread as one does.
 */
final class Processors {
    private static final int FRACTION = 16;

    private final EventQueue queue;
    private final int firstSlot;
    private final int cpuCount;
    private final int[][] siblings;
    private final int repartitionNs;
    private final int busyFactor;
    private final int pollingFactor;

    private final boolean[] executing;
    private final boolean[] polling;
    /** Speed of each CPU alone at the nominal clock. */
    private final int[] own;

    private final int[] clock;
    private final int[] speed;
    private final long[] wallLeft;
    private final long[] coreLeft;
    private final long[] since;
    private final boolean[] working;

    /** Work of CPU c ends as the event of slot {@code firstSlot} + c. */
    Processors(Machine machine, EventQueue queue, int firstSlot) {
        this.queue = queue;
        this.firstSlot = firstSlot;
        Topology topology = machine.topology();
        cpuCount = topology.cpuCount();
        siblings = new int[cpuCount][];
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            siblings[cpu] =
                    topology.smt(cpu).minus(dev.perch.model.CpuMask.of(cpu)).toArray();
        }
        SmtSpeed smt = machine.requireModel().smt();
        repartitionNs = smt.repartitionNs();
        busyFactor = (smt.busyMille() << FRACTION) / 1000;
        pollingFactor = (smt.pollingMille() << FRACTION) / 1000;
        executing = new boolean[cpuCount];
        polling = new boolean[cpuCount];
        clock = new int[cpuCount];
        speed = new int[cpuCount];
        wallLeft = new long[cpuCount];
        coreLeft = new long[cpuCount];
        since = new long[cpuCount];
        working = new boolean[cpuCount];
        own = new int[cpuCount];
        java.util.Arrays.fill(clock, 1 << FRACTION);
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            own[cpu] = (int) (((long) machine.requireModel().speedMille(cpu) << FRACTION) / HardwareModel.FULL_SPEED);
            speed[cpu] = own[cpu];
        }
    }

    /** Gives an idle-handed CPU its next piece of work. */
    void start(int cpu, long coreNs, long wallNs, long now) {
        working[cpu] = true;
        wallLeft[cpu] = wallNs;
        coreLeft[cpu] = coreNs << FRACTION;
        since[cpu] = now;
        queue.schedule(firstSlot + cpu, now + wallNs + timeFor(cpu));
    }

    /** Adds to the work that a CPU is doing: an interrupt. */
    void extend(int cpu, long coreNs, long wallNs, long now) {
        settle(cpu, now);
        wallLeft[cpu] += wallNs;
        coreLeft[cpu] += coreNs << FRACTION;
        queue.schedule(firstSlot + cpu, now + wallLeft[cpu] + timeFor(cpu));
    }

    /** Takes a CPU's work away before it is done; what was left can be read from {@link #wallLeft} and {@link #coreLeft}. */
    void interrupt(int cpu, long now) {
        settle(cpu, now);
        working[cpu] = false;
        queue.cancel(firstSlot + cpu);
    }

    /** The event of a CPU's slot was taken: its work is done. */
    void finish(int cpu) {
        working[cpu] = false;
        wallLeft[cpu] = 0;
        coreLeft[cpu] = 0;
    }

    boolean isWorking(int cpu) {
        return working[cpu];
    }

    /** Wall ns that were left when the CPU was last settled. */
    long wallLeft(int cpu) {
        return wallLeft[cpu];
    }

    /** Nominal core ns that were left when the CPU was last settled, rounded up. */
    long coreLeft(int cpu) {
        return coreLeft[cpu] + (1 << FRACTION) - 1 >> FRACTION;
    }

    /** The CPU begins or ends to use its core's execution resources. */
    void setExecuting(int cpu, boolean active, long now) {
        if (executing[cpu] != active) {
            executing[cpu] = active;
            retimeSiblings(cpu, now);
            if (repartitionNs > 0) {
                for (int sibling : siblings[cpu]) {
                    if (executing[sibling] && working[sibling]) {
                        extend(sibling, 0, repartitionNs, now);
                    }
                }
            }
        }
    }

    /** The CPU begins or ends to spin in its idle loop. */
    void setPolling(int cpu, boolean spins, long now) {
        if (polling[cpu] != spins) {
            polling[cpu] = spins;
            retimeSiblings(cpu, now);
        }
    }

    /** The clock of a CPU is now {@code khz}; the nominal one is {@code nominalKhz}. */
    void setClock(int cpu, int khz, int nominalKhz, long now) {
        int relative = (int) (((long) khz << FRACTION) / nominalKhz);
        if (clock[cpu] != relative) {
            clock[cpu] = relative;
            retime(cpu, now);
        }
    }

    private void retimeSiblings(int cpu, long now) {
        for (int sibling : siblings[cpu]) {
            retime(sibling, now);
        }
    }

    private void retime(int cpu, long now) {
        int factor = own[cpu];
        for (int sibling : siblings[cpu]) {
            if (executing[sibling]) {
                factor = Math.min(factor, (int) ((long) own[cpu] * busyFactor >> FRACTION));
            } else if (polling[sibling]) {
                factor = Math.min(factor, (int) ((long) own[cpu] * pollingFactor >> FRACTION));
            }
        }
        int next = (int) ((long) clock[cpu] * factor >> FRACTION);
        if (next == speed[cpu]) {
            return;
        }
        if (working[cpu]) {
            settle(cpu, now);
            speed[cpu] = next;
            queue.schedule(firstSlot + cpu, now + wallLeft[cpu] + timeFor(cpu));
        } else {
            speed[cpu] = next;
        }
    }

    /** Takes off what was done since the last look. */
    private void settle(int cpu, long now) {
        long elapsed = now - since[cpu];
        since[cpu] = now;
        long wall = Math.min(elapsed, wallLeft[cpu]);
        wallLeft[cpu] -= wall;
        coreLeft[cpu] = Math.max(0, coreLeft[cpu] - (elapsed - wall) * speed[cpu]);
    }

    private long timeFor(int cpu) {
        return (coreLeft[cpu] + speed[cpu] - 1) / speed[cpu];
    }
}
