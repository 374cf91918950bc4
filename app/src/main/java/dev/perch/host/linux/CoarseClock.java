package dev.perch.host.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The clock that moves once a timer tick, CLOCK_MONOTONIC_COARSE. Its resolution is the tick's period, whatever the kernel was built with
 * (clock_getres(2); KTIME_LOW_RES in kernel/time/posix-timers.c).
 */
public final class CoarseClock {
    private static final int CLOCK_MONOTONIC_COARSE = 6;
    private static final long NS_A_SECOND = 1_000_000_000;

    private static final MethodHandle RESOLUTION =
            NativeCalls.function("clock_getres", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));

    private CoarseClock() {}

    /** Its resolution, ns. */
    public static long resolutionNs() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(2L * Long.BYTES, Long.BYTES);
            NativeCalls.check(
                    "clock_getres", (int) RESOLUTION.invokeExact(NativeCalls.state(), CLOCK_MONOTONIC_COARSE, time));
            return time.get(JAVA_LONG, 0) * NS_A_SECOND + time.get(JAVA_LONG, Long.BYTES);
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }
}
