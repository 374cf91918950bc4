package dev.perch.kernel;

import static dev.perch.kernel.Rule.modelled;
import static dev.perch.kernel.RuleKind.AVG_IDLE;
import static dev.perch.kernel.RuleKind.CALLER;
import static dev.perch.kernel.RuleKind.IDLE_PREDICATE;
import static dev.perch.kernel.RuleKind.IDLE_SEARCH;
import static dev.perch.kernel.RuleKind.REMOTE_QUEUE;
import static dev.perch.kernel.RuleKind.SLOW_PATH;
import static dev.perch.kernel.RuleKind.WAKE_AFFINE;
import static dev.perch.kernel.RuleKind.WAKE_WIDE;

import java.util.List;
import java.util.stream.Stream;

/**
 * The rule sets that choose a CPU for a waking task, oldest first within a kind. Source: placement.md; the sections stand in the rows.
 */
final class PlacementRuleSets {
    private static final List<Rule> CALLERS = List.of(
            modelled(
                    CALLER,
                    "3.2",
                    "placement.md 1.1",
                    "the lowest common wake-affine domain decides; without one prev is kept unsearched",
                    "asked for every wakeup, also of tasks pinned to one CPU",
                    "wakeup: the lowest domain of this CPU that is wake-affine and spans prev; wake-affine chooses this CPU or prev as target",
                    "idle search around the target; without such a domain, or if this CPU is not allowed, prev without a search",
                    "fork and exec: slow path from the highest domain with the flag"),
            modelled(
                    CALLER,
                    "3.3",
                    "placement.md 3.1",
                    "as 3.2, but a task pinned to one CPU keeps prev at once",
                    "a task pinned to one CPU keeps prev",
                    "wakeup: the lowest domain of this CPU that is wake-affine and spans prev; wake-affine chooses this CPU or prev as target",
                    "idle search around the target; without such a domain, or if this CPU is not allowed, prev without a search",
                    "fork and exec: slow path from the highest domain with the flag"),
            modelled(
                    CALLER,
                    "3.7",
                    "placement.md 3.1",
                    "as 3.3, and the walk stops at the affine domain",
                    "a task pinned to one CPU keeps prev",
                    "wakeup: the lowest domain of this CPU that is wake-affine and spans prev, where the walk ends; wake-affine chooses "
                            + "this CPU or prev as target",
                    "idle search around the target; without such a domain, or if this CPU is not allowed, prev without a search",
                    "fork and exec: slow path from the highest domain with the flag"),
            modelled(
                    CALLER,
                    "balance-map",
                    "placement.md 4.1",
                    "searches around prev first, then around this CPU, and compares loads last; an RFC of 2013",
                    "a task pinned to one CPU keeps prev",
                    "wakeup: idle search around prev; an idle CPU is taken",
                    "if this CPU is another and allowed and has an affine domain with prev: idle search around this CPU; an idle CPU is "
                            + "taken if wake-affine agrees",
                    "else prev; fork and exec: slow path level by level along the map"),
            modelled(
                    CALLER,
                    "4.0",
                    "placement.md 4.5",
                    "as 3.7, but every wakeup is searched for",
                    "a task pinned to one CPU keeps the CPU handed in",
                    "wakeup: the lowest domain of this CPU that is wake-affine and spans prev; wake-affine chooses this CPU or prev as target",
                    "idle search around the target, which is prev without such a domain or if this CPU is not allowed",
                    "fork and exec: slow path from the highest domain with the flag"),
            modelled(
                    CALLER,
                    "4.3",
                    "placement.md 4.5",
                    "as 4.0, and a wide waker does not ask wake-affine at all",
                    callerFrom43("keeps the CPU handed in", "", "")),
            modelled(
                    CALLER,
                    "4.9",
                    "placement.md 4.5",
                    "as 4.3, and a task too big for both CPUs is not pulled; a pinned task gets its lowest allowed CPU",
                    callerFrom43("gets the lowest CPU it may use", " or the task fits neither CPU (wake_cap)", "")),
            modelled(
                    CALLER,
                    "5.7",
                    "placement.md 4.5",
                    "as 4.9 without the test for too big tasks",
                    callerFrom43("gets the lowest CPU it may use", "", "")),
            modelled(
                    CALLER,
                    "5.8",
                    "placement.md 4.5, 9.5",
                    "as 5.7, and domains have no load-balance flag that would end the walk; a wakee still on its CPU may stay there",
                    callerFrom43(
                            "gets the lowest CPU it may use",
                            "",
                            "a wakee that its CPU has not switched away from is queued there without a choice, if remote queueing says so")),
            modelled(
                    CALLER,
                    "5.15",
                    "placement.md 5.6",
                    "as 5.8, but the waker does not remember its CPU as recently used",
                    callerFrom43(
                            "gets the lowest CPU it may use",
                            "",
                            "a wakee that its CPU has not switched away from is queued there without a choice, if remote queueing says so")),
            modelled(
                    CALLER,
                    "6.6",
                    "placement.md 7.4",
                    "as 5.15, and a wakeup that prefers the current CPU stays on it",
                    callerFrom43(
                            "gets the lowest CPU it may use",
                            "",
                            "a wakee that its CPU has not switched away from is queued there without a choice, if remote queueing says so",
                            "a wakeup with the flag for the current CPU takes this CPU, if it is allowed")));

