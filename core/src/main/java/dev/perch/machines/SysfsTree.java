package dev.perch.machines;

import dev.perch.model.InputException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Files of {@code /sys/devices/system} by names such as {@code cpu3/topology/core_cpus_list} and {@code node0/cpulist}. */
sealed interface SysfsTree {
    /** The content without the line end; empty if there is no such file or it cannot be read (offline CPUs, containers). */
    Optional<String> read(String name);

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

    /**
     * A dump of two text files as recordings carry them: {@code topology.txt} with lines {@code NAME VALUE} and
     * {@code cpuN/cache/indexN key=value …}, {@code nodes.txt} with lines {@code nodeN cpulist=… distance=…}.
     *
     * @param files content by name
     */
    record Dump(TreeMap<String, String> files) implements SysfsTree {
        private static final Pattern LINE = Pattern.compile("((?:cpu|node)[0-9]+[^ ]*) (.+)");
        private static final Pattern FIELD = Pattern.compile("([a-z_]+)=(.*?)(?=\\s+[a-z_]+=|\\s*$)");

        /**
         * Reads the dump.
         *
         * @param topology the file {@code topology.txt}
         * @param nodes the file {@code nodes.txt}; it need not exist
         * @throws InputException a line of another form
         */
        static Dump read(Path topology, Path nodes) {
            TreeMap<String, String> files = new TreeMap<>();
            readLines(topology, files);
            if (Files.exists(nodes)) {
                readLines(nodes, files);
            }
            return new Dump(files);
        }

        private static void readLines(Path file, Map<String, String> files) {
            int number = 0;
            for (String line : text(file).lines().toList()) {
                number++;
                if (line.isBlank()) {
                    continue;
                }
                Matcher matcher = LINE.matcher(line.strip());
                if (!matcher.matches()) {
                    throw new InputException("'" + (line.length() > 40 ? line.substring(0, 40) + "…" : line)
                            + "' is no line of a topology dump (" + file + ":" + number + ")");
                }
                String name = matcher.group(1);
                String value = matcher.group(2);
                Matcher field = FIELD.matcher(value);
                if (!value.contains("=")) {
                    files.put(name, value.strip());
                } else {
                    while (field.find()) {
                        files.put(name + "/" + field.group(1), field.group(2).strip());
                    }
                }
            }
        }

        private static String text(Path file) {
            try {
                return Files.readString(file);
            } catch (IOException e) {
                throw new InputException(file + " cannot be read: " + e.getMessage(), e);
            }
        }

        @Override
        public Optional<String> read(String name) {
            return Optional.ofNullable(files.get(name));
        }

        @Override
        public SortedSet<Integer> numbers(String folder, String prefix) {
            SortedSet<Integer> numbers = new TreeSet<>();
            String start = folder.isEmpty() ? prefix : folder + "/" + prefix;
            Pattern pattern = Pattern.compile(Pattern.quote(start) + "([0-9]{1,5})/.*");
            for (String name : files.tailMap(start).keySet()) {
                Matcher matcher = pattern.matcher(name);
                if (matcher.matches()) {
                    numbers.add(Integer.parseInt(matcher.group(1)));
                } else if (!name.startsWith(start)) {
                    break;
                }
            }
            return numbers;
        }
    }
}
