package dev.perch.kernel.fair;

import dev.perch.kernel.TaskTable;

/**
 * What a change of weight does to an entity's virtual times, so that the time it is owed or owes stays the same ({@code reweight_entity},
 * {@code reweight_eevdf} of Linux 6.6 to 6.18; spec: scheduler.md 2.12). Limitation: protection of a running entity is not rescaled, as in
 * 6.18.2.
 */
final class EevdfReweight {
    private EevdfReweight() {}

    /** 6.6 to 6.12: distances from the average are scaled. */
    static void scaleInPlace(EevdfQueue queue, int entity, int newWeight, long inverse) {
        TaskTable tasks = queue.tasks;
        long from = tasks.weight[entity];
        if (!tasks.onQueue[entity]) {
            tasks.lag[entity] = tasks.lag[entity] * from / newWeight;
            setWeight(tasks, entity, newWeight, inverse);
            return;
        }
        boolean running = entity == queue.current;
        if (running) {
            queue.updateCurrent();
        }
        long average = queue.average();
        long lag = queue.lagOf(entity);
        if (!running) {
            queue.remove(entity);
        }
        if (tasks.vruntime[entity] != average) {
            tasks.vruntime[entity] = average - lag * from / newWeight;
        }
        tasks.deadline[entity] = average + (tasks.deadline[entity] - average) * from / newWeight;
        queue.weight += newWeight - from;
        setWeight(tasks, entity, newWeight, inverse);
        if (!running) {
            queue.insert(entity);
        }
        queue.advanceMinVruntime();
    }

    /** 6.18: lag and relative deadline are scaled and the entity is placed again. */
    static void placeAnew(EevdfQueue queue, int entity, int newWeight, long inverse) {
        TaskTable tasks = queue.tasks;
        long from = tasks.weight[entity];
        boolean queued = tasks.onQueue[entity];
        boolean running = entity == queue.current;
        if (queued) {
            queue.updateCurrent();
            tasks.lag[entity] = queue.lagOf(entity);
            tasks.deadline[entity] -= tasks.vruntime[entity];
            tasks.relativeDeadline[entity] = true;
            if (!running) {
                queue.remove(entity);
            }
            queue.unaccount(entity);
        }
        tasks.lag[entity] = tasks.lag[entity] * from / newWeight;
        if (tasks.relativeDeadline[entity]) {
            tasks.deadline[entity] = tasks.deadline[entity] * from / newWeight;
        }
        setWeight(tasks, entity, newWeight, inverse);
        if (queued) {
            queue.place(entity, 0);
            queue.account(entity);
            if (!running) {
                queue.insert(entity);
            }
            queue.advanceMinVruntime();
        }
    }

    private static void setWeight(TaskTable tasks, int entity, int weight, long inverse) {
        tasks.weight[entity] = weight;
        tasks.inverseWeight[entity] = inverse;
    }
}
