package dev.perch.trace;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;

/** Writes a Perfetto trace with a message for each event; events without a message of their own are generic. */
final class PerfettoFixture implements SchedEvents {
    /** A protobuf message that is being written. */
    static final class Proto {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        private void varint(long value) {
            long left = value;
            while ((left & ~0x7fL) != 0) {
                out.write((int) (left & 0x7f | 0x80));
                left >>>= 7;
            }
            out.write((int) left);
        }

        Proto number(int field, long value) {
            varint((long) field << 3);
            varint(value);
            return this;
        }

        Proto bytes(int field, byte[] bytes) {
            varint((long) field << 3 | 2);
            varint(bytes.length);
            out.writeBytes(bytes);
            return this;
        }

        Proto text(int field, String text) {
            return bytes(field, text.getBytes(StandardCharsets.UTF_8));
        }

        Proto message(int field, Proto message) {
            return bytes(field, message.toBytes());
        }

        /** A row of packed numbers. */
        Proto row(int field, long... values) {
            Proto row = new Proto();
            for (long value : values) {
                row.varint(value);
            }
            return bytes(field, row.toBytes());
        }

        byte[] toBytes() {
            return out.toByteArray();
        }
    }

    private final TaskNames names;
    private final List<List<Proto>> byCpu = new ArrayList<>();

    PerfettoFixture(int cpus, TaskNames names) {
        this.names = names;
        for (int cpu = 0; cpu < cpus; cpu++) {
            byCpu.add(new ArrayList<>());
        }
    }

    static Proto systemInfo(String release) {
        return new Proto()
                .message(45, new Proto().message(1, new Proto().text(1, "Linux").text(3, release)));
    }

    /** The trace: bundles of {@code perBundle} events, CPU after CPU; the facts about the machine come last. */
    byte[] trace(int perBundle, boolean packed) {
        Proto trace = new Proto();
        for (int cpu = 0; cpu < byCpu.size(); cpu++) {
            List<Proto> events = byCpu.get(cpu);
            for (int from = 0; from < events.size(); from += perBundle) {
                Proto bundle = new Proto().number(1, cpu);
                for (Proto event : events.subList(from, Math.min(events.size(), from + perBundle))) {
                    bundle.message(2, event);
                }
                packet(trace, new Proto().number(8, 5).message(1, bundle), packed);
            }
        }
        packet(trace, systemInfo("6.9.1-test"), packed);
        return trace.toBytes();
    }

    private static void packet(Proto trace, Proto packet, boolean packed) {
        if (!packed) {
            trace.message(1, packet);
            return;
        }
        Deflater deflater = new Deflater();
        deflater.setInput(new Proto().message(1, packet).toBytes());
        deflater.finish();
        byte[] target = new byte[packet.toBytes().length + 100];
        int length = deflater.deflate(target);
        deflater.end();
        trace.message(1, new Proto().bytes(50, java.util.Arrays.copyOf(target, length)));
    }

    private void add(long ns, int cpu, int current, int context, int field, Proto payload) {
        int flags = ((context & 1) != 0 ? 0x08 : 0) | ((context & 2) != 0 ? 0x10 : 0) | 0x01;
        byCpu.get(cpu)
                .add(new Proto()
                        .number(1, ns)
                        .number(2, current)
                        .number(5, flags)
                        .message(field, payload));
    }

    private void generic(long ns, int cpu, String event, Object... namesAndValues) {
        Proto payload = new Proto().text(1, event);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            payload.message(
                    2,
                    new Proto()
                            .text(1, (String) namesAndValues[i])
                            .number(4, ((Number) namesAndValues[i + 1]).longValue()));
        }
        add(ns, cpu, 0, 0, 327, payload);
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        add(
                ns,
                cpu,
                prev,
                0,
                4,
                new Proto()
                        .text(1, names.nameOf(prev))
                        .number(2, prev)
                        .number(3, prevPrio)
                        .number(4, RawRecords.bits(prevState))
                        .text(5, names.nameOf(next))
                        .number(6, next)
                        .number(7, nextPrio));
    }

    private Proto wakeup(int wakee, int prio, int cpu) {
        return new Proto()
                .text(1, names.nameOf(wakee))
                .number(2, wakee)
                .number(3, prio)
                .number(5, cpu);
    }

    @Override
    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
        add(ns, cpu, current, context, 20, wakeup(wakee, prio, prevCpu));
    }

    @Override
    public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        add(ns, cpu, current, context, 17, wakeup(wakee, prio, targetCpu));
    }

    @Override
    public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        add(ns, cpu, current, context, 114, wakeup(wakee, prio, targetCpu));
    }

    @Override
    public void migrated(long ns, int cpu, int current, int task, int prio, int fromCpu, int toCpu) {
        add(
                ns,
                cpu,
                current,
                0,
                491,
                new Proto()
                        .text(1, names.nameOf(task))
                        .number(2, task)
                        .number(3, prio)
                        .number(4, fromCpu)
                        .number(5, toCpu));
    }

    @Override
    public void forked(long ns, int cpu, int parent, int child) {
        add(
                ns,
                cpu,
                parent,
                0,
                239,
                new Proto()
                        .text(1, names.nameOf(parent))
                        .number(2, parent)
                        .text(3, names.nameOf(child))
                        .number(4, child));
    }

    @Override
    public void exec(long ns, int cpu, int pid, int oldPid) {
        add(ns, cpu, pid, 0, 237, new Proto().text(1, "/bin/x").number(2, pid).number(3, oldPid));
    }

    @Override
    public void exited(long ns, int cpu, int pid, int prio) {
        add(
                ns,
                cpu,
                pid,
                0,
                238,
                new Proto()
                        .text(1, names.nameOf(pid))
                        .number(2, pid)
                        .number(3, 1)
                        .number(4, prio));
    }

    @Override
    public void freed(long ns, int cpu, int pid) {
        add(
                ns,
                cpu,
                0,
                0,
                240,
                new Proto().text(1, names.nameOf(pid)).number(2, pid).number(3, 120));
    }

    @Override
    public void wakeIdleWithoutIpi(long ns, int cpu, int targetCpu) {
        generic(ns, cpu, "sched_wake_idle_without_ipi", "cpu", targetCpu);
    }

    @Override
    public void idle(long ns, int cpu, int state) {
        add(ns, cpu, 0, 0, 13, new Proto().number(1, state & 0xffffffffL).number(2, cpu));
    }

    @Override
    public void frequency(long ns, int cpu, int khz) {
        add(ns, cpu, 0, 0, 11, new Proto().number(1, khz).number(2, cpu));
    }

    @Override
    public void ipiSent(long ns, int cpu, int targetCpu) {
        generic(ns, cpu, "ipi_send_cpu", "cpu", targetCpu, "callsite", 5);
    }

    @Override
    public void rescheduleIpi(long ns, int cpu) {
        add(ns, cpu, 0, 0, 21, new Proto().text(1, "Rescheduling interrupts"));
    }

    @Override
    public void callFunctionIpi(long ns, int cpu) {
        generic(ns, cpu, "call_function_single_entry", "vector", 251);
    }

    @Override
    public void runtime(long ns, int cpu, int pid, long runtimeNs) {
        generic(ns, cpu, "sched_stat_runtime", "pid", pid, "runtime", runtimeNs);
    }
}
