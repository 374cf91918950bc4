package dev.perch.audit;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a pair's numbers suggest.
 *
 * <p>A wakeup across costs its latency. On one CPU the wakee would instead wait for the rest of the waker's run and one switch. Where
 * both tasks nearly always wait for each other and hardly run together, the difference is what sharing a CPU would save; over both
 * directions it is the saving of a round trip. The switch is taken from the machine's costs; without them it is left out, and the
 * saving is said to be at most that.
 */
public final class PairAdvice {
    private static final double SYNCHRONOUS = 0.9;
    private static final double LITTLE_OVERLAP = 0.2;
    private static final double MUCH_OVERLAP = 0.5;
    private static final long FEW = 20;

    private final Map<Long, Pair> byKey = new HashMap<>();
    private final long switchNs;

    /** @param switchNs what switching to a wakee on the waker's CPU costs on the machine, −1 if not known */
    PairAdvice(List<Pair> pairs, long switchNs) {
        this.switchNs = switchNs;
        for (Pair pair : pairs) {
            byKey.put(key(pair.wakerSlot(), pair.wakeeSlot()), pair);
        }
    }

    private static long key(int waker, int wakee) {
        return (long) waker << 32 | wakee & 0xFFFFFFFFL;
    }

    /** One sentence, or empty if the numbers suggest nothing. */
    public String of(Pair pair) {
        if (pair.wakerSlot() < 0 || pair.wakeups() < FEW || pair.synchronous() < 0 || pair.overlap() < 0) {
            return "";
        }
        String facts = String.format(
                Locale.ROOT, "%.0f %% synchronous, overlap %.0f %%", 100 * pair.synchronous(), 100 * pair.overlap());
        if (pair.synchronous() >= SYNCHRONOUS && pair.overlap() <= LITTLE_OVERLAP && pair.crossed() > 0) {
            return sharing(pair, facts);
        }
        if (pair.overlap() >= MUCH_OVERLAP && pair.crossed() < pair.wakeups() / 10) {
            return facts + ": the two work at the same time; separate CPUs would let them";
        }
        return "";
    }

    private String sharing(Pair pair, String facts) {
        Pair back = byKey.get(key(pair.wakeeSlot(), pair.wakerSlot()));
        boolean roundTrip = back != null && back.crossed() > 0 && back.synchronous() >= SYNCHRONOUS;
        long saved = saved(pair) + (roundTrip ? saved(back) : 0);
        if (saved <= 0) {
            return "";
        }
        return facts + ": sharing one CPU would save " + (switchNs < 0 ? "at most " : "about ") + AuditText.time(saved)
                + (roundTrip ? " a round trip" : " a wakeup");
    }

    private long saved(@Nullable Pair pair) {
        if (pair == null) {
            return 0;
        }
        return pair.crossLatencyNs() - Math.max(0, pair.tailNs()) - Math.max(0, switchNs);
    }
}