    private static final List<Rule> WIDE = List.of(
            modelled(WAKE_WIDE, "none", "placement.md 4", "nobody counts partners"),
            modelled(
                    WAKE_WIDE,
                    "3.12",
                    "placement.md 4.2, 4.3",
                    "wide if the wakee flips more than the cache's size, and the waker more than that many times the wakee's; asked "
                            + "in wake-affine; flips cleared after 1 s"),
            modelled(
                    WAKE_WIDE,
                    "4.0",
                    "placement.md 4.2, 4.3",
                    "wide if the wakee flips more than the cache's size, and the waker more than that many times the wakee's; asked "
                            + "in wake-affine; flips halved after 1 s"),
            modelled(
                    WAKE_WIDE,
                    "4.3",
                    "placement.md 4.4",
                    "wide if the one that flips less does so at least as often as the cache has CPUs, and the other at least that many "
                            + "times more; asked by the caller"));

    private static final List<Rule> AFFINE = List.of(
            modelled(
                    WAKE_AFFINE,
                    "3.1",
                    "placement.md 8.1",
                    "compares sums of load weights, this CPU against prev",
                    "pulls if this CPU's weight with the wakee is at most prev's, times the domain's imbalance percentage; a sync waker's "
                            + "own weight is taken off",
                    "pulls also if both weights together are at most the average task of this CPU"),
            modelled(
                    WAKE_AFFINE,
                    "3.12",
                    "placement.md 8.2",
                    "as 3.1 with runnable averages; a wide waker does not pull",
                    "a wide waker does not pull",
                    "pulls if this CPU's runnable average with the wakee is at most prev's, times the domain's imbalance percentage; a "
                            + "sync waker's own weight is taken off",
                    "pulls also if both averages together are at most the average task of this CPU"),
            modelled(
                    WAKE_AFFINE,
                    "4.0",
                    "placement.md 8.2",
                    "as 3.12 without the clause about the average task",
                    "a wide waker does not pull",
                    "pulls if this CPU's runnable average with the wakee is at most prev's, times the domain's imbalance percentage; a "
                            + "sync waker's own weight is taken off"),
            modelled(
                    WAKE_AFFINE,
                    "4.3",
                    "placement.md 8.3",
                    "as 4.0 with the load averages of the tasks; wide wakers are the caller's business",
                    "pulls if this CPU's runnable average with the wakee's load is at most prev's, times the domain's imbalance "
                            + "percentage; a sync waker's own load is taken off"),
            modelled(
                    WAKE_AFFINE,
                    "4.13",
                    "placement.md 8.4",
                    "pulls always inside a cache, else compares the runnable averages of whole nodes",
                    "pulls if this CPU and prev share the last-level cache",
                    "else pulls if this node's runnable average with the wakee is at most prev's node's without it, times the domain's "
                            + "imbalance percentage; a sync waker's own load is taken off"),
            modelled(
                    WAKE_AFFINE,
                    "4.14",
                    "placement.md 8.5",
                    "WA_IDLE, then WA_WEIGHT; yes or no",
                    "WA_IDLE: this CPU, if it is idle, or if the wakeup is sync and only the waker runs here",
                    "WA_WEIGHT: this CPU, if its runnable average with the wakee is at most prev's without it, times the imbalance "
                            + "percentage",
                    "else prev"),
            modelled(
                    WAKE_AFFINE,
                    "4.16",
                    "placement.md 8.5",
                    "as 4.14, answering with a CPU: an idle this CPU counts only inside the cache and yields to an idle prev",
                    affineFrom416("idle", "", "only the waker runs", "runnable average", "at most")),
            modelled(
                    WAKE_AFFINE,
                    "4.18",
                    "placement.md 8.5",
                    "as 4.16, available in place of idle, and the weight comparison is strict",
                    affineFrom416("available", "", "only the waker runs", "runnable average", "less than")),
            modelled(
                    WAKE_AFFINE,
                    "5.6",
                    "placement.md 8.5",
                    "as 4.18 with load averages that include blocked tasks",
                    affineFrom416("available", "", "only the waker runs", "load average", "less than")),
            modelled(
                    WAKE_AFFINE,
                    "5.11",
                    "placement.md 8.5",
                    "as 5.6, and an available prev is kept before weights are compared",
                    affineFrom416(
                            "available",
                            "WA_IDLE: prev, if it is available",
                            "only the waker runs",
                            "load average",
                            "less than")),
            modelled(
                    WAKE_AFFINE,
                    "6.18",
                    "placement.md 8.5",
                    "as 5.11, not counting tasks whose dequeue is delayed",
                    affineFrom416(
                            "available",
                            "WA_IDLE: prev, if it is available",
                            "only the waker and delayed tasks are",
                            "load average",
                            "less than")));

