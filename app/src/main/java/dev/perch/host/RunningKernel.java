package dev.perch.host;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.Kernels;
import dev.perch.model.InputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kernel that the host runs, among those whose rules are known.
 *
 * @param release as {@code uname -r} says
 * @param kernel the rules taken for it
 * @param notes how sure that is
 */
public record RunningKernel(String release, Kernel kernel, List<String> notes) {
    private static final Pattern SERIES = Pattern.compile("(\\d{1,3}\\.\\d{1,3})([.\\-+].*)?");

    public RunningKernel {
        notes = List.copyOf(notes);
    }

    /**
     * The running kernel.
     *
     * @param home the folder of kernel files
     * @throws InputException its series is not known; a kernel must then be named
     */
    public static RunningKernel find(String release, Path home) {
        Matcher match = SERIES.matcher(release);
        if (!match.matches()) {
            throw new InputException(
                    "this host runs '" + release + "', which tells no version; name one, as in --kernel v6.12");
        }
        String series = "v" + match.group(1);
        try {
            Kernel kernel = Kernels.resolve(series, home);
            List<String> notes = new ArrayList<>();
            notes.add("this host runs " + release + "; the newest rules known of its series are taken, those of "
                    + kernel.name());
            return new RunningKernel(release, kernel, notes);
        } catch (InputException e) {
            throw new InputException(
                    "this host runs " + release + ": " + e.getMessage()
                            + "; name the nearest one, as in --kernel v6.18",
                    e);
        }
    }
}
