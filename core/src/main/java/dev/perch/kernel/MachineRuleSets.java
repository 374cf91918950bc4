package dev.perch.kernel;

import static dev.perch.kernel.Rule.modelled;
import static dev.perch.kernel.RuleKind.BALANCE;
import static dev.perch.kernel.RuleKind.CONSERVATIVE;
import static dev.perch.kernel.RuleKind.IDLE_GOVERNOR;
import static dev.perch.kernel.RuleKind.LOAD_TRACKING;
import static dev.perch.kernel.RuleKind.NOHZ_KICK;
import static dev.perch.kernel.RuleKind.ONDEMAND;
import static dev.perch.kernel.RuleKind.PIPE_WAKEUP;
import static dev.perch.kernel.RuleKind.RUNQUEUE;
import static dev.perch.kernel.RuleKind.SCHEDUTIL;
import static dev.perch.kernel.RuleKind.SCHED_DOMAINS;
import static dev.perch.kernel.RuleKind.TICK_STOP;

import java.util.List;
import java.util.stream.Stream;

/**
 * The rule sets around placement: what it reads, and what runs, moves and slows the tasks that it placed; oldest first within a kind.
 * Sources: scheduler.md, and placement.md 11 for the domains; the sections stand in the rows.
 */
final class MachineRuleSets {
    private static final List<Rule> LOADS = List.of(
            modelled(LOAD_TRACKING, "3.2", "scheduler.md 3.2", "sums of load weights, and cpu_load[] of the tick"),
            modelled(
                    LOAD_TRACKING,
                    "3.8",
                    "scheduler.md 3.8",
                    "as 3.2, shares of task groups by the first averages of entities"),
            modelled(
                    LOAD_TRACKING,
                    "3.11",
                    "scheduler.md 3.1",
                    "as 3.8, a CPU's load is the runnable average of its queue"),
            modelled(
                    LOAD_TRACKING,
                    "3.12",
                    "placement.md 4.2",
                    "as 3.11, with wake flips that are cleared after a second"),
            modelled(
                    LOAD_TRACKING,
                    "3.13",
                    "scheduler.md 3.3",
                    "as 3.12, average idle time capped by the cost of newly idle balancing"),
            modelled(LOAD_TRACKING, "4.0", "placement.md 4.2", "as 3.13, wake flips are halved after a second"),
            modelled(
                    LOAD_TRACKING,
                    "4.3",
                    "scheduler.md 3.4",
                    "PELT of queues and tasks: load with blocked part, runnable load, utilisation"),
            modelled(LOAD_TRACKING, "4.12", "scheduler.md 3.4", "as 4.3, a sum decayed over no whole period loses one"),
            modelled(LOAD_TRACKING, "4.17", "scheduler.md 3.7", "as 4.12, with estimated utilisation (UTIL_EST)"),
            modelled(
                    LOAD_TRACKING,
                    "5.0",
                    "placement.md 8.6",
                    "as 4.17, threads of a core count with their full capacity"),
            modelled(
                    LOAD_TRACKING,
                    "5.5",
                    "scheduler.md 3.1",
                    "as 5.0, runnable load and cpu_load[] gone, runnable average added"),
            modelled(
                    LOAD_TRACKING,
                    "5.8",
                    "scheduler.md 3.3",
                    "as 5.5, an eighth of a change of the idle time rounded towards zero"),
            modelled(LOAD_TRACKING, "5.14", "placement.md 6.2", "as 5.8, with an idle time that ages by the tick"),
            modelled(
                    LOAD_TRACKING,
                    "6.0",
                    "placement.md 7.2",
                    "as 5.14, with the number of CPUs worth scanning of a cache"),
            modelled(
                    LOAD_TRACKING,
                    "6.5",
                    "scheduler.md 3.7",
                    "as 6.0, utilisation may be boosted by the runnable average"),
            modelled(
                    LOAD_TRACKING,
                    "6.6",
                    "scheduler.md 1.19",
                    "as 6.5, a CPU tells the load of a task group at most once a millisecond"),
            modelled(
                    LOAD_TRACKING,
                    "6.7",
                    "scheduler.md 3.7",
                    "as 6.6, estimated utilisation of one value; the ageing idle time gone"),
            modelled(
                    LOAD_TRACKING,
                    "6.12",
                    "scheduler.md 3.5",
                    "as 6.7, tasks whose dequeue is delayed are not runnable"));