    private static final List<Rule> SEARCHES = List.of(
            search("virgin", "placement.md 1.2", "widens level by level; stops at the level that spans this and prev"),
            search(
                    "idle-core",
                    "placement.md 2.1",
                    "prefers an idle core; never looks at threads on a machine of one last-level cache"),
            search(
                    "3.2",
                    "placement.md 2.2",
                    "an idle core of the cache, else an idle thread of the target's own core"),
            search("mikie", "placement.md 2.4", "the lowest idle CPU of the last-level cache"),
            search(
                    "mikie2",
                    "placement.md 2.5",
                    "as 3.3, after prev if it is idle; SIBLING_LIMIT_SYNC keeps a sync wakeup on the waker's CPU"),
            search("3.3", "placement.md 3.1", "top-down from the last-level cache, the first wholly idle group"),
            search("buddies", "placement.md 3.3", "one fixed buddy a level: the paired core, then the sibling"),
            search(
                    "3.9",
                    "placement.md 3.4",
                    "an idle target, an idle prev, then as 3.3 without the target's own groups"),
            search(
                    "4.9",
                    "placement.md 5.1 to 5.4",
                    "an idle core if there may be one, else an idle CPU round from the target, else a sibling"),
            search("4.11", "placement.md 5.3", "as 4.9, the scan of CPUs no longer gated unless SIS_AVG_CPU is on"),
            search("4.13", "placement.md 5.3", "as 4.11, the scan of CPUs within a budget (SIS_PROP)"),
            search("4.16", "placement.md 5.6", "as 4.13, with the recently used CPU"),
            search("4.18", "placement.md 10", "as 4.16, asking whether CPUs are available, not only idle"),
            search("5.4", "placement.md 5.3", "as 4.18, CPUs that run only SCHED_IDLE work count, in a first form"),
            search(
                    "5.6",
                    "placement.md 5.3, 5.5",
                    "as 5.4, such CPUs count as idle, per-CPU kernel threads stack, only allowed CPUs are walked"),
            search("5.7", "placement.md 5.8", "as 5.6, with a scan by capacity on machines of unequal capacities"),
            search("5.10", "placement.md 5.8", "as 5.7, every step asks for the capacity"),
            search("5.12", "placement.md 6.1", "one merged scan for cores and CPUs; siblings are not tried"),
            search("5.13", "placement.md 6.2", "as 5.12, after a look at prev's siblings"),
            search("5.14", "placement.md 6.2", "as 5.13, the budget from an idle time that ages"),
            search(
                    "5.15",
                    "placement.md 6.3",
                    "as 5.14, the scan starts after the target; the recent CPU is replaced each time"),
            search("clear-target", "placement.md 6.4", "as 5.15, the target taken out of the scanned mask"),
            search("5.16", "placement.md 5.5", "as 5.15, kernel threads do not stack from interrupts"),
            search("6.0", "placement.md 7.1, 7.2", "as 5.16, the budget from the cache's utilisation (SIS_UTIL)"),
            search("6.1", "placement.md 7.3", "as 6.0, prev's siblings without prev"),
            search(
                    "6.1.192",
                    "placement.md 7.3",
                    "as 6.1 with backports: siblings in the domain, threads not yet passed over, recent CPU asked"),
            search("6.5", "placement.md 5.6", "as 6.1, the recent CPU itself must be allowed"),
            search("6.7", "placement.md 7.5", "as 6.5, the target's cluster first"),
            search(
                    "6.9",
                    "placement.md 6.1",
                    "as 6.7, threads only in the domain and among those not yet passed over"));

