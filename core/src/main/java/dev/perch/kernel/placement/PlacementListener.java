package dev.perch.kernel.placement;

/** Hears what each step of a decision saw and decided; for explanations and for checks against real kernels. */
@FunctionalInterface
public interface PlacementListener {
    /** Hears nothing; the default, which the steps do not even call. */
    PlacementListener NONE = (step, cpu, taken) -> {};

    /**
     * A step was done.
     *
     * @param cpu the CPU that {@link PlacementStep} says the step is about, or −1
     * @param taken whether what the step asks holds
     */
    void step(PlacementStep step, int cpu, boolean taken);

    /**
     * The numbers that the step to be told next has compared, such as loads times percentages; left is what {@code taken} is about. A step
     * that was settled without them, or compares nothing, does not call.
     */
    default void compared(PlacementStep step, long left, long right) {}
}
