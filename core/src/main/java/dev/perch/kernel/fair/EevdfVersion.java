package dev.perch.kernel.fair;

/**
 * The steps in which EEVDF changed (spec: scheduler.md 2). Each constant is named by the first kernel that has it; 6.12 is a late
 * release of the stable series, 6.18 is 6.18.2.
 */
enum EevdfVersion {
    V6_6("6.6", 750_000),
    /** Delayed dequeue, tasks with slices of their own, relative deadlines, ties between deadlines go to the waiting task. */
    V6_12("6.12", 700_000),
    /** Protection until the shortest slice on the queue is used; a change of weight places anew. */
    V6_18("6.18", 700_000);

    private final String id;
    private final long baseSlice;

    EevdfVersion(String id, long baseSlice) {
        this.id = id;
        this.baseSlice = baseSlice;
    }

    String id() {
        return id;
    }

    /** The base slice on one CPU, ns. */
    long unscaledBaseSlice() {
        return baseSlice;
    }

    boolean since(EevdfVersion first) {
        return compareTo(first) >= 0;
    }
}
