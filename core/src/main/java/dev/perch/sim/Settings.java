package dev.perch.sim;

import dev.perch.kernel.cpuidle.IdleGovernor;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Machine and boot settings of a run (the keys of {@code --set} and of experiment files). The defaults are a normal boot of the time
 * of the modelled kernels.
 *
 * @param governor {@code governor=}: what requests the clocks
 * @param tunables settings of the governor that differ from what it starts with
 * @param turbo {@code turbo=on|off}
 * @param nohz {@code nohz=on|off}: whether an idle CPU may stop its tick
 * @param idle {@code idle=halt|mwait|poll}: how idle states are entered and left
 * @param idleGovernor {@code idle_governor=menu|teo|ladder}: what chooses the idle state; empty: the one that the kernel rates highest
 * @param maxCstate {@code max_cstate=N}: number of idle states, 1 for C1 only, 0 for no cpuidle driver at all and so C1 without a
 *     governor; {@code Integer.MAX_VALUE} for no limit
 * @param hz {@code hz=100|250|300|1000}
 * @param autogroup {@code autogroup=on|off}: each item of the workload is a session with a task group of its own; kernels that have it
 *     built in do so unless told otherwise, here it is off
 * @param housekeepingPerSecond {@code housekeeping=N}: sparse wakeups of pinned kernel threads on the whole machine, a second
 * @param noisePerMille {@code noise=N}: standard deviation of each piece of a task's work, in thousandths
 */
public record Settings(
        Governor governor,
        Map<GovernorTunable, Integer> tunables,
        boolean turbo,
        boolean nohz,
        IdleRoutine idle,
        Optional<IdleGovernor.Kind> idleGovernor,
        int maxCstate,
        int hz,
        boolean autogroup,
        int housekeepingPerSecond,
        int noisePerMille) {

    public enum Governor {
        PERFORMANCE,
        POWERSAVE,
        USERSPACE,
        ONDEMAND,
        CONSERVATIVE,
        SCHEDUTIL
    }

    /** How idle states are entered: whether a wakeup needs an interrupt, and what an SMT sibling feels. */
    public enum IdleRoutine {
        HALT,
        MWAIT,
        POLL
    }

    public static final Settings DEFAULT =
            new Settings(Governor.ONDEMAND, true, true, IdleRoutine.MWAIT, Integer.MAX_VALUE, 250, 200, 20);

    public Settings {
        Map<GovernorTunable, Integer> inOrder = new EnumMap<>(GovernorTunable.class);
        inOrder.putAll(tunables);
        tunables = Collections.unmodifiableMap(inOrder);
    }

    /** Settings in which the frequency governor has no tunables of its own and the idle governor is the kernel's. */
    public Settings(
            Governor governor,
            boolean turbo,
            boolean nohz,
            IdleRoutine idle,
            int maxCstate,
            int hz,
            int housekeepingPerSecond,
            int noisePerMille) {
        this(
                governor,
                Map.of(),
                turbo,
                nohz,
                idle,
                Optional.empty(),
                maxCstate,
                hz,
                false,
                housekeepingPerSecond,
                noisePerMille);
    }

    /** A tunable of the governor, or what it starts with. */
    int tunable(GovernorTunable tunable, int standard) {
        return tunables.getOrDefault(tunable, standard);
    }
}
