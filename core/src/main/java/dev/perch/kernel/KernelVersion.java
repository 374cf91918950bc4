package dev.perch.kernel;

import dev.perch.model.InputException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A kernel version, ordered as releases are: {@code v3.2-rc1 < v3.2 (= v3.2.0) < v3.2.7 < v3.3-rc1}.
 *
 * @param major 2 for {@code v2.6.39}
 * @param minor 6 for {@code v2.6.39}
 * @param patch point release (for 2.6 the release itself, 39); 0 for {@code v3.2}
 * @param candidate the N of {@code -rcN}, or 0 for a release
 */
public record KernelVersion(int major, int minor, int patch, int candidate) implements Comparable<KernelVersion> {
    private static final Pattern FORM = Pattern.compile("v(\\d{1,3})\\.(\\d{1,3})(?:\\.(\\d{1,4}))?(?:-rc(\\d{1,2}))?");

    /** The version that {@code text} writes, or null if it is not of the form {@code v3.2}, {@code v3.2.7}, {@code v3.2-rc1}. */
    public static @Nullable KernelVersion tryParse(String text) {
        Matcher match = FORM.matcher(text);
        if (!match.matches()) {
            return null;
        }
        return new KernelVersion(
                Integer.parseInt(match.group(1)),
                Integer.parseInt(match.group(2)),
                match.group(3) == null ? 0 : Integer.parseInt(match.group(3)),
                match.group(4) == null ? 0 : Integer.parseInt(match.group(4)));
    }

    /**
     * @throws InputException if {@code text} is not a version
     */
    public static KernelVersion parse(String text) {
        KernelVersion version = tryParse(text);
        if (version == null) {
            throw new InputException("'" + text + "' is not a kernel version; write it as v3.2, v3.2.7 or v3.2-rc1");
        }
        return version;
    }

    /** Whether {@code text} names a series, {@code v6.1}, and no release or candidate of it. */
    static boolean namesSeries(String text) {
        Matcher match = FORM.matcher(text);
        return match.matches() && match.group(3) == null && match.group(4) == null;
    }

    /** Whether both are of one series: candidates, release or point releases of {@code v6.1}. */
    public boolean sameSeries(KernelVersion other) {
        return major == other.major && minor == other.minor;
    }

    @Override
    public int compareTo(KernelVersion other) {
        int order = Integer.compare(major, other.major);
        order = order != 0 ? order : Integer.compare(minor, other.minor);
        order = order != 0 ? order : Integer.compare(patch, other.patch);
        return order != 0 ? order : Integer.compare(rank(), other.rank());
    }

    private int rank() {
        return candidate == 0 ? Integer.MAX_VALUE : candidate;
    }

    /** As written in expressions, such as {@code v3.2-rc1}. */
    @Override
    public String toString() {
        return "v" + major + "." + minor + (patch > 0 ? "." + patch : "") + (candidate > 0 ? "-rc" + candidate : "");
    }
}
