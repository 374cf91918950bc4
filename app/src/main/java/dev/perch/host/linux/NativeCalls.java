package dev.perch.host.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.perch.model.InputException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * How functions of the C library and system calls are called.
 *
 * <p>A call costs about as much as from C (some 10 ns beside the system call's own time). Calls that fail throw {@link SystemCallException}.
 *
 * <p>Source: the manual pages of section 2; numbers of system calls: arch/x86/entry/syscalls/syscall_64.tbl and
 * include/uapi/asm-generic/unistd.h. Limitation: x86-64 and aarch64 only.
 */
final class NativeCalls {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CAPTURED = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CAPTURED.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> STATE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(CAPTURED));

    private static final MethodHandle SYSTEM_CALL = function(
            "syscall",
            FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(1));

    private NativeCalls() {}

    @SuppressWarnings("restricted") // this class is what the module may call C for
    static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... more) {
        Linker.Option[] options = new Linker.Option[more.length + 1];
        options[0] = Linker.Option.captureCallState("errno");
        System.arraycopy(more, 0, options, 1, more.length);
        MemorySegment address = LINKER.defaultLookup()
                .find(name)
                .orElseThrow(() -> new InputException("the C library of this system has no function " + name
                        + "; Perch measures and records on Linux only"));
        return LINKER.downcallHandle(address, type, options);
    }

    /** Where a call of the calling thread leaves its error number. */
    static MemorySegment state() {
        return STATE.get();
    }

    /** The number of a system call on this processor. */
    static long number(long x8664, long aarch64) {
        String processor = System.getProperty("os.arch");
        return switch (processor) {
            case "amd64" -> x8664;
            case "aarch64" -> aarch64;
            default ->
                throw new InputException("Perch cannot measure or record on a processor of type " + processor
                        + "; it knows the system calls of x86-64 and aarch64");
        };
    }

    static long systemCall(String name, long number, long a, long b, long c, long d, long e) {
        try {
            MemorySegment state = STATE.get();
            long result = (long) SYSTEM_CALL.invokeExact(state, number, a, b, c, d, e, 0L);
            if (result < 0) {
                throw new SystemCallException(name, errno(state));
            }
            return result;
        } catch (Throwable failure) {
            throw rethrown(failure);
        }
    }

    static int check(String call, int result) {
        if (result < 0) {
            throw new SystemCallException(call, errno(STATE.get()));
        }
        return result;
    }

    static void retryOrThrow(String call, MemorySegment state) {
        if (errno(state) != SystemCallException.EINTR) {
            throw new SystemCallException(call, errno(state));
        }
    }

    static int errno(MemorySegment state) {
        return (int) ERRNO.get(state, 0L);
    }

    /** What {@code invokeExact} may throw, it throws by itself only for mistakes of this class. */
    static RuntimeException rethrown(Throwable e) {
        if (e instanceof RuntimeException known) {
            return known;
        }
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(e);
    }
}
