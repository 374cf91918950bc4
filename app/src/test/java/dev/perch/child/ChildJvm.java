package dev.perch.child;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Starts a class in a JVM of its own, which can be killed. Its class path is that of this JVM, with what the class loader of the tests adds,
 * if whoever runs them uses one of his own.
 */
public final class ChildJvm {
    private ChildJvm() {}

    /**
     * The command line that runs a class.
     *
     * @param main may be a class of the tests
     */
    public static List<String> command(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Dperch.home=" + System.getProperty("perch.home"),
                "-cp",
                String.join(File.pathSeparator, classPath()),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Set<String> classPath() {
        Set<String> places = new LinkedHashSet<>();
        if (ChildJvm.class.getClassLoader() instanceof URLClassLoader loader) {
            for (URL url : loader.getURLs()) {
                places.add(path(url));
            }
        }
        places.add(System.getProperty("java.class.path", ""));
        return places;
    }

    private static String path(URL url) {
        try {
            return Path.of(url.toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts it; what it prints waits in pipes. */
    public static Process start(Class<?> main, String... arguments) throws IOException {
        return new ProcessBuilder(command(main, arguments)).start();
    }
}
