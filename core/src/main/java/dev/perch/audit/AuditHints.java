package dev.perch.audit;

import java.util.ArrayList;
import java.util.List;

/** What a recording lacks, and what to record next time. */
public final class AuditHints {
    /** More than one missing switch in so many is worth a word. */
    private static final long MANY = 100;

    private AuditHints() {}

    /** One sentence for each thing that more events would tell. */
    public static List<String> of(AuditResult result) {
        List<String> hints = new ArrayList<>();
        EventCounts counts = result.counts();
        if (counts.switches() == 0) {
            hints.add("the recording has no sched_switch events, so nothing can be said about who ran; record with"
                    + " 'perf sched record' or 'trace-cmd record -e sched'");
        }
        if (counts.waking() == 0 && counts.wakeup() > 0) {
            hints.add(
                    "without sched_waking events the waker and the moment of a remote wakeup are not known; record with"
                            + " -e sched:sched_waking");
        } else if (counts.waking() == 0) {
            hints.add("without sched_waking events there are no wakeups to judge; record with -e sched:sched_waking");
        }
        if (!counts.hasIdle()) {
            hints.add("without cpu_idle events the exit from idle states cannot be told from the rest of a wakeup's"
                    + " latency; record with -e power:cpu_idle");
        }
        if (result.options().topology() == null) {
            hints.add(
                    "the recording does not say which CPUs share caches, so most verdicts are left out; name the machine"
                            + " with --machine (a name, a file, a sysfs folder, hwloc XML, or host)");
        }
        if (counts.lost() > 0) {
            hints.add(counts.lost()
                    + " events were lost; record with larger buffers (perf record -m 16M, trace-cmd record"
                    + " -b 65536)");
        }
        if (counts.gaps() * MANY > counts.switches()) {
            hints.add(counts.gaps()
                    + " switches are missing although no loss was recorded: what those tasks waited is not"
                    + " known; record with larger buffers, or with trace-cmd");
        }
        return hints;
    }
}
