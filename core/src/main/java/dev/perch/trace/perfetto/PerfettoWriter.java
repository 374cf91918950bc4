package dev.perch.trace.perfetto;

import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import dev.perch.trace.WrittenCpu;
import dev.perch.trace.binary.StateNumbers;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes events as a Perfetto trace: the messages that Perfetto itself records from ftrace, so that its page draws CPUs, task states and
 * clocks from them, and {@link PerfettoReader} reads them back to the same events.
 *
 * <p>The events of a CPU are gathered in bundles (FtraceEventBundle); all CPUs' bundles are written when together they hold {@value #FULL}
 * bytes, so that no bundle is much older than its neighbours. Events that Perfetto has no message for are generic ones, which have names and
 * values. {@link #tracks} writes tracks of one's own into the same trace.
 *
 * <p>Source: protos/perfetto/trace/trace_packet.proto and ftrace/*.proto of Perfetto, field numbers only.
 *
 * <p>Limitations: a loss ({@link #lost}) reads back just before the next event of its CPU, and without a count. The priority of a freed task is
 * not in the stream; −1 stands for it.
 *
 * <p>Nothing is allocated an event, but for the growth of buffers.
 */
public final class PerfettoWriter implements SchedEvents, Closeable {
    /** Bytes. */
    private static final int FULL = 256 * 1024;

    private static final int LONGEST_NAME = 512;

    // Trace and TracePacket.
    private static final int PACKET = 1;
    private static final int FTRACE_EVENTS = 1;
    private static final int SEQUENCE = 10;
    private static final int SYSTEM_INFO = 45;
    private static final int FTRACE_SEQUENCE = 1;
    // FtraceEventBundle.
    private static final int CPU = 1;
    private static final int EVENT = 2;
    private static final int LOST = 3;
    // FtraceEvent.
    private static final int TIMESTAMP = 1;
    private static final int PID = 2;
    private static final int FLAGS = 5;
    private static final int SWITCH = 4;
    private static final int FREQUENCY = 11;
    private static final int IDLE = 13;
    private static final int WAKEUP = 17;
    private static final int WAKING = 20;
    private static final int IPI_ENTRY = 21;
    private static final int WAKEUP_NEW = 114;
    private static final int EXEC = 237;
    private static final int EXIT = 238;
    private static final int FORK = 239;
    private static final int FREE = 240;
    private static final int GENERIC = 327;
    private static final int MIGRATE = 491;

    private static final int FLAG_HARDIRQ = 0x08;
    private static final int FLAG_SOFTIRQ = 0x10;

    private final OutputStream out;
    private final TaskNames names;
    private final StateNumbers states;
    private final ProtoBuffer packet = new ProtoBuffer();
    private final @Nullable ProtoBuffer[] bundles = new ProtoBuffer[CpuMask.MAX_CPUS];
    private final boolean[] lost = new boolean[CpuMask.MAX_CPUS];
    private final int[] running = new int[CpuMask.MAX_CPUS];
    private final byte[] name = new byte[LONGEST_NAME];
    private int cpus;
    private int gathered;

    /**
     * @param out gets the trace; {@link #close} closes it
     * @param names what the tasks are called; asked at every event
     * @param release what {@code uname -r} says on the machine, null if that is not known
     * @throws UncheckedIOException {@code out} fails; likewise every method
     */
    public PerfettoWriter(OutputStream out, TaskNames names, @Nullable String release) {
        this.out = out;
        this.names = names;
        states = StateNumbers.ofRelease(release);
        if (release != null) {
            packet.begin(PACKET).begin(SYSTEM_INFO).begin(1).ascii(1, "Linux").ascii(3, release);
            packet.end().end().end();
        }
    }

    /** Tracks of one's own in this trace; their packets stand between the bundles. */
    public PerfettoTracks tracks() {
        return new PerfettoTracks(this, names);
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        ProtoBuffer event = begin(ns, cpu, prev, IN_TASK).begin(SWITCH);
        comm(event, 1, prev, cpu).number(2, prev).number(3, prevPrio).number(4, states.raw(prevState));
        comm(event, 5, next, cpu).number(6, next).number(7, nextPrio);
        end(event);
        running[cpu] = next;
    }

    @Override
    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
        wakeup(begin(ns, cpu, current, context).begin(WAKING), wakee, prio, prevCpu);
    }

    @Override
    public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        wakeup(begin(ns, cpu, current, context).begin(WAKEUP), wakee, prio, targetCpu);
    }

    @Override
    public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        wakeup(begin(ns, cpu, current, context).begin(WAKEUP_NEW), wakee, prio, targetCpu);
    }

    private void wakeup(ProtoBuffer event, int wakee, int prio, int cpu) {
        end(comm(event, 1, wakee, cpu)
                .number(2, wakee)
                .number(3, prio)
                .number(4, 1)
                .number(5, cpu));
    }

    @Override
    public void migrated(long ns, int cpu, int current, int task, int prio, int fromCpu, int toCpu) {
        ProtoBuffer event = begin(ns, cpu, current, IN_TASK).begin(MIGRATE);
        end(comm(event, 1, task, fromCpu)
                .number(2, task)
                .number(3, prio)
                .number(4, fromCpu)
                .number(5, toCpu));
    }

    @Override
    public void forked(long ns, int cpu, int parent, int child) {
        ProtoBuffer event = begin(ns, cpu, parent, IN_TASK).begin(FORK);
        comm(event, 1, parent, cpu).number(2, parent);
        end(comm(event, 3, child, cpu).number(4, child));
    }

    @Override
    public void exec(long ns, int cpu, int pid, int oldPid) {
        ProtoBuffer event = begin(ns, cpu, pid, IN_TASK).begin(EXEC);
        end(comm(event, 1, pid, cpu).number(2, pid).number(3, oldPid));
    }

    @Override
    public void exited(long ns, int cpu, int pid, int prio) {
        ProtoBuffer event = begin(ns, cpu, pid, IN_TASK).begin(EXIT);
        end(comm(event, 1, pid, cpu).number(2, pid).number(4, prio));
    }

    @Override
    public void freed(long ns, int cpu, int pid) {
        ProtoBuffer event = begin(ns, cpu, current(cpu), IN_TASK).begin(FREE);
        end(comm(event, 1, pid, cpu).number(2, pid).number(3, -1));
    }

    @Override
    public void wakeIdleWithoutIpi(long ns, int cpu, int targetCpu) {
        end(generic(ns, cpu, "sched_wake_idle_without_ipi", "cpu", targetCpu));
    }

    @Override
    public void idle(long ns, int cpu, int state) {
        end(begin(ns, cpu, 0, IN_TASK)
                .begin(IDLE)
                .number(1, state & 0xffffffffL)
                .number(2, cpu));
    }

    @Override
    public void frequency(long ns, int cpu, int khz) {
        end(begin(ns, cpu, current(cpu), IN_TASK)
                .begin(FREQUENCY)
                .number(1, khz)
                .number(2, cpu));
    }

    @Override
    public void ipiSent(long ns, int cpu, int targetCpu) {
        end(generic(ns, cpu, "ipi_send_cpu", "cpu", targetCpu));
    }

    @Override
    public void rescheduleIpi(long ns, int cpu) {
        end(begin(ns, cpu, current(cpu), IN_HARDIRQ).begin(IPI_ENTRY).ascii(1, "Rescheduling interrupts"));
    }

    @Override
    public void callFunctionIpi(long ns, int cpu) {
        end(begin(ns, cpu, current(cpu), IN_HARDIRQ).begin(IPI_ENTRY).ascii(1, "Function call interrupts"));
    }

    @Override
    public void runtime(long ns, int cpu, int pid, long runtimeNs) {
        ProtoBuffer event = generic(ns, cpu, "sched_stat_runtime", "pid", pid);
        end(value(event, "runtime", runtimeNs));
    }

    @Override
    public void lost(long ns, int cpu, long count) {
        if (cpu >= 0) {
            writeBundles();
            lost[cpu] = true;
        }
    }

    @Override
    public void close() {
        writeBundles();
        try (OutputStream closing = out) {
            packet.flushTo(closing);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The packets that wait to be written; whoever adds one calls {@link #added} then. */
    ProtoBuffer packets() {
        return packet;
    }

    void added() {
        if (packet.size() >= FULL) {
            flush();
        }
    }

    private void writeBundles() {
        for (int cpu = 0; cpu < cpus; cpu++) {
            ProtoBuffer bundle = bundles[cpu];
            if (bundle != null && bundle.size() > 0) {
                packet.begin(PACKET).number(SEQUENCE, FTRACE_SEQUENCE).begin(FTRACE_EVENTS);
                packet.number(CPU, cpu);
                if (lost[cpu]) {
                    packet.number(LOST, 1);
                    lost[cpu] = false;
                }
                packet.append(bundle).end().end();
                bundle.clear();
            }
        }
        gathered = 0;
        flush();
    }

    private void flush() {
        try {
            packet.flushTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins an event; {@link #end} ends it and its payload. */
    private ProtoBuffer begin(long ns, int cpu, int current, int context) {
        ProtoBuffer bundle = bundle(cpu).begin(EVENT).number(TIMESTAMP, ns);
        if (current >= 0) {
            bundle.number(PID, current);
        }
        if (context != CONTEXT_UNKNOWN) {
            int flags =
                    ((context & IN_HARDIRQ) != 0 ? FLAG_HARDIRQ : 0) | ((context & IN_SOFTIRQ) != 0 ? FLAG_SOFTIRQ : 0);
            bundle.number(FLAGS, flags);
        }
        return bundle;
    }

    private int current(int cpu) {
        return cpu < 0 ? -1 : running[cpu];
    }

    private ProtoBuffer bundle(int cpu) {
        WrittenCpu.require(cpu, "a Perfetto trace");
        if (gathered >= FULL) {
            writeBundles();
        }
        ProtoBuffer bundle = bundles[cpu];
        if (bundle == null) {
            bundle = new ProtoBuffer();
            bundles[cpu] = bundle;
            cpus = Math.max(cpus, cpu + 1);
        }
        gathered -= bundle.size();
        return bundle;
    }

    private void end(ProtoBuffer event) {
        event.end().end();
        gathered += event.size();
    }

    private ProtoBuffer comm(ProtoBuffer event, int field, int pid, int cpu) {
        if (pid == 0) {
            return event.ascii(field, WrittenCpu.idleName(cpu));
        }
        return event.bytes(field, name, names.copyName(pid, name, 0, LONGEST_NAME));
    }

    private ProtoBuffer generic(long ns, int cpu, String event, String field, long value) {
        return value(begin(ns, cpu, current(cpu), IN_TASK).begin(GENERIC).ascii(1, event), field, value);
    }

    private static ProtoBuffer value(ProtoBuffer event, String field, long value) {
        return event.begin(2).ascii(1, field).number(4, value).end();
    }
}
