package dev.perch.kernel.cpuidle;

/**
 * The timer-events-oriented governor of Linux 6.12 (spec: scheduler.md 7.5; {@code teo_select} and {@code teo_update}): by how often idle
 * periods of each length ended with their timer or before it, both fading away.
 */
public final class Teo implements IdleGovernor {
    private static final int PULSE = 1024;
    private static final int DECAY_SHIFT = 3;
    /** Up to that target residency a state is taken without a look at the timers, if state 0 polls, ns. */
    private static final long SHORT_NS = 15_000;

    private static final long INFINITE = Long.MAX_VALUE;

    private final IdleStates states;
    private final long tickNs;
    /** Periods whose length, as slept and as the timer promised, falls to the same state; by state. */
    private final int[] hits;
    /** Periods that ended early, by the state that would have been right for what was slept. */
    private final int[] intercepts;

    private int tickHits;
    private int total;
    private int chosen;
    private long selectedAt;
    private long sleepNs;

    /**
     * @param tickNs a tick period, ns
     */
    public Teo(IdleStates states, long tickNs) {
        this.states = states;
        this.tickNs = tickNs;
        hits = new int[states.count()];
        intercepts = new int[states.count()];
    }

    @Override
    public int select(IdleEntry entry) {
        selectedAt = entry.now;
        sleepNs = INFINITE;
        chosen = choose(entry);
        return chosen;
    }

    private int choose(IdleEntry entry) {
        int last = states.count() - 1;
        entry.keepTick = true;
        if (last == 0) {
            return 0;
        }
        int constraint = 0;
        int shallowIntercepts = 0;
        int shallowHits = 0;
        for (int state = 1; state <= last; state++) {
            shallowIntercepts += intercepts[state - 1];
            shallowHits += hits[state - 1];
            if (states.exitUs(state) <= entry.latencyLimitUs) {
                constraint = state;
            }
        }
        int state = last;
        boolean shallowIsLikelier = 2 * shallowIntercepts > total - shallowHits;
        if (shallowIsLikelier) {
            state = likelier(last, shallowIntercepts, entry.tickStopped);
        }
        state = Math.min(state, constraint);
        if (state == 0) {
            if (shallowIsLikelier) {
                sleepNs = entry.timerNs; // only so can the guess be checked afterwards
            }
            return 0;
        }
        if (states.polls(0) && states.residencyNs(state) < SHORT_NS) {
            return state;
        }
        sleepNs = entry.timerNs;
        long duration = sleepNs;
        if (states.residencyNs(state) > duration) {
            int shallower = states.shallowerFor(duration, state);
            state = isDeepEnough(shallower, entry.tickStopped) ? shallower : state;
        }
        int allIntercepts = shallowIntercepts + intercepts[last];
        if (states.residencyNs(state) < tickNs && allIntercepts > total / 2 + total / 8) {
            duration = tickNs / 2;
        }
        if (!states.polls(state) && duration >= tickNs || entry.tickStopped) {
            entry.keepTick = false;
            return state;
        }
        return states.residencyNs(state) > entry.eventNs ? states.shallowerFor(entry.eventNs, state) : state;
    }

    /** The deepest state that was deep enough for no more than half of the periods that ended early. */
    private int likelier(int deepest, int shallowIntercepts, boolean tickStopped) {
        int suitable = deepest;
        int sum = 0;
        for (int state = deepest - 1; state >= 0; state--) {
            sum += intercepts[state];
            if (2 * sum > shallowIntercepts) {
                return isDeepEnough(state, tickStopped) ? state : suitable;
            }
            if (isDeepEnough(state, tickStopped)) {
                suitable = state;
            } else if (suitable == deepest) {
                return deepest;
            }
        }
        return deepest;
    }

    /** Without a tick that would end a mistake soon, states that pay within a tick are not deep enough. */
    private boolean isDeepEnough(int state, boolean tickStopped) {
        return !tickStopped || states.residencyNs(state) >= tickNs;
    }

    @Override
    public void reflect(long now, long residencyNs, boolean wokenByTick, boolean pollLimit) {
        boolean timer = pollLimit || wokenByTick && sleepNs > tickNs || now - selectedAt >= sleepNs;
        long exit = states.exitNs(chosen);
        long measured;
        if (timer) {
            measured = INFINITE;
        } else {
            measured = residencyNs >= exit ? residencyNs - exit / 2 : residencyNs / 2;
        }
        int promised = 0;
        int slept = 0;
        total = 0;
        for (int state = 0; state < states.count(); state++) {
            hits[state] -= hits[state] >> DECAY_SHIFT;
            intercepts[state] -= intercepts[state] >> DECAY_SHIFT;
            total += hits[state] + intercepts[state];
            if (states.residencyNs(state) <= sleepNs) {
                promised = state;
                slept = states.residencyNs(state) <= measured ? state : slept;
            }
        }
        total += PULSE;
        if (states.residencyNs(states.count() - 1) < tickNs) {
            tickHits -= tickHits >> DECAY_SHIFT;
            total += tickHits;
            if (sleepNs >= tickNs) {
                promised = states.count();
                if (measured >= tickNs) {
                    tickHits += PULSE;
                    return;
                }
            }
        }
        if (promised == slept) {
            hits[promised] += PULSE;
        } else {
            intercepts[slept] += PULSE;
        }
    }
}
