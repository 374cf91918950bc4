package dev.perch.host.probe;

import dev.perch.host.linux.HostThread;
import dev.perch.model.CpuMask;
import java.util.concurrent.CompletableFuture;

/** The second thread of a probe, on a CPU of its own or on that of the first; it has ended when {@link #close} returns. */
final class Partner implements AutoCloseable {
    private static final int SPINS_PER_LOOK = 1 << 16;

    private final Blocks blocks;
    private final Runnable stop;
    private final CompletableFuture<Boolean> end;

    /**
     * Starts it.
     *
     * @param work what it does until {@code stop} is called
     */
    Partner(Blocks blocks, int cpu, Runnable work, Runnable stop) {
        this.blocks = blocks;
        this.stop = stop;
        end = HostThread.start("probe-partner", () -> {
            HostThread.pin(CpuMask.of(cpu));
            work.run();
            return true;
        });
    }

    /** Throws what made it fail, or that the measurement is to stop; to be asked now and then by whoever waits for it. */
    void check() {
        blocks.check();
        if (end.isCompletedExceptionally()) {
            throw end.exceptionNow() instanceof RuntimeException reason
                    ? reason
                    : new IllegalStateException(end.exceptionNow());
        }
    }

    /** As {@link #check}, but only at some of the calls. */
    void checkSometimes(int spins) {
        if (spins % SPINS_PER_LOOK == 0) {
            check();
        }
    }

    @Override
    public void close() {
        stop.run();
        end.handle((done, failure) -> done).join();
    }
}
