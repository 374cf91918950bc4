package dev.perch.sim.workload;

import dev.perch.sim.workload.DescribedRecipe.ForkedCopies;
import java.util.HashMap;
import java.util.Map;

/** The things that the tasks of one instance of a described workload share, made when they are first named. */
final class SharedThings {
    private final Workload.Builder builder;
    private final Map<String, Integer> barrierParties;
    private final Map<String, ForkedCopies> forked;
    private final Map<String, Integer> locks = new HashMap<>();
    private final Map<String, Integer> conditions = new HashMap<>();
    private final Map<String, Integer> semaphores = new HashMap<>();
    private final Map<String, Integer> barriers = new HashMap<>();
    private final Map<String, Integer> pipes = new HashMap<>();
    private final Map<String, Integer> sockets = new HashMap<>();
    private final Map<String, Integer> timers = new HashMap<>();

    SharedThings(Workload.Builder builder, Map<String, Integer> barrierParties, Map<String, ForkedCopies> forked) {
        this.builder = builder;
        this.barrierParties = barrierParties;
        this.forked = forked;
    }

    int lock(String name) {
        return locks.computeIfAbsent(name, _ -> builder.addLock());
    }

    int condition(String name) {
        return conditions.computeIfAbsent(name, _ -> builder.addCondition());
    }

    int semaphore(String name) {
        return semaphores.computeIfAbsent(name, _ -> builder.addSemaphore(0, Integer.MAX_VALUE));
    }

    int barrier(String name) {
        return barriers.computeIfAbsent(
                name, _ -> builder.addBarrier(Math.max(1, barrierParties.getOrDefault(name, 1))));
    }

    int pipe(String name) {
        return pipes.computeIfAbsent(name, _ -> builder.addPipe());
    }

    /** The end at which messages are sent; they are received at its peer. */
    int socket(String name) {
        return sockets.computeIfAbsent(name, _ -> builder.addSocketPair());
    }

    int timer(String name) {
        return timers.computeIfAbsent(name, _ -> builder.addTimer());
    }

    /** The copies of a task that a {@link Step.Fork} names. */
    ForkedCopies copies(String task) {
        ForkedCopies copies = forked.get(task);
        if (copies == null) {
            throw new IllegalStateException("nobody forks " + task);
        }
        return copies;
    }
}
