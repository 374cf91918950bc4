package dev.perch.kernel.cpuidle;

import java.util.Arrays;

/**
 * The menu governor of Linux 5.16 and 6.12 (spec: scheduler.md 7.4; {@code menu_select} and {@code menu_update}). It decides about the
 * tick too: if the CPU is expected to be woken within a tick period, the tick goes on, and short sleeps do not pay for stopping it.
 */
public final class Menu implements IdleGovernor {
    /** Which of the two. */
    public enum Form {
        /** 4.17 to 6.6: CPUs whose tasks wait for input or output have corrections of their own and shallower states. */
        V5_16,
        /** 6.12: the timers are looked at only if the last idle periods do not show a short one already. */
        V6_12
    }

    private static final int DECADES = 6;
    private static final int RESOLUTION = 1024;
    private static final int DECAY = 8;
    private static final long UNITY = RESOLUTION * DECAY;
    private static final long LONGEST_INTERESTING_NS = 50_000_000;
    /** Up to that, a period is short and timers are not worth a look, ns. */
    private static final long SHORT_NS = 15_000;

    private static final long INFINITE = Long.MAX_VALUE;
    private static final int PER_IOWAITER = 10;

    private final Form form;
    private final IdleStates states;
    private final long tickNs;
    private final long[] factors;
    private final TypicalInterval intervals = new TypicalInterval();
    private int bucket;
    private int chosen;
    private long nextTimerNs;

    /**
     * @param tickNs a tick period, ns
     */
    public Menu(Form form, IdleStates states, long tickNs) {
        this.form = form;
        this.states = states;
        this.tickNs = tickNs;
        factors = new long[form == Form.V5_16 ? 2 * DECADES : DECADES];
        Arrays.fill(factors, UNITY);
    }

    @Override
    public int select(IdleEntry entry) {
        chosen = choose(entry);
        return chosen;
    }

    private int choose(IdleEntry entry) {
        long predicted;
        long toTick = entry.eventNs;
        if (form == Form.V5_16) {
            lookAtTimers(entry);
            predicted = corrected();
            long typicalUs = intervals.typicalUs(predicted / 1000);
            predicted = typicalUs == TypicalInterval.NONE ? predicted : Math.min(predicted, typicalUs * 1000);
        } else {
            long typicalUs = intervals.typicalUs(TypicalInterval.NONE);
            predicted = typicalUs == TypicalInterval.NONE ? INFINITE : typicalUs * 1000;
            if (predicted > SHORT_NS || entry.tickStopped) {
                lookAtTimers(entry);
                predicted = Math.min(predicted, corrected());
            } else {
                nextTimerNs = INFINITE;
                toTick = tickNs / 2;
                bucket = DECADES - 1;
            }
        }
        long limitNs = entry.latencyLimitUs * 1000L;
        boolean single = states.count() <= 1 || limitNs == 0;
        if (single || nextTimerNs < states.residencyNs(1) || limitNs < states.exitNs(1)) {
            entry.keepTick = states.polls(0);
            return 0;
        }
        if (entry.tickStopped) {
            predicted = predicted < tickNs ? nextTimerNs : predicted;
        } else if (form == Form.V5_16) {
            limitNs = Math.min(limitNs, predicted / (1 + PER_IOWAITER * entry.iowaiters));
        }
        return walk(entry, predicted, limitNs, toTick);
    }

    private void lookAtTimers(IdleEntry entry) {
        nextTimerNs = entry.timerNs;
        int decade = 0;
        for (long limit = 10_000; decade < DECADES - 1 && nextTimerNs >= limit; limit *= 10) {
            decade++;
        }
        bucket = form == Form.V5_16 && entry.iowaiters > 0 ? decade + DECADES : decade;
    }

    /** The time until the next timer as far as it is usually slept, rounded to µs. */
    private long corrected() {
        return (nextTimerNs * factors[bucket] + UNITY * 500) / (UNITY * 1000) * 1000;
    }

    private int walk(IdleEntry entry, long predictedNs, long limitNs, long toTick) {
        long predicted = predictedNs;
        int chosenSoFar = 0;
        for (int state = 1; state < states.count(); state++) {
            long residency = states.residencyNs(state);
            if (residency > predicted) {
                if (states.polls(chosenSoFar) && sleepsRatherThanPolls(state, predicted, limitNs)) {
                    predicted = residency;
                    chosenSoFar = state;
                } else if (predicted >= tickNs && !entry.tickStopped) {
                    // with the tick going on, the governor is asked again soon
                    predicted = states.residencyNs(chosenSoFar);
                } else if (predicted >= tickNs) {
                    entry.keepTick = false;
                    return states.residencyNs(chosenSoFar) < tickNs && residency <= toTick ? state : chosenSoFar;
                }
                break;
            }
            if (states.exitNs(state) > limitNs) {
                break;
            }
            chosenSoFar = state;
        }
        entry.keepTick = (states.polls(chosenSoFar) || predicted < tickNs) && !entry.tickStopped;
        if (entry.keepTick && chosenSoFar > 0 && states.residencyNs(chosenSoFar) > toTick) {
            return states.shallowerFor(toTick, chosenSoFar);
        }
        return chosenSoFar;
    }

    /** Whether a state that does not pay is still better than polling. */
    private boolean sleepsRatherThanPolls(int state, long predicted, long limitNs) {
        long residency = states.residencyNs(state);
        long exit = states.exitNs(state);
        if (residency > nextTimerNs) {
            return false;
        }
        return switch (form) {
            case V5_16 -> exit <= limitNs;
            case V6_12 -> residency < SHORT_NS && exit <= predicted;
        };
    }

    @Override
    public void reflect(long now, long residencyNs, boolean wokenByTick, boolean pollLimit) {
        long measured;
        if (wokenByTick && nextTimerNs > tickNs) {
            measured = 9 * (LONGEST_INTERESTING_NS / 10); // it would have slept long, but for the tick
        } else if (states.polls(chosen) && pollLimit) {
            measured = nextTimerNs;
        } else {
            long exit = states.exitNs(chosen);
            measured = residencyNs > 2 * exit ? residencyNs - exit : residencyNs / 2;
        }
        measured = Math.min(measured, nextTimerNs);
        long factor = factors[bucket] - factors[bucket] / DECAY;
        factor +=
                nextTimerNs > 0 && measured < LONGEST_INTERESTING_NS ? RESOLUTION * measured / nextTimerNs : RESOLUTION;
        factors[bucket] = factor;
        intervals.add(measured / 1000);
    }
}
