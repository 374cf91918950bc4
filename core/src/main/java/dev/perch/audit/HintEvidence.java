package dev.perch.audit;

import dev.perch.model.SchedEvents;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the wakeups of a recording say together about a hint that none of them states: whether wakers of one sort told that they would sleep soon.
 *
 * <p>A sort of wakeups is the name of the waker, the name of the wakee, the context, and whether the wakee slept interruptibly. Whether a wakeup gives the hint is fixed where the kernel's code wakes, such
 * as the write to a pipe, so that a sort nearly always gives it or never does. A wakeup tells if the rules choose otherwise with the hint than without,
 * and the recorded choice is one of the two. If at least {@value #LEAST} tell and at least {@value #PERCENT} of a hundred tell the same, the hint of the sort is known:
 * each single one is then judged by what the others say. Adding one allocates only when a pair of tasks is met for the first time.
 */
final class HintEvidence {
    /** Wakeups of a sort that must tell. */
    static final int LEAST = 8;

    /** How many of a hundred of them must tell the same. */
    static final int PERCENT = 80;

    private static final int EMPTY = -1;
    private static final int UNINTERRUPTIBLE = 4;
    private static final int CONTEXTS = 8;
    private static final int INPUTS = MissingInput.values().length;
    private static final int STRIDE = 2 * INPUTS;

    private long[] keys = new long[256];
    /** Wakeups of each entry by what they tell and by what would explain them if that were wrong. */
    private long[] counts = new long[256 * STRIDE];

    private Verify.@Nullable Disagreement[] ifSync = new Verify.Disagreement[256];
    private Verify.@Nullable Disagreement[] ifNotSync = new Verify.Disagreement[256];
    private int size;

    HintEvidence() {
        Arrays.fill(keys, EMPTY);
    }

    /** Outcome for the wakeups of all sorts. */
    record Outcome(
            long agree, long disagree, Map<MissingInput, Long> unknown, Map<Long, Verify.Disagreement> examples) {}

    /**
     * A wakeup whose recorded choice the rules make only with the hint, or only without. Says which entry holds it.
     *
     * @param uninterruptible how the wakee slept: for a lock or a disk, rather than for another task's message
     * @param otherwise the input that would explain the choice if the hint were the other
     */
    int add(Wakeup wakeup, boolean uninterruptible, boolean onlyWith, MissingInput otherwise) {
        int context = wakeup.context & (SchedEvents.IN_HARDIRQ | SchedEvents.IN_SOFTIRQ);
        context |= uninterruptible ? UNINTERRUPTIBLE : 0;
        long key = ((long) wakeup.wakerSlot + 1 << 31 | wakeup.wakeeSlot) * CONTEXTS + context;
        int entry = find(key);
        counts[entry * STRIDE + (onlyWith ? 0 : INPUTS) + otherwise.ordinal()]++;
        return entry;
    }

    /** Whether an example is still wanted of what an entry's wakeup would be if the hint were the other. */
    boolean wantsExample(int entry, boolean onlyWith) {
        return (onlyWith ? ifNotSync : ifSync)[entry] == null;
    }

    /** Keeps an example: a disagreement, should the hint of the sort turn out to be the other. */
    void example(int entry, boolean onlyWith, Verify.Disagreement disagreement) {
        (onlyWith ? ifNotSync : ifSync)[entry] = disagreement;
    }

    private int find(long key) {
        int mask = keys.length - 1;
        int at = (int) (key * 0x9E3779B97F4A7C15L >>> 40) & mask;
        while (keys[at] != EMPTY) {
            if (keys[at] == key) {
                return at;
            }
            at = at + 1 & mask;
        }
        if (2 * (size + 1) > keys.length) {
            grow();
            return find(key);
        }
        size++;
        keys[at] = key;
        return at;
    }

    private void grow() {
        long[] oldKeys = keys;
        long[] oldCounts = counts;
        Verify.@Nullable Disagreement[] oldSync = ifSync;
        Verify.@Nullable Disagreement[] oldNotSync = ifNotSync;
        int to = 2 * oldKeys.length;
        keys = new long[to];
        Arrays.fill(keys, EMPTY);
        counts = new long[to * STRIDE];
        ifSync = new Verify.Disagreement[to];
        ifNotSync = new Verify.Disagreement[to];
        size = 0;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != EMPTY) {
                int at = find(oldKeys[i]);
                System.arraycopy(oldCounts, i * STRIDE, counts, at * STRIDE, STRIDE);
                ifSync[at] = oldSync[i];
                ifNotSync[at] = oldNotSync[i];
            }
        }
    }

    /** The recording is over: judges the wakeups of each sort by the hint that the sort is found to give. */
    Outcome finish(AuditTasks tasks) {
        Map<String, long[]> sorts = new TreeMap<>();
        @Nullable String[] sortOf = new String[keys.length];
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] != EMPTY) {
                sortOf[i] = sort(keys[i], tasks);
                long[] sum = sorts.computeIfAbsent(sortOf[i], k -> new long[STRIDE]);
                for (int j = 0; j < STRIDE; j++) {
                    sum[j] += counts[i * STRIDE + j];
                }
            }
        }
        long agree = 0;
        long disagree = 0;
        Map<MissingInput, Long> unknown = new EnumMap<>(MissingInput.class);
        for (long[] sum : sorts.values()) {
            long with = sum(sum, 0);
            long without = sum(sum, INPUTS);
            if (!known(with, without)) {
                unknown.merge(MissingInput.SYNC, with + without, Long::sum);
                continue;
            }
            agree += Math.max(with, without);
            int minority = with > without ? INPUTS : 0;
            disagree += sum[minority];
            for (int input = 1; input < INPUTS; input++) {
                if (sum[minority + input] > 0) {
                    unknown.merge(MissingInput.values()[input], sum[minority + input], Long::sum);
                }
            }
        }
        return new Outcome(agree, disagree, unknown, examples(sorts, sortOf));
    }

    private Map<Long, Verify.Disagreement> examples(Map<String, long[]> sorts, @Nullable String[] sortOf) {
        Map<Long, Verify.Disagreement> examples = new TreeMap<>();
        for (int i = 0; i < keys.length; i++) {
            long[] sum = sortOf[i] == null ? null : sorts.get(sortOf[i]);
            if (sum != null && known(sum(sum, 0), sum(sum, INPUTS))) {
                Verify.Disagreement example = sum(sum, 0) > sum(sum, INPUTS) ? ifSync[i] : ifNotSync[i];
                if (example != null) {
                    examples.put(example.number(), example);
                }
            }
        }
        return examples;
    }

    private static long sum(long[] counts, int from) {
        long sum = 0;
        for (int i = from; i < from + INPUTS; i++) {
            sum += counts[i];
        }
        return sum;
    }

    private static boolean known(long with, long without) {
        long all = with + without;
        return all >= LEAST && 100 * Math.max(with, without) >= PERCENT * all;
    }

    private static String sort(long key, AuditTasks tasks) {
        int context = (int) (key % CONTEXTS);
        long pair = key / CONTEXTS;
        int waker = (int) (pair >> 31) - 1;
        int wakee = (int) (pair & Integer.MAX_VALUE);
        return (waker < 0 ? "?" : waker == 0 ? "idle" : tasks.name(waker)) + '\0' + tasks.name(wakee) + '\0' + context;
    }
}
