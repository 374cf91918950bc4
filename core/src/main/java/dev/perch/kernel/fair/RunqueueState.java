package dev.perch.kernel.fair;

/**
 * What all levels of a CPU's runqueue share: its clock and the request that the running task give way ({@code rq->clock}, {@code
 * TIF_NEED_RESCHED} of the running task; spec: scheduler.md 1.1).
 *
 * <p>A wakeup that preempts has taken the time for the switch that follows. Until 4.7 every reading of the clock is skipped from then
 * to the switch, later only those from the beginning of the switch to its end, newly-idle balancing included.
 */
final class RunqueueState {
    final int cpu;
    private final boolean skipsOnlyAtSwitch;
    private long clock;
    private boolean skip;
    /** The switch for which readings are skipped has begun. */
    private boolean switching;

    private boolean pending;
    private boolean unsignalled;

    RunqueueState(int cpu, boolean skipsOnlyAtSwitch) {
        this.cpu = cpu;
        this.skipsOnlyAtSwitch = skipsOnlyAtSwitch;
    }

    long clock() {
        return clock;
    }

    void refresh(long now) {
        if (!skip || skipsOnlyAtSwitch && !switching) {
            take(now);
        }
    }

    void refreshForSwitch(long now) {
        if (!skip) {
            take(now);
        }
        switching = true;
    }

    private void take(long now) {
        if (now < clock) {
            throw new IllegalStateException("clock of CPU " + cpu + " goes back from " + clock + " to " + now);
        }
        clock = now;
    }

    /** The switch that follows is charged with the present time. */
    void skipClockUpdate() {
        skip = true;
    }

    boolean isPending() {
        return pending;
    }

    /** @return whether that was not yet pending */
    boolean requestReschedule() {
        boolean fresh = !pending;
        pending = true;
        unsignalled |= fresh;
        return fresh;
    }

    /** Whether a reschedule was requested that nobody was told of; it counts as told then. */
    boolean takeSignal() {
        boolean fresh = unsignalled;
        unsignalled = false;
        return fresh;
    }

    /** The switch is done. */
    void switched() {
        pending = false;
        unsignalled = false;
        skip = false;
        switching = false;
    }
}
