package dev.perch.lab;

import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The experiments there are: the files of the folder {@code experiments}. */
public final class Experiments {
    private static final String ENDING = ".yaml";

    private Experiments() {}

    /**
     * The experiment with a name, or in a file.
     *
     * @param nameOrFile a name without ending, or a path that ends in {@code .yaml} or has a folder in it
     * @param home folder that holds {@code experiments}
     * @throws InputException if there is none, with the nearest name; or if its file is broken
     */
    public static Experiment find(String nameOrFile, Path home) {
        if (nameOrFile.endsWith(ENDING) || nameOrFile.contains("/") || nameOrFile.contains(File.separator)) {
            return ExperimentFile.read(Path.of(nameOrFile));
        }
        List<String> names = names(home);
        if (!names.contains(nameOrFile)) {
            throw new InputException("there is no experiment '" + nameOrFile + "'" + Nearest.hint(nameOrFile, names));
        }
        return ExperimentFile.read(file(nameOrFile, home));
    }

    /** The file of an experiment with a name. */
    public static Path file(String name, Path home) {
        return home.resolve("experiments").resolve(name + ENDING);
    }

    /** The names, in alphabetical order. */
    public static List<String> names(Path home) {
        Path folder = home.resolve("experiments");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(ENDING))
                    .map(file -> file.substring(0, file.length() - ENDING.length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
