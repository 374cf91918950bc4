package dev.perch.kernel.balance;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.load.CpuLoad;
import dev.perch.model.CpuMask;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** 3.3 and later: a CPU kicks with two tasks, or if another CPU of its group in a domain that shares a cache is busy too. */
final class BusyGroups extends WholeKicks {
    private final SchedDomains domains;
    private final boolean[] busy;

    BusyGroups(SchedDomains domains, Runqueue[] queues, CpuLoad[] loads) {
        super(queues, loads);
        this.domains = domains;
        busy = new boolean[queues.length];
        Arrays.fill(busy, true);
    }

    @Override
    void idleEntered(int cpu) {
        busy[cpu] = false;
    }

    @Override
    void tickStopped(int cpu) {
        tickless[cpu] = true;
    }

    @Override
    void tickRestarted(int cpu) {
        // The CPU counts as tickless and idle until its first busy tick.
    }

    @Override
    boolean kicksBesidesOwnBalance() {
        return true;
    }

    @Override
    boolean wantsKick(int cpu, boolean due, boolean idleAtTick) {
        if (idleAtTick) {
            return false;
        }
        busy[cpu] = true;
        tickless[cpu] = false;
        return due && firstTickless() != NO_CPU && (queues[cpu].nrRunning() >= 2 || sharesCacheWithBusy(cpu));
    }

    private boolean sharesCacheWithBusy(int cpu) {
        @Nullable SchedDomain domain = domains.lowest(cpu);
        while (domain != null && domain.has(DomainFlags.SHARE_CACHE)) {
            if (busyCpus(domain.group(0)) > 1) {
                return true;
            }
            domain = domain.parent();
        }
        return false;
    }

    private int busyCpus(CpuMask group) {
        int count = 0;
        for (int cpu = group.first(); cpu >= 0; cpu = group.next(cpu + 1)) {
            count += busy[cpu] ? 1 : 0;
        }
        return count;
    }

    @Override
    int target(BalanceHost host) {
        int first = firstTickless();
        return first != NO_CPU && host.isIdle(first) ? first : NO_CPU;
    }

    @Override
    boolean isServed(int cpu, BalanceHost host) {
        return tickless[cpu] && host.isIdle(cpu);
    }
}
