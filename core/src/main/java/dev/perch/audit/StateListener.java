package dev.perch.audit;

/** Hears of the moments of a wakeup at which a kernel's rules may have looked at the machine, each before the state changes. */
interface StateListener {
    /** Hears nothing. */
    StateListener NONE = new StateListener() {};

    /** A waking record was taken in; of the CPUs nothing has changed yet. */
    default void begun(Wakeup wakeup) {}

    /** From now on the CPU may be chosen: at the waking record, or when a wakee that was still on its CPU has left it. */
    default void choiceMayBegin(Wakeup wakeup) {}

    /** The choice has been made: the wakeup's migration to {@code target} is about to be taken in. */
    default void choiceMade(Wakeup wakeup, int target) {}

    /** The wakeup record, which puts the wakee on {@code target}, is about to be taken in. */
    default void beforeWakeup(Wakeup wakeup, int target) {}

    /** A wakeup record of {@code cpu} has put a wakee, woken from {@code wakerCpu}, on the queue of {@code target}. */
    default void afterWakeup(int target, int cpu, int wakerCpu) {}

    /** An interrupt of {@code target} tells that the wakeup lies in its wake list. */
    default void handedOver(Wakeup wakeup, int target) {}
}
