package dev.perch.kernel.cpufreq;

/**
 * What a CPU's tasks and interrupts demand of its clock, out of its capacity (spec: scheduler.md 6.7; {@code effective_cpu_util} of
 * Linux 5.16 and 6.12 with {@code sugov_effective_cpu_perf}). A mutable bag of numbers that is filled anew for every choice.
 *
 * <p>In the end the demand contains the headroom of a quarter that schedutil leaves.
 */
public final class CpuDemand {
    /** Capacity of the CPU, 1 to 1024. */
    public int capacity = 1024;
    /** Utilisation by fair tasks, their estimates included; in 6.12 the larger of utilisation and runnable average. */
    public int fair;
    /** Utilisation by real-time tasks. */
    public int realTime;
    /** Utilisation by deadline tasks. */
    public int deadline;
    /** Utilisation by interrupts. */
    public int interrupts;
    /** Bandwidth that deadline tasks have reserved. */
    public int deadlineBandwidth;
    /** A real-time task is runnable. */
    public boolean realTimeRunnable;
    /** Whether the kernel has utilisation clamps: then a runnable real-time task does not mean all there is. */
    public boolean clamped;
    /** The largest lower clamp of the queued tasks. */
    public int clampMin;
    /** The largest upper clamp of the queued tasks. */
    public int clampMax = 1024;
    /** What the tasks that waited for input or output ask for. */
    public int iowaitBoost;

    /** The demand with headroom in the given form; may exceed the capacity. */
    int withHeadroom(Schedutil.Form form) {
        return switch (form) {
            case V5_16 -> {
                int utilisation = Math.max(utilisation(), iowaitBoost);
                yield utilisation + (utilisation >> 2);
            }
            case V6_12 -> effective();
        };
    }

    /** Whether an upper clamp is in effect. */
    boolean isCapped() {
        return clampMax < capacity;
    }

    private int utilisation() {
        if (!clamped && realTimeRunnable || interrupts >= capacity) {
            return capacity;
        }
        int utilisation = Math.max(clampMin, Math.min(fair + realTime, clampMax));
        if (utilisation + deadline >= capacity) {
            return capacity;
        }
        return Math.min(capacity, besidesInterrupts(utilisation) + deadlineBandwidth);
    }

    private int besidesInterrupts(int utilisation) {
        return interrupts + (int) ((long) (capacity - interrupts) * utilisation / capacity);
    }

    private int effective() {
        if (interrupts >= capacity) {
            return capacity;
        }
        int utilisation = fair + realTime + deadline;
        int actual = utilisation >= capacity ? capacity : Math.min(capacity, besidesInterrupts(utilisation));
        int least = Math.max(interrupts + deadlineBandwidth, clampMin);
        if (!clamped && realTimeRunnable) {
            least = Math.max(least, capacity);
        }
        actual = Math.max(actual, iowaitBoost);
        int most = Math.min(capacity, clampMax);
        return Math.max(least, Math.min(most, actual + (actual >> 2)));
    }
}
