package dev.perch.kernel.domain;

/** The kinds of scheduling domain, by what their span is. Source: placement.md 11.1. */
public enum DomainLevel {
    /** Hardware threads of one core ({@code SIBLING} of the time). */
    SMT,
    /** CPUs of a cluster; kernels from 5.16. */
    CLS,
    /** CPUs that share the last-level cache. */
    MC,
    /** CPUs of a NUMA node; later called DIE, then PKG. */
    CPU,
    /** The up to 16 nearest NUMA nodes; kernels to 3.4. */
    NODE,
    /** All CPUs; kernels to 3.4. */
    ALLNODES,
    /** All nodes up to one of the distances of the firmware's table; kernels from 3.5. */
    NUMA
}
