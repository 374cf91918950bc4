package dev.perch.host.bench;

import dev.perch.host.linux.MemoryFile;
import dev.perch.host.linux.OpenFiles;
import dev.perch.host.linux.StreamSockets;
import dev.perch.host.linux.SystemCallException;
import dev.perch.host.linux.TaskUse;
import dev.perch.host.machinecode.Processor;
import dev.perch.model.InputException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Groups of processes, each sender writing messages to each receiver of its group: the workload of perf bench sched messaging without
 * its {@code -t}.
 *
 * <p>All processes are started and wait, asleep, for the same pipe; the time runs from the moment at which it is closed until the last one has
 * ended, as perf's. Starting them is not in it.
 */
final class ProcessGroups {
    private static final short POLLIN = 1;

    private final Messaging.Spec spec;
    private final BooleanSupplier stopped;
    private final List<Integer> files = new ArrayList<>();

    /** @param stopped asked now and then; once it is true the run ends with {@link StoppedException} */
    ProcessGroups(Messaging.Spec spec, BooleanSupplier stopped) {
        this.spec = spec;
        this.stopped = stopped;
    }

    /** Measures; to be called once. */
    Messaging.Run run() throws InterruptedException {
        Processor processor = Processor.current();
        long parent = ProcessHandle.current().pid();
        long messages = (long) Messaging.FAN * spec.loops();
        try (MemoryFile sender = Crew.program(
                        TaskProgram.sender(processor, parent, Messaging.FAN, spec.loops(), Messaging.MESSAGE));
                MemoryFile receiver =
                        Crew.program(TaskProgram.receiver(processor, parent, messages, Messaging.MESSAGE))) {
            OpenFiles.Ends ready = keep(OpenFiles.pipe());
            OpenFiles.Ends gate = keep(OpenFiles.pipe());
            return Crew.lead(stopped, crew -> {
                for (int group = 0; group < spec.groups(); group++) {
                    startGroup(crew, sender, receiver, ready.second(), gate.first());
                }
                awaitAll(crew, ready.first());
                return measure(crew, gate);
            });
        } catch (SystemCallException e) {
            throw explained(e);
        } finally {
            files.forEach(OpenFiles::close);
        }
    }

    /** Whether what failed is a limit that the user can change. */
    private RuntimeException explained(SystemCallException e) {
        return switch (e.errno()) {
            case SystemCallException.EMFILE, SystemCallException.EBADF ->
                new InputException(
                        "messaging opens some " + 3 * Messaging.FAN
                                + " files at a time, more than this process may have; raise the limit (ulimit -n)",
                        e);
            case SystemCallException.EAGAIN ->
                new InputException(
                        "messaging with " + spec.groups() + " groups starts " + spec.tasks()
                                + " processes, more than may be here; lower --groups, raise the limit (ulimit -u, a container's"
                                + " pids.max), or measure --threads",
                        e);
            default -> e;
        };
    }

    private OpenFiles.Ends keep(OpenFiles.Ends ends) {
        files.add(ends.first());
        files.add(ends.second());
        return ends;
    }

    /** The channels are the processes' alone: whoever waits for one that is gone gets to know. */
    private void startGroup(Crew crew, MemoryFile sender, MemoryFile receiver, int ready, int gate) {
        List<Integer> ofSender = new ArrayList<>(List.of(ready, gate));
        try {
            for (int i = 0; i < Messaging.FAN; i++) {
                OpenFiles.Ends channel = spec.pipes() ? OpenFiles.pipe() : StreamSockets.socketPair();
                ofSender.add(channel.second());
                try {
                    crew.start(receiver, spec.receivers(), ready, gate, channel.first());
                } finally {
                    OpenFiles.close(channel.first());
                }
            }
            int[] inherited = ofSender.stream().mapToInt(Integer::intValue).toArray();
            for (int i = 0; i < Messaging.FAN; i++) {
                crew.start(sender, spec.senders(), inherited);
            }
        } finally {
            ofSender.stream().skip(2).forEach(OpenFiles::close);
        }
    }

    /** Until as many bytes have come as there are processes. */
    private void awaitAll(Crew crew, int ready) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(spec.tasks());
            MemorySegment poll = arena.allocate(Long.BYTES, Integer.BYTES);
            poll.set(ValueLayout.JAVA_INT, 0, ready);
            poll.set(ValueLayout.JAVA_SHORT, Integer.BYTES, POLLIN);
            for (long left = spec.tasks(); left > 0; ) {
                OpenFiles.poll(poll, 1, (int) Crew.LOOK_MS);
                if (poll.get(ValueLayout.JAVA_SHORT, Integer.BYTES + Short.BYTES) == POLLIN) {
                    left -= OpenFiles.read(ready, buffer, left);
                }
                crew.requireNoneFailed();
            }
        }
    }

    private Messaging.Run measure(Crew crew, OpenFiles.Ends gate) {
        TaskUse before = crew.use();
        long start = System.nanoTime();
        files.remove(Integer.valueOf(gate.second()));
        OpenFiles.close(gate.second());
        crew.await();
        long ns = System.nanoTime() - start;
        crew.requireNoneFailed();
        return new Messaging.Run(ns, crew.use().since(before));
    }
}
