package dev.perch.audit;

/** What each CPU did at one moment; reused. */
final class CpuSnapshot {
    int size;
    int[] current = new int[0];
    int[] queued = new int[0];
    int[] pending = new int[0];
    int[] idleState = new int[0];
    long[] idleSince = new long[0];

    void take(AuditCpus cpus) {
        size = cpus.size();
        if (current.length < size) {
            current = new int[size];
            queued = new int[size];
            pending = new int[size];
            idleState = new int[size];
            idleSince = new long[size];
        }
        System.arraycopy(cpus.current, 0, current, 0, size);
        System.arraycopy(cpus.queued, 0, queued, 0, size);
        System.arraycopy(cpus.pending, 0, pending, 0, size);
        System.arraycopy(cpus.idleState, 0, idleState, 0, size);
        System.arraycopy(cpus.idleSince, 0, idleSince, 0, size);
    }

    boolean knows(int cpu) {
        return cpu < size && current[cpu] != AuditCpus.NOBODY_KNOWN;
    }
}
