package dev.perch.host.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A file that is in memory only and gone with the last process that has it open: something for processes to share, or a program.
 *
 * <p>Source: memfd_create(2).
 */
public final class MemoryFile implements AutoCloseable {
    private static final int MFD_CLOEXEC = 1;
    /** These two are known from 6.3 on, which may be set up to refuse whoever gives neither; kernels before run any such file. */
    private static final int MFD_NOEXEC_SEAL = 8;

    private static final int MFD_EXEC = 0x10;

    private static final MethodHandle CREATE =
            NativeCalls.function("memfd_create", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));

    private final int number;

    private MemoryFile(String name, byte[] content, int flag) {
        number = createKnowing(name, flag);
        try (Arena arena = Arena.ofConfined()) {
            OpenFiles.write(number, arena.allocateFrom(JAVA_BYTE, content), content.length);
        }
    }

    /**
     * A file that can be run.
     *
     * @throws SystemCallException EACCES: this machine has {@code vm.memfd_noexec=2}
     */
    public static MemoryFile ofProgram(String name, byte[] content) {
        return new MemoryFile(name, content, MFD_EXEC);
    }

    /** A file that cannot. */
    public static MemoryFile ofData(String name, byte[] content) {
        return new MemoryFile(name, content, MFD_NOEXEC_SEAL);
    }

    private static int createKnowing(String name, int flag) {
        try {
            return create(name, MFD_CLOEXEC | flag);
        } catch (SystemCallException e) {
            if (e.errno() == SystemCallException.EINVAL) {
                return create(name, MFD_CLOEXEC);
            }
            throw e;
        }
    }

    private static int create(String name, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(name);
            return NativeCalls.check("memfd_create", (int) CREATE.invokeExact(NativeCalls.state(), text, flags));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** Its number among the open files of this process. */
    public int number() {
        return number;
    }

    /** A path under which any process of the same user finds it. */
    public String path() {
        return "/proc/" + ProcessHandle.current().pid() + "/fd/" + number;
    }

    @Override
    public void close() {
        OpenFiles.close(number);
    }
}
