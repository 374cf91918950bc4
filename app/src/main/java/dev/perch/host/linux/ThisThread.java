package dev.perch.host.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.perch.model.CpuMask;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.stream.IntStream;

/** Where the calling thread may run, how urgently, and what it has gone through. */
public final class ThisThread {
    private static final int PRIO_PROCESS = 0;
    private static final int RUSAGE_SELF = 0;
    private static final int RUSAGE_CHILDREN = -1;
    private static final int RUSAGE_THREAD = 1;
    /** In {@code struct rusage}: two times, then fourteen longs; the last two count context switches. */
    private static final int RUSAGE_BYTES = 144;

    private static final int VOLUNTARY_SWITCHES = 128;
    private static final int INVOLUNTARY_SWITCHES = 136;

    private static final MethodHandle SET_AFFINITY =
            NativeCalls.function("sched_setaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
    private static final MethodHandle GET_AFFINITY =
            NativeCalls.function("sched_getaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
    private static final MethodHandle GET_CPU = NativeCalls.function("sched_getcpu", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle GET_TID = NativeCalls.function("gettid", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle GET_PARENT = NativeCalls.function("getppid", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle YIELD = NativeCalls.function("sched_yield", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle USAGE =
            NativeCalls.function("getrusage", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle SET_PRIORITY =
            NativeCalls.function("setpriority", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));

    private ThisThread() {}

    /** How often a thread has left its CPU, of its own will and not. */
    public record Switches(long voluntary, long involuntary) {}

    /** Where the calling thread may run. */
    public static CpuMask affinity() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(CpuMask.MAX_CPUS / Byte.SIZE, Long.BYTES);
            NativeCalls.check(
                    "sched_getaffinity", (int) GET_AFFINITY.invokeExact(NativeCalls.state(), 0, mask.byteSize(), mask));
            return CpuMask.of(IntStream.range(0, CpuMask.MAX_CPUS)
                    .filter(cpu -> (mask.get(JAVA_BYTE, cpu / Byte.SIZE) >>> cpu % Byte.SIZE & 1) != 0)
                    .toArray());
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** Lets the calling thread run on {@code cpus} only, from the call's return on. */
    public static void setAffinity(CpuMask cpus) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(CpuMask.MAX_CPUS / Byte.SIZE, Long.BYTES);
            for (int cpu = cpus.first(); cpu >= 0; cpu = cpus.next(cpu + 1)) {
                byte before = mask.get(JAVA_BYTE, cpu / Byte.SIZE);
                mask.set(JAVA_BYTE, cpu / Byte.SIZE, (byte) (before | 1 << cpu % Byte.SIZE));
            }
            NativeCalls.check(
                    "sched_setaffinity", (int) SET_AFFINITY.invokeExact(NativeCalls.state(), 0, mask.byteSize(), mask));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** The CPU that the calling thread runs on. */
    public static int cpu() {
        try {
            return NativeCalls.check("sched_getcpu", (int) GET_CPU.invokeExact(NativeCalls.state()));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** The calling thread's id, which the kernel's tracepoints call its pid. */
    public static int threadId() {
        try {
            return NativeCalls.check("gettid", (int) GET_TID.invokeExact(NativeCalls.state()));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** The process that started this one: the system call that does least, for no C library remembers its answer. */
    public static int parentProcessId() {
        try {
            return (int) GET_PARENT.invokeExact(NativeCalls.state());
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** Lets another ready task of the calling thread's CPU run first, if there is one (sched_yield). */
    public static void yieldCpu() {
        try {
            NativeCalls.check("sched_yield", (int) YIELD.invokeExact(NativeCalls.state()));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** The calling thread's nice value, −20 to 19. */
    public static int nice() {
        // The system call, unlike the function of the C library, says 20 less the nice value, which is never an error.
        return 20 - (int) NativeCalls.systemCall("getpriority", NativeCalls.number(140, 141), PRIO_PROCESS, 0, 0, 0, 0);
    }

    /**
     * Sets the calling thread's nice value.
     *
     * @throws SystemCallException EACCES or EPERM: below the present value takes privileges
     */
    public static void setNice(int nice) {
        try {
            NativeCalls.check(
                    "setpriority", (int) SET_PRIORITY.invokeExact(NativeCalls.state(), PRIO_PROCESS, 0, nice));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** How often the calling thread has left its CPU so far. */
    public static Switches switches() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment usage = arena.allocate(RUSAGE_BYTES, Long.BYTES);
            NativeCalls.check("getrusage", (int) USAGE.invokeExact(NativeCalls.state(), RUSAGE_THREAD, usage));
            return new Switches(usage.get(JAVA_LONG, VOLUNTARY_SWITCHES), usage.get(JAVA_LONG, INVOLUNTARY_SWITCHES));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** CPU time that all threads of this process have taken so far, in the kernel and outside. */
    public static long processCpuNs() {
        return cpuNs(RUSAGE_SELF);
    }

    /** CPU time of the processes that this one has started and waited for. */
    public static long endedChildrenCpuNs() {
        return cpuNs(RUSAGE_CHILDREN);
    }

    private static long cpuNs(int who) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment usage = arena.allocate(RUSAGE_BYTES, Long.BYTES);
            NativeCalls.check("getrusage", (int) USAGE.invokeExact(NativeCalls.state(), who, usage));
            long seconds = usage.get(JAVA_LONG, 0) + usage.get(JAVA_LONG, 2L * Long.BYTES);
            long micros = usage.get(JAVA_LONG, Long.BYTES) + usage.get(JAVA_LONG, 3L * Long.BYTES);
            return seconds * 1_000_000_000 + micros * 1_000;
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }
}
