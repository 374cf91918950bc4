package dev.perch.sim;

import java.util.Arrays;

/**
 * The locks of the CPUs' runqueues: who waits for whom, and where the line of each lock is.
 *
 * <p>A waker holds its target's lock while it enqueues and decides on preemption, a CPU its own from the dequeueing of a task to the end
 * of the switch (spec scheduler.md 5.3 D1 to D4, 5.7 B2 to B6). Whoever comes meanwhile spins until its turn, first come first served,
 * as x86's ticket locks have it since 2.6.25. A lock that another CPU held last costs its new holder one line transfer (5.9, item L).
 * Times are ns.
 *
 * <p>A holding is known when it is planned: the piece of work of which it is the last part has just begun. So of each lock only the
 * holding planned last is kept; one that ends before that begins is let pass. Limitations: ticks and the balancer take no locks, and a
 * holding whose CPU changes its speed meanwhile ends when it was planned to.
 */
final class RunqueueLocks {
    /** The lock costs its holder as many lines of whoever held it last. */
    private static final int LINES = 1;

    private final CostTable costs;
    private final long[] begins;
    private final long[] ends;
    private final int[] holder;

    RunqueueLocks(CostTable costs, int cpuCount) {
        this.costs = costs;
        begins = new long[cpuCount];
        ends = new long[cpuCount];
        holder = new int[cpuCount];
        Arrays.setAll(holder, cpu -> cpu);
    }

    /**
     * CPU {@code by} will want the lock of {@code queue} at {@code at}, and will then hold it for {@code heldNs}.
     *
     * @return how long it spins
     */
    long waitFor(int queue, int by, long at, long heldNs) {
        if (at + heldNs <= begins[queue]) {
            return 0;
        }
        long begin = holder[queue] == by ? at : Math.max(at, ends[queue]);
        begins[queue] = begin;
        ends[queue] = holder[queue] == by ? Math.max(ends[queue], at + heldNs) : begin + heldNs;
        holder[queue] = by;
        return begin - at;
    }

    /**
     * As {@link #waitFor}, a CPU taking the lock of its own queue: with the transfer of the lock's line from whoever held it last, which
     * for other CPUs' queues is part of the item {@code enqueue}.
     *
     * @return how long it spins and waits for the line
     */
    long takeOwn(int cpu, long at, long heldNs) {
        int last = holder[cpu];
        long transfer = last == cpu ? 0 : costs.lineNs(LINES, last, cpu);
        return transfer + waitFor(cpu, cpu, at, transfer + heldNs);
    }
}
