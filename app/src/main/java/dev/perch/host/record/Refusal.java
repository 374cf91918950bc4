package dev.perch.host.record;

import dev.perch.host.linux.KernelFile;
import dev.perch.host.linux.SystemCallException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Says why the kernel refuses to let all CPUs be recorded, and what would change that.
 *
 * <p>Source: Documentation/admin-guide/perf-security.rst, sysctl/kernel.rst (perf_event_paranoid), kernel_lockdown(7).
 */
final class Refusal {
    /** What else could record, to end a message with. */
    static final String OTHER_WAYS =
            "; where another tool is allowed to, 'perf sched record' or 'trace-cmd record -e sched' make recordings that Perch reads";

    private static final Path PARANOID = Path.of("/proc/sys/kernel/perf_event_paranoid");
    private static final Path LOCKDOWN = Path.of("/sys/kernel/security/lockdown");

    private static final String CONFIDENTIALITY = "[confidentiality]";

    private Refusal() {}

    /** @param failure what perf_event_open said of a tracepoint on a CPU */
    static String reason(SystemCallException failure) {
        return reason(failure, KernelFile.text(PARANOID), KernelFile.text(LOCKDOWN), isRoot());
    }

    /**
     * Both ways are closed.
     *
     * @param perf why perf events are refused, empty if they were not to be used
     */
    static String both(String perf, String tracefs) {
        return (perf.isEmpty() ? "" : "recording is refused in both ways. Perf events: " + perf + ". Tracefs: ")
                + tracefs
                + OTHER_WAYS;
    }

    /** What keeps even root from reading tracefs, to end a message with; empty if nothing is known to. */
    static String lockdown() {
        return KernelFile.text(LOCKDOWN).contains(CONFIDENTIALITY)
                ? "; the kernel is locked down (" + CONFIDENTIALITY + " in " + LOCKDOWN
                        + "), which forbids it even to root: boot with lockdown=integrity or without"
                : "";
    }

    private static boolean isRoot() {
        return KernelFile.text(Path.of("/proc/self/status"))
                .lines()
                .anyMatch(line -> line.matches("Uid:\\s+\\d+\\s+0\\s.*"));
    }

    /**
     * @param paranoid what the file says, empty if there is none
     * @param lockdown what the file says; the mode in force stands in brackets
     */
    static String reason(SystemCallException failure, String paranoid, String lockdown, boolean root) {
        int error = failure.errno();
        if (error == SystemCallException.EMFILE) {
            return "recording takes an open file for each event and CPU, more than this process may have; raise the limit: ulimit -n 65536";
        }
        if (PerfEvents.isTooLarge(failure)) {
            return "each CPU's ring takes memory that is locked, and this user may not lock more; raise the limit: ulimit -l unlimited,"
                    + " or as root: sysctl kernel.perf_event_mlock_kb=65536";
        }
        if (error == SystemCallException.ENOSYS || paranoid.isEmpty() && !Files.exists(PARANOID)) {
            return "this kernel has no perf events (CONFIG_PERF_EVENTS), or the container hides them";
        }
        if (error != SystemCallException.EPERM && error != SystemCallException.EACCES) {
            return "the kernel does not let a tracepoint be recorded (" + failure.getMessage() + ")";
        }
        if (lockdown.contains(CONFIDENTIALITY)) {
            return "the kernel is locked down (" + CONFIDENTIALITY + " in " + LOCKDOWN
                    + "), which forbids perf events even to root; boot with lockdown=integrity or without";
        }
        if (!root) {
            return "recording all CPUs is not allowed: perf_event_paranoid is " + paranoid
                    + "; record as root (sudo), or as root: sysctl kernel.perf_event_paranoid=-1";
        }
        return "recording all CPUs is refused even to root, as containers do without CAP_PERFMON or behind a seccomp filter"
                + " (perf_event_paranoid is " + paranoid
                + "); record on the host, or start the container with --cap-add PERFMON and a filter that allows perf_event_open";
    }
}
