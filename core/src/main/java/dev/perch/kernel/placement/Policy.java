package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.Topology;

/**
 * Placement rules of a person's own, put on top of a kernel's; {@code --kernel v3.9+./StayHome.java}.
 *
 * <p>A policy overrides what it changes and asks {@code base} for the rest. It looks at CPUs through the view's methods, so that what it
 * looks at costs what a kernel's rules would pay. It needs a constructor without arguments, and keeps no state that does not come from
 * the calls, lest runs stop being repeatable.
 */
public interface Policy {
    /** Called once, before any decision. */
    default void begin(Topology topology, SchedDomains domains) {}

    /**
     * The CPU for a task; one that the task may not use is repaired afterwards.
     *
     * @param base the kernel's own choice, with {@link #selectIdleSibling} as its idle search
     */
    default int select(WakeRequest request, CpuView view, Caller base) {
        return base.select(request, view);
    }

    /**
     * The CPU to use instead of {@code target}.
     *
     * @param base the kernel's own search
     */
    default int selectIdleSibling(WakeRequest request, int target, CpuView view, IdleSearch base) {
        return base.search(request, target, view);
    }
}
