package dev.perch.audit;

import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.placement.CpuView;
import dev.perch.kernel.placement.PlacementListener;
import dev.perch.kernel.placement.PlacementRules;
import dev.perch.kernel.placement.WakeRequest;
import java.util.Arrays;

/**
 * Why the rules may have chosen another CPU than the kernel: looks for an input that is only estimated, that was read, and whose other value
 * gives the recorded choice.
 */
final class Alternatives {
    private final PlacementRules rules;
    private final CpuView view;
    private final WakeRequest request;
    private final InputsRead read;
    private final SchedDomains domains;
    private final int[] saved;
    private int scanLimit;

    Alternatives(PlacementRules rules, CpuView view, WakeRequest request, InputsRead read, SchedDomains domains) {
        this.rules = rules;
        this.view = view;
        this.request = request;
        this.read = read;
        this.domains = domains;
        saved = new int[view.nrIdleScan.length];
    }

    /**
     * The input whose other value gives {@code recorded}, or {@link MissingInput#NONE}. View and request are filled.
     *
     * @param mayBeSync whether the hint may have been given
     * @param recent the wakee's recently used CPU, or {@link RuleInputs#UNKNOWN}
     */
    MissingInput explain(int recorded, boolean mayBeSync, int recent) {
        MissingInput input = explainWith(recorded, mayBeSync, recent);
        return input == MissingInput.NONE && mayBeSync ? explainWith(recorded, false, recent) : input;
    }

    /** As {@link #explain} for a wakeup that gave the hint, or did not. */
    MissingInput explainWith(int recorded, boolean sync, int recent) {
        request.sync = sync;
        select(recent);
        boolean limited = read.scanLimit;
        boolean wide = read.wide;
        int mark = read.idleCoreMark;
        boolean loads = read.loads;
        boolean lessHere = read.lessHere;
        if (recent == RuleInputs.UNKNOWN && read.recent && select(recorded) == recorded) {
            return MissingInput.RECENT_CPU;
        }
        if (wide && otherFlips(recorded, recent)) {
            return MissingInput.FLIPS;
        }
        if (limited && otherLimit(recorded, recent)) {
            return MissingInput.SCAN_DEPTH;
        }
        if (mark >= 0) {
            view.hasIdleCores[mark] ^= true;
            int chosen = select(recent);
            view.hasIdleCores[mark] ^= true;
            if (chosen == recorded) {
                return MissingInput.IDLE_CORES;
            }
        }
        if (loads) {
            long known = view.loadAvg[request.thisCpu];
            view.loadAvg[request.thisCpu] = lessHere ? Integer.MAX_VALUE : Integer.MIN_VALUE;
            long runnable = view.runnableLoad[request.thisCpu];
            view.runnableLoad[request.thisCpu] = view.loadAvg[request.thisCpu];
            int chosen = select(recent);
            boolean explained = chosen == recorded || read.scanLimit && otherLimit(recorded, recent);
            view.loadAvg[request.thisCpu] = known;
            view.runnableLoad[request.thisCpu] = runnable;
            if (explained) {
                return MissingInput.LOAD;
            }
        }
        return MissingInput.NONE;
    }

    /** Whether the waker's flips, halved once by a second that began before the recording, give the recorded choice. */
    private boolean otherFlips(int recorded, int recent) {
        int known = request.wakerFlips;
        request.wakerFlips = known >> 1;
        boolean found = select(recent) == recorded;
        request.wakerFlips = known;
        return found;
    }

    /** Whether another limit of the scan gives the recorded choice; keeps the one nearest to the estimate. */
    private boolean otherLimit(int recorded, int recent) {
        System.arraycopy(view.nrIdleScan, 0, saved, 0, saved.length);
        int estimate = view.nrIdleScan[domains.llcId(request.prevCpu)];
        boolean found = false;
        for (int off = 1; off <= Math.max(estimate, saved.length - estimate) && !found; off++) {
            found = estimate >= off && withLimit(estimate - off, recorded, recent)
                    || estimate + off <= saved.length && withLimit(estimate + off, recorded, recent);
        }
        System.arraycopy(saved, 0, view.nrIdleScan, 0, saved.length);
        return found || costlyScan(recorded, recent);
    }

    /** Whether scans that take long for the idle time there is give the recorded choice, in eras that weigh that. */
    private boolean costlyScan(int recorded, int recent) {
        int cpu = request.thisCpu;
        long cost = view.avgScanCost[cpu];
        view.avgScanCost[cpu] = Integer.MAX_VALUE;
        boolean found = select(recent) == recorded;
        view.avgScanCost[cpu] = cost;
        return found;
    }

    private boolean withLimit(int limit, int recorded, int recent) {
        Arrays.fill(view.nrIdleScan, limit);
        scanLimit = limit;
        return select(recent) == recorded;
    }

    /** The limit of the scan that explained a choice. */
    int scanLimit() {
        return scanLimit;
    }

    private int select(int recent) {
        request.recentCpu = recent == RuleInputs.UNKNOWN ? request.prevCpu : recent;
        read.start(PlacementListener.NONE);
        view.listenWith(read);
        int chosen = rules.select(request, view);
        view.listenWith(PlacementListener.NONE);
        if (read.markCleared >= 0) {
            view.hasIdleCores[read.markCleared] = true;
        }
        return chosen;
    }
}
