package dev.perch.trace;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Writes events as kernels of different kinds would: byte order, size of {@code long}, fields at other places, names in place or behind the
 * record. Shares nothing with the readers.
 */
final class RawRecords implements SchedEvents {
    /** One tracepoint's record. */
    record Raw(long ns, int cpu, byte[] bytes) {}

    /** {@code c}: a name; {@code l}: a long; a number: so many bytes. */
    private static final Map<String, String> FIELDS = new TreeMap<>(Map.ofEntries(
            Map.entry(
                    "sched_switch",
                    "c prev_comm,4 prev_pid,4 prev_prio,l prev_state,c next_comm,4 next_pid,4 next_prio"),
            Map.entry("sched_waking", "c comm,4 pid,4 prio,4 target_cpu"),
            Map.entry("sched_wakeup", "c comm,4 pid,4 prio,4 target_cpu"),
            Map.entry("sched_wakeup_new", "c comm,4 pid,4 prio,4 target_cpu"),
            Map.entry("sched_migrate_task", "c comm,4 pid,4 prio,4 orig_cpu,4 dest_cpu"),
            Map.entry("sched_process_fork", "c parent_comm,4 parent_pid,c child_comm,4 child_pid"),
            Map.entry("sched_process_exec", "4 pid,4 old_pid"),
            Map.entry("sched_process_exit", "c comm,4 pid,4 prio"),
            Map.entry("sched_process_free", "c comm,4 pid,4 prio"),
            Map.entry("sched_wake_idle_without_ipi", "4 cpu"),
            Map.entry("cpu_idle", "4 state,4 cpu_id"),
            Map.entry("cpu_frequency", "4 state,4 cpu_id"),
            Map.entry("ipi_send_cpu", "4 cpu,l callsite"),
            Map.entry("reschedule_entry", "4 vector"),
            Map.entry("call_function_single_entry", "4 vector"),
            Map.entry("sched_stat_runtime", "c comm,4 pid,8 runtime"),
            Map.entry("sched_other", "4 nothing")));

    private static final List<String> NAMES = List.copyOf(FIELDS.keySet());
    private static final int FIRST_ID = 300;
    private static final int COMMON = 8;

    private final List<Raw> all = new ArrayList<>();
    private final ByteOrder order;
    private final int longSize;
    private final int filler;
    private final boolean namesBehind;
    private final TaskNames names;

    /**
     * @param filler bytes of unknown fields before those that are known, a multiple of 8
     * @param namesBehind whether names are {@code __data_loc}
     */
    RawRecords(ByteOrder order, int longSize, int filler, boolean namesBehind, TaskNames names) {
        this.order = order;
        this.longSize = longSize;
        this.filler = filler;
        this.namesBehind = namesBehind;
        this.names = names;
    }

    List<Raw> all() {
        return all;
    }

    ByteOrder order() {
        return order;
    }

    int longSize() {
        return longSize;
    }

    private static String[] fields(String name) {
        return Objects.requireNonNull(FIELDS.get(name), name).split(",");
    }

    private int size(String type) {
        return switch (type) {
            case "c" -> namesBehind ? 4 : 16;
            case "l" -> longSize;
            default -> Integer.parseInt(type);
        };
    }

    /** The content of the tracefs files {@code format}, one an event. */
    List<String> formats() {
        List<String> formats = new ArrayList<>();
        for (String name : NAMES) {
            StringBuilder text = new StringBuilder("name: " + name + "\nID: " + (FIRST_ID + NAMES.indexOf(name))
                    + "\nformat:\n"
                    + "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
                    + "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
                    + "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
                    + "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n");
            int offset = COMMON + filler;
            for (String field : fields(name)) {
                String type = field.split(" ")[0];
                String fieldName = field.split(" ")[1];
                offset = align(offset, Math.min(8, size(type)));
                String declaration = type.equals("c")
                        ? namesBehind ? "__data_loc char[] " + fieldName : "char " + fieldName + "[16]"
                        : (size(type) == 8 ? "u64 " : "int ") + fieldName;
                text.append("\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n"
                        .formatted(declaration, offset, size(type), type.equals("c") ? 0 : 1));
                offset += size(type);
            }
            text.append("\nprint fmt: \"\"\n");
            formats.add(text.toString());
        }
        return formats;
    }

    private static int align(int offset, int size) {
        int to = size >= 8 && size < 16 ? 8 : 4;
        return (offset + to - 1) / to * to;
    }

