package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainLevel;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.placement.GroupState.Type;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;

/**
 * The group of the best type: one with spare capacity and most idle CPUs, else a busy one of least load; the own group unless another is
 * better, and between nodes some imbalance is allowed.
 *
 * <p>{@code find_idlest_group} of 5.5 and later. Source: placement.md 8.8.
 */
final class TypedGroup implements IdlestGroup {
    /** The forms, oldest first; each has what the earlier ones brought, and says what keeps a task on its node. */
    enum Form {
        /** 5.5 – 5.8: an idle CPU on the node. */
        IDLE_CPU_HOLDS_NODE,
        /** 5.9, 5.10: of groups with equally many idle CPUs the one in less use. */
        UTIL_BREAKS_TIES,
        /** 5.11 – 5.17: fewer tasks than a quarter of the domain's CPUs. */
        QUARTER_HOLDS_NODE,
        /** 5.18, 5.19: no more tasks than the domain's allowed imbalance. */
        ALLOWED_IMBALANCE,
        /** 6.0: that allowance within the allowed CPUs, and only if the nodes' idle CPUs hardly differ. */
        ALLOWED_CPUS_LIMIT,
        /** 6.1 – 6.11, 6.13 – 6.18: a task's fit is asked of each CPU. */
        FIT_OF_EACH_CPU,
        /** Late 6.1.y and 6.12.y, 6.19: only allowed CPUs are summed. */
        ALLOWED_CPUS_ONLY;

        boolean has(Form since) {
            return compareTo(since) >= 0;
        }
    }

    /** Nodes whose numbers of idle CPUs differ by no more are alike. */
    private static final int NODES_ALIKE = 2;

    private final Topology topology;
    private final Form form;
    private GroupState local = new GroupState();
    private GroupState best = new GroupState();
    private GroupState next = new GroupState();

    TypedGroup(Topology topology, Form form) {
        this.topology = topology;
        this.form = form;
    }

    @Override
    public int find(SchedDomain domain, WakeRequest request, CpuView view) {
        local.clear();
        best.clear();
        for (int position = 0; position < domain.groupCount(); position++) {
            if (view.intersect(domain.group(position), request.allowed)) {
                read(domain, position, request, view);
            }
        }
        boolean stays = best.position < 0 || local.position >= 0 && localWillDo(domain, request, view);
        return IdlestGroup.answer(domain, stays ? -1 : best.position, view);
    }

    private void read(SchedDomain domain, int position, WakeRequest request, CpuView view) {
        GroupState state = position == 0 ? local : next;
        state.read(
                domain, position, request, view, form.has(Form.ALLOWED_CPUS_ONLY), form.has(Form.FIT_OF_EACH_CPU));
        if (position > 0 && better(next, best)) {
            GroupState worse = best;
            best = next;
            next = worse;
        }
    }

    private boolean better(GroupState a, GroupState b) {
        if (a.type != b.type) {
            return a.type.compareTo(b.type) < 0;
        }
        return switch (a.type) {
            case OVERLOADED, FULLY_BUSY -> a.averageLoad < b.averageLoad;
            case MISFIT_TASK -> a.largestCapacity > b.largestCapacity;
            case HAS_SPARE ->
                a.idleCpus > b.idleCpus
                        || form.has(Form.UTIL_BREAKS_TIES) && a.idleCpus == b.idleCpus && a.util < b.util;
        };
    }

    private boolean localWillDo(SchedDomain domain, WakeRequest request, CpuView view) {
        if (local.type != best.type) {
            view.compare(PlacementStep.IDLEST_GROUP, local.type.ordinal(), best.type.ordinal());
            return local.type.compareTo(best.type) < 0;
        }
        return switch (local.type) {
            case OVERLOADED, FULLY_BUSY -> localLoadWillDo(domain, view);
            case MISFIT_TASK -> {
                view.compare(PlacementStep.IDLEST_GROUP, local.largestCapacity, best.largestCapacity);
                yield local.largestCapacity >= best.largestCapacity;
            }
            case HAS_SPARE -> localSpareWillDo(domain, request, view);
        };
    }

    private boolean localLoadWillDo(SchedDomain domain, CpuView view) {
        int percent = domain.parameters().imbalancePercent();
        long margin = 1024L * (percent - 100) / 100;
        view.compare(PlacementStep.IDLEST_GROUP, local.averageLoad, best.averageLoad);
        return numa(domain) && best.averageLoad + margin >= local.averageLoad
                || best.averageLoad >= local.averageLoad + margin
                || 100 * local.averageLoad <= percent * best.averageLoad;
    }

    private boolean localSpareWillDo(SchedDomain domain, WakeRequest request, CpuView view) {
        if (numa(domain)) {
            int preferred = request.preferredNode;
            if (topology.nodeOf(domain.cpu()) == preferred) {
                return true;
            }
            if (topology.nodeOf(domain.group(best.position).first()) == preferred) {
                return false;
            }
            if (nodeHolds(domain, request)) {
                return true;
            }
        }
        view.compare(PlacementStep.IDLEST_GROUP, local.idleCpus, best.idleCpus);
        return local.idleCpus >= best.idleCpus;
    }

    private boolean nodeHolds(SchedDomain domain, WakeRequest request) {
        if (!form.has(Form.QUARTER_HOLDS_NODE)) {
            return local.idleCpus > 0;
        }
        if (!form.has(Form.ALLOWED_IMBALANCE)) {
            return local.tasks < domain.weight() / 4;
        }
        int tasks = local.tasks + 1;
        if (!form.has(Form.ALLOWED_CPUS_LIMIT)) {
            return tasks <= domain.imbNuma();
        }
        int imbalance = Math.abs(local.idleCpus - best.idleCpus);
        boolean few = tasks <= Math.min(domain.imbNuma(), allowedIn(domain.group(0), request.allowed));
        return imbalance == 0 || few && imbalance <= NODES_ALIKE;
    }

    private static int allowedIn(CpuMask group, CpuMask allowed) {
        int count = 0;
        for (int cpu = group.nextAnd(allowed, 0); cpu >= 0; cpu = group.nextAnd(allowed, cpu + 1)) {
            count++;
        }
        return count;
    }

    private static boolean numa(SchedDomain domain) {
        return domain.level() == DomainLevel.NUMA;
    }
}
