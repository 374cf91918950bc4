package dev.perch.model;

/**
 * What one step of work costs, in its three currencies, which scale differently.
 *
 * @param coreNs nanoseconds at the machine's nominal core clock: longer at a lower clock and beside a busy SMT sibling; 0 or more
 * @param wallNs nanoseconds of wall time whatever the clock (memory, interrupt delivery, exit from an idle state); 0 or more
 * @param lines cache lines fetched from another CPU; each costs what {@link LineTransfer} says for the distance; 0 or more
 */
public record Cost(int coreNs, int wallNs, int lines) {
    public static final Cost NONE = new Cost(0, 0, 0);

    public Cost {
        if (coreNs < 0 || wallNs < 0 || lines < 0) {
            throw new IllegalArgumentException("negative cost " + coreNs + "/" + wallNs + "/" + lines);
        }
    }

    public static Cost core(int ns) {
        return new Cost(ns, 0, 0);
    }

    public static Cost wall(int ns) {
        return new Cost(0, ns, 0);
    }

    public Cost plus(Cost other) {
        return new Cost(coreNs + other.coreNs, wallNs + other.wallNs, lines + other.lines);
    }
}
