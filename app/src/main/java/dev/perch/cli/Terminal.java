package dev.perch.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What is at the other end of a standard stream. */
final class Terminal {
    private Terminal() {}

    /** Whether standard error is a terminal that can overwrite a line. Where there is no /proc, the answer is no. */
    static boolean isStandardError() {
        String kind = System.getenv("TERM");
        if (kind == null || kind.equals("dumb")) {
            return false;
        }
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
