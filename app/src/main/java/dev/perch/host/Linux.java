package dev.perch.host;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/**
 * The calls into Linux that measuring and recording take, as functions of the C library.
 *
 * <p>A call costs about as much as from C (some 10 ns beside the system call's own time). Calls that fail throw {@link SystemCallException};
 * reads, writes and waits that a signal interrupts are begun again.
 *
 * <p>Source: the manual pages of section 2; numbers of system calls: arch/x86/entry/syscalls/syscall_64.tbl and
 * include/uapi/asm-generic/unistd.h. Limitation: x86-64 and aarch64 only.
 */
final class Linux {
    static final int PROT_READ = 1;
    static final int PROT_WRITE = 2;
    static final int MAP_SHARED = 1;

    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int SUN_PATH = 2;
    private static final int LONGEST_PATH = 107;
    private static final int SOCK_STREAM = 1;
    private static final int O_CLOEXEC = 0x80000;
    private static final int O_WRONLY = 1;
    private static final int PRIO_PROCESS = 0;
    private static final int RUSAGE_SELF = 0;
    private static final int RUSAGE_THREAD = 1;
    private static final int FUTEX_WAIT = 0;
    private static final int FUTEX_WAKE = 1;
    /** In {@code struct rusage}: two times, then fourteen longs; the last two count context switches. */
    private static final int RUSAGE_BYTES = 144;

