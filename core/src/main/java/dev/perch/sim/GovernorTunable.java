package dev.perch.sim;

import static dev.perch.sim.Settings.Governor.CONSERVATIVE;
import static dev.perch.sim.Settings.Governor.ONDEMAND;
import static dev.perch.sim.Settings.Governor.SCHEDUTIL;
import static dev.perch.sim.Settings.Governor.USERSPACE;

import dev.perch.model.InputException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What can be set of a frequency governor, by the names of the kernel's sysfs files; all are whole numbers. */
public enum GovernorTunable {
    /** Load in per cent above which the clock rises; the kernel accepts 11 and more. */
    UP_THRESHOLD(11, 100, ONDEMAND, CONSERVATIVE),
    /** Load in per cent below which it falls. */
    DOWN_THRESHOLD(1, 99, CONSERVATIVE),
    /** Time between samples, µs. */
    SAMPLING_RATE(1, 10_000_000, ONDEMAND, CONSERVATIVE),
    /** How much longer ondemand stays at the highest clock, after how many samples conservative goes down. */
    SAMPLING_DOWN_FACTOR(1, 100_000, ONDEMAND, CONSERVATIVE),
    /** By how many thousandths each target is lowered. */
    POWERSAVE_BIAS(0, 1000, ONDEMAND),
    /** 1: time of tasks with a positive nice value counts as idle. */
    IGNORE_NICE_LOAD(0, 1, ONDEMAND, CONSERVATIVE),
    /** 1: waiting for input or output counts as busy. */
    IO_IS_BUSY(0, 1, ONDEMAND),
    /** Height of a step in per cent of the highest clock. */
    FREQ_STEP(0, 100, CONSERVATIVE),
    /** Shortest time between two changes, µs. */
    RATE_LIMIT_US(0, 10_000_000, SCHEDUTIL),
    /** The clock to request, kHz. */
    SCALING_SETSPEED(1, 100_000_000, USERSPACE);

    private final int least;
    private final int most;
    private final List<Settings.Governor> governors;

    GovernorTunable(int least, int most, Settings.Governor... governors) {
        this.least = least;
        this.most = most;
        this.governors = List.of(governors);
    }

    int least() {
        return least;
    }

    int most() {
        return most;
    }

    /** The key in {@code --set} and in experiment files. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The tunable of a key. */
    static Optional<GovernorTunable> of(String key) {
        return Arrays.stream(values())
                .filter(tunable -> tunable.key().equals(key))
                .findFirst();
    }

    /**
     * Refuses settings of a governor that is not the one that runs.
     *
     * @throws InputException naming the first of them
     */
    static void check(Settings settings) {
        for (GovernorTunable tunable : settings.tunables().keySet()) {
            if (!tunable.governors.contains(settings.governor())) {
                throw new InputException("setting " + tunable.key() + " has no meaning with governor="
                        + word(settings.governor()) + "; it belongs to governor="
                        + tunable.governors.stream().map(GovernorTunable::word).collect(Collectors.joining(" or ")));
            }
        }
    }

    private static String word(Settings.Governor governor) {
        return governor.name().toLowerCase(Locale.ROOT);
    }
}
