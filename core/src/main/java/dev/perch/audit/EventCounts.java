package dev.perch.audit;

import java.util.LinkedHashMap;
import java.util.Map;

/** How many events of each kind a recording has. */
public final class EventCounts {
    long switches;
    long waking;
    long wakeup;
    long wakeupNew;
    long migrate;
    long fork;
    long exec;
    long exit;
    long free;
    long wakeIdleWithoutIpi;
    long idle;
    long frequency;
    long ipiSent;
    long rescheduleIpi;
    long callFunctionIpi;
    long runtime;
    /** Events that the recording says it lacks; those of unknown number count once. */
    long lost;
    /** Times at which a CPU ran another task than its last switch said: events are missing that nothing announces. */
    long gaps;

    public long switches() {
        return switches;
    }

    public long waking() {
        return waking;
    }

    public long wakeup() {
        return wakeup;
    }

    public long migrate() {
        return migrate;
    }

    public long lost() {
        return lost;
    }

    public long gaps() {
        return gaps;
    }

    /** Whether the recording tells when CPUs enter and leave idle states. */
    public boolean hasIdle() {
        return idle > 0;
    }

    /** Whether the recording tells of interrupts between CPUs. */
    public boolean hasIpis() {
        return ipiSent + rescheduleIpi + callFunctionIpi > 0;
    }

    /** Interrupts between CPUs: as sent if that is recorded, else as handled. */
    public long ipis() {
        return ipiSent > 0 ? ipiSent : rescheduleIpi + callFunctionIpi;
    }

    /** By the names used in JSON, in a fixed order. */
    public Map<String, Long> byName() {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("switch", switches);
        counts.put("waking", waking);
        counts.put("wakeup", wakeup);
        counts.put("wakeup_new", wakeupNew);
        counts.put("migrate", migrate);
        counts.put("fork", fork);
        counts.put("exec", exec);
        counts.put("exit", exit);
        counts.put("free", free);
        counts.put("wake_idle_without_ipi", wakeIdleWithoutIpi);
        counts.put("cpu_idle", idle);
        counts.put("cpu_frequency", frequency);
        counts.put("ipi_send", ipiSent);
        counts.put("reschedule_ipi", rescheduleIpi);
        counts.put("call_function_ipi", callFunctionIpi);
        counts.put("stat_runtime", runtime);
        return counts;
    }
}
