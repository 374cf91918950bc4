package dev.perch.trace.tracedat;

import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import dev.perch.trace.EventKind;
import dev.perch.trace.WrittenCpu;
import dev.perch.trace.binary.StateNumbers;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes events as trace.dat, version 6, the file of {@code trace-cmd record}, so that trace-cmd, KernelShark and {@link TraceDatReader} can
 * read them.
 *
 * <p>The events of a CPU lie in ring-buffer pages of {@value #PAGE} bytes, and all pages of a CPU together; so pages wait in a temporary file
 * until {@link #close}. States are numbered as kernels since 4.14 number them, as the descriptions in the file say.
 *
 * <p>Limitations: names are cut to 15 bytes, as the kernel's are; the program of an exec is not in the stream, the task's name stands for
 * it; the priority of a freed task is −1.
 *
 * <p>Nothing is allocated an event.
 */
public final class TraceDatWriter implements SchedEvents, Closeable {
    private static final int PAGE = 4096;
    private static final int PAGE_HEADER = 16;
    private static final int LONGEST_RECORD = 128;
    private static final int TIME_EXTEND = 30;
    private static final int DELTA_BITS = 27;
    private static final int LARGEST_WORDS = 28;
    private static final long MISSED_EVENTS = 1L << 31;
    private static final long MISSED_STORED = 1L << 30;
    private static final int FLAG_IRQS_OFF = 0x01;
    private static final int FLAG_HARDIRQ = 0x08;
    private static final int FLAG_SOFTIRQ = 0x10;
    private static final int RESCHEDULE_VECTOR = 253;
    private static final int CALL_FUNCTION_SINGLE_VECTOR = 251;
    private static final StateNumbers STATES = StateNumbers.ofRelease(null);

    private static final byte[] EMPTY_PAGE = new byte[PAGE];

    /** The page that a CPU fills, and where its full ones are. */
    private static final class Cpu {
        private final ByteBuffer page = ByteBuffer.allocate(PAGE).order(ByteOrder.LITTLE_ENDIAN);
        private int[] full = new int[16];
        private int fullCount;
        private long ns;
        /** Events lost before the page: 0 none, −1 an unknown number. */
        private long lost;

        private int running;

        boolean isEmpty() {
            return page.position() == PAGE_HEADER;
        }
    }

    private final OutputStream out;
    private final TaskNames names;
    private final @Nullable String release;
    private final Path temporary;
    private final FileChannel spill;
    private int spilled;
    private final @Nullable Cpu[] cpus = new Cpu[CpuMask.MAX_CPUS];
    private int cpuCount;
    private final ByteBuffer record = ByteBuffer.allocate(LONGEST_RECORD).order(ByteOrder.LITTLE_ENDIAN);
    private final byte[] comm = new byte[RecordLayout.COMM_BYTES];

    /**
     * @param out gets the file at {@link #close}, which closes it
     * @param names what the tasks are called; asked at every event
     * @param release what {@code uname -r} says on the machine, null if that is not known
     * @throws UncheckedIOException {@code out} or the temporary file fails; likewise every method
     */
    public TraceDatWriter(OutputStream out, TaskNames names, @Nullable String release) {
        this.out = out;
        this.names = names;
        this.release = release;
        try {
            temporary = Files.createTempFile("perch-export", ".tmp");
            spill = FileChannel.open(
                    temporary, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        Cpu on = begin(EventKind.SWITCH, cpu, prev, IN_TASK);
        comm(prev, cpu);
        record.putInt(prev).putInt(prevPrio);
        pad();
        record.putLong(STATES.raw(prevState));
        comm(next, cpu);
        record.putInt(next).putInt(nextPrio);
        end(ns, on);
        on.running = next;
    }

    @Override
    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
        wakeup(EventKind.WAKING, ns, cpu, current, context, wakee, prio, prevCpu);
    }

    @Override
    public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        wakeup(EventKind.WAKEUP, ns, cpu, current, context, wakee, prio, targetCpu);
    }

    @Override
    public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        wakeup(EventKind.WAKEUP_NEW, ns, cpu, current, context, wakee, prio, targetCpu);
    }

    private void wakeup(EventKind kind, long ns, int cpu, int current, int context, int wakee, int prio, int other) {
        Cpu on = begin(kind, cpu, current, context);
        comm(wakee, other);
        record.putInt(wakee).putInt(prio).putInt(other);
        end(ns, on);
    }

    @Override
    public void migrated(long ns, int cpu, int current, int task, int prio, int fromCpu, int toCpu) {
        Cpu on = begin(EventKind.MIGRATE, cpu, current, IN_TASK);
        comm(task, fromCpu);
        record.putInt(task).putInt(prio).putInt(fromCpu).putInt(toCpu);
        end(ns, on);
    }

    @Override
    public void forked(long ns, int cpu, int parent, int child) {
        Cpu on = begin(EventKind.FORK, cpu, parent, IN_TASK);
        comm(parent, cpu);
        record.putInt(parent);
        comm(child, cpu);
        record.putInt(child);
        end(ns, on);
    }

    @Override
    public void exec(long ns, int cpu, int pid, int oldPid) {
        task(EventKind.EXEC, ns, cpu, pid, pid, oldPid);
    }

    @Override
    public void exited(long ns, int cpu, int pid, int prio) {
        task(EventKind.EXIT, ns, cpu, pid, pid, prio);
    }

    @Override
    public void freed(long ns, int cpu, int pid) {
        task(EventKind.FREE, ns, cpu, current(cpu), pid, -1);
    }

    private void task(EventKind kind, long ns, int cpu, int current, int pid, int number) {
        Cpu on = begin(kind, cpu, current, IN_TASK);
        comm(pid, cpu);
        record.putInt(pid).putInt(number);
        end(ns, on);
    }

    @Override
    public void wakeIdleWithoutIpi(long ns, int cpu, int targetCpu) {
        number(EventKind.WAKE_IDLE_WITHOUT_IPI, ns, cpu, IN_TASK, targetCpu);
    }

    @Override
    public void idle(long ns, int cpu, int state) {
        Cpu on = begin(EventKind.CPU_IDLE, cpu, current(cpu), IN_TASK);
        record.putInt(state).putInt(cpu);
        end(ns, on);
    }

    @Override
    public void frequency(long ns, int cpu, int khz) {
        Cpu on = begin(EventKind.CPU_FREQUENCY, cpu, current(cpu), IN_TASK);
        record.putInt(khz).putInt(cpu);
        end(ns, on);
    }

    @Override
    public void ipiSent(long ns, int cpu, int targetCpu) {
        number(EventKind.IPI_SEND, ns, cpu, IN_TASK, targetCpu);
    }

    @Override
    public void rescheduleIpi(long ns, int cpu) {
        number(EventKind.RESCHEDULE_IPI, ns, cpu, IN_HARDIRQ, RESCHEDULE_VECTOR);
    }

    @Override
    public void callFunctionIpi(long ns, int cpu) {
        number(EventKind.CALL_FUNCTION_IPI, ns, cpu, IN_HARDIRQ, CALL_FUNCTION_SINGLE_VECTOR);
    }

    private void number(EventKind kind, long ns, int cpu, int context, int number) {
        Cpu on = begin(kind, cpu, current(cpu), context);
        record.putInt(number);
        end(ns, on);
    }

    @Override
    public void runtime(long ns, int cpu, int pid, long runtimeNs) {
        Cpu on = begin(EventKind.STAT_RUNTIME, cpu, current(cpu), IN_TASK);
        comm(pid, cpu);
        record.putInt(pid);
        pad();
        record.putLong(runtimeNs);
        end(ns, on);
    }

    @Override
    public void lost(long ns, int cpu, long count) {
        if (cpu < 0) {
            return;
        }
        Cpu on = on(cpu);
        if (!on.isEmpty()) {
            putAway(on);
        }
        on.lost = count <= 0 || on.lost < 0 ? -1 : on.lost + count;
    }

    @Override
    public void close() {
        try (FileChannel temporaryFile = spill;
                OutputStream file = out) {
            for (int cpu = 0; cpu < cpuCount; cpu++) {
                Cpu on = on(cpu);
                if (!on.isEmpty()) {
                    putAway(on);
                }
            }
            writeFile(file, temporaryFile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Cpu on(int cpu) {
        WrittenCpu.require(cpu, "trace.dat");
        Cpu on = cpus[cpu];
        if (on == null) {
            on = new Cpu();
            on.page.position(PAGE_HEADER);
            cpus[cpu] = on;
            cpuCount = Math.max(cpuCount, cpu + 1);
        }
        return on;
    }

    private int current(int cpu) {
        return on(cpu).running;
    }

    private Cpu begin(EventKind kind, int cpu, int current, int context) {
        Cpu on = on(cpu);
        int flags = FLAG_IRQS_OFF
                | ((context & IN_HARDIRQ) != 0 ? FLAG_HARDIRQ : 0)
                | ((context & IN_SOFTIRQ) != 0 ? FLAG_SOFTIRQ : 0);
        record.clear()
                .putShort((short) RecordLayout.of(kind).id())
                .put((byte) flags)
                .put((byte) 0);
        record.putInt(current);
        return on;
    }

    /** To the next multiple of eight bytes, where a long may stand. */
    private void pad() {
        if (record.position() % Long.BYTES != 0) {
            record.putInt(0);
        }
    }

    private void comm(int pid, int cpu) {
        Arrays.fill(comm, (byte) 0);
        if (pid == 0) {
            String idle = WrittenCpu.idleName(cpu);
            for (int i = 0; i < idle.length(); i++) {
                comm[i] = (byte) idle.charAt(i);
            }
        } else {
            names.copyName(pid, comm, 0, comm.length - 1);
        }
        record.put(comm);
    }

    private void end(long ns, Cpu on) {
        while (record.position() % Integer.BYTES != 0) {
            record.put((byte) 0);
        }
        int length = record.position();
        if (on.page.remaining() < length + 4 * Integer.BYTES) {
            putAway(on);
        }
        if (on.isEmpty()) {
            on.page.putLong(0, ns);
            on.ns = ns;
        }
        long delta = ns - on.ns;
        on.ns = ns;
        if (delta >>> DELTA_BITS != 0) {
            header(on.page, TIME_EXTEND, delta & (1L << DELTA_BITS) - 1);
            on.page.putInt((int) (delta >>> DELTA_BITS));
            delta = 0;
        }
        int words = length / Integer.BYTES;
        if (words <= LARGEST_WORDS) {
            header(on.page, words, delta);
        } else {
            header(on.page, 0, delta);
            on.page.putInt(length + Integer.BYTES);
        }
        on.page.put(record.array(), 0, length);
    }

    private static void header(ByteBuffer page, int type, long delta) {
        page.putInt((int) (delta << 5 | type));
    }

    /** The page is full: it goes to the temporary file, and another begins. */
    private void putAway(Cpu on) {
        ByteBuffer page = on.page;
        int end = page.position();
        long missed = 0;
        if (on.lost != 0) {
            missed = MISSED_EVENTS;
            if (on.lost > 0 && page.remaining() >= Long.BYTES) {
                missed |= MISSED_STORED;
                page.putLong(end, on.lost);
            }
            on.lost = 0;
        }
        page.putLong(Long.BYTES, end - PAGE_HEADER | missed);
        page.clear();
        if (on.fullCount == on.full.length) {
            on.full = Arrays.copyOf(on.full, 2 * on.fullCount);
        }
        on.full[on.fullCount++] = spilled;
        try {
            long at = (long) spilled * PAGE;
            while (page.hasRemaining()) {
                at += spill.write(page, at);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        spilled++;
        page.clear().put(EMPTY_PAGE).position(PAGE_HEADER);
    }

    private void writeFile(OutputStream file, FileChannel pages) throws IOException {
        byte[] head = TraceDatHead.of(PAGE, PAGE_HEADER, release, pageCounts());
        file.write(head);
        ByteBuffer page = ByteBuffer.allocate(PAGE);
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            Cpu on = on(cpu);
            for (int i = 0; i < on.fullCount; i++) {
                page.clear();
                long at = (long) on.full[i] * PAGE;
                while (page.hasRemaining()) {
                    int count = pages.read(page, at + page.position());
                    if (count < 0) {
                        throw new IOException("the temporary file " + temporary + " was cut");
                    }
                }
                file.write(page.array());
            }
        }
    }

    private int[] pageCounts() {
        int[] counts = new int[cpuCount];
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            counts[cpu] = on(cpu).fullCount;
        }
        return counts;
    }
}
