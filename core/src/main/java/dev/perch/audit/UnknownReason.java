package dev.perch.audit;

/** Why a wakeup has the verdict {@link Verdict#UNKNOWN}. */
public enum UnknownReason {
    /** It has another verdict. */
    NONE(""),
    CHOSEN_CPU("the chosen CPU is not known"),
    PREV_CPU("the previous CPU is not known"),
    CPU_STATE("what the CPU did before is not in the recording"),
    EVENTS_LOST("events of the CPU were lost"),
    TOPOLOGY("the topology is not known");

    private final String text;

    UnknownReason(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
