package dev.perch.kernel.balance;

import dev.perch.kernel.domain.DomainParameters;

/** What the CPU is doing for which tasks are sought ({@code enum cpu_idle_type}). */
enum BalanceMode {
    IDLE,
    BUSY,
    NEWLY_IDLE;

    /** Which copy of the load is compared in this mode; 0 for the present load. */
    int loadIndex(DomainParameters parameters) {
        return switch (this) {
            case IDLE -> parameters.idleIndex();
            case BUSY -> parameters.busyIndex();
            case NEWLY_IDLE -> parameters.newIdleIndex();
        };
    }
}
