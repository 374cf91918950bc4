package dev.perch.host.linux;

import dev.perch.model.CpuMask;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Threads of the kernel's that do one thing and end, and with them their pinning. None of them keeps the program alive: one that waits in
 * the kernel for somebody who has failed ends with the program.
 */
public final class HostThread {
    /** Bytes; enough for a loop of system calls. */
    private static final long STACK = 256 << 10;

    private HostThread() {}

    /** Starts a thread; what it gives or throws completes the future. */
    public static <T> CompletableFuture<T> start(String name, Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Runnable task = () -> {
            try {
                result.complete(work.call());
            } catch (Exception | LinkageError e) {
                result.completeExceptionally(e);
            }
        };
        Thread thread = new Thread(null, task, name, STACK);
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    /** Lets the calling thread run on {@code cpus} only; on all it could before if there are none. */
    public static void pin(CpuMask cpus) {
        if (!cpus.isEmpty()) {
            ThisThread.setAffinity(cpus);
        }
    }

    /** What a future gives; what made it fail is thrown as it is. */
    public static <T> T await(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException reason ? reason : new IllegalStateException(e.getCause());
        }
    }
}
