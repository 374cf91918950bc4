package dev.perch.host.linux;

import dev.perch.model.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a thread has gone through: how often it left its CPU, and how often it was moved to another.
 *
 * <p>Source: getrusage(2), proc(5); {@code se.nr_migrations} in /proc/self/task/TID/sched, which kernels without CONFIG_SCHED_DEBUG do not have.
 *
 * @param migrations −1 if the kernel does not tell
 */
public record TaskUse(long voluntarySwitches, long involuntarySwitches, long migrations) {
    public static final TaskUse NONE = new TaskUse(0, 0, 0);

    private static final Path SCHED = Path.of("/proc/thread-self/sched");
    private static final String MIGRATIONS = "se.nr_migrations";

    /** Of the calling thread, since it began. */
    public static TaskUse now() {
        ThisThread.Switches switches = ThisThread.switches();
        return new TaskUse(switches.voluntary(), switches.involuntary(), migrations(SCHED));
    }

    /** What has come since {@code before}. */
    public TaskUse since(TaskUse before) {
        return new TaskUse(
                voluntarySwitches - before.voluntarySwitches,
                involuntarySwitches - before.involuntarySwitches,
                migrations < 0 || before.migrations < 0 ? -1 : migrations - before.migrations);
    }

    /** The sum of two threads. */
    public TaskUse plus(TaskUse other) {
        return new TaskUse(
                voluntarySwitches + other.voluntarySwitches,
                involuntarySwitches + other.involuntarySwitches,
                migrations < 0 || other.migrations < 0 ? -1 : migrations + other.migrations);
    }

    /**
     * CPU time of any thread since it began, ns, up to its last switch, yield or tick (/proc/TID/schedstat); 0 if the kernel does not tell.
     */
    public static long cpuNs(int threadId) {
        String text = KernelFile.text(Path.of("/proc/" + threadId + "/schedstat"));
        return text.matches("[0-9]{1,18} .*") ? Long.parseLong(text.substring(0, text.indexOf(' '))) : 0;
    }

    /** Of the first thread of a process, since it began; of one that has ended too, until whoever started it has waited for it. */
    public static TaskUse ofProcess(int pid) {
        Path process = Path.of("/proc/" + pid);
        String status = KernelFile.text(process.resolve("status"));
        List<Long> switches = status.lines()
                .filter(line -> line.contains("voluntary_ctxt_switches:"))
                .map(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .toList();
        if (switches.size() != 2) {
            throw new InputException("this kernel does not tell how often a process was switched (/proc/" + pid
                    + "/status has no voluntary_ctxt_switches); --threads measures threads");
        }
        return new TaskUse(switches.getFirst(), switches.getLast(), migrations(process.resolve("sched")));
    }

    /** Of a thread of this process, since it began; −1 if the kernel does not tell. */
    public static long migrations(int threadId) {
        return migrations(Path.of("/proc/self/task/" + threadId + "/sched"));
    }

    /** The number in a file of that format; −1 if there is none. */
    public static long migrations(Path sched) {
        try {
            for (String line : Files.readAllLines(sched)) {
                if (line.startsWith(MIGRATIONS)) {
                    return Long.parseLong(line.substring(line.indexOf(':') + 1).strip());
                }
            }
            return -1;
        } catch (IOException e) {
            return -1;
        }
    }
}
