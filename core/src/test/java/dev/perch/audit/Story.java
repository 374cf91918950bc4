package dev.perch.audit;

import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A small event stream told in code, and what the audit makes of it. Times are in ns and are given with each event; every task has prio
 * 120 unless said otherwise.
 */
final class Story {
    /** What is kept of a wakeup, since the audit reuses its objects. */
    record Seen(
            long number,
            long ns,
            int waker,
            int wakee,
            int thisCpu,
            int prevCpu,
            int chosenCpu,
            Certainty certainty,
            Verdict verdict,
            UnknownReason reason,
            int faults,
            long latencyNs,
            long queueingNs,
            long idleExitNs,
            long restNs,
            Answer ipi,
            boolean costKnown,
            long costNs,
            long crossingNs,
            boolean cutOff,
            boolean assumed) {

        boolean hasFault(Verdict verdict) {
            return (faults & verdict.bit()) != 0;
        }
    }

    /** Two packages, each one LLC of two cores with two threads: CPUs 0-3 and 4-7; siblings are 0/1, 2/3, 4/5, 6/7. */
    static final Topology TWO_LLCS = new Topology(
            8,
            List.of(CpuMask.of(0, 1), CpuMask.of(2, 3), CpuMask.of(4, 5), CpuMask.of(6, 7)),
            null,
            List.of(CpuMask.range(0, 3), CpuMask.range(4, 7)),
            List.of(CpuMask.range(0, 3), CpuMask.range(4, 7)),
            List.of(CpuMask.range(0, 7)),
            new int[][] {{10}});

    static final int PRIO = 120;

    final TaskNames names = new TaskNames();
    final Audit audit;
    final SchedEvents events;
    final List<Seen> seen = new ArrayList<>();

    Story() {
        this(AuditOptions.of(TWO_LLCS));
    }

    Story(AuditOptions options) {
        audit = new Audit(options, names);
        audit.addConsumer(this::keep);
        events = audit.events();
    }

    static Story withAffinity(int pid, CpuMask cpus) {
        return new Story(AuditOptions.of(TWO_LLCS).withAffinity(Map.of(pid, cpus)));
    }

    private void keep(Wakeup w) {
        seen.add(new Seen(
                w.number(),
                w.ns(),
                w.waker(),
                w.wakee(),
                w.thisCpu(),
                w.prevCpu(),
                w.chosenCpu(),
                w.certainty(),
                w.verdict(),
                w.unknownReason(),
                w.faults(),
                w.latencyNs(),
                w.queueingNs(),
                w.idleExitNs(),
                w.restNs(),
                w.ipi(),
                w.costKnown(),
                w.costNs(),
                w.crossingNs(),
                w.cutOff(),
                w.affinityAssumed()));
    }

    /** At 0 every CPU is idle: each leaves a task that goes to sleep. */
    Story allIdle() {
        for (int cpu = 0; cpu < 8; cpu++) {
            blocks(0, cpu, 900 + cpu, 0);
        }
        return this;
    }

    /** The idle {@code cpu} switches to {@code task}. */
    Story runs(long ns, int cpu, int task) {
        events.switched(ns, cpu, 0, PRIO, TaskState.RUNNABLE, task, PRIO);
        return this;
    }

    /** {@code cpu} switches from {@code from}, which sleeps, to {@code to}. */
    Story blocks(long ns, int cpu, int from, int to) {
        events.switched(ns, cpu, from, PRIO, TaskState.SLEEPING, to, PRIO);
        return this;
    }

    /** {@code cpu} switches from {@code from}, which stays runnable, to {@code to}. */
    Story preempts(long ns, int cpu, int from, int to) {
        events.switched(ns, cpu, from, PRIO, TaskState.RUNNABLE, to, PRIO);
        return this;
    }

    Story waking(long ns, int cpu, int waker, int wakee, int prevCpu) {
        return waking(ns, cpu, waker, SchedEvents.IN_TASK, wakee, prevCpu);
    }

    Story waking(long ns, int cpu, int waker, int context, int wakee, int prevCpu) {
        events.waking(ns, cpu, waker, context, wakee, PRIO, prevCpu);
        return this;
    }

    Story migrates(long ns, int cpu, int current, int task, int from, int to) {
        events.migrated(ns, cpu, current, task, PRIO, from, to);
        return this;
    }

    Story wakeup(long ns, int cpu, int current, int wakee, int target) {
        events.wakeup(ns, cpu, current, SchedEvents.IN_TASK, wakee, PRIO, target);
        return this;
    }

    /** The end of the recording. */
    AuditResult end() {
        return audit.finish();
    }

    /** The only wakeup of {@code wakee}, once the recording has ended. */
    Seen only(int wakee) {
        end();
        List<Seen> found = seen.stream().filter(s -> s.wakee() == wakee).toList();
        if (found.size() != 1) {
            throw new AssertionError("wakeups of " + wakee + ": " + found);
        }
        return found.getFirst();
    }
}
