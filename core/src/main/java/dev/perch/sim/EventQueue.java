package dev.perch.sim;

import java.util.Arrays;

/**
 * The events that are pending, in the order in which they happen.
 *
 * <p>A tournament tree over a fixed number of slots. A slot holds at most one pending event (a CPU's next tick, the end of a CPU's
 * current work, a task's timer). Events at the same instant happen in slot order, so the layout of the slots is the order of
 * simultaneous events. Scheduling, cancelling and taking cost one walk from a leaf to the root and allocate nothing.
 */
final class EventQueue {
    /** The time of a slot with no pending event. */
    static final long NEVER = Long.MAX_VALUE;

    private final int leaves;
    private final long[] time;
    /** Inner nodes 1 … leaves − 1 hold the slot that wins their subtree; node i has the children 2i and 2i + 1. */
    private final int[] winner;

    private long taken;

    EventQueue(int slots) {
        leaves = Math.max(2, Integer.highestOneBit(Math.max(1, slots - 1)) << 1);
        time = new long[leaves];
        Arrays.fill(time, NEVER);
        winner = new int[leaves];
        for (int node = leaves - 1; node >= 1; node--) {
            winner[node] = node >= leaves / 2 ? (2 * node - leaves) : winner[2 * node];
        }
    }

    /** Sets the slot's event to happen at {@code at} instead of whenever it was to happen. */
    void schedule(int slot, long at) {
        time[slot] = at;
        final long[] times = time;
        final int[] winners = winner;
        int node = leaves + slot >> 1;
        int left = slot & ~1;
        int best = times[left + 1] < times[left] ? left + 1 : left;
        while (true) {
            winners[node] = best;
            if (node == 1) {
                return;
            }
            int rival = winners[node ^ 1];
            // the left subtree holds the lower slots and wins a tie
            boolean rivalIsLeft = (node & 1) != 0;
            if (rivalIsLeft ? times[rival] <= times[best] : times[rival] < times[best]) {
                best = rival;
            }
            node >>= 1;
        }
    }

    void cancel(int slot) {
        if (time[slot] != NEVER) {
            schedule(slot, NEVER);
        }
    }

    /** When the slot's event happens, or {@link #NEVER}. */
    long timeOf(int slot) {
        return time[slot];
    }

    /** When the next event happens, or {@link #NEVER}. */
    long nextTime() {
        return time[winner[1]];
    }

    /** Takes the next event: clears its slot and returns it. There must be one. */
    int take() {
        int slot = winner[1];
        taken++;
        schedule(slot, NEVER);
        return slot;
    }

    /** How many events were taken so far. */
    long taken() {
        return taken;
    }
}
