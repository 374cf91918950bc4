package dev.perch.model;

import java.util.Arrays;

/**
 * One call of {@code select_task_rq_fair} as kprobes inside it printed it: the kernel's whole view at the moment, what it decided at each step
 * and the CPU that it returned.
 *
 * <p>Flat and mutable: the reader fills one again and again, so whoever hears of a decision copies what it wants to keep. A field means
 * something only if its probe was hit, which the {@code has…} field above it says; arrays are indexed by CPU. docs/probes.md describes the probes.
 */
public final class ProbedDecision {
    /** Wake flags, as {@link #flags} holds them ({@code WF_…}). */
    public static final int WF_EXEC = 0x02;

    public static final int WF_FORK = 0x04;
    public static final int WF_TTWU = 0x08;
    public static final int WF_SYNC = 0x10;
    public static final int WF_CURRENT_CPU = 0x40;

    /** Where {@code available_idle_cpu} is called from; of an unknown kernel image, nothing is known. */
    public enum Site {
        WAKE_AFFINE_THIS("wake_affine_idle, this"),
        WAKE_AFFINE_PREV_SHARED("wake_affine_idle, prev in this LLC"),
        WAKE_AFFINE_PREV("wake_affine_idle, prev"),
        TARGET("target"),
        PREV("prev"),
        RECENT("recent"),
        SMT("select_idle_smt"),
        CORE("select_idle_core"),
        CPU("select_idle_cpu"),
        IDLEST_CPU("idlest CPU of a group"),
        UNKNOWN("unknown call site");

        private final String text;

        Site(String text) {
            this.text = text;
        }

        /** The site in the kernel's words. */
        public String text() {
            return text;
        }
    }

    private static final Site[] SITES = Site.values();

    /** Line of the {@code srq} event in its file, from 1. */
    public long line;

    /** Time of the {@code srq} event, ns. */
    public long ns;

    /** The CPU of the waker, which made the decision. */
    public int thisCpu;

    /** What runs there. */
    public int current;

    /** Where the wakeup came from, {@link SchedEvents#IN_TASK} and the others. */
    public int context;

    // srq: the arguments.
    public int wakee;
    public int prevCpu;
    public int flags;
    public int allowedCount;

    /** The first 64 bits of the wakee's affinity. */
    public long allowed;

    public int recentCpu;
    public long wakeeFlips;

    /** ww: before the comparison of {@code wake_wide}. */
    public boolean hasWakeWide;

    /** The waker's flips, this wakeup counted. */
    public long wakerFlips;

    /** CPUs of the LLC of {@link #thisCpu}. */
    public int llcSize;

    /** want: the waker's CPU is a candidate, and the hint after the test whether the waker is exiting. */
    public boolean hasWantAffine;

    public boolean wantAffine;
    public boolean sync;

    /** whc: the waker's load is subtracted. */
    public boolean hasWakerLoad;

    public long wakerLoad;

    /** Load of {@link #thisCpu} with the waker's. */
    public long thisLoadBefore;

    /** whp: the wakee's load, and that of {@link #thisCpu} without the waker's if sync. */
    public boolean hasWakeeLoad;

    public long wakeeLoad;
    public long thisLoad;

    /** waw: the two sides of the comparison of {@code wake_affine_weight}, the sync bonus included. */
    public boolean hasEffectiveLoads;

    public long thisEffective;
    public long prevEffective;

    /** Load of each CPU at the comparison, the first {@link #loadCpus} entries. */
    public long[] load = new long[0];

    public int loadCpus;

    /** war: what {@code wake_affine} returned, a CPU or the number of CPUs for "undecided". */
    public boolean hasWakeAffine;

    public int wakeAffine;

    /** sis: the beginning of {@code select_idle_sibling}. */
    public boolean hasSearch;

    public int target;

    /** How many CPUs the snapshot shows; 0 without one. */
    public int cpus;

    /** Pid of what runs, 0 for the idle thread. */
    public int[] running = new int[0];

    public int[] nrRunning = new int[0];

