package dev.perch.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The store of commands that a test runs without naming one: a folder of this JVM, so that nobody's own runs are touched. */
final class TestStore {
    static final Path FOLDER = make();

    private TestStore() {}

    private static Path make() {
        try {
            Path folder = Files.createTempDirectory("perch-test-store");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
            return folder.resolve("runs");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
