package dev.perch.audit;

import dev.perch.model.Distance;
import dev.perch.model.Topology;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Sums over the reported interval that need no wakeup: time, utilisation, waits, work conservation, migrations.
 *
 * <p>Idle-while-queued time is the time in which some CPU was idle while another had a task waiting behind the running one.
 */
public final class SystemMeter {
    private final @Nullable Topology topology;
    private final AuditTasks tasks;
    private final AuditCpus cpus;
    private final AuditOptions.Moment from;
    private final AuditOptions.Moment to;
    private long fromNs = Long.MIN_VALUE;
    private long toNs = Long.MAX_VALUE;

    private final Histogram runDelays = new Histogram(3);
    private final long[] migrations = new long[Distance.all().length];
    private long migrationsUnknown;
    private long firstNs = -1;
    private long nowNs;
    private long idleWhileQueuedNs;
    private long wastedNs;
    private long waitsCutAtStart;

    SystemMeter(AuditOptions options, AuditTasks tasks, AuditCpus cpus) {
        this.topology = options.topology();
        this.tasks = tasks;
        this.cpus = cpus;
        from = options.from();
        to = options.to();
    }

    /** Time goes on to {@code ns}; what was the case until then is accounted for. */
    void advance(long ns) {
        if (firstNs < 0) {
            firstNs = ns;
            nowNs = ns;
            fromNs = from.in(ns);
            toNs = to.in(ns);
            return;
        }
        if (ns <= nowNs) {
            return;
        }
        int waiting = cpus.waitingCount();
        int idle = cpus.idleCount();
        if (waiting > 0 && idle > 0) {
            long passed = within(nowNs, ns);
            idleWhileQueuedNs += passed;
            wastedNs += passed * Math.min(waiting, idle);
        }
        nowNs = ns;
    }

    private long within(long from, long to) {
        return Math.max(0, Math.min(to, toNs) - Math.max(from, fromNs));
    }

    /** Whether {@code ns} lies in the reported interval. */
    boolean reported(long ns) {
        return ns >= fromNs && ns < toNs;
    }

    long now() {
        return nowNs;
    }

    void ranFor(int slot, int cpu, long since, long ns) {
        long ran = within(since, ns);
        tasks.runNs[slot] += ran;
        cpus.busyNs[cpu] += ran;
    }

    void entered(int slot, long ns) {
        if (reported(ns)) {
            tasks.switchesIn[slot]++;
        }
    }

    void waited(int slot, long since, long ns, boolean byWakeup) {
        if (!reported(ns)) {
            return;
        }
        long delay = ns - since;
        runDelays.recordValue(delay);
        if (byWakeup) {
            tasks.delays[slot]++;
            tasks.delaySumNs[slot] += delay;
            tasks.delayMaxNs[slot] = Math.max(tasks.delayMaxNs[slot], delay);
        } else {
            tasks.preemptions[slot]++;
            tasks.preemptedNs[slot] += delay;
            tasks.preemptedMaxNs[slot] = Math.max(tasks.preemptedMaxNs[slot], delay);
        }
    }

    void offCpu(int slot, long since, long ns) {
        if (reported(ns)) {
            tasks.offCpuNs[slot] += ns - since;
        }
    }

    void woken(int slot, long ns) {
        if (reported(ns)) {
            tasks.wakeups[slot]++;
        }
    }

    void cutAtStart() {
        waitsCutAtStart++;
    }

    void migrated(int slot, int from, int to, long ns) {
        if (!reported(ns)) {
            return;
        }
        tasks.migrations[slot]++;
        if (topology == null || from < 0) {
            migrationsUnknown++;
        } else {
            migrations[topology.distance(from, to).ordinal()]++;
        }
    }

    /** Length of the reported interval: between the first and the last event in it, ns. */
    public long durationNs() {
        return firstNs < 0 ? 0 : within(firstNs, nowNs);
    }

    /** Time of the first event, −1 if there is none. */
    public long firstNs() {
        return firstNs;
    }

    /** Time of the last event. */
    public long lastNs() {
        return nowNs;
    }

    /** Waits from being runnable to running, after wakeups and after having given way, ns. */
    public Histogram runDelays() {
        return runDelays;
    }

    /** Changes of CPU by {@link Distance} ordinal. */
    public long migrations(Distance distance) {
        return migrations[distance.ordinal()];
    }

    /** Changes of CPU whose distance is not known. */
    public long migrationsUnknown() {
        return migrationsUnknown;
    }

    /** Time in which a CPU was idle while a task waited behind another, ns. */
    public long idleWhileQueuedNs() {
        return idleWhileQueuedNs;
    }

    /** CPU time that this wasted: the same, times the number of CPUs that could have run a waiting task, ns. */
    public long wastedNs() {
        return wastedNs;
    }

    /** Waits whose beginning lies before the start of the recording. */
    public long waitsCutAtStart() {
        return waitsCutAtStart;
    }
}
