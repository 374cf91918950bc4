package dev.perch.kernel.domain;

/** The kinds of scheduling domain, by what their span is, from small to large. Source: placement.md 11.1. */
public enum DomainLevel {
    /** Hardware threads of one core ({@code SIBLING} in kernels to 3.15; always written SMT here). */
    SMT,
    /** CPUs of a cluster below the last-level cache; kernels from 5.16. */
    CLS,
    /** CPUs that share the last-level cache. */
    MC,
    /** CPUs of a NUMA node, seen as the package. */
    PKG,
    /** CPUs of a NUMA node, seen as the lowest of the NUMA levels; kernels from 4.14. */
    LOCAL_NODE,
    /** The up to 16 nearest NUMA nodes; kernels to 3.4. */
    NODE,
    /** All CPUs; kernels to 3.4. */
    ALLNODES,
    /** All nodes up to one of the distances of the firmware's table; kernels from 3.5. */
    NUMA;

    /** The name that kernels of an era give the level. */
    public String name(DomainRules rules) {
        return switch (this) {
            case PKG ->
                rules.since(DomainRules.FROM_6_7) ? "PKG" : rules.since(DomainRules.FROM_3_16) ? "DIE" : "CPU";
            case LOCAL_NODE -> "NODE";
            case SMT, CLS, MC, NODE, ALLNODES, NUMA -> name();
        };
    }
}