    private static final List<Rule> DOMAINS = List.of(
            modelled(SCHED_DOMAINS, "3.2", "placement.md 11", "SMT, MC, CPU, NODE, ALLNODES; MC prefers siblings"),
            modelled(SCHED_DOMAINS, "3.5", "placement.md 11", "SMT, MC, CPU and a NUMA level for each distance"),
            modelled(
                    SCHED_DOMAINS,
                    "3.12",
                    "placement.md 11.2",
                    "as 3.5, preferring siblings passes to the child of a level that is dropped"),
            modelled(
                    SCHED_DOMAINS,
                    "3.16",
                    "placement.md 11.1",
                    "SMT, MC, DIE, NUMA from one table; intervals by the number of CPUs"),
            modelled(SCHED_DOMAINS, "4.4", "placement.md 11.3", "as 3.16, SMT prefers siblings"),
            modelled(
                    SCHED_DOMAINS,
                    "4.9",
                    "placement.md 11.1, 11.3",
                    "as 4.4, no DIE over several nodes; unequal capacities wake by balance"),
            modelled(SCHED_DOMAINS, "4.14", "placement.md 11.1", "as 4.9, with a NODE level at the local distance"),
            modelled(SCHED_DOMAINS, "4.19", "placement.md 11.3", "as 4.14, MC prefers siblings"),
            modelled(
                    SCHED_DOMAINS,
                    "4.20",
                    "placement.md 11.3",
                    "as 4.19, levels below unequal capacities do not prefer siblings"),
            modelled(
                    SCHED_DOMAINS,
                    "5.4",
                    "placement.md 11.3, 11.5",
                    "as 4.20, reclaim distance 32 on newer AMD; load indices gone"),
            modelled(SCHED_DOMAINS, "5.7", "placement.md 11.3", "as 5.4, unequal capacities no longer wake by balance"),
            modelled(SCHED_DOMAINS, "5.8", "placement.md 11.3", "as 5.7, load balancing is no flag any more"),
            modelled(
                    SCHED_DOMAINS,
                    "5.10",
                    "placement.md 11.2, 11.5",
                    "as 5.8, degeneration by table; imbalance 117 % at all levels above SMT"),
            modelled(SCHED_DOMAINS, "5.12", "placement.md 11.1", "as 5.10, NUMA distances from the whole table"),
            modelled(
                    SCHED_DOMAINS,
                    "5.13",
                    "placement.md 11.4",
                    "as 5.12, overlapping NUMA groups stay inside their domain"),
            modelled(
                    SCHED_DOMAINS,
                    "5.14",
                    "placement.md 11.3",
                    "as 5.13, unequal capacities by domain, full or partial"),
            modelled(
                    SCHED_DOMAINS,
                    "5.16",
                    "placement.md 11.1",
                    "SMT, CLS, MC, DIE, NODE, NUMA; no CLS on hybrid parts"),
            modelled(SCHED_DOMAINS, "5.18", "placement.md 8.8", "as 5.16, with an allowance of NUMA imbalance"),
            modelled(SCHED_DOMAINS, "6.6", "placement.md 11.4", "as 5.18, CLS on hybrid parts too"),
            modelled(SCHED_DOMAINS, "6.7", "placement.md 11.1", "as 6.6, PKG in place of DIE, and a cluster flag"),
            modelled(SCHED_DOMAINS, "6.9", "placement.md 11.3", "as 6.7, sharing a cache is called share-LLC"),
            modelled(
                    SCHED_DOMAINS,
                    "6.18",
                    "placement.md 11.1",
                    "as 6.9, no SMT level without SMT, no PKG over nodes inside a package"));

    private static final List<Rule> RUNQUEUES = List.of(
            modelled(RUNQUEUE, "3.2", "scheduler.md 1", "CFS with wakeup preemption and buddies"),
            modelled(RUNQUEUE, "3.4", "scheduler.md 1.21", "as 3.2, with one list of tasks a CPU for the balancer"),
            modelled(RUNQUEUE, "3.8", "scheduler.md 1.15", "as 3.4, wakeup preemption behind a feature bit"),
            modelled(RUNQUEUE, "3.13", "scheduler.md 1.4", "as 3.8, weighted times are cut off, not rounded"),
            modelled(
                    RUNQUEUE,
                    "4.8",
                    "scheduler.md 1.11",
                    "as 3.13, a sleeper keeps its virtual time when it wakes on its old CPU"),
            modelled(RUNQUEUE, "4.15", "scheduler.md 1.21", "as 4.8, the balancer's list runs oldest first"),
            modelled(
                    RUNQUEUE,
                    "5.13",
                    "scheduler.md 1.6",
                    "as 4.15, slices by the tasks of the whole CPU and not below the minimum"),
            modelled(
                    RUNQUEUE,
                    "5.16",
                    "scheduler.md 1.10",
                    "as 5.13, SCHED_IDLE tasks have smaller credit and slices and always give way"),
            modelled(RUNQUEUE, "6.1", "scheduler.md 1.10", "as 5.16, a very long sleep forgets the virtual time"),
            modelled(
                    RUNQUEUE,
                    "6.6",
                    "scheduler.md 2",
                    "EEVDF: of the eligible tasks the earliest deadline; lag survives sleep"),
            modelled(RUNQUEUE, "6.12", "scheduler.md 2", "as 6.6, delayed dequeue, slices of tasks' own"),
            modelled(
                    RUNQUEUE,
                    "6.18",
                    "scheduler.md 2.9",
                    "as 6.12, the running task is protected for the shortest slice on the queue"));

