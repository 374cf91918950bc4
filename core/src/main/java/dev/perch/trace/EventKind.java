package dev.perch.trace;

/** The kinds of events that a recording is read for, one a method of {@link dev.perch.model.SchedEvents}. */
public enum EventKind {
    SWITCH("switch"),
    WAKING("waking"),
    WAKEUP("wakeup"),
    WAKEUP_NEW("wakeup_new"),
    MIGRATE("migrate"),
    FORK("fork"),
    EXEC("exec"),
    EXIT("exit"),
    FREE("free"),
    WAKE_IDLE_WITHOUT_IPI("wake_idle_without_ipi"),
    CPU_IDLE("cpu_idle"),
    CPU_FREQUENCY("cpu_frequency"),
    IPI_SEND("ipi_send"),
    RESCHEDULE_IPI("reschedule_ipi"),
    CALL_FUNCTION_IPI("call_function_ipi"),
    STAT_RUNTIME("stat_runtime");

    private final String key;

    EventKind(String key) {
        this.key = key;
    }

    /** Its name in output. */
    public String key() {
        return key;
    }
}
