package dev.perch.trace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The kernel's tracepoints that become events, by their names in every format. */
enum Tracepoint {
    SCHED_SWITCH("sched_switch"),
    SCHED_WAKING("sched_waking"),
    SCHED_WAKEUP("sched_wakeup"),
    SCHED_WAKEUP_NEW("sched_wakeup_new"),
    SCHED_MIGRATE_TASK("sched_migrate_task"),
    SCHED_PROCESS_FORK("sched_process_fork"),
    SCHED_PROCESS_EXEC("sched_process_exec"),
    SCHED_PROCESS_EXIT("sched_process_exit"),
    SCHED_PROCESS_FREE("sched_process_free"),
    SCHED_WAKE_IDLE_WITHOUT_IPI("sched_wake_idle_without_ipi"),
    SCHED_STAT_RUNTIME("sched_stat_runtime"),
    CPU_IDLE("cpu_idle"),
    CPU_FREQUENCY("cpu_frequency"),
    RESCHEDULE_ENTRY("reschedule_entry"),
    CALL_FUNCTION_ENTRY("call_function_entry"),
    CALL_FUNCTION_SINGLE_ENTRY("call_function_single_entry"),
    IPI_SEND_CPU("ipi_send_cpu"),
    IPI_SEND_CPUMASK("ipi_send_cpumask"),
    /** Arm's: an interrupt is sent to a set of CPUs. */
    IPI_RAISE("ipi_raise"),
    /** Arm's: an interrupt is being handled. */
    IPI_ENTRY("ipi_entry");

    private static final int SLOTS = 128;
    private static final @Nullable Tracepoint[] BY_HASH = new Tracepoint[SLOTS];

    static {
        for (Tracepoint tracepoint : values()) {
            int slot = slot(tracepoint.name, 0, tracepoint.name.length);
            while (BY_HASH[slot] != null) {
                slot = slot + 1 & SLOTS - 1;
            }
            BY_HASH[slot] = tracepoint;
        }
    }

    private final byte[] name;

    Tracepoint(String name) {
        this.name = name.getBytes(StandardCharsets.US_ASCII);
    }

    /** Its name in the kernel. */
    String kernelName() {
        return new String(name, StandardCharsets.US_ASCII);
    }

    /** The tracepoint that the bytes {@code from} (included) to {@code to} (excluded) name; null if it is none of these. */
    static @Nullable Tracepoint find(byte[] bytes, int from, int to) {
        int slot = slot(bytes, from, to);
        while (true) {
            Tracepoint candidate = BY_HASH[slot];
            if (candidate == null) {
                return null;
            }
            byte[] name = candidate.name;
            if (Arrays.equals(name, 0, name.length, bytes, from, to)) {
                return candidate;
            }
            slot = slot + 1 & SLOTS - 1;
        }
    }

    private static int slot(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length < 8) {
            return length;
        }
        int mix = bytes[to - 1] + 7 * bytes[to - 3] + 31 * bytes[from + 7] + 5 * length;
        return mix & SLOTS - 1;
    }
}