    /** Appends a record with these values in the order of the fields; names are given by their pids. */
    void add(String name, long ns, int cpu, int current, int context, long... values) {
        ByteBuffer bytes = ByteBuffer.allocate(512).order(order);
        bytes.putShort((short) (FIRST_ID + NAMES.indexOf(name)));
        bytes.put((byte) (((context & 1) != 0 ? 0x08 : 0) | ((context & 2) != 0 ? 0x10 : 0) | 0x01));
        bytes.put((byte) 1);
        bytes.putInt(current);
        String[] fields = fields(name);
        int offset = COMMON + filler;
        int behind = offset;
        for (String field : fields) {
            String type = field.split(" ")[0];
            behind = align(behind, Math.min(8, size(type))) + size(type);
        }
        for (int i = 0; i < fields.length; i++) {
            String type = fields[i].split(" ")[0];
            offset = align(offset, Math.min(8, size(type)));
            if (type.equals("c")) {
                byte[] task = names.nameOf((int) values[i]).getBytes(StandardCharsets.UTF_8);
                task = Arrays.copyOf(task, Math.min(15, task.length));
                if (namesBehind) {
                    bytes.putInt(offset, (task.length + 1) << 16 | behind);
                    bytes.put(behind, task);
                    behind += task.length + 1;
                } else {
                    bytes.put(offset, task);
                }
            } else if (size(type) == 8) {
                bytes.putLong(offset, values[i]);
            } else {
                bytes.putInt(offset, (int) values[i]);
            }
            offset += size(type);
        }
        all.add(new Raw(ns, cpu, Arrays.copyOf(bytes.array(), align(behind, 4))));
    }

    static long bits(TaskState state) {
        return switch (state) {
            case RUNNABLE -> 0x100;
            case SLEEPING -> 1;
            case DISK_SLEEP -> 2;
            case STOPPED -> 4;
            case TRACED -> 8;
            case DEAD -> 16;
            case ZOMBIE -> 32;
            case PARKED -> 64;
            case IDLE -> 128;
            case WAKEKILL, WAKING, NEW, UNKNOWN -> throw new IllegalArgumentException(state.toString());
        };
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        add("sched_switch", ns, cpu, prev, 0, prev, prev, prevPrio, bits(prevState), next, next, nextPrio);
    }

    @Override
    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
        add("sched_waking", ns, cpu, current, context, wakee, wakee, prio, prevCpu);
    }

    @Override
    public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        add("sched_wakeup", ns, cpu, current, context, wakee, wakee, prio, targetCpu);
    }

    @Override
    public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        add("sched_wakeup_new", ns, cpu, current, context, wakee, wakee, prio, targetCpu);
    }

    @Override
    public void migrated(long ns, int cpu, int current, int task, int prio, int fromCpu, int toCpu) {
        add("sched_migrate_task", ns, cpu, current, 0, task, task, prio, fromCpu, toCpu);
    }

    @Override
    public void forked(long ns, int cpu, int parent, int child) {
        add("sched_process_fork", ns, cpu, parent, 0, parent, parent, child, child);
    }

    @Override
    public void exec(long ns, int cpu, int pid, int oldPid) {
        add("sched_process_exec", ns, cpu, pid, 0, pid, oldPid);
    }

    @Override
    public void exited(long ns, int cpu, int pid, int prio) {
        add("sched_process_exit", ns, cpu, pid, 0, pid, pid, prio);
    }

    @Override
    public void freed(long ns, int cpu, int pid) {
        add("sched_process_free", ns, cpu, 0, 0, pid, pid, 120);
    }

    @Override
    public void wakeIdleWithoutIpi(long ns, int cpu, int targetCpu) {
        add("sched_wake_idle_without_ipi", ns, cpu, 0, 0, targetCpu);
    }

    @Override
    public void idle(long ns, int cpu, int state) {
        add("cpu_idle", ns, cpu, 0, 0, state, cpu);
    }

    @Override
    public void frequency(long ns, int cpu, int khz) {
        // Any CPU may write it; the field tells which one it is about.
        add("cpu_frequency", ns, cpu, 0, 0, khz, cpu);
    }

    @Override
    public void ipiSent(long ns, int cpu, int targetCpu) {
        add("ipi_send_cpu", ns, cpu, 0, 0, targetCpu, 0xffff_8000_1234_5678L);
    }

    @Override
    public void rescheduleIpi(long ns, int cpu) {
        add("reschedule_entry", ns, cpu, 0, 0, 253);
    }

    @Override
    public void callFunctionIpi(long ns, int cpu) {
        add("call_function_single_entry", ns, cpu, 0, 0, 251);
    }

    @Override
    public void runtime(long ns, int cpu, int pid, long runtimeNs) {
        add("sched_stat_runtime", ns, cpu, pid, 0, pid, pid, runtimeNs);
    }
}
