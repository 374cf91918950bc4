package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;

/**
 * The waiting entities of one queue in the order of their virtual deadlines, equals in the order of their insertion; every subtree knows
 * its smallest virtual runtime and its shortest slice ({@code tasks_timeline} of EEVDF; spec: scheduler.md 2.8).
 *
 * <p>A treap: a search tree by deadline that is a heap by a pseudo-random priority, so its depth is O(log n) whatever comes in whatever
 * order. Nodes are entity numbers, links are arrays that all trees of a machine share, so nothing is allocated. While an entity waits its
 * deadline and virtual runtime must not change. Limitation: Linux 6.6 orders its tree by virtual runtime; among equal deadlines it may
 * pick another than this tree's first.
 */
final class DeadlineTree {
    /** The links of all trees of a machine, indexed by entity. */
    static final class Links {
        private final int[] left;
        private final int[] right;
        /** The entity above, −1 above a root, 0 of an entity that does not wait. */
        final int[] parent;

        private final int[] priority;
        private final long[] minVruntime;
        private final long[] minSlice;

        Links(int entities) {
            left = new int[entities];
            right = new int[entities];
            parent = new int[entities];
            priority = new int[entities];
            minVruntime = new long[entities];
            minSlice = new long[entities];
        }
    }

    private static final int ABOVE_ROOT = -1;

    private final long[] deadline;
    private final long[] vruntime;
    private final long[] slice;
    private final int[] left;
    private final int[] right;
    private final int[] parent;
    private final int[] priority;
    private final long[] minVruntime;
    private final long[] minSlice;
    private int root = IDLE_TASK;
    private int size;
    private int random = 0x2545F491;

    DeadlineTree(TaskTable tasks, Links links) {
        deadline = tasks.deadline;
        vruntime = tasks.vruntime;
        slice = tasks.slice;
        left = links.left;
        right = links.right;
        parent = links.parent;
        priority = links.priority;
        minVruntime = links.minVruntime;
        minSlice = links.minSlice;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return root == IDLE_TASK;
    }

    /** Smallest virtual runtime; the tree is not empty. */
    long minVruntime() {
        return minVruntime[root];
    }

    /** Shortest slice; the tree is not empty. */
    long minSlice() {
        return minSlice[root];
    }

    /** The entity with the earliest deadline, or the idle task. */
    int first() {
        int at = root;
        while (at != IDLE_TASK && left[at] != IDLE_TASK) {
            at = left[at];
        }
        return at;
    }

    /** The entity with the earliest deadline among those that the average finds eligible, or the idle task. */
    int firstEligible(VirtualAverage average) {
        int at = root;
        while (at != IDLE_TASK) {
            int before = left[at];
            if (before != IDLE_TASK && average.isEligible(minVruntime[before])) {
                at = before;
            } else if (average.isEligible(vruntime[at])) {
                return at;
            } else {
                at = right[at];
            }
        }
        return IDLE_TASK;
    }

    void insert(int entity) {
        if (parent[entity] != 0) {
            throw new IllegalStateException("entity " + entity + " already waits");
        }
        left[entity] = IDLE_TASK;
        right[entity] = IDLE_TASK;
        priority[entity] = nextRandom();
        size++;
        int above = ABOVE_ROOT;
        int at = root;
        boolean toLeft = false;
        while (at != IDLE_TASK) {
            above = at;
            toLeft = deadline[entity] - deadline[at] < 0;
            at = toLeft ? left[at] : right[at];
        }
        parent[entity] = above;
        if (above == ABOVE_ROOT) {
            root = entity;
        } else if (toLeft) {
            left[above] = entity;
        } else {
            right[above] = entity;
        }
        while (parent[entity] != ABOVE_ROOT && priority[parent[entity]] < priority[entity]) {
            rotateUp(entity);
        }
        refresh(entity);
    }

    void remove(int entity) {
        if (parent[entity] == 0) {
            throw new IllegalStateException("entity " + entity + " does not wait here");
        }
        while (left[entity] != IDLE_TASK && right[entity] != IDLE_TASK) {
            int l = left[entity];
            int r = right[entity];
            rotateUp(priority[l] > priority[r] ? l : r);
        }
        int child = left[entity] != IDLE_TASK ? left[entity] : right[entity];
        int above = parent[entity];
        replaceChild(above, entity, child);
        if (child != IDLE_TASK) {
            parent[child] = above;
        }
        parent[entity] = 0;
        size--;
        if (above != ABOVE_ROOT) {
            refresh(above);
        }
    }

    /** The slice of a waiting entity has changed. */
    void refresh(int entity) {
        for (int at = entity; at != ABOVE_ROOT; at = parent[at]) {
            summarise(at);
        }
    }

    private void summarise(int at) {
        long least = vruntime[at];
        long shortest = slice[at];
        int l = left[at];
        if (l != IDLE_TASK) {
            least = VirtualTime.earlier(least, minVruntime[l]);
            shortest = Math.min(shortest, minSlice[l]);
        }
        int r = right[at];
        if (r != IDLE_TASK) {
            least = VirtualTime.earlier(least, minVruntime[r]);
            shortest = Math.min(shortest, minSlice[r]);
        }
        minVruntime[at] = least;
        minSlice[at] = shortest;
    }

    /** Puts an entity in its parent's place and the parent below it, without changing their order. */
    private void rotateUp(int entity) {
        int above = parent[entity];
        int top = parent[above];
        int moved;
        if (left[above] == entity) {
            moved = right[entity];
            left[above] = moved;
            right[entity] = above;
        } else {
            moved = left[entity];
            right[above] = moved;
            left[entity] = above;
        }
        if (moved != IDLE_TASK) {
            parent[moved] = above;
        }
        parent[above] = entity;
        parent[entity] = top;
        replaceChild(top, above, entity);
        summarise(above);
        summarise(entity);
    }

    private void replaceChild(int above, int from, int to) {
        if (above == ABOVE_ROOT) {
            root = to;
        } else if (left[above] == from) {
            left[above] = to;
        } else {
            right[above] = to;
        }
    }

    /** Xorshift: the sequence is the same in every run. */
    private int nextRandom() {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        return random;
    }
}
