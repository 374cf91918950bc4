package dev.perch.kernel.balance;

import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;

/**
 * Groups in which a smaller domain could not do its part because tasks are pinned ({@code sgc->imbalance}; spec: scheduler.md 4.4). All CPUs
 * of a group see its mark.
 */
final class PinnedMarks {
    private final boolean[][] byLevel;

    PinnedMarks(SchedDomains domains) {
        int levels = 0;
        for (SchedDomain domain : domains.all()) {
            levels = Math.max(levels, domain.levelIndex() + 1);
        }
        byLevel = new boolean[levels][domains.cpuCount()];
    }

    /** Of the group of a domain whose first CPU that is. */
    boolean isSet(SchedDomain domain, int firstCpu) {
        return byLevel[domain.levelIndex()][firstCpu];
    }

    /** Marks the local group of a domain, or takes the mark away. */
    void set(SchedDomain domain, boolean pinned) {
        byLevel[domain.levelIndex()][domain.group(0).first()] = pinned;
    }
}
