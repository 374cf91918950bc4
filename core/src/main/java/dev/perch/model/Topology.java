package dev.perch.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which CPUs share what: hardware threads of a core, clusters, last-level caches, packages, NUMA nodes. Immutable.
 *
 * <pre>
 *   node ─ package ─ LLC ─ cluster ─ core ─ CPU (hardware thread)
 * </pre>
 *
 * <p>Every CPU is in exactly one set of each kind. A machine without clusters has every core as a cluster of its own, and
 * {@link #hasClusters} is false. A package may hold several nodes or a node several packages.
 */
public final class Topology {
    private final int cpuCount;
    private final List<CpuMask> cores;
    private final @Nullable List<CpuMask> clusters;
    private final List<CpuMask> llcs;
    private final List<CpuMask> packages;
    private final List<CpuMask> nodes;
    private final int[][] nodeDistance;
    private final CpuMask[] smt;
    private final CpuMask[] cluster;
    private final CpuMask[] llc;
    private final int[] coreOf;
    private final int[] clusterOf;
    private final int[] llcOf;
    private final int[] packageOf;
    private final int[] nodeOf;
    private final byte[] distance;
    private final boolean hasSmt;
    private final int[] capacity;
    private final int reclaimDistance;

    /** Nodes farther apart than this are far, unless a machine says otherwise. */
    public static final int USUAL_RECLAIM_DISTANCE = 30;

    /** Capacity of the largest CPU of a machine. */
    public static final int FULL_CAPACITY = 1024;

    /**
     * A machine whose CPUs are all of full capacity, with the usual reclaim distance.
     *
     * @param cpuCount CPUs are numbered 0 … cpuCount − 1
     * @param cores thread sibling sets; together every CPU exactly once (likewise the other lists)
     * @param clusters sets between core and LLC, or null if the machine has none
     * @param llcs sets that share a last-level cache
     * @param packages sockets
     * @param nodes NUMA nodes, in node number order
     * @param nodeDistance the firmware's distance table, [from][to], 10 = local
     * @throws InputException a list that is not a partition of the CPUs, or a table that is not square, symmetric and larger than the
     *     diagonal; the message names the set
     */
    public Topology(
            int cpuCount,
            List<CpuMask> cores,
            @Nullable List<CpuMask> clusters,
            List<CpuMask> llcs,
            List<CpuMask> packages,
            List<CpuMask> nodes,
            int[][] nodeDistance) {
        this(
                cpuCount,
                cores,
                clusters,
                llcs,
                packages,
                nodes,
                nodeDistance,
                fullCapacity(cpuCount),
                USUAL_RECLAIM_DISTANCE);
    }

    private Topology(
            int cpuCount,
            List<CpuMask> cores,
            @Nullable List<CpuMask> clusters,
            List<CpuMask> llcs,
            List<CpuMask> packages,
            List<CpuMask> nodes,
            int[][] nodeDistance,
            int[] capacity,
            int reclaimDistance) {
        this.capacity = capacity;
        this.reclaimDistance = reclaimDistance;
        this.cpuCount = cpuCount;
        this.cores = List.copyOf(cores);
        this.clusters = clusters == null ? null : List.copyOf(clusters);
        this.llcs = List.copyOf(llcs);
        this.packages = List.copyOf(packages);
        this.nodes = List.copyOf(nodes);
        this.nodeDistance = nodeDistance.clone();
        coreOf = TopologyChecks.indexOf(cores, "core", cpuCount);
        clusterOf = clusters == null ? coreOf : TopologyChecks.indexOf(clusters, "cluster", cpuCount);
        llcOf = TopologyChecks.indexOf(llcs, "LLC", cpuCount);
        packageOf = TopologyChecks.indexOf(packages, "package", cpuCount);
        nodeOf = TopologyChecks.indexOf(nodes, "node", cpuCount);
        TopologyChecks.distances(nodeDistance, nodes.size());
        smt = masks(cores, coreOf);
        cluster = masks(clusters == null ? cores : clusters, clusterOf);
        llc = masks(llcs, llcOf);
        hasSmt = cores.stream().anyMatch(core -> core.count() > 1);
        distance = new byte[cpuCount * cpuCount];
        for (int a = 0; a < cpuCount; a++) {
            for (int b = 0; b < cpuCount; b++) {
                distance[a * cpuCount + b] = (byte) smallestCommon(a, b).ordinal();
            }
        }
    }

    private static int[] fullCapacity(int cpuCount) {
        int[] capacity = new int[cpuCount];
        java.util.Arrays.fill(capacity, FULL_CAPACITY);
        return capacity;
    }

    /**
     * The same machine with CPUs of these capacities.
     *
     * @param capacity by CPU, 1 to 1024, relative to the largest CPU
     * @throws InputException another number of them, or one out of range
     */
    public Topology withCapacities(int[] capacity) {
        if (capacity.length != cpuCount) {
            throw new InputException(capacity.length + " capacities for " + cpuCount + " CPUs; give one for each");
        }
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            if (capacity[cpu] < 1 || capacity[cpu] > FULL_CAPACITY) {
                throw new InputException("capacity of CPU " + cpu + " is " + capacity[cpu] + "; capacities are 1 to "
                        + FULL_CAPACITY + ", the largest CPU's is " + FULL_CAPACITY);
            }
        }
        return new Topology(
                cpuCount, cores, clusters, llcs, packages, nodes, nodeDistance, capacity.clone(), reclaimDistance);
    }

    /**
     * The same machine with another distance beyond which nodes are far.
     *
     * @param distance 10 to 254
     * @throws InputException out of range
     */
    public Topology withReclaimDistance(int distance) {
        if (distance < 10 || distance > 254) {
            throw new InputException("reclaim distance " + distance + " is not in 10..254");
        }
        return new Topology(cpuCount, cores, clusters, llcs, packages, nodes, nodeDistance, capacity, distance);
    }

    private Distance smallestCommon(int a, int b) {
        if (a == b) {
            return Distance.CPU;
        }
        if (coreOf[a] == coreOf[b]) {
            return Distance.SMT;
        }
        if (clusterOf[a] == clusterOf[b]) {
            return Distance.CLUSTER;
        }
        if (llcOf[a] == llcOf[b]) {
            return Distance.LLC;
        }
        if (nodeOf[a] != nodeOf[b]) {
            return Distance.REMOTE;
        }
        return packageOf[a] == packageOf[b] ? Distance.PACKAGE : Distance.NODE;
    }

    private CpuMask[] masks(List<CpuMask> sets, int[] index) {
        CpuMask[] masks = new CpuMask[cpuCount];
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            masks[cpu] = sets.get(index[cpu]);
        }
        return masks;
    }

    public int cpuCount() {
        return cpuCount;
    }

    /** All CPUs. */
    public CpuMask cpus() {
        return CpuMask.range(0, cpuCount - 1);
    }

    public List<CpuMask> cores() {
        return cores;
    }

    /** The clusters, or the cores if the machine has none. */
    public List<CpuMask> clusters() {
        return clusters == null ? cores : clusters;
    }

    public List<CpuMask> llcs() {
        return llcs;
    }

    public List<CpuMask> packages() {
        return packages;
    }

    public List<CpuMask> nodes() {
        return nodes;
    }

    public boolean hasClusters() {
        return clusters != null;
    }

    /** Whether some core has two or more hardware threads. */
    public boolean hasSmt() {
        return hasSmt;
    }

    /** What this CPU can do in a given time, of {@value #FULL_CAPACITY} for the largest CPU of the machine ({@code cpu_capacity}). */
    public int capacity(int cpu) {
        return capacity[cpu];
    }

    /** Node distance above which kernels from 5.4 on take a node as far, 10 to 254 ({@code node_reclaim_distance}). */
    public int reclaimDistance() {
        return reclaimDistance;
    }

    /** The hardware threads of this CPU's core, itself included. */
    public CpuMask smt(int cpu) {
        return smt[cpu];
    }

    /** The CPUs of this CPU's cluster, itself included; its core where there are no clusters. */
    public CpuMask cluster(int cpu) {
        return cluster[cpu];
    }

    /** The CPUs that share this CPU's last-level cache, itself included. */
    public CpuMask llc(int cpu) {
        return llc[cpu];
    }

    /** Index of this CPU's core in {@link #cores}. */
    public int coreOf(int cpu) {
        return coreOf[cpu];
    }

    /** Number of the CPU's cluster; of its core on a machine without clusters. */
    public int clusterOf(int cpu) {
        return clusterOf[cpu];
    }

    /** Index of this CPU's last-level cache in {@link #llcs}. */
    public int llcOf(int cpu) {
        return llcOf[cpu];
    }

    /** Index of this CPU's package in {@link #packages}. */
    public int packageOf(int cpu) {
        return packageOf[cpu];
    }

    /** Number of this CPU's NUMA node. */
    public int nodeOf(int cpu) {
        return nodeOf[cpu];
    }

    /** The firmware's distance between two nodes; 10 is local. */
    public int nodeDistance(int fromNode, int toNode) {
        return nodeDistance[fromNode][toNode];
    }

    public Distance distance(int a, int b) {
        return Distance.all()[distance[a * cpuCount + b]];
    }
}
