package dev.perch.audit.probes;

/** How the rules' answer compares with the kernel's. */
public enum Outcome {
    /** The same answer. */
    AGREE("agree"),
    /** Another answer, and the kernel's own idle tests show a CPU in another state than the snapshot that the rules were given. */
    RACE("race"),
    /** What the rules read is not in the recording. */
    INPUT_MISSING("inputMissing"),
    /** Another answer from the same view. */
    DISAGREE("disagree");

    private final String key;

    Outcome(String key) {
        this.key = key;
    }

    /** Its name in output. */
    public String key() {
        return key;
    }
}
