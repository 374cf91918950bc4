package dev.perch.trace;

import dev.perch.model.ProbedDecision;

/**
 * Reads the fields of one placement probe into a decision. Each event has the fields of its definition, in that order; those that there are
 * one a CPU have the CPU's number behind their name ({@code c0=0 n0=0 c1=1995 n1=1}). Nothing is allocated a line.
 *
 * <p>Source: the probe definitions in docs/probes.md; kernel/trace/trace_probe.c prints them.
 */
final class ProbeFields extends ProbeCursor {
    private static final byte[] COMM = literal("comm=\"");
    private static final byte[] COMM_END = literal("\" prev=");
    private static final byte[] BUSY = literal("busy");
    private static final byte[] HIC = literal("hic");
    private static final byte[] NIS = literal("nis");

    private static final byte[] PID = literal("pid=");
    private static final byte[] PREV = literal("prev=");
    private static final byte[] FLAGS = literal("flags=");
    private static final byte[] NR_ALLOWED = literal("nr_allowed=");
    private static final byte[] MASK = literal("mask=");
    private static final byte[] RECENT = literal("recent=");
    private static final byte[] FLIPS = literal("flips=");
    private static final byte[] WAKER_FLIPS = literal("waker_flips=");
    private static final byte[] WAKEE_FLIPS = literal("wakee_flips=");
    private static final byte[] FACTOR = literal("factor=");
    private static final byte[] WANT_AFFINE = literal("want_affine=");
    private static final byte[] SYNC = literal("sync=");
    private static final byte[] CUR_H_LOAD = literal("cur_h_load=");
    private static final byte[] P_H_LOAD = literal("p_h_load=");
    private static final byte[] THIS_LOAD = literal("this_load=");
    private static final byte[] THIS_EFF = literal("this_eff=");
    private static final byte[] PREV_EFF = literal("prev_eff=");
    private static final byte[] RES = literal("res=");
    private static final byte[] RET = literal("ret=");
    private static final byte[] CPU = literal("cpu=");
    private static final byte[] TARGET = literal("target=");
    private static final byte[] NR = literal("nr=");
    private static final byte[] HAS_IDLE_CORE = literal("has_idle_core=");

    /** Reads {@code (where)} and the fields of {@code probe}; false if they are not those of its definition. */
    boolean read(Probe probe, ProbedDecision into) {
        if (!where()) {
            return false;
        }
        boolean read = switch (probe) {
            case SRQ -> arguments(into);
            case WW -> wakeWide(into);
            case WANT -> wantAffine(into);
            case WAI -> field(RES) && isInt();
            case WHC -> wakerLoad(into);
            case WHP -> wakeeLoad(into);
            case WAW -> effectiveLoads(into);
            case WAR -> wakeAffine(into);
            case SIS -> search(into);
            case SIS2 -> pending(into);
            case SIS3 -> runnable(into);
            case AIC -> idleTest(into);
            case SCAN -> scan(into);
            case SIC -> field(RET);
            case SRQ_RET -> chosen(into);
        };
        skipBlanks();
        return read && atEnd();
    }

    private boolean arguments(ProbedDecision into) {
        if (!field(PID) || !isPid()) {
            return false;
        }
        into.wakee = (int) value;
        skipBlanks();
        if (!skip(COMM)) {
            return false;
        }
        // A name may hold anything, but not as much as would follow a false end.
        int nameEnd = findLast(COMM_END, pos);
        if (nameEnd < 0) {
            return false;
        }
        pos = nameEnd + 1;
        if (!field(PREV) || !isCpu()) {
            return false;
        }
        into.prevCpu = (int) value;
        if (!field(FLAGS) || !isInt()) {
            return false;
        }
        into.flags = (int) value;
        if (!field(NR_ALLOWED) || !isInt()) {
            return false;
        }
        into.allowedCount = (int) value;
        if (!field(MASK)) {
            return false;
        }
        into.allowed = value;
        if (!field(RECENT) || !isCpu()) {
            return false;
        }
        into.recentCpu = (int) value;
        if (!field(FLIPS)) {
            return false;
        }
        into.wakeeFlips = value;
        return true;
    }

    private boolean wakeWide(ProbedDecision into) {
        if (!field(WAKER_FLIPS)) {
            return false;
        }
        into.wakerFlips = value;
        if (!field(WAKEE_FLIPS)) {
            return false;
        }
        into.wakeeFlips = value;
        if (!field(FACTOR) || !isInt()) {
            return false;
        }
        into.llcSize = (int) value;
        into.hasWakeWide = true;
        return true;
    }

    private boolean wantAffine(ProbedDecision into) {
        if (!field(WANT_AFFINE)) {
            return false;
        }
        into.wantAffine = value != 0;
        if (!field(SYNC)) {
            return false;
        }
        into.sync = value != 0;
        into.hasWantAffine = true;
        return true;
    }

