package dev.perch.audit;

/** Takes every wakeup once it is over: the wakee has run and left its CPU again, or the recording has ended. */
@FunctionalInterface
public interface WakeupConsumer {
    /** @param wakeup valid during the call only; in the order in which wakeups end, which is not that of their numbers */
    void wakeup(Wakeup wakeup);
}
