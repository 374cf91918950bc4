package dev.perch.sim;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskState;

/** A hash over the events that a run emits, their times and their order: equal for equal streams. */
final class EventDigest implements SchedEvents {
    private long hash = 0xCBF29CE484222325L;

    private void add(long kind, long ns, long a, long b) {
        long x = (hash ^ ns) * 0x9E3779B97F4A7C15L;
        x = (x ^ x >>> 29 ^ kind << 58 ^ a << 29 ^ b) * 0xBF58476D1CE4E5B9L;
        hash = x ^ x >>> 32;
    }

    long value() {
        return hash;
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        add(1, ns, (long) cpu << 4 | prevState.ordinal(), (long) prev << 24 ^ next);
    }

    @Override
    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
        add(2, ns, (long) cpu << 14 | prevCpu, (long) current << 24 ^ wakee);
    }

    @Override
    public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        add(3, ns, (long) cpu << 14 | targetCpu, (long) current << 24 ^ wakee);
    }

    @Override
    public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        add(4, ns, (long) cpu << 14 | targetCpu, wakee);
    }

    @Override
    public void migrated(long ns, int cpu, int current, int task, int prio, int fromCpu, int toCpu) {
        add(5, ns, (long) fromCpu << 14 | toCpu, (long) task << 14 ^ cpu);
    }

    @Override
    public void idle(long ns, int cpu, int state) {
        add(6, ns, cpu, state);
    }

    @Override
    public void frequency(long ns, int cpu, int khz) {
        add(7, ns, cpu, khz);
    }

    @Override
    public void ipiSent(long ns, int cpu, int targetCpu) {
        add(8, ns, cpu, targetCpu);
    }

    @Override
    public void rescheduleIpi(long ns, int cpu) {
        add(9, ns, cpu, 0);
    }

    @Override
    public void forked(long ns, int cpu, int parent, int child) {
        add(10, ns, cpu, (long) parent << 24 ^ child);
    }

    @Override
    public void exited(long ns, int cpu, int pid, int prio) {
        add(11, ns, cpu, pid);
    }
}