    private boolean wakerLoad(ProbedDecision into) {
        if (!field(CUR_H_LOAD)) {
            return false;
        }
        into.wakerLoad = value;
        if (!field(THIS_LOAD)) {
            return false;
        }
        into.thisLoadBefore = value;
        into.hasWakerLoad = true;
        return true;
    }

    private boolean wakeeLoad(ProbedDecision into) {
        if (!field(P_H_LOAD)) {
            return false;
        }
        into.wakeeLoad = value;
        if (!field(THIS_LOAD)) {
            return false;
        }
        into.thisLoad = value;
        into.hasWakeeLoad = true;
        return true;
    }

    private boolean effectiveLoads(ProbedDecision into) {
        if (!field(THIS_EFF)) {
            return false;
        }
        into.thisEffective = value;
        if (!field(PREV_EFF)) {
            return false;
        }
        into.prevEffective = value;
        int cpu = 0;
        for (skipBlanks(); !atEnd(); skipBlanks()) {
            if (!indexed('l', cpu)) {
                return false;
            }
            into.ensureCpus(cpu + 1);
            into.load[cpu++] = value;
        }
        into.loadCpus = cpu;
        into.hasEffectiveLoads = cpu > 0;
        return cpu > 0;
    }

    private boolean wakeAffine(ProbedDecision into) {
        if (!field(RES) || !isInt()) {
            return false;
        }
        into.wakeAffine = (int) value;
        into.hasWakeAffine = true;
        return true;
    }

    private boolean search(ProbedDecision into) {
        if (!field(PID) || value != into.wakee || !field(PREV) || value != into.prevCpu) {
            return false;
        }
        if (!field(TARGET) || !isCpu()) {
            return false;
        }
        into.target = (int) value;
        skipBlanks();
        while (matches(pos, BUSY)) {
            if (!sharedRecord(into)) {
                return false;
            }
        }
        int cpu = 0;
        for (skipBlanks(); !atEnd(); skipBlanks()) {
            if (!indexed('c', cpu) || !isPid()) {
                return false;
            }
            into.ensureCpus(cpu + 1);
            into.running[cpu] = (int) value;
            if (!indexed('n', cpu) || !isInt()) {
                return false;
            }
            into.nrRunning[cpu++] = (int) value;
        }
        into.cpus = cpu;
        into.testsBeforeSearch = into.testCount;
        into.hasSearch = cpu > 0;
        return cpu > 0;
    }

    /** The record of one LLC: {@code busyI hicI nisI}, I its first CPU. */
    private boolean sharedRecord(ProbedDecision into) {
        if (!numbered(BUSY)) {
            return false;
        }
        int first = index;
        into.ensureCpus(first + 1);
        if (!numbered(HIC) || index != first || !isInt()) {
            return false;
        }
        into.hasIdleCores[first] = (int) value;
        if (!numbered(NIS) || index != first || !isInt()) {
            return false;
        }
        into.nrIdleScan[first] = (int) value;
        skipBlanks();
        return true;
    }

    private boolean pending(ProbedDecision into) {
        int cpu = 0;
        for (skipBlanks(); !atEnd(); skipBlanks()) {
            into.ensureCpus(cpu + 1);
            if (!indexed('t', cpu) || !isInt()) {
                return false;
            }
            into.wakePending[cpu] = (int) value;
            if (!indexed('i', cpu) || !isInt()) {
                return false;
            }
            into.schedIdle[cpu++] = (int) value;
        }
        into.pendingCpus = cpu;
        return cpu > 0;
    }

    private boolean runnable(ProbedDecision into) {
        int cpu = 0;
        for (skipBlanks(); !atEnd(); skipBlanks()) {
            into.ensureCpus(cpu + 1);
            if (!indexed('q', cpu) || !isInt()) {
                return false;
            }
            into.fairQueued[cpu] = (int) value;
            if (!indexed('r', cpu) || !isInt()) {
                return false;
            }
            into.fairRunnable[cpu++] = (int) value;
        }
        into.runnableCpus = cpu;
        return cpu > 0;
    }

    private boolean idleTest(ProbedDecision into) {
        if (!field(CPU) || !isCpu()) {
            return false;
        }
        int cpu = (int) value;
        if (!field(RET)) {
            return false;
        }
        into.addTest(site, cpu, value != 0);
        return true;
    }

    private boolean scan(ProbedDecision into) {
        if (!field(NR) || !isInt()) {
            return false;
        }
        into.scanBudget = (int) value;
        if (!field(HAS_IDLE_CORE)) {
            return false;
        }
        into.scanForCore = value != 0;
        into.hasScan = true;
        return true;
    }

    private boolean chosen(ProbedDecision into) {
        if (!field(RET) || !isCpu()) {
            return false;
        }
        into.chosenCpu = (int) value;
        return true;
    }
}
