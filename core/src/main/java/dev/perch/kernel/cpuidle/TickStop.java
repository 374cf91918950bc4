package dev.perch.kernel.cpuidle;

import dev.perch.model.InputException;
import java.util.Arrays;

/**
 * When a CPU that goes idle stops its tick, if dynamic ticks are in use (spec: scheduler.md 5.8; {@code tick_nohz_stop_sched_tick} of Linux
 * 3.2, {@code tick_nohz_idle_stop_tick} of 5.16). In any form it goes on if the next timer is not more than a tick away. Times are ns.
 *
 * <p>Limitation: the text of the throttling patch was not read; it is taken to refuse a CPU whose last attempt is less than half a tick
 * ago, as a change of 2010 by the same author did.
 */
public final class TickStop {
    private static final long NEVER = Long.MIN_VALUE / 2;

    private final boolean asksGovernor;
    private final boolean throttled;
    private final long tickNs;
    private final long[] lastAttempt;

    private TickStop(boolean asksGovernor, boolean throttled, int cpus, long tickNs) {
        this.asksGovernor = asksGovernor;
        this.throttled = throttled;
        this.tickNs = tickNs;
        lastAttempt = new long[cpus];
        Arrays.fill(lastAttempt, NEVER);
    }

    /**
     * The rules that a kernel file names under {@code tick-stop}.
     *
     * @param id {@code every-entry} (until 4.16), {@code throttled} (the same with the patch throttle-nohz), {@code governor}
     * @param tickNs a tick period, ns
     * @throws InputException if there are none of that name
     */
    public static TickStop named(String id, int cpus, long tickNs) {
        return switch (id) {
            case "every-entry" -> new TickStop(false, false, cpus, tickNs);
            case "throttled" -> new TickStop(false, true, cpus, tickNs);
            case "governor" -> new TickStop(true, false, cpus, tickNs);
            default ->
                throw new InputException(
                        "there are no tick-stop rules '" + id + "'; known are every-entry, throttled, governor");
        };
    }

    /** Whether the tick stops only if the idle governor does not want it kept. */
    public boolean asksGovernor() {
        return asksGovernor;
    }

    /**
     * Whether a CPU that goes idle, or has served an interrupt while idle, may stop its tick.
     *
     * @param timerNs time until its next timer
     */
    public boolean mayStop(int cpu, long now, long timerNs) {
        boolean often = throttled && now - lastAttempt[cpu] < tickNs / 2;
        lastAttempt[cpu] = now;
        return !often && timerNs > tickNs;
    }
}
