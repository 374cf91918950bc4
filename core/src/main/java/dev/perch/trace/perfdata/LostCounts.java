package dev.perch.trace.perfdata;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a perf.data tells of lost events, CPU by CPU. It does so twice: with PERF_RECORD_LOST the kernel tells of a gap as soon as there is
 * room again; with PERF_RECORD_LOST_SAMPLES perf tells at its end how many samples each event lost in all. What only the second tells was
 * lost after the last event that found room.
 *
 * <p>Source: include/uapi/linux/perf_event.h (both records); {@code record__read_lost_samples} in tools/perf/builtin-record.c (perf 6.1 and
 * later).
 */
final class LostCounts {
    /** The CPU of a record that does not tell it. */
    static final int NO_CPU = -1;

    private final SortedMap<Integer, Long> told = new TreeMap<>();
    private final SortedMap<Integer, Long> counted = new TreeMap<>();

    /** A gap. */
    void tell(int cpu, long events) {
        told.merge(cpu, events, Long::sum);
    }

    /** Events of gaps that tell no CPU. */
    long withoutCpu() {
        return told.getOrDefault(NO_CPU, 0L);
    }

    /** Samples of an event, in all. */
    void count(int cpu, long events) {
        counted.merge(cpu, events, Long::sum);
    }

    /** Events that were counted, but of which no gap tells, by CPU. */
    SortedMap<Integer, Long> untold() {
        SortedMap<Integer, Long> untold = new TreeMap<>();
        counted.forEach((cpu, events) -> {
            // A gap without a CPU can be any of them.
            long known = cpu == NO_CPU ? sum(told) : told.getOrDefault(cpu, 0L) + told.getOrDefault(NO_CPU, 0L);
            if (events > known) {
                untold.put(cpu, events - known);
            }
        });
        return untold;
    }

    private static long sum(SortedMap<Integer, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
