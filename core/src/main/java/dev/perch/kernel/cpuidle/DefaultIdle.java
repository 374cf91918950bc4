package dev.perch.kernel.cpuidle;

/**
 * Idle without a cpuidle driver, or with {@code idle=poll}: always the same state (spec: scheduler.md 7.2; {@code default_idle}, {@code
 * cpu_idle_poll}). A CPU that polls by order keeps its tick.
 */
public final class DefaultIdle implements IdleGovernor {
    private final int state;
    private final boolean polls;

    /**
     * @param state the one it always chooses
     */
    public DefaultIdle(IdleStates states, int state) {
        this.state = state;
        polls = states.polls(state);
    }

    @Override
    public int select(IdleEntry entry) {
        entry.keepTick = polls;
        return state;
    }

    @Override
    public void reflect(long now, long residencyNs, boolean wokenByTick, boolean pollLimit) {
        // There is nothing to learn.
    }
}