    private static final List<Rule> BALANCING = List.of(
            modelled(
                    BALANCE,
                    "3.2",
                    "scheduler.md 4.7",
                    "group imbalance by largest load difference and a busiest CPU of more than one task"),
            modelled(BALANCE, "3.3", "scheduler.md 4.7", "as 3.2, looking at no more than 32 tasks of the busiest CPU"),
            modelled(
                    BALANCE,
                    "3.6",
                    "scheduler.md 4.7",
                    "as 3.3, group imbalance also by the difference in numbers of tasks"),
            modelled(BALANCE, "3.13", "scheduler.md 4.5", "as 3.6, newly idle balancing weighs what each domain costs"),
            modelled(
                    BALANCE,
                    "5.5",
                    "scheduler.md 4.8",
                    "groups by type, from spare to overloaded; imbalance in tasks, utilisation or load"),
            modelled(BALANCE, "6.1", "scheduler.md 4.8", "as 5.5, the allowance of NUMA imbalance before halving"),
            modelled(
                    BALANCE,
                    "6.12",
                    "scheduler.md 4.8",
                    "as 6.1, a type for busy SMT cores, and cores of unequal size compared"));

    private static final List<Rule> KICKS = List.of(
            modelled(
                    NOHZ_KICK,
                    "3.2",
                    "scheduler.md 4.6",
                    "two pick CPUs kick the nominated idle balancer: the first with two tasks, the second with one"),
            modelled(
                    NOHZ_KICK,
                    "3.3",
                    "scheduler.md 4.6",
                    "a CPU with two tasks, or in a cache with more than one busy CPU, kicks the first tickless CPU"),
            modelled(
                    NOHZ_KICK,
                    "5.5",
                    "scheduler.md 4.6",
                    "as 3.3, also for reduced capacity and misfit tasks; and every 32 ms to age blocked load"));

    private static final List<Rule> POWER = List.of(
            modelled(
                    ONDEMAND,
                    "3.2",
                    "scheduler.md 6.2",
                    "the highest clock above the threshold, else just enough for the load"),
            modelled(
                    ONDEMAND,
                    "3.2-sle",
                    "scheduler.md 6.3",
                    "as 3.2 with a threshold of 40 on more than one CPU, sampled at least every 300 ms"),
            modelled(
                    ONDEMAND,
                    "3.13",
                    "scheduler.md 6.4",
                    "the highest clock above the threshold, else in proportion to the load"),
            modelled(
                    ONDEMAND,
                    "4.9",
                    "scheduler.md 6.4",
                    "as 3.13, between the lowest and the highest clock; driven by the scheduler"),
            modelled(
                    CONSERVATIVE,
                    "3.4",
                    "scheduler.md 6.5",
                    "up above 80 %, down below 10 %, in steps of 5 % of the highest clock"),
            modelled(
                    CONSERVATIVE,
                    "6.12",
                    "scheduler.md 6.5",
                    "up above 80 %, down below 20 %; idle periods take steps off"),
            modelled(SCHEDUTIL, "none", "scheduler.md 6.7", "there is no schedutil"),
            modelled(SCHEDUTIL, "5.16", "scheduler.md 6.7", "1.25 times the utilisation, at most every 10 ms"),
            modelled(
                    SCHEDUTIL,
                    "6.12",
                    "scheduler.md 6.7",
                    "as 5.16, the headroom below the clamp; at 1.5 times the switching latency"),
            modelled(IDLE_GOVERNOR, "3.2", "scheduler.md 7.3", "menu, by the next timer and recent sleeps"),
            modelled(IDLE_GOVERNOR, "3.4", "scheduler.md 7.3", "as 3.2, a loaded CPU avoids long exits"),
            modelled(IDLE_GOVERNOR, "5.16", "scheduler.md 7.4", "menu that also decides whether the tick stops"),
            modelled(
                    IDLE_GOVERNOR,
                    "6.12",
                    "scheduler.md 7.4, 7.5",
                    "menu that reads the timer only if it must; and teo"),
            modelled(
                    TICK_STOP,
                    "every-entry",
                    "scheduler.md 5.8",
                    "at every idle entry whose next timer is more than a tick away"),
            modelled(
                    TICK_STOP,
                    "throttled",
                    "scheduler.md 5.8",
                    "as every-entry, but not on CPUs that go idle very often"),
            modelled(TICK_STOP, "governor", "scheduler.md 7.4", "when the idle governor expects a long sleep"));

    private static final List<Rule> PIPES = List.of(
            modelled(
                    PIPE_WAKEUP,
                    "3.2",
                    "scheduler.md 9.4",
                    "each write, and each read that frees a buffer, wakes all that wait"),
            modelled(
                    PIPE_WAKEUP,
                    "5.6",
                    "scheduler.md 9.4",
                    "a write to an empty pipe wakes a reader, a read from a full one a writer"));

    /** All of them. */
    static final List<Rule> ALL = Stream.of(LOADS, DOMAINS, RUNQUEUES, BALANCING, KICKS, POWER, PIPES)
            .flatMap(List::stream)
            .toList();

    private MachineRuleSets() {}
}
