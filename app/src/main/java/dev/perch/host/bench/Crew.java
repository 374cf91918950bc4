package dev.perch.host.bench;

import dev.perch.host.linux.ChildProcess;
import dev.perch.host.linux.HostThread;
import dev.perch.host.linux.MemoryFile;
import dev.perch.host.linux.SystemCallException;
import dev.perch.host.linux.TaskUse;
import dev.perch.host.linux.ThisThread;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * The processes of one measurement. They are led by a thread of their own, which ends with the measurement: it is pinned where a process that
 * it starts is to run, and they die with it.
 */
final class Crew {
    /** How often somebody looks whether the measurement is to stop, or a process is gone. */
    static final long LOOK_MS = 100;

    private final CpuMask allCpus = ThisThread.affinity();
    private final List<ChildProcess> members = new ArrayList<>();
    private boolean over;

    private Crew() {}

    /** What the leader does. */
    @FunctionalInterface
    interface Work<T> {
        T with(Crew crew) throws InterruptedException;
    }

    /**
     * Does the work, after which all processes are gone.
     *
     * @param stopped asked now and then; once it is true all are killed
     * @throws StoppedException it was true
     */
    static <T> T lead(BooleanSupplier stopped, Work<T> work) throws InterruptedException {
        Crew crew = new Crew();
        CompletableFuture<T> result = HostThread.start("crew", () -> {
            try {
                return work.with(crew);
            } finally {
                crew.endNow();
            }
        });
        while (true) {
            try {
                return result.get(LOOK_MS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (stopped.getAsBoolean()) {
                    crew.kill();
                }
            } catch (InterruptedException e) {
                crew.kill();
                throw e;
            } catch (ExecutionException e) {
                if (stopped.getAsBoolean()) {
                    throw new StoppedException();
                }
                return HostThread.await(result);
            }
        }
    }

    /**
     * Starts a process; for the leader.
     *
     * @param cpus where it may run, empty for all
     * @param files that it inherits
     * @return its process id
     */
    int start(MemoryFile program, CpuMask cpus, int... files) {
        HostThread.pin(cpus);
        try {
            ChildProcess member = ChildProcess.start(List.of(program.path()), files);
            add(member);
            return member.pid();
        } catch (SystemCallException e) {
            if (e.errno() == SystemCallException.EACCES) {
                throw programsMayNotRun(e);
            }
            throw e;
        } finally {
            ThisThread.setAffinity(allCpus);
        }
    }

    /** A program that processes can be started with. */
    static MemoryFile program(byte[] file) {
        try {
            return MemoryFile.ofProgram("perch-task", file);
        } catch (SystemCallException e) {
            throw e.errno() == SystemCallException.EACCES ? programsMayNotRun(e) : e;
        }
    }

    private static InputException programsMayNotRun(SystemCallException cause) {
        return new InputException(
                "this machine lets no program run from memory (vm.memfd_noexec, a security module); perch bench --threads measures threads",
                cause);
    }

    private synchronized void add(ChildProcess member) {
        members.add(member);
        if (over) {
            member.kill();
        }
    }

    private synchronized List<ChildProcess> members() {
        return List.copyOf(members);
    }

    /** What all of them have gone through since they began; of those that have ended too. */
    TaskUse use() {
        return members().stream().map(member -> TaskUse.ofProcess(member.pid())).reduce(TaskUse.NONE, TaskUse::plus);
    }

    /** Waits until all have ended. */
    void await() {
        members().forEach(ChildProcess::await);
    }

    /** @throws IllegalStateException one has ended by something else than its work's end */
    void requireNoneFailed() {
        for (ChildProcess member : members()) {
            member.exitCode().ifPresent(code -> {
                if (code != TaskProgram.DONE) {
                    throw new IllegalStateException("a process of the benchmark has ended before its time, "
                            + (code > 128 ? "by signal " + (code - 128) : "with exit code " + code));
                }
            });
        }
    }

    /** Those too that are still to be started. */
    private synchronized void kill() {
        over = true;
        members.forEach(ChildProcess::kill);
    }

    private void endNow() {
        kill();
        members().forEach(ChildProcess::endNow);
    }
}
