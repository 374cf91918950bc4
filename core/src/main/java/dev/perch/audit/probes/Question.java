package dev.perch.audit.probes;

/** What a kernel decides on the way to a CPU, each compared with the rules by itself. */
public enum Question {
    /** Whether waker and wakee wake so many others that they are better kept apart. Not asked where the waker's CPU is not allowed: the answer does not show. */
    WAKE_WIDE("wake_wide"),
    /** Whether the waker's CPU is a candidate. */
    WANT_AFFINE("want_affine"),
    /** The waker's CPU or prev, where they differ and the waker's is a candidate. */
    WAKE_AFFINE("wake_affine"),
    /** {@code select_idle_sibling}, from the target that the kernel had chosen. */
    IDLE_SEARCH("idle_search"),
    /** All of a wakeup's placement, each step from what the rules chose in the one before. */
    PLACEMENT("placement"),
    /** The placement of a new task or of one that executes another program: no probe prints what it reads. */
    SLOW_PATH("slow_path");

    private final String key;

    Question(String key) {
        this.key = key;
    }

    /** Its name in output. */
    public String key() {
        return key;
    }
}
