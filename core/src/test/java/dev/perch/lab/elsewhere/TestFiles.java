package dev.perch.lab.elsewhere;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;

/** The outputs beside these tests; README.md there says where they come from. */
final class TestFiles {
    private TestFiles() {}

    static Path of(String name) {
        try {
            return Path.of(Objects.requireNonNull(TestFiles.class.getResource(name), name)
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
