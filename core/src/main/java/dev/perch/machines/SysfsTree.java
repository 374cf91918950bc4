package dev.perch.machines;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Files of {@code /sys/devices/system} by names such as {@code cpu3/topology/core_cpus_list} and {@code node0/cpulist}. */
sealed interface SysfsTree permits SysfsTree.Folder, SysfsDump {
    /** The content without the line end; empty if there is no such file or it cannot be read (offline CPUs, containers). */
    Optional<String> read(String name);

    /** File and line of a value, for messages; empty where the name is all there is to say. */
    Optional<String> where(String name);

    /** The numbers N of what is called {@code prefix}N in a folder; the folder {@code ""} holds the CPUs and the nodes. */
    SortedSet<Integer> numbers(String folder, String prefix);

    /**
     * The live system, or a copy of its files.
     *
     * @param cpu where the folders of the CPUs are
     * @param node where the folders of the nodes are; it need not exist
     */
    record Folder(Path cpu, Path node) implements SysfsTree {
        private Path path(String name) {
            return (name.startsWith("node") ? node : cpu).resolve(name);
        }

        @Override
        public Optional<String> read(String name) {
            try {
                return Optional.of(Files.readString(path(name)).strip());
            } catch (IOException e) {
                return Optional.empty();
            }
        }

        @Override
        public Optional<String> where(String name) {
            return Optional.empty();
        }

        @Override
        public SortedSet<Integer> numbers(String folder, String prefix) {
            SortedSet<Integer> numbers = new TreeSet<>();
            Path parent = folder.isEmpty() ? (prefix.equals("node") ? node : cpu) : path(folder);
            Pattern pattern = Pattern.compile(prefix + "([0-9]{1,5})");
            try (DirectoryStream<Path> children = Files.newDirectoryStream(parent)) {
                for (Path child : children) {
                    Matcher matcher = pattern.matcher(String.valueOf(child.getFileName()));
                    if (matcher.matches()) {
                        numbers.add(Integer.parseInt(matcher.group(1)));
                    }
                }
            } catch (IOException e) {
                return numbers;
            }
            return numbers;
        }
    }
}
