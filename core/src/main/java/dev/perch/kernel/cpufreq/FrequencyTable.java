package dev.perch.kernel.cpufreq;

/**
 * The frequencies a policy may request (spec: scheduler.md 6.1; {@code cpufreq_frequency_table_target} of Linux 3.2, and of 6.12 for an
 * ascending table). Immutable.
 */
public final class FrequencyTable {
    private final int[] khz;

    /**
     * @param ascendingKhz at least one entry, ascending, all greater than 0
     */
    public FrequencyTable(int[] ascendingKhz) {
        khz = ascendingKhz.clone();
        int previous = 0;
        for (int entry : khz) {
            if (entry <= previous) {
                throw new IllegalArgumentException("frequencies must ascend: " + entry + " after " + previous);
            }
            previous = entry;
        }
        if (khz.length == 0) {
            throw new IllegalArgumentException("a frequency table has at least one entry");
        }
    }

    public int lowest() {
        return khz[0];
    }

    public int highest() {
        return khz[khz.length - 1];
    }

    /** The entry that stands for {@code target} kHz; targets outside the table take its first or last entry. */
    public int find(long target, Relation relation) {
        return switch (relation) {
            case L -> atLeast(target);
            case H -> atMost(target);
            case C -> closest(target);
        };
    }

    private int closest(long target) {
        int below = atMost(target);
        int above = atLeast(target);
        return above - target < target - below ? above : below;
    }

    /** The lowest entry that is at least {@code target} kHz, or else the highest of all ({@code CPUFREQ_RELATION_L}). */
    public int atLeast(long target) {
        for (int entry : khz) {
            if (entry >= target) {
                return entry;
            }
        }
        return highest();
    }

    /** The highest entry that is at most {@code target} kHz, or else the lowest of all ({@code CPUFREQ_RELATION_H}). */
    public int atMost(long target) {
        for (int i = khz.length - 1; i >= 0; i--) {
            if (khz[i] <= target) {
                return khz[i];
            }
        }
        return lowest();
    }
}