    private static final int VOLUNTARY_SWITCHES = 128;
    private static final int INVOLUNTARY_SWITCHES = 136;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CAPTURED = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CAPTURED.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> STATE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(CAPTURED));

    private static final MethodHandle SET_AFFINITY =
            function("sched_setaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
    private static final MethodHandle GET_AFFINITY =
            function("sched_getaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
    private static final MethodHandle GET_CPU = function("sched_getcpu", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle GET_TID = function("gettid", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle PIPE = function("pipe2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SOCKET_PAIR =
            function("socketpair", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle SOCKET =
            function("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle BIND =
            function("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle LISTEN = function("listen", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle ACCEPT =
            function("accept4", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    private static final MethodHandle CONNECT =
            function("connect", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SOCKET_NAME =
            function("getsockname", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle OPEN = function(
            "open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle READ =
            function("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle WRITE =
            function("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle MAP = function(
            "mmap", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle UNMAP = function("munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle USAGE = function("getrusage", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle SET_PRIORITY =
            function("setpriority", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle PAGE_SIZE = function("getpagesize", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle POLL =
            function("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle IOCTL = function(
            "ioctl",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle SYSTEM_CALL = function(
            "syscall",
            FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(1));

    private Linux() {}

    /** The two ends of a pipe, or of a pair of sockets. */
    record Ends(int first, int second) {}

    /** How often a thread has left its CPU, of its own will and not. */
    record Switches(long voluntary, long involuntary) {}

    @SuppressWarnings("restricted") // this class is what the module may call C for
    private static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... more) {
        Linker.Option[] options = new Linker.Option[more.length + 1];
        options[0] = Linker.Option.captureCallState("errno");
        System.arraycopy(more, 0, options, 1, more.length);
        MemorySegment address = LINKER.defaultLookup()
                .find(name)
                .orElseThrow(() -> new InputException("the C library of this system has no function " + name
                        + "; Perch measures and records on Linux only"));
        return LINKER.downcallHandle(address, type, options);
    }

    /** The number of a system call on this processor. */
    private static long number(long x8664, long aarch64) {
        String processor = System.getProperty("os.arch");
        return switch (processor) {
            case "amd64" -> x8664;
            case "aarch64" -> aarch64;
            default ->
                throw new InputException("Perch cannot measure or record on a processor of type " + processor
                        + "; it knows the system calls of x86-64 and aarch64");
        };
    }

    /** Where the calling thread may run. */
    static CpuMask affinity() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(CpuMask.MAX_CPUS / Byte.SIZE, Long.BYTES);
            check("sched_getaffinity", (int) GET_AFFINITY.invokeExact(STATE.get(), 0, mask.byteSize(), mask));
            return CpuMask.of(IntStream.range(0, CpuMask.MAX_CPUS)
                    .filter(cpu -> (mask.get(JAVA_BYTE, cpu / Byte.SIZE) >>> cpu % Byte.SIZE & 1) != 0)
                    .toArray());
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** Lets the calling thread run on {@code cpus} only, from the call's return on. */
    static void setAffinity(CpuMask cpus) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(CpuMask.MAX_CPUS / Byte.SIZE, Long.BYTES);
            for (int cpu = cpus.first(); cpu >= 0; cpu = cpus.next(cpu + 1)) {
                byte before = mask.get(JAVA_BYTE, cpu / Byte.SIZE);
                mask.set(JAVA_BYTE, cpu / Byte.SIZE, (byte) (before | 1 << cpu % Byte.SIZE));
            }
            check("sched_setaffinity", (int) SET_AFFINITY.invokeExact(STATE.get(), 0, mask.byteSize(), mask));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** The CPU that the calling thread runs on. */
    static int cpu() {
        try {
            return check("sched_getcpu", (int) GET_CPU.invokeExact(STATE.get()));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** The calling thread's id, which the kernel's tracepoints call its pid. */
    static int threadId() {
        try {
            return check("gettid", (int) GET_TID.invokeExact(STATE.get()));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** A pipe: what is written to {@code second} is read from {@code first}. */
    static Ends pipe() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(2L * Integer.BYTES, Integer.BYTES);
            check("pipe2", (int) PIPE.invokeExact(STATE.get(), ends, O_CLOEXEC));
            return new Ends(ends.get(JAVA_INT, 0), ends.get(JAVA_INT, Integer.BYTES));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** Two stream sockets of the Unix domain that are connected to each other. */
    static Ends socketPair() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(2L * Integer.BYTES, Integer.BYTES);
            check("socketpair", (int) SOCKET_PAIR.invokeExact(STATE.get(), AF_UNIX, SOCK_STREAM | O_CLOEXEC, 0, ends));
            return new Ends(ends.get(JAVA_INT, 0), ends.get(JAVA_INT, Integer.BYTES));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** Opens {@code path} for reading, or for writing. */
    static int open(String path, boolean forWriting) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(path);
            int flags = (forWriting ? O_WRONLY : 0) | O_CLOEXEC;
            return check("open", (int) OPEN.invokeExact(STATE.get(), name, flags, 0));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** A TCP socket of this machine's loopback interface that waits for {@link #accept}, at a port that the kernel chose. */
    static int listenOnLoopback() {
        int socket = socket(AF_INET);
        listen(socket, loopback(0));
        return socket;
    }

    /** The port of {@link #listenOnLoopback}. */
    static int port(int socket) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(16, 4);
            MemorySegment size = arena.allocateFrom(JAVA_INT, 16);
            check("getsockname", (int) SOCKET_NAME.invokeExact(STATE.get(), socket, address, size));
            return Short.toUnsignedInt(Short.reverseBytes(address.get(JAVA_SHORT, 2)));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** A stream socket of the Unix domain at {@code path} that waits for {@link #accept}. */
    static int listenAt(String path) {
        int socket = socket(AF_UNIX);
        listen(socket, unixAddress(path));
        return socket;
    }

    static int connectToLoopback(int port) {
        int socket = socket(AF_INET);
        connect(socket, loopback(port));
        return socket;
    }

    static int connectTo(String path) {
        int socket = socket(AF_UNIX);
        connect(socket, unixAddress(path));
        return socket;
    }

    /** Waits for somebody who connects. */
    static int accept(int socket) {
        try {
            return check("accept4", (int)
                    ACCEPT.invokeExact(STATE.get(), socket, MemorySegment.NULL, MemorySegment.NULL, O_CLOEXEC));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    private static int socket(int family) {
        try {
            return check("socket", (int) SOCKET.invokeExact(STATE.get(), family, SOCK_STREAM | O_CLOEXEC, 0));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    private static void listen(int socket, byte[] address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, address);
            check("bind", (int) BIND.invokeExact(STATE.get(), socket, bytes, address.length));
            check("listen", (int) LISTEN.invokeExact(STATE.get(), socket, 1));
        } catch (Throwable e) {
            close(socket);
            throw rethrown(e);
        }
    }

    private static void connect(int socket, byte[] address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, address);
            check("connect", (int) CONNECT.invokeExact(STATE.get(), socket, bytes, address.length));
        } catch (Throwable e) {
            close(socket);
            throw rethrown(e);
        }
    }

    /** struct sockaddr_in of 127.0.0.1. */
    private static byte[] loopback(int port) {
        byte[] address = new byte[16];
        address[0] = AF_INET;
        address[2] = (byte) (port >>> Byte.SIZE);
        address[3] = (byte) port;
        address[4] = 127;
        address[7] = 1;
        return address;
    }

    /** struct sockaddr_un. */
    private static byte[] unixAddress(String path) {
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        if (name.length > LONGEST_PATH) {
            throw new InputException("the path " + path + " is too long for a socket; set TMPDIR to a shorter folder");
        }
        byte[] address = new byte[SUN_PATH + name.length + 1];
        address[0] = AF_UNIX;
        System.arraycopy(name, 0, address, SUN_PATH, name.length);
        return address;
    }

    /** @return bytes read, 0 at the end */
    static long read(int file, MemorySegment into, long bytes) {
        try {
            MemorySegment state = STATE.get();
            while (true) {
                long count = (long) READ.invokeExact(state, file, into, bytes);
                if (count >= 0) {
                    return count;
                }
                retryOrThrow("read", state);
            }
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** @return bytes written */
    static long write(int file, MemorySegment from, long bytes) {
        try {
            MemorySegment state = STATE.get();
            while (true) {
                long count = (long) WRITE.invokeExact(state, file, from, bytes);
                if (count >= 0) {
                    return count;
                }
                retryOrThrow("write", state);
            }
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    static void close(int file) {
        try {
            check("close", (int) CLOSE.invokeExact(STATE.get(), file));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** Maps {@code bytes} of a file from its beginning, readable and writable, shared. */
    @SuppressWarnings("restricted") // the kernel has mapped that many bytes
    static MemorySegment map(int file, long bytes) {
        try {
            MemorySegment state = STATE.get();
            MemorySegment at = (MemorySegment)
                    MAP.invokeExact(state, MemorySegment.NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0L);
            if (at.address() == -1) {
                throw new SystemCallException("mmap", errno(state));
            }
            return at.reinterpret(bytes);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    static void unmap(MemorySegment mapped) {
        try {
            check("munmap", (int) UNMAP.invokeExact(STATE.get(), mapped, mapped.byteSize()));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** How often the calling thread has left its CPU so far. */
    static Switches switches() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment usage = arena.allocate(RUSAGE_BYTES, Long.BYTES);
            check("getrusage", (int) USAGE.invokeExact(STATE.get(), RUSAGE_THREAD, usage));
            return new Switches(usage.get(JAVA_LONG, VOLUNTARY_SWITCHES), usage.get(JAVA_LONG, INVOLUNTARY_SWITCHES));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** The calling thread's nice value, −20 to 19. */
    static int nice() {
        // The system call, unlike the function of the C library, says 20 less the nice value, which is never an error.
        return 20 - (int) systemCall("getpriority", number(140, 141), PRIO_PROCESS, 0, 0, 0, 0);
    }

    /**
     * Sets the calling thread's nice value.
     *
     * @throws SystemCallException EACCES or EPERM: below the present value takes privileges
     */
    static void setNice(int nice) {
        try {
            check("setpriority", (int) SET_PRIORITY.invokeExact(STATE.get(), PRIO_PROCESS, 0, nice));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** Bytes of a page of memory. */
    static int pageSize() {
        try {
            return (int) PAGE_SIZE.invokeExact(STATE.get());
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** CPU time that all threads of this process have taken so far, in the kernel and outside. */
    static long processCpuNs() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment usage = arena.allocate(RUSAGE_BYTES, Long.BYTES);
            check("getrusage", (int) USAGE.invokeExact(STATE.get(), RUSAGE_SELF, usage));
            long seconds = usage.get(JAVA_LONG, 0) + usage.get(JAVA_LONG, 2L * Long.BYTES);
            long micros = usage.get(JAVA_LONG, Long.BYTES) + usage.get(JAVA_LONG, 3L * Long.BYTES);
            return seconds * 1_000_000_000 + micros * 1_000;
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /**
     * Waits until one of the files is ready, for {@code milliseconds} at most, or until a signal comes.
     *
     * @param files an array of {@code struct pollfd}
     */
    static void poll(MemorySegment files, long count, int milliseconds) {
        try {
            MemorySegment state = STATE.get();
            int ready = (int) POLL.invokeExact(state, files, count, milliseconds);
            if (ready < 0) {
                retryOrThrow("poll", state);
            }
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code argument}: a number, or the address of a structure. */
    static int ioctl(int file, long request, long argument) {
        try {
            return check("ioctl", (int) IOCTL.invokeExact(STATE.get(), file, request, argument));
        } catch (Throwable e) {
            throw rethrown(e);
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
    static int perfEventOpen(MemorySegment attributes, int pid, int cpu, int group, long flags) {
        return (int) systemCall("perf_event_open", number(298, 241), attributes.address(), pid, cpu, group, flags);
    }

    /** Sleeps while the int at {@code word} is {@code expected}, until {@link #futexWake}; returns at once if it is not. */
    static void futexWait(MemorySegment word, int expected) {
        try {
            systemCall("futex", number(202, 98), word.address(), FUTEX_WAIT, expected, 0, 0);
        } catch (SystemCallException e) {
            if (e.errno() != SystemCallException.EAGAIN && e.errno() != SystemCallException.EINTR) {
                throw e;
            }
        }
    }

    /** Wakes up to {@code count} threads that sleep on {@code word}. */
    static void futexWake(MemorySegment word, int count) {
        systemCall("futex", number(202, 98), word.address(), FUTEX_WAKE, count, 0, 0);
    }

    private static long systemCall(String name, long number, long a, long b, long c, long d, long e) {
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

    private static int check(String call, int result) {
        if (result < 0) {
            throw new SystemCallException(call, errno(STATE.get()));
        }
        return result;
    }

    private static void retryOrThrow(String call, MemorySegment state) {
        if (errno(state) != SystemCallException.EINTR) {
            throw new SystemCallException(call, errno(state));
        }
    }

    private static int errno(MemorySegment state) {
        return (int) ERRNO.get(state, 0L);
    }

    /** What {@code invokeExact} may throw, it throws by itself only for mistakes of this class. */
    private static RuntimeException rethrown(Throwable e) {
        if (e instanceof RuntimeException known) {
            return known;
        }
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(e);
    }
}
