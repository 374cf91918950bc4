package dev.perch.kernel.fair;

/**
 * The weighted average of the virtual runtimes on a queue, by which it is known who is owed time ({@code avg_vruntime}, {@code
 * entity_eligible} of Linux 6.6 to 6.18; spec: scheduler.md 2.3).
 *
 * <p>Kept as a sum of distances from a reference, weighted, so that an entity's eligibility is exact. Where the reference lies never shows.
 * Virtual times wrap; those of one queue must lie near each other: distance times summed weight must fit in 63 bits.
 */
final class VirtualAverage {
    private long reference;
    private long sum;
    private long load;

    VirtualAverage(long reference) {
        this.reference = reference;
    }

    void add(long vruntime, int weight) {
        sum += (vruntime - reference) * weight;
        load += weight;
    }

    void remove(long vruntime, int weight) {
        sum -= (vruntime - reference) * weight;
        load -= weight;
    }

    /** Summed weight of what was added. */
    long load() {
        return load;
    }

    /** Moves the reference, which keeps the sum small. */
    void moveReference(long to) {
        sum -= (to - reference) * load;
        reference = to;
    }

    /** The average, rounded down; of nothing, the reference. */
    long value() {
        return load == 0 ? reference : reference + Math.floorDiv(sum, load);
    }

    /** Whether a virtual runtime is not after the exact average. */
    boolean isEligible(long vruntime) {
        return sum >= (vruntime - reference) * load;
    }
}
