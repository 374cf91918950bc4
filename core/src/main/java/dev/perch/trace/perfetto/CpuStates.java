package dev.perch.trace.perfetto;

import dev.perch.model.CpuMask;
import java.util.Arrays;

/** What is known of each CPU between two bundles of its events: who runs, and when the last event was. */
final class CpuStates {
    static final int NOBODY_KNOWN = -1;

    private int[] running = new int[64];
    private int[] prio = new int[64];
    private long[] lastNs = new long[64];

    CpuStates() {
        Arrays.fill(running, NOBODY_KNOWN);
        Arrays.fill(prio, -1);
        Arrays.fill(lastNs, Long.MIN_VALUE);
    }

    /** Makes room for {@code cpu}. */
    void reach(int cpu) {
        int length = running.length;
        if (cpu >= length) {
            int grown = Math.min(CpuMask.MAX_CPUS, Math.max(cpu + 1, length * 2));
            running = Arrays.copyOf(running, grown);
            prio = Arrays.copyOf(prio, grown);
            lastNs = Arrays.copyOf(lastNs, grown);
            Arrays.fill(running, length, grown, NOBODY_KNOWN);
            Arrays.fill(prio, length, grown, -1);
            Arrays.fill(lastNs, length, grown, Long.MIN_VALUE);
        }
    }

    void runs(int cpu, int pid, int itsPrio) {
        running[cpu] = pid;
        prio[cpu] = itsPrio;
    }

    /** Events of {@code cpu} were lost. */
    void forget(int cpu) {
        runs(cpu, NOBODY_KNOWN, -1);
    }

    int running(int cpu) {
        return running[cpu];
    }

    int runningPrio(int cpu) {
        return prio[cpu];
    }

    void happened(int cpu, long ns) {
        lastNs[cpu] = Math.max(lastNs[cpu], ns);
    }

    /** Time of the last event, {@link Long#MIN_VALUE} if there was none. */
    long lastNs(int cpu) {
        return lastNs[cpu];
    }
}
