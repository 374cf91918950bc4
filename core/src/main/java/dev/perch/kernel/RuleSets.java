package dev.perch.kernel;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Which rule set of each kind a kernel has. Immutable. An id is the first version that has the rule, or the name of the patch that made it;
 * {@link RuleCatalogue} has them all. Sources: placement.md 0.6 and 13, scheduler.md 0.2.
 *
 * @param ids one for each kind
 */
public record RuleSets(Map<RuleKind, String> ids) {
    /** @throws IllegalArgumentException if a kind is missing */
    public RuleSets {
        for (RuleKind kind : RuleKind.values()) {
            if (!ids.containsKey(kind)) {
                throw new IllegalArgumentException("no rules of the kind " + kind);
            }
        }
        ids = Collections.unmodifiableMap(new EnumMap<>(ids));
    }

    /** The id of a kind. */
    public String id(RuleKind kind) {
        String id = ids.get(kind);
        if (id == null) {
            throw new IllegalStateException("no rules of the kind " + kind);
        }
        return id;
    }

    /** The same rule sets but for one. */
    public RuleSets with(RuleKind kind, String id) {
        Map<RuleKind, String> changed = new EnumMap<>(ids);
        changed.put(kind, id);
        return new RuleSets(changed);
    }

    public String caller() {
        return id(RuleKind.CALLER);
    }

    public String wakeWide() {
        return id(RuleKind.WAKE_WIDE);
    }

    public String wakeAffine() {
        return id(RuleKind.WAKE_AFFINE);
    }

    public String idleSearch() {
        return id(RuleKind.IDLE_SEARCH);
    }

    public String slowPath() {
        return id(RuleKind.SLOW_PATH);
    }

    public String idlePredicate() {
        return id(RuleKind.IDLE_PREDICATE);
    }

    public String remoteQueue() {
        return id(RuleKind.REMOTE_QUEUE);
    }

    public String avgIdle() {
        return id(RuleKind.AVG_IDLE);
    }

    public String loadTracking() {
        return id(RuleKind.LOAD_TRACKING);
    }

    public String schedDomains() {
        return id(RuleKind.SCHED_DOMAINS);
    }

    public String runqueue() {
        return id(RuleKind.RUNQUEUE);
    }

    public String balance() {
        return id(RuleKind.BALANCE);
    }

    public String nohzKick() {
        return id(RuleKind.NOHZ_KICK);
    }

    public String ondemand() {
        return id(RuleKind.ONDEMAND);
    }

    public String conservative() {
        return id(RuleKind.CONSERVATIVE);
    }

    public String schedutil() {
        return id(RuleKind.SCHEDUTIL);
    }

    public String idleGovernor() {
        return id(RuleKind.IDLE_GOVERNOR);
    }

    public String tickStop() {
        return id(RuleKind.TICK_STOP);
    }
}
