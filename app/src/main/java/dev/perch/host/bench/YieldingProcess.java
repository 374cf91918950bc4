package dev.perch.host.bench;

import dev.perch.host.linux.HostThread;
import dev.perch.host.linux.MemoryFile;
import dev.perch.host.linux.OpenFiles;
import dev.perch.host.machinecode.Processor;
import dev.perch.model.CpuMask;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** A {@link YieldingTask} that is a process of its own, a program of a few instructions. */
public final class YieldingProcess implements YieldingTask {
    private final Crew crew;
    private final int pid;
    private final MemorySegment shared;

    private YieldingProcess(Crew crew, int pid, MemorySegment shared) {
        this.crew = crew;
        this.pid = pid;
        this.shared = shared;
    }

    /**
     * Does some work while a process yields on a CPU; the work is done by a thread on that CPU too. Afterwards neither is there any more.
     *
     * @param stopped asked now and then; once it is true this ends with {@link StoppedException}
     */
    public static <T> T during(int cpu, BooleanSupplier stopped, Function<YieldingTask, T> work)
            throws InterruptedException {
        long parent = ProcessHandle.current().pid();
        try (MemoryFile memory = MemoryFile.ofData("perch-shared", new byte[TaskProgram.SHARED_BYTES]);
                MemoryFile program = Crew.program(TaskProgram.yielding(Processor.current(), parent))) {
            return Crew.lead(stopped, crew -> {
                MemorySegment shared = OpenFiles.map(memory.number(), TaskProgram.SHARED_BYTES);
                try {
                    int pid = crew.start(program, CpuMask.of(cpu), memory.number());
                    HostThread.pin(CpuMask.of(cpu));
                    return work.apply(new YieldingProcess(crew, pid, shared));
                } finally {
                    OpenFiles.unmap(shared);
                }
            });
        }
    }

    @Override
    public long yields() {
        return Integer.toUnsignedLong(TaskProgram.counted(shared));
    }

    @Override
    public int threadId() {
        return yields() == 0 ? 0 : pid;
    }

    @Override
    public void check() {
        crew.requireNoneFailed();
    }
}
