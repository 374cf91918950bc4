package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;

/** An era's decision between the waker's CPU and prev, around which the idle search then runs ({@code wake_affine}). */
interface WakeAffine {
    /**
     * The waker's CPU to pull the wakee, or prev.
     *
     * @param domain the smallest wake-affine one that holds this and prev, which differ
     */
    int target(SchedDomain domain, WakeRequest request, CpuView view);
}
