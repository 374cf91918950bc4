package dev.perch.cli;

import dev.perch.lab.elsewhere.ForeignResults;
import dev.perch.lab.results.ResultSet;
import dev.perch.model.InputException;
import dev.perch.store.Store;
import dev.perch.trace.Recording;
import dev.perch.trace.Recordings;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One side of a comparison as the user writes it: {@code [NAME=]RUN} or {@code [NAME=]FILE[,FILE...]}.
 *
 * @param name what tables call it
 * @param paths files and folders; empty for a stored run
 * @param run the stored run's id or name; empty for files
 */
record ResultInput(String name, List<Path> paths, String run) {
    private static final Pattern NAMED = Pattern.compile("([^=/,]+)=(.+)");

    /** @throws InputException neither files nor a stored run */
    static ResultInput parse(String argument, Store store) {
        Matcher named = NAMED.matcher(argument);
        if (named.matches() && !isPath(argument)) {
            return parse(named.group(1), named.group(2), store);
        }
        return parse(null, argument, store);
    }

    private static ResultInput parse(@Nullable String name, String value, Store store) {
        List<String> parts = isPath(value) ? List.of(value) : List.of(value.split(","));
        if (parts.size() == 1 && !isPath(value)) {
            if (store.has(value)) {
                return new ResultInput(name == null ? value : name, List.of(), value);
            }
            throw new InputException("'" + value + "' is neither a file, nor a folder, nor a stored run in "
                    + store.folder() + "; perch runs lists those");
        }
        List<Path> paths = new ArrayList<>();
        for (String part : parts) {
            if (!isPath(part)) {
                throw new InputException("there is no file '" + part + "'");
            }
            paths.add(Path.of(part));
        }
        return new ResultInput(name == null ? nameOf(paths) : name, paths, "");
    }

    private static boolean isPath(String text) {
        try {
            return Files.exists(Path.of(text));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /** The file's name without its ending. */
    private static String nameOf(List<Path> paths) {
        Path first = paths.getFirst().toAbsolutePath().normalize();
        Path last = first.getFileName();
        String name = last == null ? first.toString() : last.toString();
        String plain = Files.isDirectory(first)
                ? name
                : name.replaceFirst("\\.(gz|xz|zst)$", "").replaceFirst("(?<=.)\\.[A-Za-z][A-Za-z0-9]{0,4}$", "");
        return paths.size() == 1 ? plain : plain + " and " + (paths.size() - 1) + " more";
    }

    /** The same sides; those that would be called alike are called by their whole paths. */
    static List<ResultInput> toldApart(List<ResultInput> sides) {
        return sides.stream()
                .map(side -> sides.stream()
                                                .filter(other -> other.name().equals(side.name()))
                                                .count()
                                        == 1
                                || side.paths().isEmpty()
                        ? side
                        : new ResultInput(
                                side.paths().stream().map(Path::toString).collect(Collectors.joining(",")),
                                side.paths(),
                                side.run()))
                .toList();
    }

    /** Whether this is a recording of scheduler events, and nothing else. */
    boolean isRecording() {
        if (paths.size() != 1 || Files.isDirectory(paths.getFirst())) {
            return false;
        }
        try (Recording _ = Recordings.open(paths.getFirst())) {
            return true;
        } catch (InputException e) {
            return false;
        }
    }

    /** What was measured. */
    ResultSet read(Store store, ForeignResults foreign) {
        return run.isEmpty() ? foreign.read(name, paths) : store.read(run).named(name);
    }
}
