package dev.perch.host.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * A process that inherits chosen open files, and the affinity of the thread that starts it; {@link ProcessBuilder} gives neither. It has
 * standard input, output and errors of this process. Whoever starts one must {@link #endNow} it.
 *
 * <p>Source: posix_spawn(3), waitid(2), kill(2).
 */
public final class ChildProcess {
    /** The number that the first inherited file has in the child. */
    public static final int FIRST_FILE = 3;

    private static final int SIGKILL = 9;
    private static final int P_PID = 1;
    private static final int WNOHANG = 1;
    private static final int WEXITED = 4;
    private static final int WNOWAIT = 0x0100_0000;

    /** Bytes of {@code posix_spawn_file_actions_t}, and more: glibc and musl have 80. */
    private static final long ACTIONS_BYTES = 256;

    /** Of {@code siginfo_t}, and where it has whether a child left by itself, its number, and its exit code or signal. */
    private static final long SIGINFO_BYTES = 128;

    private static final long SI_CODE = 8;
    private static final long SI_PID = 16;
    private static final long SI_STATUS = 24;
    private static final int CLD_EXITED = 1;

    private static final MethodHandle SPAWN = NativeCalls.function(
            "posix_spawn", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle BEGIN_ACTIONS =
            NativeCalls.function("posix_spawn_file_actions_init", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle ADD_COPY = NativeCalls.function(
            "posix_spawn_file_actions_adddup2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    private static final MethodHandle ADD_CLOSE = NativeCalls.function(
            "posix_spawn_file_actions_addclose", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle END_ACTIONS =
            NativeCalls.function("posix_spawn_file_actions_destroy", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle WAIT =
            NativeCalls.function("waitid", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle KILL =
            NativeCalls.function("kill", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));

    private final int pid;
    private boolean gone;

    private ChildProcess(int pid) {
        this.pid = pid;
    }

    /**
     * Starts a program, which has no environment.
     *
     * @param command its path and its arguments
     * @param files open files of this process; the child has them as {@value #FIRST_FILE} and what follows, and none of this
     *     process's others but such as this process inherited itself
     * @throws SystemCallException as when there are too many processes
     */
    public static ChildProcess start(List<String> command, int... files) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pid = arena.allocate(JAVA_INT);
            MemorySegment path = arena.allocateFrom(command.getFirst());
            MemorySegment arguments = pointers(arena, command);
            MemorySegment environment = pointers(arena, List.of());
            MemorySegment actions = arena.allocate(ACTIONS_BYTES, Long.BYTES);
            require((int) BEGIN_ACTIONS.invokeExact(NativeCalls.state(), actions));
            try {
                handDown(actions, files);
                require((int) SPAWN.invokeExact(
                        NativeCalls.state(), pid, path, actions, MemorySegment.NULL, arguments, environment));
            } finally {
                require((int) END_ACTIONS.invokeExact(NativeCalls.state(), actions));
            }
            return new ChildProcess(pid.get(JAVA_INT, 0));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** An array of C strings that ends with a null. */
    private static MemorySegment pointers(Arena arena, List<String> texts) {
        MemorySegment array = arena.allocate(ADDRESS, texts.size() + 1L);
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(ADDRESS, i, arena.allocateFrom(texts.get(i)));
        }
        return array;
    }

    /** First to numbers above all that are in use here, so that no file takes the place of one that is still to be copied. */
    private static void handDown(MemorySegment actions, int... files) throws Throwable {
        int above = FIRST_FILE + files.length + IntStream.of(files).max().orElse(0);
        for (int i = 0; i < files.length; i++) {
            require((int) ADD_COPY.invokeExact(NativeCalls.state(), actions, files[i], above + i));
        }
        for (int i = 0; i < files.length; i++) {
            require((int) ADD_COPY.invokeExact(NativeCalls.state(), actions, above + i, FIRST_FILE + i));
            require((int) ADD_CLOSE.invokeExact(NativeCalls.state(), actions, above + i));
        }
    }

    /** These functions return the error's number. */
    private static void require(int error) {
        if (error != 0) {
            throw new SystemCallException("posix_spawn", error);
        }
    }

    public int pid() {
        return pid;
    }

    /** Waits until it ends; what proc tells of it can still be read then. */
    public void await() {
        ended(0);
    }

    /**
     * How it ended, if it has: an exit code, or 128 and the number of a signal.
     *
     * @return nothing while it runs
     */
    public OptionalInt exitCode() {
        return ended(WNOHANG);
    }

    private OptionalInt ended(int how) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(SIGINFO_BYTES, Long.BYTES);
            wait(info, WEXITED | WNOWAIT | how);
            if (info.get(JAVA_INT, SI_PID) == 0) {
                return OptionalInt.empty();
            }
            int status = info.get(JAVA_INT, SI_STATUS);
            return OptionalInt.of(info.get(JAVA_INT, SI_CODE) == CLD_EXITED ? status : 128 + status);
        }
    }

    private void wait(MemorySegment info, int how) {
        try {
            MemorySegment state = NativeCalls.state();
            while ((int) WAIT.invokeExact(state, P_PID, pid, info, how) < 0) {
                NativeCalls.retryOrThrow("waitid", state);
            }
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** Asks it to end at once, from any thread; nothing happens if it is gone. */
    public synchronized void kill() {
        try {
            if (!gone) {
                NativeCalls.check("kill", (int) KILL.invokeExact(NativeCalls.state(), pid, SIGKILL));
            }
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** Ends it unless it has ended, and lets the kernel forget it. */
    public void endNow() {
        kill();
        await();
        forget();
    }

    private synchronized void forget() {
        gone = true;
        try (Arena arena = Arena.ofConfined()) {
            wait(arena.allocate(SIGINFO_BYTES, Long.BYTES), WEXITED);
        }
    }
}
