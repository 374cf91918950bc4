package dev.perch.kernel;

import java.util.List;
import java.util.stream.Stream;

/**
 * What a rule set decides. The kinds stand in the order in which they act on a wakeup, the rest of the scheduler after them; each kind's
 * {@link #key} is its name under {@code rules} of a kernel file. Sources: placement.md 13, scheduler.md 0.2.
 */
public enum RuleKind {
    /** How sched domains are walked, who is asked for a CPU and when nobody is. */
    CALLER("caller"),
    /** When a waker with many partners does not pull ({@code wake_wide}). */
    WAKE_WIDE("wake-wide"),
    /** Whether the search begins at the waker's CPU or at prev ({@code wake_affine}). */
    WAKE_AFFINE("wake-affine"),
    /** Which idle CPU around the target is taken ({@code select_idle_sibling}). */
    IDLE_SEARCH("idle-search"),
    /** Where new and executing tasks go ({@code find_idlest_group}, {@code find_idlest_cpu}). */
    SLOW_PATH("slow-path"),
    /** When a CPU counts as idle ({@code idle_cpu} and the like). */
    IDLE_PREDICATE("idle-predicate"),
    /** When a wakeup goes through the target's wake list, and with which interrupt. */
    REMOTE_QUEUE("remote-queue"),
    /** How a CPU's average idle time is kept. */
    AVG_IDLE("avg-idle"),
    /** Which loads of CPUs and tasks are kept, and how they decay. */
    LOAD_TRACKING("load-tracking"),
    /** Which sched domains are built, and with which flags. */
    SCHED_DOMAINS("sched-domains"),
    /** In which order a CPU runs its fair tasks. */
    RUNQUEUE("runqueue"),
    /** Which tasks load balancing moves. */
    BALANCE("balance"),
    /** Which busy CPU asks a tickless one to balance. */
    NOHZ_KICK("nohz-kick"),
    /** The frequency governor {@code ondemand}. */
    ONDEMAND("ondemand"),
    /** The frequency governor {@code conservative}. */
    CONSERVATIVE("conservative"),
    /** The frequency governor {@code schedutil}. */
    SCHEDUTIL("schedutil"),
    /** The governors of idle states. */
    IDLE_GOVERNOR("idle-governor"),
    /** When an idle CPU stops its tick. */
    TICK_STOP("tick-stop"),
    /** Whom writers and readers of a pipe wake. */
    PIPE_WAKEUP("pipe-wakeup");

    private final String key;

    RuleKind(String key) {
        this.key = key;
    }

    /** The name in kernel files and messages, such as {@code idle-search}. */
    public String key() {
        return key;
    }

    /** All keys, in order. */
    static List<String> keys() {
        return Stream.of(values()).map(RuleKind::key).toList();
    }

    @Override
    public String toString() {
        return key;
    }
}
