package dev.perch.kernel.cpuidle;

import dev.perch.model.IdleState;
import java.util.List;

/**
 * The idle states that a governor chooses from, shallow to deep, as a cpuidle driver lists them (spec: scheduler.md 7.1; {@code struct
 * cpuidle_driver}). Immutable.
 *
 * <p>On x86 the driver puts a state in front in which the CPU spins and watches its flags: exit latency and target residency 0.
 */
public final class IdleStates {
    /** Shortest target residency that bounds the time in the polling state, ns. */
    private static final long LEAST_POLL_LIMIT_NS = 10_000;

    private static final int TICK_FRACTION_POLLED = 16;

    private final boolean polling;
    private final int[] exitUs;
    private final int[] residencyUs;

    /**
     * @param polling state 0 spins
     * @param exitUs exit latency of each state, µs
     * @param residencyUs target residency of each state, µs; as many as latencies, at least one
     */
    public IdleStates(boolean polling, int[] exitUs, int[] residencyUs) {
        if (exitUs.length == 0 || exitUs.length != residencyUs.length) {
            throw new IllegalArgumentException(
                    exitUs.length + " exit latencies, " + residencyUs.length + " residencies");
        }
        this.polling = polling;
        this.exitUs = exitUs.clone();
        this.residencyUs = residencyUs.clone();
    }

    /**
     * The states of a machine.
     *
     * @param states of the machine's file; where the first one is called WFI, as on Arm, no polling state is put in front
     * @param limit how many of them the driver lists, at least 1 ({@code max_cstate})
     */
    public static IdleStates of(List<IdleState> states, int limit) {
        boolean polling = hasPolling(states);
        int first = polling ? 1 : 0;
        int count = first + Math.min(states.size(), limit);
        int[] exitUs = new int[count];
        int[] residencyUs = new int[count];
        for (int state = first; state < count; state++) {
            exitUs[state] = states.get(state - first).exitUs();
            residencyUs[state] = states.get(state - first).residencyUs();
        }
        return new IdleStates(polling, exitUs, residencyUs);
    }

    private static boolean hasPolling(List<IdleState> states) {
        return !states.getFirst().name().equals("WFI");
    }

    /** How many there are. */
    public int count() {
        return exitUs.length;
    }

    /** Whether the CPU spins in a state instead of sleeping. */
    public boolean polls(int state) {
        return polling && state == 0;
    }

    /** The shallowest state in which the CPU sleeps. */
    public int shallowest() {
        return polling && count() > 1 ? 1 : 0;
    }

    /** Exit latency of a state, µs. */
    public int exitUs(int state) {
        return exitUs[state];
    }

    /** Target residency of a state, µs. */
    public int residencyUs(int state) {
        return residencyUs[state];
    }

    /** Exit latency of a state, ns. */
    long exitNs(int state) {
        return exitUs[state] * 1000L;
    }

    /** Target residency of a state, ns. */
    long residencyNs(int state) {
        return residencyUs[state] * 1000L;
    }

    /**
     * The deepest state above {@code below} that pays within {@code ns}, or state 0.
     *
     * @param below states from this one on are not considered
     */
    int shallowerFor(long ns, int below) {
        int state = below;
        while (state > 0) {
            state--;
            if (residencyNs(state) <= ns) {
                return state;
            }
        }
        return state;
    }

    /**
     * How long a CPU spins before it asks its governor again ({@code cpuidle_poll_time} of Linux 5.16 and later), ns.
     *
     * @param tickNs a tick period, ns
     */
    public long pollLimitNs(long tickNs) {
        long longest = tickNs / TICK_FRACTION_POLLED;
        for (int state = 1; state < count(); state++) {
            if (residencyNs(state) >= LEAST_POLL_LIMIT_NS) {
                return Math.min(residencyNs(state), longest);
            }
        }
        return longest;
    }
}
