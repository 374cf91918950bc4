package dev.perch.store;

import dev.perch.lab.ExperimentResult;
import dev.perch.lab.ExperimentRow;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Copies of the files that a run was made with and that may change later: machine files and policies of the user's own, in the folder
 * {@code files} of the run. Limitation: the rules of a shipped kernel are those of the Perch version that the run names.
 */
final class RunFiles {
    private static final long LARGEST = 1 << 20;

    private RunFiles() {}

    static void copy(NewRun run, ExperimentResult result) throws IOException {
        Map<String, Path> files = new LinkedHashMap<>();
        for (ExperimentRow row : result.plan().rows()) {
            add(files, row.machine().name(), row.machine().source());
            row.kernel().policy().ifPresent(policy -> add(files, "policy", policy));
        }
        for (Map.Entry<String, Path> file : files.entrySet()) {
            try (OutputStream out = run.file("files/" + file.getKey())) {
                Files.copy(file.getValue(), out);
            }
        }
    }

    /** A saved /sys folder and the like are left out. Two files of one name lie below what they describe. */
    private static void add(Map<String, Path> files, String what, String source) {
        Path path = file(source);
        if (path == null || files.containsValue(path)) {
            return;
        }
        String name = String.valueOf(path.getFileName());
        String unique = name;
        for (int number = 2; files.containsKey(unique); number++) {
            unique = what.replaceAll("[^A-Za-z0-9._-]", "_") + "-" + number + "/" + name;
        }
        files.put(unique, path);
    }

    private static @Nullable Path file(String source) {
        try {
            Path path = Path.of(source).toAbsolutePath();
            return Files.isRegularFile(path) && Files.size(path) <= LARGEST ? path : null;
        } catch (InvalidPathException | IOException e) {
            return null;
        }
    }
}
