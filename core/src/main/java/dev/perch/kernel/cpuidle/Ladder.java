package dev.perch.kernel.cpuidle;

/**
 * The ladder governor (spec: scheduler.md 7.5, end; {@code ladder_select_state} of Linux 3.4): one state deeper after four idle periods
 * that were longer than the way out of the present one, one shallower after a single period that was shorter. Limitation: later
 * versions are taken to do the same.
 */
public final class Ladder implements IdleGovernor {
    private static final int PERIODS_TO_DESCEND = 4;

    private final IdleStates states;
    private int state;
    private int longPeriods;
    private boolean tooShort;

    public Ladder(IdleStates states) {
        this.states = states;
        state = states.shallowest();
    }

    @Override
    public int select(IdleEntry entry) {
        entry.keepTick = false;
        if (entry.latencyLimitUs == 0) {
            return 0;
        }
        if (longPeriods >= PERIODS_TO_DESCEND
                && state + 1 < states.count()
                && states.exitUs(state + 1) <= entry.latencyLimitUs) {
            move(state + 1);
        } else if (states.exitUs(state) > entry.latencyLimitUs) {
            int fitting = state;
            while (fitting > states.shallowest() && states.exitUs(fitting) > entry.latencyLimitUs) {
                fitting--;
            }
            move(fitting);
        } else if (tooShort && state > states.shallowest()) {
            move(state - 1);
        }
        return state;
    }

    private void move(int to) {
        state = to;
        longPeriods = 0;
        tooShort = false;
    }

    @Override
    public void reflect(long now, long residencyNs, boolean wokenByTick, boolean pollLimit) {
        long beyondExit = residencyNs - states.exitNs(state);
        if (beyondExit > states.exitNs(state)) {
            longPeriods++;
            tooShort = false;
        } else if (beyondExit < states.exitNs(state)) {
            longPeriods = 0;
            tooShort = true;
        }
    }
}
