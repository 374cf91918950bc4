package dev.perch.sim;

import java.util.Arrays;

/**
 * The events that are pending, in the order in which they happen.
 *
 * <p>A tournament tree over a fixed number of slots. A slot holds at most one pending event (a CPU's next tick, the end of a CPU's
 * current work, a task's timer). Events at the same instant happen in slot order, so the layout of the slots is the order of
 * simultaneous events. To schedule or cancel is a walk from a leaf towards the root that ends where nothing changes. To take an event
 * costs nothing at first: mostly its slot is scheduled anew at once, and one walk serves both. Nothing is allocated.
 */
final class EventQueue {
    /** The time of a slot with no pending event. */
    static final long NEVER = Long.MAX_VALUE;

    private static final int NOBODY = -1;

    private final int leaves;
    /** By node: 1 is the root, node i has the children 2i and 2i + 1, the leaf of slot s is {@code leaves} + s. */
    private final long[] time;
    /** Slot whose event wins the subtree of a node. */
    private final int[] slotOf;
    /** The slot taken last, as long as the nodes above its leaf still show it as the winner that it was; or {@link #NOBODY}. */
    private int stale = NOBODY;

    private long taken;

    EventQueue(int slots) {
        leaves = Math.max(2, Integer.highestOneBit(Math.max(1, slots - 1)) << 1);
        time = new long[2 * leaves];
        slotOf = new int[2 * leaves];
        Arrays.fill(time, NEVER);
        for (int node = 2 * leaves - 1; node >= 1; node--) {
            slotOf[node] = node >= leaves ? node - leaves : slotOf[2 * node];
        }
    }

    /** Sets the slot's event to happen at {@code at} instead of whenever it was to happen. */
    void schedule(int slot, long at) {
        if (slot == stale) {
            stale = NOBODY;
        }
        final long[] times = time;
        final int[] slots = slotOf;
        int node = leaves + slot;
        times[node] = at;
        while (node > 1) {
            int left = node & ~1;
            // the left subtree holds the lower slots and wins a tie
            int winner = times[left + 1] < times[left] ? left + 1 : left;
            node >>= 1;
            long winnerTime = times[winner];
            int winnerSlot = slots[winner];
            if (times[node] == winnerTime && slots[node] == winnerSlot) {
                return;
            }
            times[node] = winnerTime;
            slots[node] = winnerSlot;
        }
    }

    void cancel(int slot) {
        if (time[leaves + slot] != NEVER) {
            schedule(slot, NEVER);
        }
    }

    /** When the slot's event happens, or {@link #NEVER}. */
    long timeOf(int slot) {
        return time[leaves + slot];
    }

    /** When the next event happens, or {@link #NEVER}. */
    long nextTime() {
        refresh();
        return time[1];
    }

    /** Takes the next event: clears its slot and returns it. There must be one. */
    int take() {
        refresh();
        int slot = slotOf[1];
        taken++;
        time[leaves + slot] = NEVER;
        stale = slot;
        return slot;
    }

    /** All nodes above the slot taken last still show it, since it won them all; if it was not scheduled anew, they are set right. */
    private void refresh() {
        if (stale != NOBODY) {
            schedule(stale, NEVER);
        }
    }

    /** How many events were taken so far. */
    long taken() {
        return taken;
    }
}
