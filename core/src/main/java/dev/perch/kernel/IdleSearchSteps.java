package dev.perch.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The idle searches in words, one line a step, in the order in which a search takes them. Sources: placement.md 1 to 3 for those up to
 * 3.9, 5 to 7 and the matrix 13.2 for the later ones.
 */
final class IdleSearchSteps {
    /** The searches that have the skeleton of placement.md 5.1, oldest first. */
    private static final List<String> SKELETON = List.of(
            "4.9",
            "4.11",
            "4.13",
            "4.16",
            "4.18",
            "5.4",
            "5.6",
            "5.7",
            "5.10",
            "5.12",
            "5.13",
            "5.14",
            "5.15",
            "clear-target",
            "5.16",
            "6.0",
            "6.1",
            "6.1.192",
            "6.5",
            "6.7",
            "6.9");

    private static final String THIS_IF_TARGET = "this CPU, if it is the target and idle";
    private static final String PREV_IF_TARGET = "prev, if it is the target and idle";
    private static final String TARGET = "the target";

    private static final Map<String, List<String>> BEFORE = Map.of(
            "virgin",
            List.of(
                    THIS_IF_TARGET,
                    PREV_IF_TARGET,
                    "level by level up to the last-level cache: the lowest idle allowed CPU; a wider level overrides a narrower one",
                    "the walk ends after the first level that spans both this CPU and prev",
                    TARGET),
            "idle-core",
            List.of(
                    THIS_IF_TARGET,
                    PREV_IF_TARGET,
                    "cores of the last-level cache, round from the target's: the lowest allowed thread of the first wholly idle one",
                    "idle threads of the target's core, but only if the walk met a level above the cache (a bug)",
                    TARGET),
            "3.2",
            List.of(
                    THIS_IF_TARGET,
                    PREV_IF_TARGET,
                    "cores of the last-level cache, round from the target's: the lowest allowed thread of the first wholly idle one",
                    "the first idle thread of the target's core",
                    TARGET),
            "3.3",
            List.of(
                    THIS_IF_TARGET,
                    PREV_IF_TARGET,
                    "top-down from the last-level cache: the lowest allowed CPU of the first group that is wholly idle, round from "
                            + "the target's; groups are cores, then threads of the target's core",
                    TARGET),
            "mikie",
            List.of(
                    THIS_IF_TARGET,
                    PREV_IF_TARGET,
                    "the lowest idle allowed CPU of the last-level cache, whether or not its sibling is busy",
                    TARGET),
            "mikie2",
            List.of(
                    THIS_IF_TARGET,
                    PREV_IF_TARGET,
                    "with SIBLING_LIMIT_SYNC: this CPU, for a sync wakeup that was pulled to it",
                    "prev, if it is idle, allowed and shares the cache with the target",
                    "then as 3.3 from its group scan on",
                    TARGET),
            "buddies",
            List.of(
                    THIS_IF_TARGET,
                    PREV_IF_TARGET,
                    "top-down from the last-level cache: the target's one buddy of the level, if it is idle and allowed",
                    TARGET),
            "3.9",
            List.of(
                    "the target, if it is idle",
                    "prev, if it is idle and shares the cache with the target",
                    "as 3.3's group scan, but groups that contain the target are passed over",
                    TARGET));

    private final int era;
    private final boolean merged;
    private final String acceptable;
    private final List<String> steps = new ArrayList<>();

    private IdleSearchSteps(String id) {
        // clear-target is 5.15 with one operation more
        era = SKELETON.indexOf(id);
        merged = from("5.12");
        acceptable = from("5.4") ? "available or runs only SCHED_IDLE work" : from("4.18") ? "available" : "idle";
    }

    /** The steps of a search; empty if there is none of that id. */
    static List<String> of(String id) {
        if (!SKELETON.contains(id)) {
            return BEFORE.getOrDefault(id, List.of());
        }
        IdleSearchSteps words = new IdleSearchSteps(id);
        words.quick();
        words.kthreadAndRecent();
        if (words.merged) {
            words.mergedScan(id.equals("clear-target"));
        } else {
            words.separateScans();
        }
        words.last();
        return List.copyOf(words.steps);
    }

    private boolean from(String id) {
        return era >= SKELETON.indexOf(id);
    }

    private void say(String step, String text) {
        steps.add(step + " " + text);
    }

    private void quick() {
        if (from("5.10")) {
            say(
                    "S0",
                    "on a machine of unequal capacities: S1, S2" + (from("5.16") ? ", S3" : "")
                            + " and S4 also ask whether the task fits, and a scan by capacity from the target on takes the place"
                            + " of S5 to S9");
        } else if (from("5.7")) {
            say("S0", "on a machine of unequal capacities: a scan by capacity from the target on, and nothing else");
        }
        say("S1", "the target, if it is " + acceptable);
        String prev = "prev, if it shares the cache with the target and is " + acceptable;
        say("S2", from("6.7") ? prev + "; if its cluster is another it is only remembered" : prev);
    }