    /** At the first CPU of an LLC its record, elsewhere −1 and 0: idle cores ({@code has_idle_cores}; 0 or 1). */
    public int[] hasIdleCores = new int[0];

    public int[] nrIdleScan = new int[0];

    /** sis2: wake lists and SCHED_IDLE tasks of so many CPUs. */
    public int pendingCpus;

    public int[] wakePending = new int[0];
    public int[] schedIdle = new int[0];

    /** sis3 (6.12): queued fair tasks and runnable ones of so many CPUs; the difference has a delayed dequeue. */
    public int runnableCpus;

    public int[] fairQueued = new int[0];
    public int[] fairRunnable = new int[0];

    /** scan: {@code select_idle_cpu} was entered; {@code nr_idle_scan} + 1, and whether it looked for an idle core. */
    public boolean hasScan;

    public int scanBudget;
    public boolean scanForCore;

    /** aic: the idle tests in the kernel's order, the first {@link #testCount} entries; those before {@link #testsBeforeSearch} preceded sis. */
    public int testCount;

    public int testsBeforeSearch;
    public int[] testedCpu = new int[16];
    public boolean[] testedIdle = new boolean[16];
    private byte[] testSite = new byte[16];

    /** srq_ret: the CPU returned; −1 until then. */
    public int chosenCpu;

    /** Forgets everything for the next decision. */
    public void clear() {
        hasWakeWide = false;
        hasWantAffine = false;
        hasWakerLoad = false;
        hasWakeeLoad = false;
        hasEffectiveLoads = false;
        hasWakeAffine = false;
        hasSearch = false;
        loadCpus = 0;
        pendingCpus = 0;
        runnableCpus = 0;
        hasScan = false;
        cpus = 0;
        testCount = 0;
        testsBeforeSearch = 0;
        chosenCpu = -1;
        Arrays.fill(hasIdleCores, -1);
        Arrays.fill(nrIdleScan, 0);
    }

    /** Room in all arrays for {@code count} CPUs. */
    public void ensureCpus(int count) {
        int old = running.length;
        if (count <= old) {
            return;
        }
        grow(Math.max(count, 2 * old), old);
    }

    private void grow(int count, int old) {
        load = Arrays.copyOf(load, count);
        running = Arrays.copyOf(running, count);
        nrRunning = Arrays.copyOf(nrRunning, count);
        nrIdleScan = Arrays.copyOf(nrIdleScan, count);
        wakePending = Arrays.copyOf(wakePending, count);
        schedIdle = Arrays.copyOf(schedIdle, count);
        fairQueued = Arrays.copyOf(fairQueued, count);
        fairRunnable = Arrays.copyOf(fairRunnable, count);
        hasIdleCores = Arrays.copyOf(hasIdleCores, count);
        Arrays.fill(hasIdleCores, old, count, -1);
    }

    /** Adds an idle test. */
    public void addTest(Site site, int cpu, boolean idle) {
        if (testCount == testedCpu.length) {
            testedCpu = Arrays.copyOf(testedCpu, 2 * testCount);
            testedIdle = Arrays.copyOf(testedIdle, 2 * testCount);
            testSite = Arrays.copyOf(testSite, 2 * testCount);
        }
        testedCpu[testCount] = cpu;
        testedIdle[testCount] = idle;
        testSite[testCount++] = (byte) site.ordinal();
    }

    /** Where the idle test {@code index} was made. */
    public Site testSite(int index) {
        return SITES[testSite[index]];
    }

    /** Whether the snapshot shows {@code cpu} idle: its idle thread runs, nothing is queued, nothing is on its way. */
    public boolean idle(int cpu) {
        return running[cpu] == 0 && nrRunning[cpu] == 0 && wakePending[cpu] == 0;
    }

    /** Whether the snapshot is complete: sis and sis2. */
    public boolean hasSnapshot() {
        return hasSearch && pendingCpus == cpus;
    }

    /** Whether a sleeping task was woken; else it was a fork or an exec. */
    public boolean isWakeup() {
        return (flags & WF_TTWU) != 0;
    }
}
