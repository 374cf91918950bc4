package dev.perch.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets work that is interrupted, by Ctrl-C or a request to end, come to a clean end: it is asked to stop and has some seconds to print and
 * store what is done. The program then ends with the exit code that the shell expects, 130 after Ctrl-C.
 *
 * <p>It is a hook of the JVM's shutdown, so that nothing has to be known about signals. A second Ctrl-C changes nothing; the work that is
 * given up is not waited for.
 */
final class Interruption implements AutoCloseable {
    /** Exit code of a program that Ctrl-C ended: 128 and the number of the signal. */
    static final int EXIT_CODE = 130;

    private static final long PATIENCE_S = 20;

    /** The program has printed what it had to say, errors included. */
    private static final CountDownLatch OVER = new CountDownLatch(1);

    private final Thread hook;
    private volatile boolean requested;

    /** @param stop asks the work to end; called from another thread, at most once */
    Interruption(Runnable stop) {
        this(stop, PATIENCE_S);
    }

    /** @param patienceS seconds that the work has to come to its end */
    Interruption(Runnable stop, long patienceS) {
        hook = new Thread(() -> {
            requested = true;
            stop.run();
            try {
                if (!OVER.await(patienceS, TimeUnit.SECONDS)) {
                    System.err.println("perch: was interrupted and could not end the work in " + patienceS + " s");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Whether the program is to end. */
    boolean isRequested() {
        return requested;
    }

    /** To be called when the program is about to end by itself. */
    static void programIsOver() {
        OVER.countDown();
    }

    /** The work is done. If it was interrupted, the program has the time until {@link #programIsOver}. */
    @Override
    public void close() {
        if (!requested) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the program is being interrupted just now
            }
        }
    }
}
