package dev.perch.host.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Which numbers this process knows tasks by. In a container they are often numbers of its own, while tracepoints have those of the first namespace.
 *
 * <p>Source: pid_namespaces(7); PROC_PID_INIT_INO in include/uapi/linux/nsfs.h, include/linux/proc_ns.h.
 */
public final class PidNamespace {
    private static final Path OWN = Path.of("/proc/self/ns/pid");
    private static final String FIRST = "pid:[4026531836]";

    private PidNamespace() {}

    /** Whether it is the first one, whose numbers are the kernel's; also said where the kernel does not tell. */
    public static boolean isFirst() {
        try {
            return Files.readSymbolicLink(OWN).toString().equals(FIRST);
        } catch (IOException | UnsupportedOperationException e) {
            return true;
        }
    }
}
