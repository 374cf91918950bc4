package dev.perch.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the calling thread has gone through since a moment: how often it left its CPU, and how often it was moved to another.
 *
 * <p>Source: getrusage(2); {@code se.nr_migrations} in /proc/thread-self/sched, which kernels without CONFIG_SCHED_DEBUG do not have.
 *
 * @param migrations −1 if the kernel does not tell
 */
record TaskUse(long voluntarySwitches, long involuntarySwitches, long migrations) {
    private static final Path SCHED = Path.of("/proc/thread-self/sched");
    private static final String MIGRATIONS = "se.nr_migrations";

    /** Of the calling thread, since it began. */
    static TaskUse now() {
        Linux.Switches switches = Linux.switches();
        return new TaskUse(switches.voluntary(), switches.involuntary(), migrationsUntilNow());
    }

    /** What has come since {@code before}. */
    TaskUse since(TaskUse before) {
        return new TaskUse(
                voluntarySwitches - before.voluntarySwitches,
                involuntarySwitches - before.involuntarySwitches,
                migrations < 0 || before.migrations < 0 ? -1 : migrations - before.migrations);
    }

    /** The sum of two threads. */
    TaskUse plus(TaskUse other) {
        return new TaskUse(
                voluntarySwitches + other.voluntarySwitches,
                involuntarySwitches + other.involuntarySwitches,
                migrations < 0 || other.migrations < 0 ? -1 : migrations + other.migrations);
    }

    private static long migrationsUntilNow() {
        try {
            for (String line : Files.readAllLines(SCHED)) {
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
