package dev.perch.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The defects of one recording: how often each kind occurred, and where first. Counting allocates nothing. */
public final class Defects {
    /** What a place is counted in. */
    public enum Place {
        LINE,
        BYTE
    }

    /**
     * One kind of defect that occurred.
     *
     * @param count how often; for lost events, how many events (at least)
     * @param firstPlace where it occurred first: line number from 1, or byte offset from 0; −1 if it has no place
     */
    public record Defect(DefectKind kind, long count, long firstPlace) {}

    private static final DefectKind[] KINDS = DefectKind.values();

    private final Place place;
    private final long[] counts = new long[KINDS.length];
    private final long[] firstPlaces = new long[KINDS.length];

    public Defects(Place place) {
        this.place = place;
        Arrays.fill(firstPlaces, -1);
    }

    /** Whether places are lines or bytes. */
    public Place place() {
        return place;
    }

    /** One more of {@code kind}, at {@code where}: line number from 1 or byte offset from 0, −1 if it has no place. */
    public void add(DefectKind kind, long where) {
        add(kind, 1, where);
    }

    /** {@code count} more of {@code kind}, at {@code where}. */
    public void add(DefectKind kind, long count, long where) {
        int index = kind.ordinal();
        if (counts[index] == 0) {
            firstPlaces[index] = where;
        }
        counts[index] += count;
    }

    /** Notes {@code kind} once, however often it is said. */
    public void note(DefectKind kind, long where) {
        if (counts[kind.ordinal()] == 0) {
            add(kind, 1, where);
        }
    }

    public long count(DefectKind kind) {
        return counts[kind.ordinal()];
    }

    /** Those that occurred, in the order of the table. */
    public List<Defect> all() {
        List<Defect> all = new ArrayList<>();
        for (DefectKind kind : KINDS) {
            int index = kind.ordinal();
            if (counts[index] > 0) {
                all.add(new Defect(kind, counts[index], firstPlaces[index]));
            }
        }
        return all;
    }
}
