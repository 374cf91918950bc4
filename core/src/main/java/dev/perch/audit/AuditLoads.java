package dev.perch.audit;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.fair.LoadWeights;
import dev.perch.kernel.load.EntityLoads;
import dev.perch.kernel.load.HierarchicalLoad;
import dev.perch.kernel.load.LoadTracking;
import dev.perch.kernel.load.QueueLoads;
import dev.perch.kernel.load.UtilEst;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Load averages of the recorded CPUs and tasks, driven by what the events tell of them ({@code cfs_rq->avg} and {@code se->avg} of Linux
 * 4.3 and later; spec: scheduler.md 3.4 to 3.7).
 *
 * <p>All tasks are taken for tasks of the root group, all CPUs for equal and at full clock, and the tick for one of {@value #HZ} a second
 * that falls on whole multiples of its length. A task that was forked in the recording begins as the kernel begins it; one that is met later begins
 * without load, since most of those have slept for long. So every average is a guess at first, and right after a few half-lives of 32 ms.
 */
final class AuditLoads {
    /** Ticks a second of the distributions' kernels; no recording tells it. */
    static final int HZ = 250;

    private static final long TICK_NS = 1_000_000_000L / HZ;
    private static final int NOWHERE = -1;
    private static final int CAPACITY = 1024;

    private final AuditTasks tasks;
    private final EntityLoads entities;
    private final QueueLoads queues;
    private final HierarchicalLoad parts;
    private final @Nullable UtilEst estimates;
    private final boolean keepsRunnableLoad;
    private final long[] weightOn;
    private final int[] queuedOn;
    private final boolean[] runningOn;
    private final long[] updated;
    private int[] where = new int[0];
    private boolean[] runs = new boolean[0];
    private int[] weights = new int[0];
    private boolean[] isNew = new boolean[0];

    /** @param kernel one whose load tracking has averages */
    AuditLoads(AuditTasks tasks, Kernel kernel, LoadTracking tracking, int cpus) {
        this.tasks = tasks;
        entities = new EntityLoads(0, tracking.pelt());
        queues = new QueueLoads(tracking, cpus, entities);
        parts = new HierarchicalLoad(cpus);
        estimates = tracking.estimate() == LoadTracking.Estimate.NO_ESTIMATE || !kernel.has("UTIL_EST")
                ? null
                : new UtilEst(tracking, kernel.has("UTIL_EST_FASTUP"), 0, cpus);
        keepsRunnableLoad = tracking.cpuLoads() == LoadTracking.CpuLoads.RUNNABLE;
        weightOn = new long[cpus];
        queuedOn = new int[cpus];
        runningOn = new boolean[cpus];
        updated = new long[cpus];
    }

    private void ensure(int slots) {
        int had = where.length;
        if (slots <= had) {
            return;
        }
        int to = Math.max(64, Math.max(slots, 2 * had));
        where = Arrays.copyOf(where, to);
        runs = Arrays.copyOf(runs, to);
        weights = Arrays.copyOf(weights, to);
        isNew = Arrays.copyOf(isNew, to);
        Arrays.fill(where, had, to, NOWHERE);
        entities.ensure(to);
        if (estimates != null) {
            estimates.ensure(to);
        }
    }

    /** A task was made: it begins with the load of its weight. */
    void forked(int slot) {
        ensure(slot + 1);
        isNew[slot] = true;
    }

    /** What the events say of a task has changed. */
    void moved(int slot, long ns) {
        if (slot >= where.length) {
            ensure(slot + 1);
        }
        byte state = tasks.state[slot];
        boolean running = state == AuditTasks.RUNNING;
        int weight = weight(tasks, slot);
        int cpu = weight > 0 && (running || state == AuditTasks.QUEUED) ? tasks.cpu[slot] : NOWHERE;
        int before = where[slot];
        if (before == NOWHERE && cpu == NOWHERE) {
            leaveIfElsewhere(slot, state);
            return;
        }
        if (before == cpu && running == runs[slot] && weight == weights[slot]) {
            return;
        }
        if (before != NOWHERE) {
            update(before, ns);
            entities.updateTask(slot, at(before, ns), weights[slot], true, runs[slot]);
        }
        if (before != cpu) {
            if (before != NOWHERE) {
                dequeue(slot, before, cpu == NOWHERE && state != AuditTasks.UNSEEN);
            }
            if (cpu != NOWHERE) {
                enqueue(slot, cpu, weight, ns);
            }
        } else if (weight != weights[slot]) {
            weightOn[cpu] += weight - weights[slot];
            entities.reweigh(slot, weight);
        }
        if (before != NOWHERE && runs[slot]) {
            runningOn[before] = false;
        }
        if (cpu != NOWHERE && running) {
            runningOn[cpu] = true;
        }
        where[slot] = cpu;
        runs[slot] = cpu != NOWHERE && running;
        weights[slot] = weight;
        leaveIfElsewhere(slot, state);
    }

    /** A sleeping task that is on its way to another CPU, or has ended, leaves the average of the CPU where it slept. */
    private void leaveIfElsewhere(int slot, byte state) {
        int queue = entities.queue(slot);
        if (queue != EntityLoads.DETACHED
                && where[slot] == NOWHERE
                && (tasks.cpu[slot] != queue || state == AuditTasks.DEAD)) {
            queues.remove(slot, weights[slot]);
        }
    }

    private void dequeue(int slot, int cpu, boolean sleeps) {
        queues.dequeued(slot, weights[slot]);
        weightOn[cpu] -= weights[slot];
        queuedOn[cpu]--;
        if (estimates != null) {
            estimates.dequeue(cpu, slot);
            if (sleeps) {
                estimates.slept(slot, entities.util(slot), entities.runnable(slot), CAPACITY);
            }
        }
        if (!sleeps) {
            queues.detach(slot, weights[slot]);
        }
    }

    private void enqueue(int slot, int cpu, int weight, long ns) {
        update(cpu, ns);
        int queue = entities.queue(slot);
        if (queue == cpu) {
            entities.updateTask(slot, at(cpu, ns), weights[slot], false, false);
        } else {
            if (queue != EntityLoads.DETACHED) {
                queues.remove(slot, weights[slot]);
            }
            attach(slot, cpu, weight);
        }
        queues.enqueued(slot, weight);
        weightOn[cpu] += weight;
        queuedOn[cpu]++;
        if (estimates != null) {
            estimates.enqueue(cpu, slot);
        }
    }

    private void attach(int slot, int cpu, int weight) {
        if (isNew[slot]) {
            isNew[slot] = false;
            entities.beginTask(slot, weight);
            queues.attachNew(cpu, slot, weight, CAPACITY);
        } else {
            queues.attach(cpu, slot, weight);
        }
    }

    /** Time by which averages of a CPU are taken: never before their last update. */
    private long at(int cpu, long ns) {
        return Math.max(ns, updated[cpu]);
    }

    private void update(int cpu, long ns) {
        long now = at(cpu, ns);
        updated[cpu] = now;
        queues.update(cpu, now, weightOn[cpu], queuedOn[cpu], runningOn[cpu]);
    }

    /** Brings a busy CPU up to its last tick before {@code ns}; an idle one has none. */
    void tick(int cpu, int currentSlot, long ns) {
        long tick = ns - ns % TICK_NS;
        if (currentSlot <= 0 || tick <= updated[cpu]) {
            return;
        }
        update(cpu, tick);
        if (currentSlot < where.length && where[currentSlot] == cpu) {
            entities.updateTask(currentSlot, tick, weights[currentSlot], true, true);
        }
    }

    /** Brings a CPU up to date, as balancing does on behalf of idle ones. */
    void balance(int cpu, long ns) {
        update(cpu, ns);
    }

    /** Load average of a CPU as of its last update. */
    long load(int cpu) {
        return queues.load(cpu);
    }

    /** Load average of what is queued there; 0 in eras that do not keep it. */
    long runnableLoad(int cpu) {
        return keepsRunnableLoad ? queues.runnableLoad(cpu) : 0;
    }

    long runnable(int cpu) {
        return queues.runnable(cpu);
    }

    long util(int cpu) {
        return queues.util(cpu);
    }

    long utilEst(int cpu) {
        return estimates == null ? 0 : estimates.ofQueue(cpu);
    }

    /** What the task is expected to want, out of 1024. */
    long taskUtil(int slot) {
        if (slot >= where.length) {
            return 0;
        }
        return Math.max(entities.util(slot), estimates == null ? 0 : estimates.estimate(slot));
    }

    /** Load of a task as its part of the load of the CPU that it is or last was on, worked out once a tick. */
    long taskLoad(int slot, long ns) {
        if (slot <= 0 || slot >= where.length || entities.queue(slot) == EntityLoads.DETACHED) {
            return 0;
        }
        int queue = entities.queue(slot);
        long load = queues.load(queue);
        parts.root(queue, ns / TICK_NS, load);
        return parts.task(queue, entities.load(slot), load);
    }

    /** Weight of a fair task, nice 0 = 1024; 0 for others. */
    static int weight(AuditTasks tasks, int slot) {
        int prio = tasks.prio[slot] < 0 ? NICE_0_PRIO : tasks.prio[slot];
        return prio >= LOWEST_FAIR_PRIO && prio <= HIGHEST_FAIR_PRIO ? LoadWeights.ofNice(prio - NICE_0_PRIO) : 0;
    }

    private static final int NICE_0_PRIO = 120;
    private static final int LOWEST_FAIR_PRIO = 100;
    private static final int HIGHEST_FAIR_PRIO = 139;
}
