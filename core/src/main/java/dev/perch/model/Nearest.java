package dev.perch.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * What to say about a name that is not known: the known name that was probably meant, or else what there is.
 *
 * <p>Nearness is the number of letters to insert, delete, replace or swap with a neighbour (optimal string alignment), ignoring case;
 * the beginning of a name counts as near too.
 */
public final class Nearest {
    private static final int MOST_LISTED = 16;

    private Nearest() {}

    /**
     * The end of an error message about an unknown name.
     *
     * @param given what the user wrote
     * @param known the names there are, in the order in which they are to be listed
     * @return {@code "; did you mean 'x'?"}, or {@code "; known are a, b, c"}, or nothing if there are no names at all
     */
    public static String hint(String given, Collection<String> known) {
        String best = of(given, known);
        if (!best.isEmpty()) {
            return "; did you mean '" + best + "'?";
        }
        if (known.isEmpty()) {
            return "";
        }
        List<String> listed = new ArrayList<>(known);
        String rest = listed.size() > MOST_LISTED ? ", … (" + listed.size() + " in all)" : "";
        return "; known are " + String.join(", ", listed.subList(0, Math.min(listed.size(), MOST_LISTED))) + rest;
    }

    /** The known name nearest to {@code given}, the first of equals; empty if none is near. */
    public static String of(String given, Collection<String> known) {
        String wanted = given.toLowerCase(Locale.ROOT);
        String best = "";
        int bestEdits = Integer.MAX_VALUE;
        for (String name : known) {
            String candidate = name.toLowerCase(Locale.ROOT);
            int edits = edits(wanted, candidate);
            boolean beginning = wanted.length() >= 2 && (candidate.startsWith(wanted) || wanted.startsWith(candidate));
            boolean near = beginning || (edits <= Math.max(1, wanted.length() / 3) && edits < candidate.length());
            if (near && edits < bestEdits) {
                best = name;
                bestEdits = edits;
            }
        }
        return best;
    }

    private static int edits(String a, String b) {
        int[][] edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    edits[i][j] = i + j;
                    continue;
                }
                int replace = edits[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                edits[i][j] = Math.min(replace, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
                }
            }
        }
        return edits[a.length()][b.length()];
    }
}
