package dev.perch.host.probe;

import dev.perch.host.linux.KernelFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The threads of this virtual machine that compile, as the kernel sees them: one that is not asleep has work, even if it waits for a CPU.
 *
 * <p>Source: proc(5), /proc/PID/task/TID/stat; HotSpot's names of its threads, of which the kernel keeps 15 characters. Under another virtual machine none
 * are found, and none is taken to be at work.
 */
final class CompilerThreads {
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final String NAME = " Compiler";
    private static final String ASLEEP = " S ";

    private CompilerThreads() {}

    /** Whether all of them sleep now. */
    static boolean areIdle() {
        return areIdle(TASKS);
    }

    static boolean areIdle(Path tasks) {
        try (Stream<Path> threads = Files.list(tasks)) {
            return threads.map(thread -> KernelFile.text(thread.resolve("stat")))
                    .noneMatch(CompilerThreads::works);
        } catch (IOException e) {
            return true;
        }
    }

    /** @param stat number, name in parentheses, state */
    private static boolean works(String stat) {
        int end = stat.lastIndexOf(')');
        return end > 0 && stat.substring(0, end).contains(NAME) && !stat.startsWith(ASLEEP, end + 1);
    }
}
