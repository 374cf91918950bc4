package dev.perch.host.machinecode;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perch.host.linux.MemoryFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Programs for another processor than this machine's, run by qemu's user-mode emulation (package {@code qemu-user}). */
public final class Emulated {
    private Emulated() {}

    /** Skips the test if the program cannot run here. */
    public static List<String> command(Processor processor, MemoryFile program) {
        if (processor == Processor.current()) {
            return List.of(program.path());
        }
        Path emulator = Path.of("/usr/bin/qemu-" + processor.name().toLowerCase(Locale.ROOT));
        assumeTrue(Files.isExecutable(emulator), "needs " + emulator);
        return List.of(emulator.toString(), program.path());
    }
}
