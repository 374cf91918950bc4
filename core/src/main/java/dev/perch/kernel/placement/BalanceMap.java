package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A search around prev first, then around the waker's CPU, and loads compared last; else down the levels of a map of domains.
 *
 * <p>{@code select_task_rq_fair} of the RFC "simplify the select_task_rq_fair()" of early 2013 (schedule balance map, policy SBM), never
 * merged. Source: placement.md 4.1, written from memory.
 */
final class BalanceMap implements Caller {
    private static final int NO_LEVEL = -1;

    private final SchedDomains domains;
    private final IdleSearch search;
    private final WakeAffine affine;
    private final SlowPath slowPath;

    /** By kind, CPU and level: the CPU's domain of that level if it has the kind's flag, else the next lower one that has; null if none. */
    private final @Nullable SchedDomain[][][] map;

    /** Level of each domain, by domain index; the smallest kind of domain of the machine is at 0. */
    private final int[] level;

    BalanceMap(SchedDomains domains, IdleSearch search, WakeAffine affine, SlowPath slowPath) {
        this.domains = domains;
        this.search = search;
        this.affine = affine;
        this.slowPath = slowPath;
        level = new int[domains.all().size()];
        int levels = numberLevels(domains, level);
        map = new SchedDomain[WakeKind.values().length][domains.cpuCount()][levels];
        for (WakeKind kind : WakeKind.values()) {
            for (int cpu = 0; cpu < domains.cpuCount(); cpu++) {
                fill(map[kind.ordinal()][cpu], domains.lowest(cpu), kind.domainFlag());
            }
        }
    }

    private static int numberLevels(SchedDomains domains, int[] level) {
        List<SchedDomain> ordered = new ArrayList<>(domains.all());
        ordered.sort(Comparator.comparing(SchedDomain::level).thenComparingInt(SchedDomain::distance));
        int number = -1;
        SchedDomain previous = null;
        for (SchedDomain domain : ordered) {
            if (previous == null || domain.level() != previous.level() || domain.distance() != previous.distance()) {
                number++;
            }
            level[domain.index()] = number;
            previous = domain;
        }
        return number + 1;
    }

    private void fill(@Nullable SchedDomain[] row, @Nullable SchedDomain lowest, int flag) {
        for (SchedDomain d = lowest; d != null; d = d.parent()) {
            if (d.has(flag)) {
                row[level[d.index()]] = d;
            }
        }
        for (int i = 1; i < row.length; i++) {
            row[i] = row[i] == null ? row[i - 1] : row[i];
        }
    }

    @Override
    public int select(WakeRequest request, CpuView view) {
        if (request.allowedCount == 1) {
            view.report(PlacementStep.PINNED, request.prevCpu, true);
            return request.prevCpu;
        }
        if (domains.lowest(request.thisCpu) == null) {
            return request.prevCpu;
        }
        if (request.kind == WakeKind.WAKE) {
            int idle = search(request, view);
            if (idle >= 0) {
                return idle;
            }
        }
        return balance(request, view);
    }

    /** An idle CPU around prev, or around the waker's if loads agree; −1 if there is none. */
    private int search(WakeRequest request, CpuView view) {
        int near = search.search(request, request.prevCpu, view);
        if (view.idle(near)) {
            return near;
        }
        int thisCpu = request.thisCpu;
        SchedDomain affineDomain =
                request.allowed.contains(thisCpu) && thisCpu != request.prevCpu ? affineDomain(request) : null;
        view.report(PlacementStep.AFFINE_DOMAIN, request.prevCpu, affineDomain != null);
        if (affineDomain == null) {
            return -1;
        }
        int here = search.search(request, thisCpu, view);
        boolean pulled = view.idle(here) && affine.target(affineDomain, request, view) == thisCpu;
        return pulled ? here : -1;
    }

    private @Nullable SchedDomain affineDomain(WakeRequest request) {
        SchedDomain d = domains.lowest(request.thisCpu);
        while (d != null && !(d.has(DomainFlags.WAKE_AFFINE) && d.span().contains(request.prevCpu))) {
            d = d.parent();
        }
        return d;
    }

    /** From the top level down, at each to the idlest CPU of the idlest group. */
    private int balance(WakeRequest request, CpuView view) {
        @Nullable SchedDomain[][] levels = map[request.kind.ordinal()];
        int cpu = request.thisCpu;
        int chosen = request.kind == WakeKind.WAKE ? request.prevCpu : cpu;
        int at = levels[cpu].length - 1;
        while (at > NO_LEVEL) {
            SchedDomain d = levels[cpu][at];
            if (d == null) {
                break;
            }
            int idlest = slowPath.idlest(d, request, view);
            if (idlest != cpu) {
                cpu = idlest;
                chosen = idlest;
            }
            at = level[d.index()] - 1;
        }
        return chosen;
    }
}
