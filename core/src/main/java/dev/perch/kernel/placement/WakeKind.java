package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainFlags;

/** Why a CPU is sought, and the domain flag that lets the slow path do it. Source: placement.md 0.4. */
public enum WakeKind {
    /** A sleeping task wakes. */
    WAKE(DomainFlags.BALANCE_WAKE),
    /** A new task runs for the first time. */
    FORK(DomainFlags.BALANCE_FORK),
    /** A task executes another program; the result equal to its CPU means that it stays. */
    EXEC(DomainFlags.BALANCE_EXEC);

    private final int domainFlag;

    WakeKind(int domainFlag) {
        this.domainFlag = domainFlag;
    }

    int domainFlag() {
        return domainFlag;
    }
}
