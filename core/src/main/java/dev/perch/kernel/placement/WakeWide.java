package dev.perch.kernel.placement;

/** An era's test for a waker with so many partners that pulling them all to its cache would crowd it ({@code wake_wide}). */
interface WakeWide {
    /** Nobody counts partners; kernels to 3.11. */
    WakeWide NEVER = (request, view) -> false;

    /** Whether the wakee had better stay away from the waker's CPU; reads the flips that the owner has counted. */
    boolean wide(WakeRequest request, CpuView view);
}
