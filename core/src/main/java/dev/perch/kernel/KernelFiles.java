package dev.perch.kernel;

import dev.perch.model.InputException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The files of a folder {@code kernels}. Their names alone tell which versions there are; a file is read when its version, or one based
 * on it, is asked for.
 */
final class KernelFiles {
    private static final String ENDING = ".yaml";

    private final NavigableMap<KernelVersion, Path> paths = new TreeMap<>();
    private final NavigableMap<KernelVersion, KernelDescription> read = new TreeMap<>();

    /** @throws InputException if the folder cannot be read, is empty, or holds a file that is not named after a version */
    KernelFiles(Path folder) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*" + ENDING)) {
            for (Path path : found) {
                String name = stem(path);
                KernelVersion version = KernelVersion.tryParse(name);
                if (version == null) {
                    throw new InputException("kernel file " + path
                            + " is not named after a version; name it as v3.2.yaml, " + "v3.2.7.yaml or v3.2-rc1.yaml");
                }
                Path other = paths.put(version, path);
                if (other != null) {
                    throw new InputException(
                            "kernel files " + other + " and " + path + " are of the same version; keep one");
                }
            }
        } catch (IOException e) {
            throw new InputException("the folder of kernel files " + folder + " cannot be read: " + e.getMessage(), e);
        }
        if (paths.isEmpty()) {
            throw new InputException("there are no kernel files in " + folder);
        }
    }

    private static String stem(Path path) {
        String file = String.valueOf(path.getFileName());
        return file.substring(0, file.length() - ENDING.length());
    }

    /** The names of the versions that have a file, by version. */
    NavigableMap<KernelVersion, String> names() {
        NavigableMap<KernelVersion, String> names = new TreeMap<>();
        paths.forEach((version, path) -> names.put(version, stem(path)));
        return names;
    }

    /** All versions, oldest first. */
    List<KernelDescription> all() {
        return paths.keySet().stream().map(this::describe).toList();
    }

    /**
     * One version with all that it inherits.
     *
     * @param version one that has a file
     * @throws InputException if the file, or one that it is based on, is not usable
     */
    KernelDescription describe(KernelVersion version) {
        KernelDescription known = read.get(version);
        if (known != null) {
            return known;
        }
        Path path = paths.get(version);
        if (path == null) {
            throw new IllegalArgumentException(version + " has no file");
        }
        KernelFile file = new KernelFile(path);
        Optional<KernelDescription> base = file.base().map(older -> {
            if (older.compareTo(version) >= 0 || !paths.containsKey(older)) {
                throw file.baseError("base " + older + " is not an older version with a file of its own");
            }
            return describe(older);
        });
        KernelDescription description = file.describe(base);
        read.put(version, description);
        return description;
    }
}
