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

    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread hook;
    private volatile boolean requested;

    /** @param stop asks the work to end; called from another thread, at most once */
    Interruption(Runnable stop) {
        hook = new Thread(() -> {
            requested = true;
            stop.run();
            try {
                if (!over.await(PATIENCE_S, TimeUnit.SECONDS)) {
                    System.err.println("perch: was interrupted and could not end the work in " + PATIENCE_S + " s");
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

    /** The work is done, or what is done of it is safe. */
    @Override
    public void close() {
        over.countDown();
        if (!requested) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the program is ending just now, and the hook finds that there is nothing to wait for
            }
        }
    }
}
