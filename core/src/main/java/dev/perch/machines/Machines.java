package dev.perch.machines;

import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.Nearest;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds machines by name or by path.
 *
 * <table>
 * <caption>What may be named</caption>
 * <tr><td>{@code e5620}</td><td>the file {@code machines/e5620.yaml} under the home of Perch</td></tr>
 * <tr><td>{@code host}</td><td>the machine that this runs on, from {@code /sys}</td></tr>
 * <tr><td>{@code my.yaml}</td><td>a machine file</td></tr>
 * <tr><td>{@code box.xml}</td><td>an hwloc topology</td></tr>
 * <tr><td>{@code topology.txt}</td><td>a recording's dump, with {@code nodes.txt} beside it</td></tr>
 * <tr><td>a folder</td><td>a copy of {@code /sys/devices/system}, or a recording's folder with its dump</td></tr>
 * </table>
 *
 * <p>All but machine files know only the topology: {@link Machine#model} is null.
 */
public final class Machines {
    private static final String HOST = "host";

    private Machines() {}

    /**
     * One machine that can be named.
     *
     * @param name what to write
     * @param title one line for people; what is wrong with the file if it cannot be read
     * @param source the file, or {@code /sys}
     */
    public record Entry(String name, String title, String source) {}

    /**
     * The machine of a name or path.
     *
     * @param nameOrPath see above
     * @param home the folder that holds {@code machines}
     * @throws InputException there is none, or its description is wrong; one line
     */
    public static Machine find(String nameOrPath, Path home) {
        if (nameOrPath.equals(HOST)) {
            return SysfsTopology.host();
        }
        List<String> names = names(home);
        if (names.contains(nameOrPath)) {
            return MachineFile.read(file(home, nameOrPath));
        }
        Path path = path(nameOrPath);
        if (Files.isDirectory(path)) {
            return SysfsTopology.folder(nameOrPath, path);
        }
        if (Files.exists(path)) {
            return read(nameOrPath, path);
        }
        if (nameOrPath.contains("/") || nameOrPath.matches(".*\\.(yaml|yml|xml|txt)")) {
            throw new InputException("there is no machine file " + nameOrPath);
        }
        List<String> known = new ArrayList<>(names);
        known.add(HOST);
        throw new InputException("unknown machine '" + nameOrPath + "'" + Nearest.hint(nameOrPath, known));
    }

    /**
     * The machines that can be named: the files under {@code home/machines} by name, then {@code host}. A file that cannot be read is listed too,
     * with what is wrong as its title.
     */
    public static List<Entry> list(Path home) {
        List<Entry> entries = new ArrayList<>();
        for (String name : names(home)) {
            Path file = file(home, name);
            entries.add(new Entry(name, title(file), file.toString()));
        }
        entries.add(new Entry(HOST, "this machine, topology only", "/sys"));
        return entries;
    }

    private static String title(Path file) {
        try {
            return MachineFile.title(file);
        } catch (InputException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static Machine read(String name, Path file) {
        if (name.endsWith(".xml")) {
            return HwlocXml.read(name, file);
        }
        if (name.endsWith(".txt")) {
            return SysfsTopology.dump(name, file);
        }
        if (name.endsWith(".yaml") || name.endsWith(".yml")) {
            return MachineFile.read(file);
        }
        throw new InputException("machine " + name
                + " has none of the endings .yaml (machine file), .xml (hwloc), .txt (a recording's topology.txt)");
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new InputException("'" + text + "' is neither a machine's name nor a path", e);
        }
    }

    private static Path file(Path home, String name) {
        return home.resolve("machines").resolve(name + ".yaml");
    }

    private static List<String> names(Path home) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(home.resolve("machines"), "*.yaml")) {
            for (Path file : files) {
                names.add(String.valueOf(file.getFileName()).replaceFirst("\\.yaml$", ""));
            }
        } catch (NoSuchFileException e) {
            return names;
        } catch (IOException e) {
            throw new InputException(home.resolve("machines") + " cannot be read: " + e.getMessage(), e);
        }
        names.sort(null);
        return names;
    }
}
