package dev.perch.host.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Files by their numbers: pipes, what is read, written, mapped and waited for. Reads, writes and waits that a signal interrupts are begun again. */
public final class OpenFiles {
    private static final int PROT_READ = 1;
    private static final int PROT_WRITE = 2;
    private static final int MAP_SHARED = 1;
    private static final int O_WRONLY = 1;
    public static final int O_CLOEXEC = 0x80000;
    /** How a failure to map a file calls itself. */
    public static final String MAP_CALL = "mmap";

    private static final int O_NONBLOCK = 0x800;
    private static final int F_SETPIPE_SZ = 1031;
    private static final int SPLICE_F_NONBLOCK = 2;

    private static final MethodHandle PIPE =
            NativeCalls.function("pipe2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle OPEN = NativeCalls.function(
            "open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle READ =
            NativeCalls.function("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle WRITE =
            NativeCalls.function("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle CLOSE = NativeCalls.function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle MAP = NativeCalls.function(
            "mmap", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle UNMAP =
            NativeCalls.function("munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle POLL =
            NativeCalls.function("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle IOCTL = NativeCalls.function(
            "ioctl",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle SPLICE = NativeCalls.function(
            "splice", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle FILE_CONTROL = NativeCalls.function(
            "fcntl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle PAGE_SIZE = NativeCalls.function("getpagesize", FunctionDescriptor.of(JAVA_INT));

    private OpenFiles() {}

    /** The two ends of a pipe, or of a pair of sockets. */
    public record Ends(int first, int second) {}

    /** A pipe: what is written to {@code second} is read from {@code first}. */
    public static Ends pipe() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(2L * Integer.BYTES, Integer.BYTES);
            NativeCalls.check("pipe2", (int) PIPE.invokeExact(NativeCalls.state(), ends, O_CLOEXEC));
            return new Ends(ends.get(JAVA_INT, 0), ends.get(JAVA_INT, Integer.BYTES));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** Opens {@code path} for reading, or for writing. */
    public static int open(String path, boolean forWriting) {
        return open(path, (forWriting ? O_WRONLY : 0) | O_CLOEXEC);
    }

    /** Opens {@code path} for reading; a read that would have to wait fails with EAGAIN. */
    public static int openWithoutWaiting(String path) {
        return open(path, O_NONBLOCK | O_CLOEXEC);
    }

    private static int open(String path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(path);
            return NativeCalls.check("open", (int) OPEN.invokeExact(NativeCalls.state(), name, flags, 0));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** @return bytes read, 0 at the end */
    public static long read(int file, MemorySegment into, long bytes) {
        try {
            MemorySegment state = NativeCalls.state();
            while (true) {
                long count = (long) READ.invokeExact(state, file, into, bytes);
                if (count >= 0) {
                    return count;
                }
                NativeCalls.retryOrThrow("read", state);
            }
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** @return bytes written */
    public static long write(int file, MemorySegment from, long bytes) {
        try {
            MemorySegment state = NativeCalls.state();
            while (true) {
                long count = (long) WRITE.invokeExact(state, file, from, bytes);
                if (count >= 0) {
                    return count;
                }
                NativeCalls.retryOrThrow("write", state);
            }
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    public static void close(int file) {
        try {
            NativeCalls.check("close", (int) CLOSE.invokeExact(NativeCalls.state(), file));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** Maps {@code bytes} of a file from its beginning, readable and writable, shared. */
    @SuppressWarnings("restricted") // the kernel has mapped that many bytes
    public static MemorySegment map(int file, long bytes) {
        try {
            MemorySegment state = NativeCalls.state();
            MemorySegment at = (MemorySegment)
                    MAP.invokeExact(state, MemorySegment.NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0L);
            if (at.address() == -1) {
                throw new SystemCallException(MAP_CALL, NativeCalls.errno(state));
            }
            return at.reinterpret(bytes);
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    public static void unmap(MemorySegment mapped) {
        try {
            NativeCalls.check("munmap", (int) UNMAP.invokeExact(NativeCalls.state(), mapped, mapped.byteSize()));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /**
     * Waits until one of the files is ready, for {@code milliseconds} at most, or until a signal comes.
     *
     * @param files an array of {@code struct pollfd}
     */
    public static void poll(MemorySegment files, long count, int milliseconds) {
        try {
            MemorySegment state = NativeCalls.state();
            int ready = (int) POLL.invokeExact(state, files, count, milliseconds);
            if (ready < 0) {
                NativeCalls.retryOrThrow("poll", state);
            }
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** {@code argument}: a number, or the address of a structure. */
    public static int ioctl(int file, long request, long argument) {
        try {
            return NativeCalls.check("ioctl", (int) IOCTL.invokeExact(NativeCalls.state(), file, request, argument));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /**
     * Opens a counter or a source of samples.
     *
     * @param attributes struct perf_event_attr
     * @param pid −1 for all tasks
     * @param cpu −1 for all CPUs
     * @return a file
     */
    public static int perfEventOpen(MemorySegment attributes, int pid, int cpu, int group, long flags) {
        return (int) NativeCalls.systemCall(
                "perf_event_open", NativeCalls.number(298, 241), attributes.address(), pid, cpu, group, flags);
    }

    /**
     * Moves up to {@code bytes} from a file into a pipe, if they are there and the pipe has room.
     *
     * @return bytes moved; 0 if there were none
     */
    public static long moveToPipe(int file, int pipe, long bytes) {
        try {
            MemorySegment state = NativeCalls.state();
            while (true) {
                long count = (long) SPLICE.invokeExact(
                        state, file, MemorySegment.NULL, pipe, MemorySegment.NULL, bytes, SPLICE_F_NONBLOCK);
                if (count >= 0) {
                    return count;
                }
                if (NativeCalls.errno(state) == SystemCallException.EAGAIN) {
                    return 0;
                }
                NativeCalls.retryOrThrow("splice", state);
            }
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /**
     * Lets a pipe hold {@code bytes}.
     *
     * @throws SystemCallException EPERM: more than fs/pipe-max-size takes privileges
     */
    public static void setPipeSize(int pipe, int bytes) {
        try {
            NativeCalls.check("fcntl", (int) FILE_CONTROL.invokeExact(NativeCalls.state(), pipe, F_SETPIPE_SZ, bytes));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** Bytes of a page of memory. */
    public static int pageSize() {
        try {
            return (int) PAGE_SIZE.invokeExact(NativeCalls.state());
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }
}
