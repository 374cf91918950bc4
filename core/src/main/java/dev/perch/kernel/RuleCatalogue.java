package dev.perch.kernel;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rule sets there are: which kinds, which names of each, and what each says in a line. Source of the placement rows: placement.md
 * 13; of the others: scheduler.md 0.2, 4, 6.
 */
final class RuleCatalogue {
    /** The kinds, in the order in which they act; these are the keys under {@code rules} of a kernel file. */
    static final List<String> KINDS = List.of(
            "caller",
            "idle-search",
            "wake-affine",
            "remote-queue",
            "idle-predicate",
            "sched-domains",
            "runqueue",
            "balance",
            "nohz-kick",
            "ondemand");

    private static final Map<String, Map<String, String>> TEXTS = Map.of(
            "caller",
            Map.of(
                    "3.2", "the lowest common wake-affine domain decides; without one prev is kept unsearched",
                    "3.3", "as 3.2, but a task pinned to one CPU keeps prev at once",
                    "3.7", "as 3.3, and the walk stops at the affine domain"),
            "idle-search",
            Map.of(
                    "virgin", "widens level by level; stops at the level that spans this and prev",
                    "idle-core", "prefers an idle core; never looks at threads on a machine of one last-level cache",
                    "3.2", "an idle core of the cache, else an idle thread of the target's own core",
                    "mikie", "the lowest idle CPU of the last-level cache",
                    "mikie2",
                            "as 3.3, after prev if it is idle; SIBLING_LIMIT_SYNC keeps a sync wakeup on the waker's CPU",
                    "3.3", "top-down from the last-level cache, the first wholly idle group",
                    "buddies", "one fixed buddy a level: the paired core, then the sibling",
                    "3.9", "an idle target, an idle prev, then as 3.3 without the target's own groups"),
            "wake-affine",
            Map.of("3.1", "compares sums of load weights, this CPU against prev"),
            "remote-queue",
            Map.of(
                    "every-remote", "every wakeup of another CPU goes through its wake list, with an IPI",
                    "other-llc", "only wakeups across last-level caches go through the wake list"),
            "idle-predicate",
            Map.of(
                    "current-only", "the idle thread is on the CPU",
                    "3.2", "the idle thread is on the CPU, nothing is queued and no wakeup is on its list"),
            "sched-domains",
            Map.of(
                    "3.2", "SMT, MC, CPU, NODE, ALLNODES; MC prefers siblings",
                    "3.5", "SMT, MC, CPU and a NUMA level for each distance"),
            "runqueue",
            Map.of(
                    "3.2", "CFS with wakeup preemption and buddies",
                    "3.4", "as 3.2, with one list of tasks a CPU for the balancer",
                    "3.8", "as 3.4, wakeup preemption behind a feature bit"),
            "balance",
            Map.of(
                    "3.2", "group imbalance by largest load difference and a busiest CPU of more than one task",
                    "3.3", "as 3.2, looking at no more than 32 tasks of the busiest CPU",
                    "3.6", "as 3.3, group imbalance also by the difference in numbers of tasks"),
            "nohz-kick",
            Map.of(
                    "3.2",
                            "two pick CPUs kick the nominated idle balancer: the first with two tasks, the second with one",
                    "3.3",
                            "a CPU with two tasks, or in a cache with more than one busy CPU, kicks the first tickless CPU"),
            "ondemand",
            Map.of("3.2", "the highest clock above the threshold, else just enough for the load"));

    private RuleCatalogue() {}

    /** The names of the rule sets of a kind, sorted. */
    static List<String> names(String kind) {
        return List.copyOf(new TreeMap<>(TEXTS.getOrDefault(kind, Map.of())).keySet());
    }

    /** What a rule set says, in a line; empty if there is none of that name. */
    static String text(String kind, String name) {
        return TEXTS.getOrDefault(kind, Map.of()).getOrDefault(name, "");
    }
}
