package dev.perch.kernel.balance;

import dev.perch.model.InputException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The forms of load balancing, oldest first; each has what the earlier ones brought, unless a later one replaced it. */
enum BalanceVersion {
    /** Groups by their load for their capacity. */
    V3_2("3.2"),
    /** No more tasks are looked at than are queued, 32 at most; before, 33 at most. */
    V3_3("3.3"),
    /** A group counts as imbalanced by the spread of its task counts, not by the count of its most loaded CPU. */
    V3_6("3.6"),
    /** A newly idle CPU weighs what each domain costs against how long it stays idle. */
    V3_13("3.13"),
    /** Groups by type; imbalances of load, utilisation, tasks or misfits. */
    V5_5("5.5"),
    /** What may be out of balance between nodes is compared before the difference is halved. */
    V6_1("6.1"),
    /** A type for cores with both threads busy; groups with unlike numbers of cores; whole idle cores balance first. */
    V6_12("6.12");

    private final String id;

    BalanceVersion(String id) {
        this.id = id;
    }

    /**
     * The form that a kernel file names under {@code balance}.
     *
     * @throws InputException if there is none of that name
     */
    static BalanceVersion named(String id) {
        for (BalanceVersion version : values()) {
            if (version.id.equals(id)) {
                return version;
            }
        }
        throw new InputException("there are no balance rules '" + id + "'; known are "
                + Arrays.stream(values()).map(version -> version.id).collect(Collectors.joining(", ")));
    }

    boolean since(BalanceVersion first) {
        return compareTo(first) >= 0;
    }

    /** Groups are compared by type. */
    boolean hasTypes() {
        return since(V5_5);
    }
}
