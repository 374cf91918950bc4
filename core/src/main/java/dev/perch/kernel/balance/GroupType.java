package dev.perch.kernel.balance;

/** How much a group of a domain needs tasks to be taken from it, least first ({@code enum group_type} of 5.5 and later). */
enum GroupType {
    HAS_SPARE,
    FULLY_BUSY,
    MISFIT_TASK,
    SMT_BALANCE,
    ASYM_PACKING,
    IMBALANCED,
    OVERLOADED;

    boolean isAbove(GroupType other) {
        return compareTo(other) > 0;
    }
}
