package dev.perch.host.calibrate;

import dev.perch.model.Cost;
import java.util.Locale;

/**
 * How much longer something takes on one machine than on another.
 *
 * @param factor above 0
 * @param of what was compared, for people
 */
record Ratio(double factor, String of) {
    static final Ratio ONE = new Ratio(1, "");

    /** A cost of the other machine on this one; cache lines remain as many. */
    Cost of(Cost cost) {
        return new Cost(scaled(cost.coreNs()), scaled(cost.wallNs()), cost.lines());
    }

    private int scaled(int ns) {
        return (int) Math.rint(Math.min(Integer.MAX_VALUE, ns * factor));
    }

    /** Where a number comes from that was computed so. */
    String text(String machine) {
        return of.isEmpty() ? machine + "'s" : String.format(Locale.ROOT, "%s's x %.2f, %s", machine, factor, of);
    }
}
