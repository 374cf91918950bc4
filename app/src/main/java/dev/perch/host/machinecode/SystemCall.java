package dev.perch.host.machinecode;

/**
 * The system calls that programs make.
 *
 * <p>Source of the numbers: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.
 */
public enum SystemCall {
    READ(0, 63),
    WRITE(1, 64),
    MMAP(9, 222),
    SCHED_YIELD(24, 124),
    SETPGID(109, 154),
    GETPPID(110, 173),
    PRCTL(157, 167),
    FUTEX(202, 98),
    EXIT_GROUP(231, 94);

    private final int x8664;
    private final int aarch64;

    SystemCall(int x8664, int aarch64) {
        this.x8664 = x8664;
        this.aarch64 = aarch64;
    }

    int x8664() {
        return x8664;
    }

    int aarch64() {
        return aarch64;
    }
}
