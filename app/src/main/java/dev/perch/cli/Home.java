package dev.perch.cli;

import dev.perch.model.InputException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The folder that holds machines, kernels and experiments. */
final class Home {
    /** System property that names it; the start script sets it. */
    static final String PROPERTY = "perch.home";

    private Home() {}

    /**
     * The folder named by {@code perch.home}; without it, the nearest folder with a folder {@code machines}, upwards from the working
     * folder, or else upwards from the program.
     *
     * @throws InputException if there is none
     */
    static Path find() {
        String named = System.getProperty(PROPERTY);
        if (named != null) {
            Path home = Path.of(named);
            if (!isHome(home)) {
                throw new InputException("the system property " + PROPERTY + " names " + named
                        + ", where there is no folder machines; set it to the root of Perch");
            }
            return home;
        }
        for (Path start : starts()) {
            for (Path folder = start; folder != null; folder = folder.getParent()) {
                if (isHome(folder)) {
                    return folder;
                }
            }
        }
        throw new InputException(
                "cannot find the folder machines; start Perch by its script perch, or with -D" + PROPERTY + "=ROOT");
    }

    private static boolean isHome(Path folder) {
        return Files.isDirectory(folder.resolve("machines"));
    }

    private static List<Path> starts() {
        List<Path> starts = new ArrayList<>();
        starts.add(Path.of("").toAbsolutePath());
        Path program = program();
        if (program != null) {
            starts.add(program);
        }
        return starts;
    }

    private static @Nullable Path program() {
        CodeSource source = Home.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return null;
        }
        try {
            return Path.of(source.getLocation().toURI());
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null;
        }
    }
}