    private static final List<Rule> SLOW = List.of(
            modelled(
                    SLOW_PATH,
                    "3.1",
                    "placement.md 8.7",
                    "groups by load weight, then the CPU of least weight; an even load moves away"),
            modelled(SLOW_PATH, "3.12", "placement.md 8.2, 8.7", "as 3.1 with runnable averages"),
            modelled(
                    SLOW_PATH,
                    "3.16",
                    "placement.md 8.7",
                    "as 3.12, inside the group idle CPUs first: by exit latency, then the most recently idled"),
            modelled(SLOW_PATH, "4.9", "placement.md 8.7", "as 3.16, a group of one CPU is answered at once"),
            modelled(
                    SLOW_PATH,
                    "4.10",
                    "placement.md 8.7",
                    "groups by runnable and average load with a margin, and by spare capacity but for forks"),
            modelled(
                    SLOW_PATH,
                    "4.15",
                    "placement.md 8.7",
                    "as 4.10, a CPU outside all allowed groups never counts as unloaded"),
            modelled(SLOW_PATH, "4.16", "placement.md 8.7", "as 4.15, among busy CPUs of equal load the lowest"),
            modelled(
                    SLOW_PATH,
                    "4.19",
                    "placement.md 8.7",
                    "as 4.16, spare capacity from what RT leaves; a NUMA node is left only for a clear gain"),
            modelled(
                    SLOW_PATH,
                    "5.4",
                    "placement.md 8.7",
                    "as 4.19, a CPU that runs only SCHED_IDLE work if none is idle"),
            modelled(
                    SLOW_PATH,
                    "5.6",
                    "placement.md 8.8",
                    "groups by type (spare, busy, overloaded …), spare ones by idle CPUs; SCHED_IDLE CPUs win at once"),
            modelled(SLOW_PATH, "5.9", "placement.md 8.8", "as 5.6, equal numbers of idle CPUs: the lower utilisation"),
            modelled(
                    SLOW_PATH,
                    "5.11",
                    "placement.md 8.8",
                    "as 5.9, a node is not left while it runs less than a quarter of its CPUs"),
            modelled(
                    SLOW_PATH,
                    "5.18",
                    "placement.md 8.8",
                    "as 5.11, the quarter replaced by an allowance for each domain"),
            modelled(
                    SLOW_PATH,
                    "6.0",
                    "placement.md 8.8",
                    "as 5.18, the allowance limited to allowed CPUs, and small differences stay"),
            modelled(
                    SLOW_PATH,
                    "6.1",
                    "placement.md 8.8",
                    "as 6.0, on unequal capacities each allowed CPU of a group is asked whether the task fits"),
            modelled(SLOW_PATH, "6.1.192", "placement.md 8.8", "as 6.1, sums over allowed CPUs only"));

    private static final List<Rule> PREDICATES = List.of(
            modelled(IDLE_PREDICATE, "current-only", "placement.md 10", "the idle thread is on the CPU"),
            modelled(
                    IDLE_PREDICATE,
                    "3.2",
                    "placement.md 10",
                    "the idle thread is on the CPU, nothing is queued and no wakeup is on its list"),
            modelled(
                    IDLE_PREDICATE,
                    "4.18",
                    "placement.md 10",
                    "as 3.2; available: idle, and the hypervisor runs the virtual CPU",
                    "idle: the idle thread is on the CPU, nothing is queued and no wakeup is on its list",
                    "available: idle, and the hypervisor runs the virtual CPU"),
            modelled(
                    IDLE_PREDICATE,
                    "5.4",
                    "placement.md 10",
                    "as 4.18; only SCHED_IDLE work: all that runs and waits is of that policy",
                    "idle: the idle thread is on the CPU, nothing is queued and no wakeup is on its list",
                    "available: idle, and the hypervisor runs the virtual CPU",
                    "runs only SCHED_IDLE work: all that runs and waits there is of that policy"));

