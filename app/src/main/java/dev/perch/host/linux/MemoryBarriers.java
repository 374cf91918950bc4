package dev.perch.host.linux;

/**
 * Memory barriers on other CPUs: the kernel interrupts each CPU that runs a thread of this process, and waits until all have answered.
 *
 * <p>Source: membarrier(2), kernel/sched/membarrier.c (private expedited: since Linux 4.14).
 */
public final class MemoryBarriers {
    private static final int PRIVATE_EXPEDITED = 1 << 3;
    private static final int REGISTER_PRIVATE_EXPEDITED = 1 << 4;

    private MemoryBarriers() {}

    /** Lets this process make barriers; to be called once before {@link #make}. Without effect when called again. */
    public static void register() {
        call(REGISTER_PRIVATE_EXPEDITED);
    }

    /** Makes one, and returns when every CPU that ran a thread of this process has been through it. */
    public static void make() {
        call(PRIVATE_EXPEDITED);
    }

    private static void call(int command) {
        NativeCalls.systemCall("membarrier", NativeCalls.number(324, 283), command, 0, 0, 0, 0);
    }
}
