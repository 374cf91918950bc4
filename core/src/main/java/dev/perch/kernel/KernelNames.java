package dev.perch.kernel;

import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Which of the known versions a version name stands for. A series is what shares the first two numbers; the release of a series is its
 * point release zero, its point releases are what was changed in it afterwards.
 *
 * <ul>
 *   <li>{@code v6.1} is the newest known point release of 6.1, {@code v6.1.0} its release;
 *   <li>a point release without description takes the rules of the next older known one of its series;
 *   <li>a series without description takes the rules of the release before it: later fixes of an older series are not in it.
 * </ul>
 */
final class KernelNames {
    private static final Pattern DISTRIBUTION = Pattern.compile("v?\\d+\\.\\d+(\\.\\d+)?[-+~_](?!rc\\d+$).*");

    private final NavigableMap<KernelVersion, String> known;

    /** @param known names of the versions that are described, at least one */
    KernelNames(NavigableMap<KernelVersion, String> known) {
        this.known = known;
    }

    /**
     * What was chosen.
     *
     * @param version one that is described
     * @param notes that another version's rules are used, if they are
     */
    record Choice(KernelVersion version, List<String> notes) {}

    /**
     * The version that {@code text} stands for.
     *
     * @throws InputException if it is no version, the name that a distribution gave a kernel, too old or too new
     */
    Choice choose(String text) {
        KernelVersion asked = KernelVersion.tryParse(text);
        if (asked == null) {
            throw unusable(text);
        }
        if (asked.compareTo(known.firstKey()) < 0) {
            throw new InputException("kernel " + text + " is older than the oldest known, "
                    + known.firstEntry().getValue());
        }
        KernelVersion newest = known.lastKey();
        if (asked.compareTo(newest) > 0 && !asked.sameSeries(newest)) {
            throw new InputException("kernel " + text + " is not modelled yet; newest known "
                    + known.lastEntry().getValue());
        }
        NavigableMap<KernelVersion, String> series = series(asked);
        if (KernelVersion.namesSeries(text)) {
            Map.Entry<KernelVersion, String> last = lastRelease(series);
            if (last != null) {
                return new Choice(last.getKey(), List.of());
            }
        }
        Map.Entry<KernelVersion, String> nearest = series.floorEntry(asked);
        if (nearest == null) {
            nearest = releaseBefore(asked);
        }
        if (nearest.getKey().equals(asked)) {
            return new Choice(asked, List.of());
        }
        return new Choice(
                nearest.getKey(),
                List.of(text + " has no file of its own and takes the rules of " + nearest.getValue()));
    }

    private NavigableMap<KernelVersion, String> series(KernelVersion of) {
        NavigableMap<KernelVersion, String> series = new TreeMap<>();
        known.forEach((version, name) -> {
            if (version.sameSeries(of)) {
                series.put(version, name);
            }
        });
        return series;
    }

    private static Map.@org.jspecify.annotations.Nullable Entry<KernelVersion, String> lastRelease(
            NavigableMap<KernelVersion, String> series) {
        Map.Entry<KernelVersion, String> last = series.lastEntry();
        return last == null || last.getKey().candidate() > 0 ? null : last;
    }

    /** The release of the newest series before {@code asked}; of one without release its newest candidate. */
    private Map.Entry<KernelVersion, String> releaseBefore(KernelVersion asked) {
        Map.Entry<KernelVersion, String> older = known.lowerEntry(asked);
        NavigableMap<KernelVersion, String> series = series(older.getKey());
        for (Map.Entry<KernelVersion, String> entry : series.entrySet()) {
            if (entry.getKey().candidate() == 0) {
                return entry;
            }
        }
        return series.lastEntry();
    }

    private InputException unusable(String text) {
        if (DISTRIBUTION.matcher(text).matches()) {
            return new InputException(
                    "'" + text + "' is a distribution's kernel, whose name does not tell the point release that it "
                            + "was built from; name that one, as in --kernel v6.1.192 (uname -v or the package's version may tell)");
        }
        return new InputException(
                "'" + text + "' is not a kernel version" + Nearest.hint(text, List.copyOf(known.values())));
    }
}
