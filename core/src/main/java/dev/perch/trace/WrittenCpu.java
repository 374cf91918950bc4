package dev.perch.trace;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import java.util.stream.IntStream;

/** What all writers of recordings need of a CPU: that there is one, and what its idle thread is called. */
public final class WrittenCpu {
    private static final String[] IDLE_NAMES = IntStream.range(0, CpuMask.MAX_CPUS)
            .mapToObj(cpu -> "swapper/" + cpu)
            .toArray(String[]::new);

    private WrittenCpu() {}

    /** The kernel's name of the idle thread of a CPU; allocates nothing. */
    public static String idleName(int cpu) {
        return IDLE_NAMES[cpu];
    }

    /**
     * Refuses an event whose CPU is not known.
     *
     * @param form what is being written, such as {@code ftrace text}
     * @throws InputException {@code cpu} is negative
     */
    public static void require(int cpu, String form) {
        if (cpu < 0) {
            throw new InputException("the recording does not say on which CPUs its events happened, and " + form
                    + " has to; record with the CPU, such as perf script -F +cpu");
        }
    }
}
