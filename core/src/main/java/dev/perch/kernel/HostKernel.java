package dev.perch.kernel;

import dev.perch.model.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The version of the kernel that this program runs on, from {@code /proc/sys/kernel/osrelease}.
 *
 * <p>Limitation: only a plain upstream name, {@code 6.12.30} or {@code 6.13.0-rc4}, tells it. A distribution's name does not say which
 * point release was taken, nor what was changed in it.
 */
final class HostKernel {
    private static final Path RELEASE = Path.of("/proc/sys/kernel/osrelease");
    private static final Pattern UPSTREAM =
            Pattern.compile("\\d{1,3}\\.\\d{1,3}\\.\\d{1,4}|\\d{1,3}\\.\\d{1,3}\\.0-rc\\d{1,2}");

    private HostKernel() {}

    /** @throws InputException if it cannot be read or is not an upstream version */
    static String version() {
        return version(RELEASE);
    }

    /** As {@link #version()}, from another file. */
    static String version(Path file) {
        String release;
        try {
            release = Files.readString(file).strip();
        } catch (IOException e) {
            throw new InputException(
                    "the kernel of this host cannot be read from " + file + "; name a version, as in --kernel v6.1.192",
                    e);
        }
        if (!UPSTREAM.matcher(release).matches()) {
            throw new InputException(
                    "this host runs '" + release + "', whose name does not tell the upstream point release that it was "
                            + "built from; name that one, as in --kernel v6.1.192 (uname -v or the package's version may tell)");
        }
        return "v" + release;
    }
}
