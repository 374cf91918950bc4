package dev.perch.sim.check;

/** A run did what no run may do: a fault of the simulator or of its rules, not of its input. */
public final class InvariantViolation extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final Invariant invariant;

    /** @param message what is wrong: when, where, and the state in words */
    public InvariantViolation(Invariant invariant, String message) {
        super(message);
        this.invariant = invariant;
    }

    public Invariant invariant() {
        return invariant;
    }
}
