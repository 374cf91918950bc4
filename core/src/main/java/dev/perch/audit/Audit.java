package dev.perch.audit;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.Topology;
import org.jspecify.annotations.Nullable;

/**
 * The audit of one recording: give {@link #events} to whatever produces them, then ask {@link #finish} for the results.
 *
 * <p>Streams: its memory depends on the number of tasks, CPUs and pairs, not on the number of events.
 */
public final class Audit {
    private final AuditOptions options;
    private final EventCounts counts = new EventCounts();
    private final AuditCpus cpus = new AuditCpus();
    private final AuditTasks tasks;
    private final SystemMeter meter;
    private final WakeupTotals totals;
    private final Pairs pairs;
    private final WakeupTracker tracker;
    private final AuditState state;
    private final @Nullable CrossingCost crossing;

    /** @param names filled by the reader of the recording */
    public Audit(AuditOptions options, TaskNames names) {
        this.options = options;
        Topology topology = options.topology();
        crossing = topology == null || options.model() == null ? null : new CrossingCost(topology, options.model());
        tasks = new AuditTasks(names, options.affinity());
        meter = new SystemMeter(options, tasks, cpus);
        totals = new WakeupTotals(topology);
        pairs = new Pairs(topology);
        tracker = new WakeupTracker(tasks, cpus, counts, new Judge(topology, crossing, tasks));
        state = new AuditState(
                tasks,
                cpus,
                counts,
                tracker,
                meter,
                topology == null ? Integer.MAX_VALUE : topology.cpuCount(),
                options.machineName());
        tracker.add(filtered(totals));
        tracker.add(filtered(pairs));
    }

    /** Also gives every reported wakeup to {@code consumer}; to be called before the first event. */
    public void addConsumer(WakeupConsumer consumer) {
        tracker.add(filtered(consumer));
    }

    private WakeupConsumer filtered(WakeupConsumer consumer) {
        boolean all = options.comm().isEmpty()
                && options.pid() < 0
                && options.from().equals(AuditOptions.Moment.START)
                && options.to().equals(AuditOptions.Moment.END);
        return all
                ? consumer
                : wakeup -> {
                    if (isReported(wakeup)) {
                        consumer.wakeup(wakeup);
                    }
                };
    }

    private boolean isReported(Wakeup wakeup) {
        if (!meter.reported(wakeup.ns)) {
            return false;
        }
        if (options.pid() >= 0 && wakeup.wakeePid != options.pid() && wakeup.wakerPid != options.pid()) {
            return false;
        }
        return options.comm().isEmpty()
                || tasks.name(wakeup.wakeeSlot).equals(options.comm())
                || wakeup.wakerSlot > 0 && tasks.name(wakeup.wakerSlot).equals(options.comm());
    }

    /** Where the recording's events go, in their order. */
    public SchedEvents events() {
        return state;
    }

    /** The tasks as known so far; slots of wakeups lead here. */
    public AuditTasks tasks() {
        return tasks;
    }

    /** How many tasks run or wait on {@code cpu} by what has been seen so far; −1 if nothing has, or not since events were lost. */
    public int runqueueLength(int cpu) {
        return cpu >= 0 && cpu < cpus.size() ? cpus.runqueueLength(cpu) : -1;
    }

    AuditCpus cpus() {
        return cpus;
    }

    WakeupTracker tracker() {
        return tracker;
    }

    SystemMeter meter() {
        return meter;
    }

    EventCounts counts() {
        return counts;
    }

    void listenWith(StateListener listener) {
        state.listenWith(listener);
    }

    void listenWith(QueueListener listener) {
        state.listenWith(listener);
    }

    /** The recording is over. */
    public AuditResult finish() {
        state.finish();
        return new AuditResult(
                options, counts, tasks, cpus, meter, totals, pairs, crossing == null ? -1 : crossing.sameCpuNs());
    }
}
