package dev.perch.kernel.placement;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.Topology;

/** The slow paths by the name that kernel files give them under {@code slow-path}. Source of the table: placement.md 8.7, 8.8. */
final class SlowPaths {
    private SlowPaths() {}

    /**
     * The slow path of that name.
     *
     * @throws dev.perch.model.InputException if there is none
     */
    static SlowPath of(Kernel kernel, String id, SchedDomains domains, Topology topology) {
        IdlestGroup groups = groups(kernel, id, topology);
        return new SlowPath(domains, groups, cpus(id), prevOutsideAffinity(id));
    }

    private static IdlestGroup groups(Kernel kernel, String id, Topology topology) {
        return switch (id) {
            case "3.1" -> new LeastLoadedGroup(LoadTerm.WEIGHT);
            case "3.12", "3.16", "4.9" -> new LeastLoadedGroup(LoadTerm.RUNNABLE);
            case "4.10" -> new SpareGroup(SpareGroup.Form.FIRST);
            case "4.15", "4.16" -> new SpareGroup(SpareGroup.Form.NO_LOCAL_GROUP_IS_LOADED);
            case "4.19", "5.4" -> new SpareGroup(SpareGroup.Form.NODES_HOLD);
            case "5.6" -> new TypedGroup(topology, TypedGroup.Form.IDLE_CPU_HOLDS_NODE);
            case "5.9" -> new TypedGroup(topology, TypedGroup.Form.UTIL_BREAKS_TIES);
            case "5.11" -> new TypedGroup(topology, TypedGroup.Form.QUARTER_HOLDS_NODE);
            case "5.18" -> new TypedGroup(topology, TypedGroup.Form.ALLOWED_IMBALANCE);
            case "6.0" -> new TypedGroup(topology, TypedGroup.Form.ALLOWED_CPUS_LIMIT);
            case "6.1" -> new TypedGroup(topology, TypedGroup.Form.FIT_OF_EACH_CPU);
            case "6.1.192" -> new TypedGroup(topology, TypedGroup.Form.ALLOWED_CPUS_ONLY);
            default -> throw Placement.unknown(kernel, "slow-path", id);
        };
    }

    /** For an id that {@link #groups} knows. */
    private static IdlestCpu cpus(String id) {
        return switch (id) {
            case "3.1" -> new LeastLoadedCpu(LoadTerm.WEIGHT);
            case "3.12" -> new LeastLoadedCpu(LoadTerm.RUNNABLE);
            case "3.16" -> new ShallowestIdleCpu(ShallowestIdleCpu.Form.FIRST);
            case "4.9", "4.10", "4.15" -> new ShallowestIdleCpu(ShallowestIdleCpu.Form.SINGLE_AT_ONCE);
            case "4.16", "4.19" -> new ShallowestIdleCpu(ShallowestIdleCpu.Form.LOWEST_OF_EQUALS);
            case "5.4" -> new ShallowestIdleCpu(ShallowestIdleCpu.Form.SCHED_IDLE_IF_NONE_IDLE);
            default -> new ShallowestIdleCpu(ShallowestIdleCpu.Form.SCHED_IDLE_AT_ONCE);
        };
    }

    private static boolean prevOutsideAffinity(String id) {
        return switch (id) {
            case "3.1", "3.12", "3.16", "4.9", "4.10" -> false;
            default -> true;
        };
    }
}
