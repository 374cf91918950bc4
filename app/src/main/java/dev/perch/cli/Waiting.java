package dev.perch.cli;

/** Says on a terminal for how many seconds something works that cannot say how far it is. */
final class Waiting implements AutoCloseable {
    private static final long SECOND_MS = 1000;

    private final Progress progress;
    private final Thread ticker;

    /** @param what is done, after the number of seconds, as in {@code s of SQL} */
    Waiting(Surroundings surroundings, String what) {
        progress = new Progress(surroundings, what, 0);
        ticker = Thread.ofPlatform().daemon().unstarted(this::tick);
        if (surroundings.terminal()) {
            ticker.start();
        }
    }

    private void tick() {
        try {
            for (long second = 1; ; second++) {
                Thread.sleep(SECOND_MS);
                progress.show(second);
            }
        } catch (InterruptedException e) {
            // it is over
        }
    }

    /** Takes the line away; to be called before anything else is printed. */
    void stop() {
        ticker.interrupt();
        progress.clear();
    }

    @Override
    public void close() {
        stop();
    }
}
