package dev.perch.kernel.placement;

/** The steps that placement rules report to a {@link PlacementListener}, and what each says about its CPU. */
public enum PlacementStep {
    /** CPU: prev, from 4.9 on the one allowed. The task may run on one CPU only, so nothing is searched. */
    PINNED("pinned to one CPU: no search"),
    /** CPU: this. The wakeup asks for the waker's CPU, and the task may run there. */
    CURRENT_CPU("the wakeup asks for this CPU"),
    /** CPU: this. Whether waker and wakee have too many partners to pull; compares how often they switch them. */
    WAKE_WIDE("wide: too many partners"),
    /** CPU: this. Whether it is a candidate beside prev: not wide, not too big, and allowed. */
    WANT_AFFINE("this CPU is a candidate"),
    /** CPU: prev. Whether the task is too big for it or this CPU; compares capacity with utilisation and margin. */
    WAKE_CAP("too big for this or prev"),
    /** CPU: prev. Whether some wake-affine domain of the waker's CPU holds it. */
    AFFINE_DOMAIN("a wake-affine domain holds this and prev"),
    /** CPU: the one that idleness decides for, or −1. */
    WAKE_AFFINE_IDLE("one of this and prev is idle or soon will be"),
    /** CPU: this. Whether its load with the wakee is less than prev's without; compares the two. */
    WAKE_AFFINE_LOAD("less load on this"),
    /** CPU: this. Whether the wakee is pulled to the waker's CPU; may compare this CPU's load with prev's. */
    WAKE_AFFINE("wake_affine pulls to this"),
    /** CPU: the one looked at. Whether it is idle by the era's test. */
    IDLE("idle"),
    /** CPU: the target. Whether it is idle, so that nothing is searched. */
    TARGET_IDLE("the target is idle"),
    /** CPU: prev. Whether it is idle and shares the target's cache. */
    PREV_IDLE("prev is idle and shares the target's cache"),
    /** CPU: the target. A sync wakeup that stays with its waker, without a search. */
    SYNC_STAYS("a sync wakeup stays with its waker"),
    /** CPU: the idle one found among those of a domain, or −1. */
    LEVEL_SCAN("an idle CPU of the domain"),
    /** CPU: the first allowed one of a wholly idle group of a domain, or −1. */
    GROUP_SCAN("a wholly idle group of the domain"),
    /** CPU: the target's buddy at a level. Whether it is allowed and idle. */
    BUDDY("the target's buddy is idle"),
    /** CPU: the one looked at, which is not idle. It runs only SCHED_IDLE work; 5.4+. */
    SCHED_IDLE("runs only SCHED_IDLE work"),
    /** CPU: prev. A per-CPU kernel thread wakes a task of its own CPU, which stays there; 5.6+. */
    KTHREAD("a per-CPU kernel thread wakes a task that last ran on its CPU"),
    /** CPU: the one used before prev. Whether it is idle, near and taken for allowed; 4.16+. */
    RECENT("the recently used CPU is idle and shares the target's cache"),
    /** CPU: the one looked at. Whether its capacity suffices for the task; 5.7+ on machines of unequal CPUs. */
    FITS("the task fits the CPU's capacity"),
    /** CPU: an idle one that the task fits, or the largest idle one, or −1. */
    CAPACITY_SCAN("an idle CPU with the capacity for the task"),
    /** CPU: the lowest of the target's last-level cache. Whether the cache is believed to have an idle core; 4.9+. */
    HAS_IDLE_CORES("the cache is marked as having an idle core"),
    /** CPU: the thread by which a core is reached. Whether all threads of the core are idle. */
    IDLE_CORE("all threads of the core are idle"),
    /** CPU: the allowed thread by which a wholly idle core was reached, or −1. */
    CORE_SCAN("an idle core of the cache"),
    /** CPU: the lowest of the cache whose mark of having an idle core was taken away. */
    IDLE_CORES_CLEARED("no idle core: the mark is cleared"),
    /** CPU: the waker's. Whether it is idle for less time than a scan takes, so that none is made; 4.9 – 5.11. */
    SCAN_TOO_COSTLY("a scan takes longer than the waker's CPU is idle"),
    /** A number of CPUs, not a CPU: how many the scan may look at. Whether that is any. */
    BUDGET("the scan may look at some CPUs"),
    /** CPU: the first that the scan may not look at any more. */
    BUDGET_SPENT("the scan has looked at as many CPUs as it may"),
    /** CPU: an idle one of the target's cluster, or negative; 6.7+. */
    CLUSTER_SCAN("an idle CPU of the target's cluster"),
    /** CPU: an idle one of the cache, or negative. */
    CPU_SCAN("an idle CPU of the cache"),
    /** CPU: an idle thread of the target's core (until 5.11) or of prev's (5.13+), or −1. */
    THREAD_SCAN("an idle thread of the core"),
    /** CPU: prev or the recent one, idle but outside the target's cluster, for want of a better; 6.7+. */
    OTHER_CLUSTER("nothing found: the idle CPU of another cluster"),
    /** CPU: the target. The search found nothing. */
    NOTHING_FOUND("nothing found: the target"),
    /** CPU: first of the idlest group of a domain, or −1 to stay with the local group; may compare the local group with the other. */
    IDLEST_GROUP("another group is idler"),
    /** CPU: the idlest of a group. Whether it is another one than before. */
    IDLEST_CPU("the idlest CPU of the group"),
    /** CPU: what the rules chose. Whether the task may run there. */
    VALIDITY("the choice is allowed"),
    /** CPU: the allowed one taken instead, of prev's node if possible. */
    FALLBACK("fallback to an allowed CPU");

    private final String text;

    PlacementStep(String text) {
        this.text = text;
    }

    /** The step in words. */
    public String text() {
        return text;
    }

    /** What the step is about, in words, given the number that was reported with it; empty if about nothing. */
    public String about(int cpu) {
        return cpu < 0 ? "" : this == BUDGET ? cpu + " CPUs" : "CPU " + cpu;
    }
}
