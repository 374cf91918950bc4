package dev.perch.audit;

import java.nio.charset.StandardCharsets;

/**
 * The names of kernel threads that are bound to one CPU: {@code ksoftirqd/3}, {@code migration/3}, {@code kworker/3:1} and the like.
 *
 * <p>Looks at bytes, so that asking at every wakeup allocates nothing.
 */
public final class PerCpuThreadName {
    /** As many bytes of a name as have to be looked at; the kernel keeps 15, and more for some workers. */
    public static final int LENGTH = 64;

    private static final int MAX_DIGITS = 5;
    private static final byte[] WORKER = bytes("kworker");
    private static final byte[][] OTHERS = {
        bytes("ksoftirqd"),
        bytes("migration"),
        bytes("cpuhp"),
        bytes("irq_work"),
        bytes("rcuc"),
        bytes("ktimers"),
        bytes("backlog_napi"),
        bytes("idle_inject")
    };

    private PerCpuThreadName() {}

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }

    /** The CPU number in a name of {@code length} bytes, −1 if it is not that of a thread bound to a CPU. */
    public static int cpu(byte[] name, int length) {
        int slash = 0;
        while (slash < length && name[slash] != '/') {
            slash++;
        }
        if (slash == length) {
            return -1;
        }
        boolean worker = begins(name, slash, WORKER);
        if (!worker && !isOther(name, slash)) {
            return -1;
        }
        int end = slash + 1;
        int cpu = 0;
        while (end < length && name[end] >= '0' && name[end] <= '9' && end - slash <= MAX_DIGITS) {
            cpu = cpu * 10 + name[end] - '0';
            end++;
        }
        boolean whole = worker ? end < length && name[end] == ':' : end == length;
        return end > slash + 1 && whole ? cpu : -1;
    }

    private static boolean isOther(byte[] name, int slash) {
        for (byte[] other : OTHERS) {
            if (begins(name, slash, other)) {
                return true;
            }
        }
        return false;
    }

    private static boolean begins(byte[] name, int length, byte[] with) {
        if (length != with.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (name[i] != with[i]) {
                return false;
            }
        }
        return true;
    }
}
