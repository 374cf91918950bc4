package dev.perch.host.record;

import dev.perch.model.InputException;
import java.util.ArrayList;
import java.util.List;

/**
 * A tracepoint that is recorded.
 *
 * @param system its group in tracefs
 * @param id the kernel's number of it, which changes from boot to boot
 * @param format the kernel's description of its fields
 */
record RecordedEvent(String system, String name, long id, byte[] format) {
    static final String SWITCH = "sched:sched_switch";

    /** What the audit makes use of. Of several that tell the same, old and new kernels and x86 and others have different ones. */
    private static final List<String> USUAL = List.of(
            SWITCH,
            "sched:sched_waking",
            "sched:sched_wakeup",
            "sched:sched_wakeup_new",
            "sched:sched_migrate_task",
            "sched:sched_process_fork",
            "sched:sched_process_exec",
            "sched:sched_process_exit",
            "power:cpu_idle",
            "sched:sched_wake_idle_without_ipi",
            "ipi:ipi_send_cpu",
            "ipi:ipi_raise",
            "ipi:ipi_entry",
            "irq_vectors:reschedule_entry",
            "irq_vectors:call_function_entry",
            "irq_vectors:call_function_single_entry");

    /** Without these a verdict gets less exact; the others are not on every processor. */
    private static final List<String> EXPECTED = USUAL.subList(0, 9);

    /**
     * What is to be recorded.
     *
     * @param events what this kernel has of it
     * @param missing what it should have and has not, by full name
     */
    record Choice(List<RecordedEvent> events, List<String> missing) {}

    /** SYSTEM:NAME. */
    String fullName() {
        return system + ":" + name;
    }

    /**
     * The usual events and those that the user adds.
     *
     * @param added full names
     * @throws InputException the kernel has none of that name, or no sched_switch
     */
    static Choice choose(Tracefs tracefs, List<String> added) {
        List<RecordedEvent> events = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (String usual : USUAL) {
            String[] parts = usual.split(":");
            tracefs.event(parts[0], parts[1]).ifPresentOrElse(events::add, () -> {
                if (EXPECTED.contains(usual)) {
                    missing.add(usual);
                }
            });
        }
        if (missing.contains(SWITCH)) {
            throw new InputException("this kernel has no tracepoint " + SWITCH
                    + "; it must be built with CONFIG_FTRACE and CONFIG_EVENT_TRACING");
        }
        for (String more : added) {
            String[] parts = more.split(":", -1);
            if (parts.length != 2 || !parts[0].matches("\\w+") || !parts[1].matches("\\w+")) {
                throw new InputException(
                        "-e: '" + more + "' is no tracepoint; write SYSTEM:NAME, as in sched:sched_stat_runtime");
            }
            RecordedEvent event = tracefs.event(parts[0], parts[1])
                    .orElseThrow(() -> new InputException("-e: this kernel has no tracepoint " + more
                            + "; 'perf list tracepoint' names those it has"));
            if (events.stream().noneMatch(known -> known.id() == event.id())) {
                events.add(event);
            }
        }
        return new Choice(events, missing);
    }
}
