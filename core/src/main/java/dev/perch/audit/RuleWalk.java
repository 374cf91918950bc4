package dev.perch.audit;

import dev.perch.kernel.placement.StepRecorder;
import java.util.ArrayList;
import java.util.List;

/** What an era's rules made of one wakeup: their choice with and without the sync hint, and the steps to it. */
final class RuleWalk {
    static final int NOTHING = -2;

    /** Choices at the earliest moment at which the kernel may have chosen. */
    int choiceSync;

    int choiceNotSync;
    /** Choices at the latest such moment: just before the choice showed. */
    int lateSync;

    int lateNotSync;
    /** State of the CPUs at the earliest moment, to see whether it has changed. */
    long version;
    /** The first input that the recording lacks for this decision, whatever the choice. */
    MissingInput missing = MissingInput.NONE;
    /** Whether some CPU that the rules looked at had a wakeup under way whose place, queue or wake list, is not recorded. */
    boolean wakeListInDoubt;

    /** The wakee's and the waker's recently used CPU as the last decision with and without the hint leave them. */
    int recentSync;

    int recentNotSync;
    int wakerRecentSync;
    int wakerRecentNotSync;
    /** The cache whose mark of an idle core that decision took away, by its lowest CPU, or −1. */
    int clearedSync;

    int clearedNotSync;
    /** Why the rules may have chosen otherwise: the input that is estimated and whose other value gives the recorded choice. */
    MissingInput doubtful = MissingInput.NONE;

    /** Rebuilt inputs as the last decision found them; the loads only if it compared them. */
    int wakerFlips = -1;

    int wakeeFlips;
    int recentCpu;
    boolean usesRecent;
    boolean scanLimited;
    int scanLimit;
    boolean loadsCompared;
    long wakerLoad;
    long wakeeLoad;
    long thisLoad;
    long prevLoad;
    /** How the wakee slept. */
    boolean uninterruptible;

    boolean decided;
    boolean asked;
    /** What led to the choice; see {@link EraRules} for which of the two. */
    final StepRecorder steps = new StepRecorder();

    void start() {
        asked = false;
        steps.clear();
        missing = MissingInput.NONE;
        wakeListInDoubt = false;
        choiceSync = NOTHING;
        choiceNotSync = NOTHING;
        lateSync = NOTHING;
        lateNotSync = NOTHING;
        doubtful = MissingInput.NONE;
        decided = false;
        scanLimited = false;
        loadsCompared = false;
        usesRecent = false;
    }

    /** Whether the rules choose {@code cpu} at one of the two moments, given the sync hint or not. */
    boolean chooses(int cpu, boolean sync) {
        return sync ? choiceSync == cpu || lateSync == cpu : choiceNotSync == cpu || lateNotSync == cpu;
    }

    /** Whether the rules choose otherwise at the end than at the beginning of the time in which the kernel chose. */
    boolean dependsOnMoment() {
        return choiceSync != lateSync || choiceNotSync != lateNotSync;
    }

    /** The rebuilt inputs that the last decision read, a line each; none in eras that read none of them. */
    List<String> rebuilt() {
        List<String> lines = new ArrayList<>();
        if (wakerFlips >= 0) {
            lines.add("rebuilt: wake flips " + wakerFlips + " of the waker, " + wakeeFlips + " of the wakee");
        }
        if (usesRecent) {
            lines.add("rebuilt: recently used CPU of the wakee " + (recentCpu < 0 ? "not known" : recentCpu));
        }
        if (loadsCompared) {
            lines.add("rebuilt: load " + thisLoad + " of the waker's CPU, " + prevLoad + " of prev, " + wakerLoad
                    + " of the waker, " + wakeeLoad + " of the wakee");
        }
        if (scanLimited) {
            lines.add("estimated: a search may look at " + scanLimit + " CPUs");
        }
        return lines;
    }

    /** One line a step. */
    List<String> lines() {
        return steps.lines();
    }
}
