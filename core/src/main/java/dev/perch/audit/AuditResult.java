package dev.perch.audit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What an audit found.
 *
 * @param switchNs what switching to a wakee on the waker's own CPU costs on the machine, −1 if its costs are not known
 */
public record AuditResult(
        AuditOptions options,
        EventCounts counts,
        AuditTasks tasks,
        AuditCpus cpus,
        SystemMeter system,
        WakeupTotals wakeups,
        Pairs pairs,
        long switchNs) {

    /** How many CPUs: the machine's, or those seen. */
    public int cpuCount() {
        return options.topology() == null
                ? cpus.seen.count()
                : options.topology().cpuCount();
    }

    /** Every task that ran or was woken, longest run time first. */
    public List<TaskRow> taskRows() {
        List<TaskRow> rows = new ArrayList<>();
        for (int slot = 1; slot < tasks.size(); slot++) {
            if (tasks.switchesIn[slot] > 0 || tasks.runNs[slot] > 0 || tasks.wakeups[slot] > 0) {
                rows.add(row(slot));
            }
        }
        rows.sort(Comparator.comparingLong(TaskRow::runNs).reversed().thenComparingInt(TaskRow::pid));
        return rows;
    }

    private TaskRow row(int slot) {
        long delays = tasks.delays[slot];
        return new TaskRow(
                tasks.pid[slot],
                tasks.name(slot),
                tasks.prio[slot],
                tasks.runNs[slot],
                tasks.switchesIn[slot],
                tasks.wakeups[slot],
                delays,
                tasks.delaySumNs[slot],
                delays == 0 ? -1 : tasks.delaySumNs[slot] / delays,
                tasks.delayMaxNs[slot],
                tasks.preemptions[slot],
                tasks.preemptedNs[slot],
                tasks.preemptedMaxNs[slot],
                tasks.offCpuNs[slot],
                tasks.migrations[slot],
                tasks.seenOn[slot].toMask().toString(),
                tasks.cutOff[slot]);
    }

    /** Every CPU seen, by number. */
    public List<CpuRow> cpuRows() {
        List<CpuRow> rows = new ArrayList<>();
        for (int cpu = cpus.seen.next(0); cpu >= 0; cpu = cpus.seen.next(cpu + 1)) {
            long duration = system.durationNs();
            rows.add(new CpuRow(
                    cpu,
                    cpus.busyNs[cpu],
                    duration == 0 ? 0 : (double) cpus.busyNs[cpu] / duration,
                    cpus.switches[cpu]));
        }
        return rows;
    }

    /** Waits that the end of the recording cut off. */
    public long waitsCutAtEnd() {
        long count = 0;
        for (int slot = 1; slot < tasks.size(); slot++) {
            count += tasks.cutOff[slot] ? 1 : 0;
        }
        return count;
    }

    /**
     * One task.
     *
     * @param prio as recorded, −1 if it is not
     * @param runNs time on a CPU between switches that were seen
     * @param delays waits from a wakeup to running
     * @param delayMeanNs their mean, −1 if there were none
     * @param preemptions waits after having given way
     * @param preemptedNs their sum
     * @param preemptedMaxNs the longest, 0 if there were none
     * @param offCpuNs sleeping and waiting together
     * @param seenOn CPUs it was seen on
     * @param cutOff whether it was waiting when the recording ended
     */
    public record TaskRow(
            int pid,
            String name,
            int prio,
            long runNs,
            long switchesIn,
            long wakeups,
            long delays,
            long delaySumNs,
            long delayMeanNs,
            long delayMaxNs,
            long preemptions,
            long preemptedNs,
            long preemptedMaxNs,
            long offCpuNs,
            long migrations,
            String seenOn,
            boolean cutOff) {}

    /** One CPU: how long it ran tasks, and which share of the time that is. */
    public record CpuRow(int cpu, long busyNs, double utilisation, long switches) {}
}
