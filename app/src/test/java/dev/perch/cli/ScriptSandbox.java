package dev.perch.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A small machine for the script {@code perch}: a source tree, folders for JDKs, and a PATH that holds the tools the
 * script needs and nothing else. Its {@code java} prints its home, its folder, its process and its arguments; its
 * {@code mvn} notes each call in a log and writes the jar that a build would.
 */
final class ScriptSandbox {

    /** What one run printed, and how it ended. */
    record Outcome(long pid, int exitCode, String output, String errors) {

        /** The values after each {@code key} in what {@code java} printed. */
        List<String> printed(String key) {
            return output.lines()
                    .filter(line -> line.startsWith(key + " "))
                    .map(line -> line.substring(key.length() + 1))
                    .toList();
        }

        /** The command line's arguments, without those for the JVM. */
        List<String> arguments() {
            List<String> all = printed("argument");
            return all.subList(all.indexOf("-jar") + 2, all.size());
        }
    }

    private static final List<String> TOOLS = List.of(
            "cat",
            "cksum",
            "cut",
            "find",
            "flock",
            "grep",
            "mkdir",
            "mv",
            "readlink",
            "rm",
            "sed",
            "sleep",
            "tail",
            "touch",
            "tr");

    private static final String JAVA = """
            #!/bin/sh
            for argument; do
                case $argument in
                    -XX:AOTCacheOutput=*)
                        echo cache >"${argument#*=}"
                        exit 0
                        ;;
                esac
            done
            echo "home ${0%/bin/java}"
            echo "folder $(pwd)"
            echo "pid $$"
            for argument; do
                echo "argument $argument"
            done
            exit "${JAVA_EXIT_CODE:-0}"
            """;

    private static final String MAVEN = """
            echo "JAVA_HOME=$JAVA_HOME $*" >>"$MAVEN_LOG"
            sleep "${MAVEN_SECONDS:-0}"
            mkdir -p app/target/lib
            echo built >app/target/app-1.jar
            """;

    private static final int NOBODY = 65534;

    private final Path machine;
    private final Path bin;
    private final Path root;
    private final Map<String, String> environment = new TreeMap<>();

    /** @param folder an empty folder to make the machine in */
    ScriptSandbox(Path folder) throws IOException {
        Path home = folder.toRealPath();
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        machine = Files.createDirectory(home.resolve("machine"));
        bin = Files.createDirectory(machine.resolve("bin"));
        root = Files.createDirectory(home.resolve("source tree"));
        environment.put("PATH", bin.toString());
        environment.put("MAVEN_LOG", machine.resolve("maven.log").toString());

        for (String tool : TOOLS) {
            Optional<Path> real = realTool(tool);
            if (real.isPresent()) {
                writeProgram(bin.resolve(tool), "#!/bin/sh\nexec " + real.get() + " \"$@\"\n");
            }
        }
        installMaven(MAVEN);

        write(root.resolve("pom.xml"), "<project/>");
        for (String module : List.of("core", "app")) {
            write(root.resolve(module + "/pom.xml"), "<project/>");
            write(root.resolve(module + "/src/main/java/Used.java"), "class Used {}");
            write(root.resolve(module + "/src/main/java/Unused.java"), "class Unused {}");
        }
        // Where JDKs usually lie is, on this machine, within it.
        String script = Files.readString(Path.of(System.getProperty("perch.home"), "perch"));
        writeProgram(root.resolve("perch"), script.replaceAll("(?<=\\s)/(?=(usr|opt|Library)/)", machine + "/"));
        age(Duration.ofHours(1));
    }

    Path root() {
        return root;
    }

    Path machine() {
        return machine;
    }

    void set(String variable, String value) {
        environment.put(variable, value);
    }

    /** Installs a JDK at a path of this machine, such as {@code usr/lib/jvm/jdk-25}. */
    Path installJdk(String path, String version) throws IOException {
        Path jdk = machine.resolve(path);
        writeProgram(jdk.resolve("bin/java"), JAVA);
        writeProgram(jdk.resolve("bin/javac"), "#!/bin/sh\n");
        write(jdk.resolve("release"), """
                IMPLEMENTOR="Some Vendor"
                JAVA_RUNTIME_VERSION="%s+9-LTS"
                JAVA_VERSION="%s"
                """.formatted(version, version));
        return jdk;
    }

    /** Makes a JDK's {@code java} the one in PATH, by two links as Debian does. */
    void putInPath(Path jdk) throws IOException {
        Path alternative = Files.createSymbolicLink(machine.resolve("alternative"), jdk.resolve("bin/java"));
        Files.createSymbolicLink(bin.resolve("java"), alternative);
    }

    /** Replaces {@code mvn} by a shell script. */
    void installMaven(String script) throws IOException {
        writeProgram(bin.resolve("mvn"), "#!/bin/sh\n" + script);
    }

    void removeMaven() throws IOException {
        Files.delete(bin.resolve("mvn"));
    }

    /** The calls of {@code mvn} so far. */
    List<String> builds() throws IOException {
        Path log = machine.resolve("maven.log");
        return Files.exists(log) ? Files.readAllLines(log) : List.of();
    }

    /** Makes all files of the source tree older. */
    void age(Duration by) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.toList()) {
                Instant modified = Files.getLastModifiedTime(file).toInstant();
                Files.setLastModifiedTime(file, FileTime.from(modified.minus(by)));
            }
        }
    }

    /** Takes the right to write away from a folder and all in it. */
    void makeReadOnly(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r-xr-xr-x"));
            }
        }
    }

    /** Gives it back, so that the folder can be deleted. */
    void makeWritable(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }

    Outcome run(String... arguments) throws IOException, InterruptedException {
        return run(root.resolve("perch"), arguments);
    }

    Outcome run(Path script, String... arguments) throws IOException, InterruptedException {
        return finish(start(List.of(script.toString()), arguments));
    }

    /** Whether {@link #runAsOrdinaryUser} can be had: root may write everywhere and needs setpriv to be someone else. */
    static boolean hasOrdinaryUser() {
        return !"root".equals(System.getProperty("user.name"))
                || realTool("setpriv").isPresent();
    }

    /** Runs the script as a user to whom read-only means something. */
    Outcome runAsOrdinaryUser(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of(
                    realTool("setpriv").orElseThrow().toString(),
                    "--reuid=" + NOBODY,
                    "--regid=" + NOBODY,
                    "--clear-groups",
                    "--"));
        }
        command.add(root.resolve("perch").toString());
        return finish(start(command, arguments));
    }

    /** Starts the script and does not wait for it. */
    Process start() throws IOException {
        return start(List.of(root.resolve("perch").toString()));
    }

    private Process start(List<String> command, String... arguments) throws IOException {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(whole).directory(machine.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    /** Waits for a run to end; what it prints fits into a pipe. */
    static Outcome finish(Process process) throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.pid(), process.waitFor(), output, errors);
    }

    static void write(Path file, String content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private static void writeProgram(Path file, String content) throws IOException {
        write(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Optional<Path> realTool(String name) {
        return Stream.of("/usr/bin", "/bin")
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
