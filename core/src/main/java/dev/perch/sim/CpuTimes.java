package dev.perch.sim;

/**
 * Wall and idle time of each CPU as a frequency governor gets them (spec scheduler.md 6.2, idle accounting): with dynamic ticks from time
 * stamps of the idle loop, in µs; without them from ticks, each of which charges its whole period to what it hits.
 */
final class CpuTimes {
    private final Run run;
    private final boolean microAccounting;
    private final long[] busyTicks;

    CpuTimes(Run run) {
        this.run = run;
        microAccounting = run.settings.nohz();
        busyTicks = new long[run.cpuCount];
    }

    /** A tick of a CPU; to be called before the CPU's times are read at it. */
    void tick(int cpu) {
        if (!run.cpus.isIdle(cpu)) {
            busyTicks[cpu]++;
        }
    }

    /** µs since the start of the run. */
    long wallUs() {
        return microAccounting ? run.now / 1000 : ticksUs();
    }

    /** The idle part of that. */
    long idleUs(int cpu) {
        return microAccounting
                ? run.idling.idleNs(cpu) / 1000
                : ticksUs() - busyTicks[cpu] * run.interrupts.jiffyNs() / 1000;
    }

    private long ticksUs() {
        return (run.interrupts.jiffies() - 2) * run.interrupts.jiffyNs() / 1000;
    }
}