    private static final List<Rule> QUEUES = List.of(
            modelled(
                    REMOTE_QUEUE,
                    "every-remote",
                    "placement.md 9.2",
                    "every wakeup of another CPU goes through its wake list, with an IPI"),
            modelled(
                    REMOTE_QUEUE,
                    "other-llc",
                    "placement.md 9.3",
                    "only wakeups across last-level caches go through the wake list"),
            modelled(REMOTE_QUEUE, "3.16", "placement.md 9.3", "as other-llc, and an idle CPU that polls needs no IPI"),
            modelled(
                    REMOTE_QUEUE,
                    "5.8",
                    "placement.md 9.4, 9.5",
                    "as 3.16, also a wakee still on a CPU with at most one runnable task; the IPI is a function call"),
            modelled(REMOTE_QUEUE, "5.11", "placement.md 9.4", "as 5.8, the target must be active"),
            modelled(
                    REMOTE_QUEUE,
                    "6.0",
                    "placement.md 9.4",
                    "wakeups across last-level caches, and to any other CPU without a runnable task; it must be active and allowed"),
            modelled(REMOTE_QUEUE, "6.2", "placement.md 9.4", "as 6.0, pending until the list has been worked off"),
            modelled(REMOTE_QUEUE, "6.12", "placement.md 9.4", "as 6.2, not for sched_ext tasks"),
            modelled(
                    REMOTE_QUEUE,
                    "6.18",
                    "placement.md 9.4",
                    "as 6.12, not for the stop class; sched_ext may permit it"));

    private static final List<Rule> IDLE_TIMES = List.of(
            modelled(
                    AVG_IDLE,
                    "3.2",
                    "placement.md 5.7",
                    "an average over eight idle times, set to twice the migration cost by a longer one"),
            modelled(
                    AVG_IDLE,
                    "3.13",
                    "placement.md 5.7",
                    "an average over eight idle times, at most twice the cost of newly idle balancing"),
            modelled(
                    AVG_IDLE,
                    "5.14",
                    "placement.md 5.7, 6.2",
                    "as 3.13, and a copy that ages by the tick for the scan's budget"),
            modelled(AVG_IDLE, "6.7", "placement.md 5.7", "as 3.13, the copy gone"));

    /** All of them. */
    static final List<Rule> ALL = Stream.of(CALLERS, WIDE, AFFINE, SEARCHES, SLOW, PREDICATES, QUEUES, IDLE_TIMES)
            .flatMap(List::stream)
            .toList();

    private PlacementRuleSets() {}

    private static Rule search(String id, String source, String meaning) {
        return modelled(IDLE_SEARCH, id, source, meaning, IdleSearchSteps.of(id).toArray(String[]::new));
    }

    private static String[] callerFrom43(String pinned, String alsoUnless, String... before) {
        return Stream.concat(
                        Stream.of("a task pinned to one CPU " + pinned),
                        Stream.concat(
                                Stream.of(before).filter(step -> !step.isEmpty()),
                                Stream.of(
                                        "wakeup: no pull if the waker is wide or this CPU is not allowed" + alsoUnless,
                                        "else the lowest domain of this CPU that is wake-affine and spans prev; wake-affine chooses this "
                                                + "CPU or prev as target",
                                        "idle search around the target, which is prev without a pull",
                                        "fork and exec: slow path from the highest domain of an unbroken run with the flag")))
                .toArray(String[]::new);
    }

    private static String[] affineFrom416(String idle, String keepPrev, String alone, String load, String compare) {
        return Stream.of(
                        "WA_IDLE: if this CPU is " + idle + " and shares the cache with prev: prev if it is " + idle
                                + ", else this CPU",
                        "WA_IDLE: this CPU, if the wakeup is sync and " + alone + " here",
                        keepPrev,
                        "WA_WEIGHT: this CPU, if its " + load + " with the wakee is " + compare
                                + " prev's without it, times the imbalance percentage; a sync waker's own load is taken off",
                        "else prev")
                .filter(step -> !step.isEmpty())
                .toArray(String[]::new);
    }
}
