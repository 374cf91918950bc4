package dev.perch.host.probe;

import dev.perch.host.bench.YieldingTask;
import dev.perch.host.linux.ThisThread;

/** A {@link YieldingTask} that is a thread of this process; it has ended when {@link #close} returns. */
final class YieldingThread implements YieldingTask, AutoCloseable {
    private static final int COUNT = 0;
    private static final int STOP = 1;
    private static final int TASK = 2;
    private static final int YIELDS_PER_LOOK = 64;

    private final SharedWords shared = new SharedWords(3);
    private final Partner partner;

    /** Starts it. */
    YieldingThread(Blocks blocks, int cpu) {
        partner = new Partner(blocks, cpu, this::yieldUntilStopped, () -> shared.set(STOP, 1));
    }

    private void yieldUntilStopped() {
        shared.set(TASK, ThisThread.threadId());
        while (shared.get(STOP) == 0) {
            yieldSome();
        }
    }

    private void yieldSome() {
        for (int i = 0; i < YIELDS_PER_LOOK; i++) {
            ThisThread.yieldCpu();
            shared.setLong(COUNT, shared.getLong(COUNT) + 1);
        }
    }

    @Override
    public long yields() {
        return shared.getLong(COUNT);
    }

    @Override
    public int threadId() {
        return shared.get(TASK);
    }

    @Override
    public void check() {
        partner.check();
    }

    @Override
    public void close() {
        partner.close();
    }
}
