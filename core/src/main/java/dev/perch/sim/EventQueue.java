package dev.perch.sim;

import java.util.Arrays;

/**
 * The events that are pending, in the order in which they happen.
 *
 * <p>A slot holds at most one pending event (a CPU's next tick, the end of a CPU's current work, a task's timer). Events at the same
 * instant happen in slot order, so the layout of the slots is the order of simultaneous events. Time and slot are one number, the slot
 * in the low bits, whose order is that of the events.
 *
 * <p>Two tournament trees over a fixed number of slots: the last slots, which are scheduled far more often than all others, have a
 * smaller one of their own. To schedule or cancel is a walk from a leaf towards the root that ends where nothing changes. To take an event
 * costs nothing at first: mostly its slot is scheduled anew at once, and one walk serves both. Nothing is allocated.
 */
final class EventQueue {
    /** The time of a slot with no pending event. */
    static final long NEVER = Long.MAX_VALUE;

    private static final int NOBODY = -1;

    private final int slotBits;
    private final int firstFrequent;
    /** Node 1 is the root, node i has the children 2i and 2i + 1, leaves are the second half; a node holds its earliest event. */
    private final long[] rare;

    private final long[] frequent;
    /** The slot taken last, as long as the nodes above its leaf still show it as the winner that it was; or {@link #NOBODY}. */
    private int stale = NOBODY;

    private long taken;

    EventQueue(int slots) {
        this(slots, 0);
    }

    /** Slots from {@code firstFrequent} on are those that are scheduled often. */
    EventQueue(int slots, int firstFrequent) {
        this.firstFrequent = firstFrequent;
        slotBits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, slots - 1));
        rare = tree(firstFrequent);
        frequent = tree(slots - firstFrequent);
    }

    private static long[] tree(int slots) {
        int leaves = Math.max(2, Integer.highestOneBit(Math.max(1, slots - 1)) << 1);
        long[] tree = new long[2 * leaves];
        Arrays.fill(tree, NEVER);
        return tree;
    }

    /** The last instant at which events are told apart: at least two simulated days, years with few slots. */
    long latest() {
        return (NEVER >> slotBits) - 1;
    }

    /** Sets the slot's event to happen at {@code at}, at most at {@link #latest}, instead of whenever it was to happen. */
    void schedule(int slot, long at) {
        set(slot, Math.min(at, latest()) << slotBits | slot);
    }

    private void set(int slot, long event) {
        if (slot == stale) {
            stale = NOBODY;
        }
        final long[] tree = treeOf(slot);
        int node = leafOf(slot, tree);
        long earliest = event;
        tree[node] = earliest;
        while (node > 1) {
            earliest = Math.min(earliest, tree[node ^ 1]);
            node >>= 1;
            if (tree[node] == earliest) {
                return;
            }
            tree[node] = earliest;
        }
    }

    private long[] treeOf(int slot) {
        return slot >= firstFrequent ? frequent : rare;
    }

    private int leafOf(int slot, long[] tree) {
        return (tree.length >> 1) + (slot >= firstFrequent ? slot - firstFrequent : slot);
    }

    void cancel(int slot) {
        if (timeOf(slot) != NEVER) {
            set(slot, NEVER);
        }
    }

    /** When the slot's event happens, or {@link #NEVER}. */
    long timeOf(int slot) {
        long[] tree = treeOf(slot);
        return timeIn(tree[leafOf(slot, tree)]);
    }

    private long timeIn(long event) {
        return event == NEVER ? NEVER : event >> slotBits;
    }

    /** When the next event happens, or {@link #NEVER}. */
    long nextTime() {
        refresh();
        return timeIn(Math.min(rare[1], frequent[1]));
    }

    /** Takes the next event: clears its slot and returns it. There must be one. */
    int take() {
        refresh();
        int slot = (int) Math.min(rare[1], frequent[1]) & (1 << slotBits) - 1;
        taken++;
        long[] tree = treeOf(slot);
        tree[leafOf(slot, tree)] = NEVER;
        stale = slot;
        return slot;
    }

    /** All nodes above the slot taken last still show it, since it won them all; if it was not scheduled anew, they are set right. */
    private void refresh() {
        if (stale != NOBODY) {
            set(stale, NEVER);
        }
    }

    /** How many events were taken so far. */
    long taken() {
        return taken;
    }
}
