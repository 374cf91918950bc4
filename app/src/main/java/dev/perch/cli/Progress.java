package dev.perch.cli;

import java.io.PrintStream;

/** A line on the terminal that says how far the work is; nothing where there is no terminal. */
final class Progress {
    private static final long INTERVAL_NS = 100_000_000;

    private final PrintStream err;
    private final boolean terminal;
    private final String what;
    private final int all;
    private long nextNs = System.nanoTime() + INTERVAL_NS;
    private boolean shown;

    /**
     * @param what is counted
     * @param all how many there will be; 0 if that is not known
     */
    Progress(Surroundings surroundings, String what, int all) {
        err = surroundings.err();
        terminal = surroundings.terminal();
        this.what = what;
        this.all = all;
    }

    /** Shows how many are done, at most ten times a second. */
    synchronized void show(int done) {
        if (!terminal || System.nanoTime() < nextNs) {
            return;
        }
        nextNs = System.nanoTime() + INTERVAL_NS;
        shown = true;
        err.print("\r" + done + (all == 0 ? "" : " of " + all) + " " + what + " ");
        err.flush();
    }

    /** Takes the line away. */
    synchronized void clear() {
        if (shown) {
            err.print("\r\033[K");
            err.flush();
        }
    }
}
