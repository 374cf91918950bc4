package dev.perch.host.probe;

import dev.perch.host.linux.InterruptCounts;
import dev.perch.host.linux.MemoryBarriers;
import dev.perch.host.linux.SystemCallException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An interrupt to another CPU and its acknowledgement back: a memory barrier on all CPUs that run this process, while a thread of it spins on
 * that CPU, less the same without that thread.
 *
 * <p>The kernel sends a function-call interrupt and waits until the handler has run (kernel/sched/membarrier.c, smp_call_function_many). The
 * target executes user code, so that nothing wakes up. Limitation: other threads of the virtual machine that run meanwhile are
 * interrupted too. Where /proc/interrupts shows that barriers went without interrupts (as under some hypervisors), there is no reading.
 */
final class InterruptProbe {
    private static final int BARRIERS = 16;
    /** For each barrier, or the target was not there, or this kernel makes barriers in another way. */
    private static final double FEWEST_INTERRUPTS = 0.75;

    private static final int RUNNING = 0;
    private static final int STOP = 1;

    private final Blocks blocks;
    private final SharedWords words = new SharedWords(2);
    private long made;

    InterruptProbe(Blocks blocks) {
        this.blocks = blocks;
    }

    /** ns, from the calling thread's CPU to another and back; nothing where no interrupts come of it. */
    Optional<Reading> reading(int other) {
        try {
            MemoryBarriers.register();
        } catch (SystemCallException e) {
            return Optional.empty();
        }
        Reading alone = Reading.of(blocks.values(BARRIERS, this::barriers));
        try (Partner partner = new Partner(blocks, other, this::spin, () -> words.set(STOP, 1))) {
            words.await(RUNNING, 1, partner);
            OptionalLong before = InterruptCounts.functionCalls(other);
            made = 0;
            double[] beside = blocks.values(BARRIERS, this::barriers);
            OptionalLong after = InterruptCounts.functionCalls(other);
            boolean interrupted = before.isPresent() && after.isPresent()
                    ? after.getAsLong() - before.getAsLong() >= FEWEST_INTERRUPTS * made
                    : Reading.of(beside).lowerQuartile() > alone.upperQuartile();
            return interrupted ? Optional.of(Reading.of(beside, ns -> ns - alone.median())) : Optional.empty();
        }
    }

    private long barriers() {
        long start = System.nanoTime();
        for (int i = 0; i < BARRIERS; i++) {
            MemoryBarriers.make();
        }
        made += BARRIERS;
        return System.nanoTime() - start;
    }

    private void spin() {
        words.set(RUNNING, 1);
        while (words.get(STOP) == 0) {
            Thread.onSpinWait();
        }
    }
}
