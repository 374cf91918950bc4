package dev.perch.sim;

/**
 * Machine and boot settings of a run (the keys of {@code --set} and of experiment files). The defaults are a normal boot of the time
 * of the modelled kernels.
 *
 * @param governor {@code governor=performance|ondemand}
 * @param turbo {@code turbo=on|off}
 * @param nohz {@code nohz=on|off}: whether an idle CPU stops its tick
 * @param idle {@code idle=halt|mwait|poll}: how the shallowest idle state is entered and left
 * @param maxCstate {@code max_cstate=N}: deepest idle state, 1 for C1 only; {@code Integer.MAX_VALUE} for no limit
 * @param hz {@code hz=100|250|300|1000}
 * @param housekeepingPerSecond {@code housekeeping=N}: sparse wakeups of pinned kernel threads on the whole machine, a second
 * @param noisePerMille {@code noise=N}: standard deviation of each piece of a task's work, in thousandths
 */
public record Settings(
        Governor governor,
        boolean turbo,
        boolean nohz,
        IdleRoutine idle,
        int maxCstate,
        int hz,
        int housekeepingPerSecond,
        int noisePerMille) {

    public enum Governor {
        PERFORMANCE,
        ONDEMAND
    }

    /** How the shallowest idle state is entered: whether a wakeup needs an interrupt, and what an SMT sibling feels. */
    public enum IdleRoutine {
        HALT,
        MWAIT,
        POLL
    }

    public static final Settings DEFAULT =
            new Settings(Governor.ONDEMAND, true, true, IdleRoutine.MWAIT, Integer.MAX_VALUE, 250, 200, 20);
}
