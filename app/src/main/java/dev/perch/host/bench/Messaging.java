package dev.perch.host.bench;

import dev.perch.host.linux.HostThread;
import dev.perch.host.linux.OpenFiles;
import dev.perch.host.linux.StreamSockets;
import dev.perch.host.linux.SystemCallException;
import dev.perch.host.linux.TaskUse;
import dev.perch.host.linux.ThisThread;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Groups of threads, each sender writing messages of 100 bytes to each receiver of its group: the workload of perf bench sched messaging
 * with threads.
 *
 * <p>All threads are made and wait, asleep, for the same pipe; the time runs from the moment at which it is closed to the end of the last
 * one's work. Making the threads and their exit are not in it; perf's time has the exit in it.
 */
final class Messaging {
    /** Senders of a group, and receivers, as perf bench has. */
    static final int FAN = 20;

    /** Bytes of one. */
    static final int MESSAGE = 100;

    /**
     * What to measure.
     *
     * @param loops messages from each sender to each receiver
     * @param pipes through pipes, else through pairs of Unix-domain sockets
     * @param senders their CPUs, empty for all
     * @param receivers likewise
     */
    record Spec(int groups, int loops, boolean pipes, CpuMask senders, CpuMask receivers) {
        int tasks() {
            return groups * FAN * 2;
        }
    }

    /**
     * What was measured.
     *
     * @param use what all threads went through meanwhile
     */
    record Run(long ns, TaskUse use) {}

    /** What a thread does between the start and its end. */
    @FunctionalInterface
    private interface Work {
        void run(MemorySegment message);
    }

    private final Spec spec;
    private final BooleanSupplier stopped;
    private final List<Integer> files = new ArrayList<>();
    private final int[] threadIds;
    private final TaskUse[] uses;
    private final AtomicInteger notReady;
    private final AtomicInteger notDone;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final CountDownLatch over = new CountDownLatch(1);

    /** @param stopped asked now and then; once it is true the run ends with {@link StoppedException} */
    Messaging(Spec spec, BooleanSupplier stopped) {
        this.spec = spec;
        this.stopped = stopped;
        threadIds = new int[spec.tasks()];
        uses = new TaskUse[spec.tasks()];
        notReady = new AtomicInteger(spec.tasks());
        notDone = new AtomicInteger(spec.tasks());
    }

    /** Measures; to be called once. */
    Run run() throws InterruptedException {
        try {
            OpenFiles.Ends gate = keep(OpenFiles.pipe());
            startThreads(gate.first());
            HostThread.await(ready);
            long migrationsBefore = migrations();
            long start = System.nanoTime();
            files.remove(Integer.valueOf(gate.second()));
            OpenFiles.close(gate.second());
            HostThread.await(done);
            long ns = System.nanoTime() - start;
            TaskUse use = TaskUse.NONE;
            for (TaskUse each : uses) {
                use = use.plus(each);
            }
            long migrationsAfter = migrations();
            boolean known = migrationsBefore >= 0 && migrationsAfter >= 0;
            return new Run(
                    ns,
                    new TaskUse(
                            use.voluntarySwitches(),
                            use.involuntarySwitches(),
                            known ? migrationsAfter - migrationsBefore : -1));
        } catch (SystemCallException e) {
            if (e.errno() == SystemCallException.EMFILE) {
                throw new InputException(
                        "messaging with " + spec.groups + " groups opens " + spec.tasks()
                                + " files, more than this process may have; lower --groups or raise the limit (ulimit -n)",
                        e);
            }
            throw e;
        } finally {
            over.countDown();
            files.forEach(OpenFiles::close);
        }
    }

    private OpenFiles.Ends keep(OpenFiles.Ends ends) {
        files.add(ends.first());
        files.add(ends.second());
        return ends;
    }

    private void startThreads(int gate) {
        int next = 0;
        for (int group = 0; group < spec.groups; group++) {
            int[] to = new int[FAN];
            for (int i = 0; i < FAN; i++) {
                OpenFiles.Ends ends = keep(spec.pipes ? OpenFiles.pipe() : StreamSockets.socketPair());
                to[i] = ends.second();
                start(next++, gate, spec.receivers, message -> receive(ends.first(), message));
            }
            for (int i = 0; i < FAN; i++) {
                start(next++, gate, spec.senders, message -> send(to, message));
            }
        }
    }

    private void start(int index, int gate, CpuMask cpus, Work work) {
        HostThread.start("messaging-" + index, () -> {
                    HostThread.pin(cpus);
                    threadIds[index] = ThisThread.threadId();
                    try (Arena arena = Arena.ofConfined()) {
                        MemorySegment message = arena.allocate(MESSAGE);
                        ThisThread.Switches before = ThisThread.switches();
                        if (notReady.decrementAndGet() == 0) {
                            ready.complete(null);
                        }
                        OpenFiles.read(gate, message, 1);
                        work.run(message);
                        ThisThread.Switches after = ThisThread.switches();
                        uses[index] = new TaskUse(
                                after.voluntary() - before.voluntary(), after.involuntary() - before.involuntary(), 0);
                    }
                    if (notDone.decrementAndGet() == 0) {
                        done.complete(null);
                    }
                    over.await();
                    return index;
                })
                .exceptionally(failure -> {
                    ready.completeExceptionally(failure);
                    done.completeExceptionally(failure);
                    return index;
                });
    }

    private void send(int[] to, MemorySegment message) {
        for (int loop = 0; loop < spec.loops; loop++) {
            for (int file : to) {
                for (long sent = 0; sent < MESSAGE; ) {
                    sent += OpenFiles.write(file, rest(message, sent), MESSAGE - sent);
                }
            }
            if (stopped.getAsBoolean()) {
                throw new StoppedException();
            }
        }
    }

    private void receive(int from, MemorySegment message) {
        for (int left = FAN * spec.loops; left > 0; left--) {
            for (long received = 0; received < MESSAGE; ) {
                long count = OpenFiles.read(from, rest(message, received), MESSAGE - received);
                if (count == 0) {
                    throw new IllegalStateException("the senders are gone");
                }
                received += count;
            }
        }
    }

    private static MemorySegment rest(MemorySegment message, long done) {
        return done == 0 ? message : message.asSlice(done);
    }

    /** Of all threads, since they began; −1 if the kernel does not tell. */
    private long migrations() {
        long sum = 0;
        for (int id : threadIds) {
            long migrations = TaskUse.migrations(id);
            if (migrations < 0) {
                return -1;
            }
            sum += migrations;
        }
        return sum;
    }
}
