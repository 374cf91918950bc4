package dev.perch.model;

/** Hears the decisions that a kprobe recording shows, each when the kernel has returned its choice. */
@FunctionalInterface
public interface ProbedDecisions {
    /**
     * A decision is complete.
     *
     * @param decision valid during the call only; all CPU numbers in it are within the CPUs that its snapshot shows, if it has one
     */
    void decided(ProbedDecision decision);
}
