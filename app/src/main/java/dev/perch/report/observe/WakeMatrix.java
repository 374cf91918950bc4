package dev.perch.report.observe;

import dev.perch.audit.Wakeup;
import dev.perch.audit.WakeupConsumer;
import dev.perch.model.CpuMask;
import java.util.Arrays;

/**
 * Counts wakeups by the CPU on which the waker ran and the CPU on which the wakee was put.
 *
 * <p>Its memory is the square of the number of CPUs that were seen; nothing is allocated for a wakeup otherwise. Limitation: CPUs from
 * {@value #MOST_CPUS} on are counted as unknown.
 */
public final class WakeMatrix implements WakeupConsumer {
    private static final int MOST_CPUS = 2048;

    private int size = 8;
    private long[] counts = new long[size * size];
    private long total;
    private long unknown;

    @Override
    public void wakeup(Wakeup wakeup) {
        add(wakeup.thisCpu(), wakeup.chosenCpu());
    }

    /** One wakeup; −1 for a CPU that is not known. */
    void add(int from, int to) {
        if (from < 0 || to < 0 || from >= MOST_CPUS || to >= MOST_CPUS) {
            unknown++;
            return;
        }
        if (Math.max(from, to) >= size) {
            grow(Math.max(from, to));
        }
        counts[from * size + to]++;
        total++;
    }

    private void grow(int cpu) {
        int wider = Integer.highestOneBit(cpu) * 2;
        long[] old = counts;
        counts = new long[wider * wider];
        for (int from = 0; from < size; from++) {
            System.arraycopy(old, from * size, counts, from * wider, size);
        }
        size = wider;
    }

    /** Wakeups from one CPU to another. */
    public long count(int from, int to) {
        return from < size && to < size ? counts[from * size + to] : 0;
    }

    /** Wakeups both of whose CPUs are known. */
    public long total() {
        return total;
    }

    /** Wakeups of which a CPU is not known. */
    public long unknown() {
        return unknown;
    }

    /** CPUs from which or to which there was a wakeup. */
    public CpuMask cpus() {
        int[] found = new int[size];
        int many = 0;
        for (int cpu = 0; cpu < size; cpu++) {
            if (isUsed(cpu)) {
                found[many++] = cpu;
            }
        }
        return CpuMask.of(Arrays.copyOf(found, many));
    }

    private boolean isUsed(int cpu) {
        for (int other = 0; other < size; other++) {
            if (counts[cpu * size + other] > 0 || counts[other * size + cpu] > 0) {
                return true;
            }
        }
        return false;
    }
}
