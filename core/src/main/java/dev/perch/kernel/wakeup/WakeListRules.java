package dev.perch.kernel.wakeup;

import dev.perch.model.InputException;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The eras of handing wakeups over: the values of {@code remote-queue} in kernel files. Source: placement.md 9.2 – 9.6.
 *
 * <p>Limitation: that a wakeup stays pending until its list is worked off was seen in 6.6 and not in 6.1; 6.2 is taken for the first.
 */
enum WakeListRules {
    /** 2.6.39 – 3.2. */
    EVERY_REMOTE("every-remote"),
    /** 3.3 – 3.15: targets of another last-level cache. */
    OTHER_LLC("other-llc"),
    /** 3.16 – 5.7: and a polling target gets no interrupt. */
    FROM_3_16("3.16"),
    /** 5.8 – 5.10: and, by its own CPU's list, a wakee that is still being switched away from. */
    FROM_5_8("5.8"),
    /** 5.11 – 5.19: and the target must be active. */
    FROM_5_11("5.11"),
    /** 6.0, 6.1: targets without runnable tasks, too; they must be allowed. */
    FROM_6_0("6.0"),
    /** 6.2 – 6.11: pending until worked off. */
    FROM_6_2("6.2"),
    /** 6.12 – 6.17: not for sched_ext. */
    FROM_6_12("6.12"),
    /** 6.18 and later: nor for stoppers; for sched_ext if it agrees. */
    FROM_6_18("6.18");

    private final String id;

    WakeListRules(String id) {
        this.id = id;
    }

    static WakeListRules named(String id) {
        for (WakeListRules rules : values()) {
            if (rules.id.equals(id)) {
                return rules;
            }
        }
        throw new InputException("there are no remote-queue rules '" + id + "'; known are "
                + Arrays.stream(values()).map(rules -> rules.id).collect(Collectors.joining(", ")));
    }

    boolean since(WakeListRules first) {
        return compareTo(first) >= 0;
    }
}
