package dev.perch.kernel.placement;

/** An era's search for an idle CPU around a target ({@code select_idle_sibling}). */
@FunctionalInterface
public interface IdleSearch {
    /**
     * The CPU to use instead of {@code target}, or {@code target} itself. It may be one that the task may not use where the kernel of
     * that era does not check.
     *
     * @param target the waker's CPU or prev
     */
    int search(WakeRequest request, int target, CpuView view);
}