    private void kthreadAndRecent() {
        if (from("5.6")) {
            say(
                    "S3",
                    "prev, if the waker is a kernel thread of one CPU, prev is this CPU and has no other task"
                            + (from("5.16") ? ", and the wakeup is not from an interrupt" : ""));
        }
        if (from("4.16")) {
            boolean always = from("5.15");
            boolean bug = always && !from("6.1.192");
            say(
                    "S4",
                    "the recent CPU, if it is neither prev nor target, shares the cache with the target, is "
                            + acceptable
                            + (bug
                                    ? ", and prev is allowed (a bug: the recent CPU itself is not asked)"
                                    : " and is allowed")
                            + (from("6.7") ? "; if its cluster is another it is only remembered" : ""));
            say(
                    "S4",
                    always
                            ? "prev becomes the recent CPU each time"
                            : "prev becomes the recent CPU on a hit; this CPU becomes the waker's if a pull was wanted");
        }
        say("S5", "the target, if it has no last-level cache domain");
    }

    private boolean isFixedPointRelease() {
        return era == SKELETON.indexOf("6.1.192");
    }

    private void separateScans() {
        String coreIdle = from("4.18") ? "available" : "idle";
        say(
                "S6",
                "if the cache is marked as having idle cores: from the target on, wrapping, the first core whose threads are all "
                        + coreIdle + "; if there is none the mark is cleared");
        say("S7", "the waker's CPU must have a cache domain; budget: " + separateBudget());
        String mask = from("5.6")
                ? "from the target on, wrapping, over the allowed CPUs of the cache: the first that is "
                : "from the target on, wrapping, over all CPUs of the cache (disallowed ones use up budget too): the first allowed one "
                        + "that is ";
        boolean remembers = era == SKELETON.indexOf("5.4");
        say(
                "S7",
                mask
                        + (remembers ? "available" : acceptable)
                        + (remembers ? "; one that runs only SCHED_IDLE work is taken if the budget ends first" : ""));
        say(
                "S8",
                "the lowest allowed thread of the target's core" + (from("5.10") ? " inside the cache domain" : "")
                        + " that is " + acceptable);
    }

    private String separateBudget() {
        if (from("4.13")) {
            return "with SIS_PROP the cache's size times average idle time / 512 over average scan cost, at least 4; each CPU uses one up, "
                    + "the last is not looked at";
        }
        return from("4.11")
                ? "none; with SIS_AVG_CPU no scan if average idle time / 512 is below the average scan cost"
                : "none, but no scan if average idle time / 512 is below the average scan cost";
    }

    private void mergedScan(boolean clearTarget) {
        if (from("5.13")) {
            boolean withoutPrev = from("6.1");
            boolean inSpan = !withoutPrev || isFixedPointRelease() || from("6.9");
            say(
                    "S6",
                    "if the cache is not marked as having idle cores and prev shares it: the lowest allowed thread of prev's core"
                            + (inSpan ? " inside the cache domain" : "") + (withoutPrev ? ", but prev," : "")
                            + " that is "
                            + acceptable);
        }
        if (!from("6.1")) {
            say("S7", "the waker's CPU must have a cache domain");
        }
        say("S7", "budget, if the cache is not marked as having idle cores: " + mergedBudget());
        if (from("6.7")) {
            say("S7", "the target's cluster is scanned first, then the rest of the cache");
        }
        String start = from("5.15")
                ? "from the CPU after the target on, wrapping, the target last"
                : "from the target on, wrapping";
        if (clearTarget) {
            start = "from the CPU after the target on, wrapping, the target taken out of the mask";
        }
        say("S8", start + ", over the allowed CPUs of the cache");
        say(
                "S8",
                "marked as having idle cores: the first core whose threads are all available, else the first thread met that is "
                        + acceptable + "; if there is no such core the mark is cleared"
                        + (from("5.13") ? "" : " (of the waker's cache, a bug)"));
        say(
                "S8",
                "such a thread must be "
                        + (isFixedPointRelease() || from("6.9")
                                ? "among the CPUs not yet passed over"
                                : "allowed, but may lie outside the cache domain"));
        say("S8", "not marked: the first CPU that is " + acceptable);
    }

    private String mergedBudget() {
        if (from("6.0")) {
            return "with SIS_UTIL as many CPUs as the cache's utilisation lets; none at all at about 85 %, marked or not";
        }
        return from("5.14")
                ? "with SIS_PROP the cache's size times the waker's aged idle time over average scan cost, at least 4; the last is not "
                        + "looked at"
                : "with SIS_PROP the cache's size times average idle time / 512 over average scan cost, at least 4; the last is not "
                        + "looked at";
    }

    private void last() {
        say("S9", from("6.7") ? "the remembered prev, else the remembered recent CPU, else the target" : TARGET);
    }
}
