package dev.perch.audit;

import org.jspecify.annotations.Nullable;

/**
 * All wakeups that are under way, oldest to newest, and the pool they come from: their number is bounded by what was under way at once.
 */
final class WakeupsUnderWay {
    private @Nullable Wakeup free;
    private @Nullable Wakeup newest;

    /** The one that began last; {@link Wakeup#before} leads on to older ones. */
    @Nullable
    Wakeup newest() {
        return newest;
    }

    @Nullable
    Wakeup oldest() {
        Wakeup oldest = newest;
        while (oldest != null && oldest.before != null) {
            oldest = oldest.before;
        }
        return oldest;
    }

    /** A fresh one, the newest. */
    Wakeup take() {
        Wakeup wakeup = free;
        if (wakeup == null) {
            wakeup = new Wakeup();
        } else {
            free = wakeup.nextOnCpu;
        }
        wakeup.start();
        wakeup.before = newest;
        wakeup.after = null;
        if (newest != null) {
            newest.after = wakeup;
        }
        newest = wakeup;
        return wakeup;
    }

    /** Takes one off the list; the caller keeps it. */
    void unlink(Wakeup wakeup) {
        if (wakeup.after == null) {
            newest = wakeup.before;
        } else {
            wakeup.after.before = wakeup.before;
        }
        if (wakeup.before != null) {
            wakeup.before.after = wakeup.after;
        }
        wakeup.before = null;
        wakeup.after = null;
    }

    /** One that was taken off may be used again. */
    void recycle(Wakeup wakeup) {
        wakeup.nextOnCpu = free;
        free = wakeup;
    }

    /** Takes one off the list for good. */
    void release(Wakeup wakeup) {
        unlink(wakeup);
        recycle(wakeup);
    }

    /** Those that began while this one was on its way to {@code cpu} did not find that CPU idle, which is known only now. */
    void tellNewer(Wakeup wakeup, int cpu) {
        for (Wakeup newer = wakeup.after; newer != null; newer = newer.after) {
            newer.idle.remove(cpu);
        }
    }

    /** What {@code cpu} ran before its first switch is known only now. */
    void stateLearned(int cpu, boolean wasIdle) {
        for (Wakeup wakeup = newest; wakeup != null; wakeup = wakeup.before) {
            if (!wakeup.known.contains(cpu) && !wakeup.lost.contains(cpu)) {
                wakeup.known.add(cpu);
                wakeup.idle.set(cpu, wasIdle);
            }
        }
    }
}
