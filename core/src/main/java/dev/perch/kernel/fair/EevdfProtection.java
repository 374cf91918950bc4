package dev.perch.kernel.fair;

import dev.perch.kernel.TaskTable;

/**
 * How long a running entity keeps the CPU from others with earlier deadlines, as long as it is eligible itself ({@code RUN_TO_PARITY},
 * {@code set_protect_slice}, {@code protect_slice}; spec: scheduler.md 2.9): until its request is served, from 6.18 on only until the
 * shortest slice on the queue is used.
 */
final class EevdfProtection {
    private final TaskTable tasks;
    private final boolean since618;
    private final boolean runToParity;
    private final VirtualTime time;
    private final EevdfTunables tunables;

    EevdfProtection(TaskTable tasks, boolean since618, boolean runToParity, VirtualTime time, EevdfTunables tunables) {
        this.tasks = tasks;
        this.since618 = since618;
        this.runToParity = runToParity;
        this.time = time;
        this.tunables = tunables;
    }

    /** Whether a pick asks for protection at all; from 6.18 on the feature only decides how long it lasts. */
    boolean counts() {
        return since618 || runToParity;
    }

    /**
     * An entity becomes the running one.
     *
     * @param shortest slice on the queue, its own included
     */
    void begin(int entity, long shortest) {
        tasks.protection[entity] = tasks.deadline[entity];
        if (since618) {
            long slice = Math.min(tasks.slice[entity], runToParity ? shortest : tunables.unscaledBaseSlice());
            if (slice != tasks.slice[entity]) {
                shorten(entity, slice);
            }
        }
    }

    /** Whether the running entity is protected still. */
    boolean holds(int entity) {
        return since618
                ? tasks.protection[entity] - tasks.vruntime[entity] > 0
                : tasks.protection[entity] == tasks.deadline[entity];
    }

    void cancel(int entity) {
        tasks.protection[entity] = since618 ? tasks.vruntime[entity] : tasks.deadline[entity] + 1;
    }

    /** The running entity is protected no longer than {@code slice} from now on. */
    void shorten(int entity, long slice) {
        long until = tasks.vruntime[entity] + time.virtual(slice, tasks.weight[entity], tasks.inverseWeight[entity]);
        tasks.protection[entity] = VirtualTime.earlier(tasks.protection[entity], until);
    }
}
