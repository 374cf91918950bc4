package dev.perch.cli;

import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A line on the terminal that says how far the work is; nothing where there is no terminal. When the program is interrupted, the line is
 * taken away before the shell writes its own.
 */
final class Progress {
    private static final long INTERVAL_NS = 100_000_000;

    /** The one whose line is on the terminal. */
    private static volatile @Nullable Progress visible;

    private static final AtomicBoolean CLEARED_AT_EXIT = new AtomicBoolean();

    private final PrintStream err;
    private final boolean terminal;
    private final String what;
    private final long all;
    private long nextNs = System.nanoTime() + INTERVAL_NS;
    private boolean shown;
    private boolean over;

    /**
     * @param what is counted
     * @param all how many there will be; 0 if that is not known
     */
    Progress(Surroundings surroundings, String what, long all) {
        err = surroundings.err();
        terminal = surroundings.terminal();
        this.what = what;
        this.all = all;
    }

    /** Shows how many are done, at most ten times a second. */
    void show(long done) {
        line(done + (all == 0 ? "" : " of " + all) + " " + what);
    }

    /** Shows what is done now, at most ten times a second. */
    void show(String now) {
        line(what + ": " + now);
    }

    private synchronized void line(String text) {
        if (!terminal || over || System.nanoTime() < nextNs) {
            return;
        }
        nextNs = System.nanoTime() + INTERVAL_NS;
        boolean again = shown;
        if (!shown) {
            shown = true;
            visible = this;
            clearAtExit();
        }
        err.print((again ? "\r\033[K" : "\r") + text + " ");
        err.flush();
    }

    /** Takes the line away. */
    synchronized void clear() {
        over = true;
        if (shown) {
            shown = false;
            visible = null;
            err.print("\r\033[K");
            err.flush();
        }
    }

    private static void clearAtExit() {
        if (CLEARED_AT_EXIT.compareAndSet(false, true)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                Progress last = visible;
                if (last != null) {
                    last.clear();
                }
            }));
        }
    }
}
