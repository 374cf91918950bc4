package dev.perch.host.probe;

/**
 * How long a cache line takes from one CPU to another: half a round trip of two threads that replace a word, each what the other left, by
 * compare-and-exchange.
 *
 * <p>This is what github.com/nviennot/core-to-core-latency measures, so that its published tables can be set beside it. Limitation: a failed try fetches
 * the line too, and the two tries now and then meet on the way; a plain load of a line that another CPU wrote is somewhat cheaper.
 */
final class LineProbe {
    private static final int ROUNDS = 32;
    private static final int WORD = 0;
    private static final int MINE = 0;
    private static final int YOURS = 1;
    private static final int STOP = 2;

    private final Blocks blocks;
    private final SharedWords words = new SharedWords(1);

    LineProbe(Blocks blocks) {
        this.blocks = blocks;
    }

    /** ns one way, between the calling thread's CPU and another. */
    double[] values(int other) {
        try (Partner partner = new Partner(blocks, other, this::answer, this::stop)) {
            return blocks.values(2 * ROUNDS, () -> {
                long start = System.nanoTime();
                for (int i = 0; i < ROUNDS; i++) {
                    ask(partner);
                }
                return System.nanoTime() - start;
            });
        }
    }

    private void ask(Partner partner) {
        for (int tries = 1; words.compareAndExchange(WORD, MINE, YOURS) != MINE; tries++) {
            partner.checkSometimes(tries);
        }
    }

    private void answer() {
        while (answered()) {
            // compiled from one call to the next
        }
    }

    private boolean answered() {
        for (int i = 0; i < ROUNDS; i++) {
            int found = words.compareAndExchange(WORD, YOURS, MINE);
            while (found != YOURS) {
                if (found == STOP) {
                    return false;
                }
                found = words.compareAndExchange(WORD, YOURS, MINE);
            }
        }
        return true;
    }

    private void stop() {
        words.set(WORD, STOP);
    }
}
