package dev.perch.audit;

import dev.perch.kernel.Kernel;
import dev.perch.model.CpuMask;
import dev.perch.model.Distance;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Explains one wakeup: the machine at that moment as a small drawing, the verdict, and the steps of an era's rules to their choice. */
public final class Explain implements WakeupConsumer {
    private final Audit audit;
    private final @Nullable Topology topology;
    private final @Nullable Kernel kernel;
    private final long number;
    private final int pid;
    private final AuditOptions.Moment at;
    private long foundNs = Long.MIN_VALUE;
    private List<String> text = List.of();

    private Explain(
            Audit audit,
            @Nullable Topology topology,
            @Nullable Kernel kernel,
            long number,
            int pid,
            AuditOptions.Moment at,
            List<CpuMask> partitions) {
        this.audit = audit;
        this.topology = topology;
        this.kernel = kernel;
        this.number = number;
        this.pid = pid;
        this.at = at;
        StateListener rules = kernel == null || topology == null
                ? StateListener.NONE
                : new EraRules(
                        audit, kernel, topology, partitions.isEmpty() ? List.of(topology.cpus()) : partitions, false);
        audit.listenWith(new Snapshots(rules, audit.cpus()));
        audit.addConsumer(this);
    }

    /** Wakeup {@code number}, from 1. */
    public static Explain wakeup(
            Audit audit, AuditOptions options, @Nullable Kernel kernel, List<CpuMask> partitions, long number) {
        return new Explain(audit, options.topology(), kernel, number, -1, AuditOptions.Moment.END, partitions);
    }

    /** The last wakeup of {@code pid} that began no later than {@code at}. */
    public static Explain lastOf(
            Audit audit,
            AuditOptions options,
            @Nullable Kernel kernel,
            List<CpuMask> partitions,
            int pid,
            AuditOptions.Moment at) {
        return new Explain(audit, options.topology(), kernel, -1, pid, at, partitions);
    }

    /** Takes a picture of all CPUs at every waking record. */
    private record Snapshots(StateListener next, AuditCpus cpus) implements StateListener {
        @Override
        public void begun(Wakeup wakeup) {
            if (wakeup.snapshot == null) {
                wakeup.snapshot = new CpuSnapshot();
            }
            wakeup.snapshot.take(cpus);
            next.begun(wakeup);
        }

        @Override
        public void choiceMayBegin(Wakeup wakeup) {
            next.choiceMayBegin(wakeup);
        }

        @Override
        public void choiceMade(Wakeup wakeup, int target) {
            next.choiceMade(wakeup, target);
        }

        @Override
        public void beforeWakeup(Wakeup wakeup, int target) {
            next.beforeWakeup(wakeup, target);
        }

        @Override
        public void afterWakeup(int target, int cpu, int wakerCpu) {
            next.afterWakeup(target, cpu, wakerCpu);
        }

        @Override
        public void handedOver(Wakeup wakeup, int target) {
            next.handedOver(wakeup, target);
        }
    }

    @Override
    public void wakeup(Wakeup wakeup) {
        boolean wanted = pid < 0
                ? wakeup.number == number
                : wakeup.wakeePid == pid && wakeup.ns <= at.in(audit.meter().firstNs()) && wakeup.ns > foundNs;
        if (wanted) {
            foundNs = wakeup.ns;
            text = describe(wakeup);
        }
    }

    /** The recording is over: the explanation line by line, empty if there is no such wakeup. */
    public List<String> finish() {
        audit.finish();
        return text;
    }

    private List<String> describe(Wakeup wakeup) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "wakeup %d at %d.%09d: %s%s wakes %s, which was on %s",
                wakeup.number,
                wakeup.ns / 1_000_000_000L,
                wakeup.ns % 1_000_000_000L,
                wakeup.wakerSlot < 0 ? "somebody" : task(wakeup.wakerSlot),
                wakeup.thisCpu < 0
                        ? ""
                        : " on CPU " + wakeup.thisCpu + (wakeup.fromInterrupt() ? " (in an interrupt)" : ""),
                task(wakeup.wakeeSlot),
                cpu(wakeup.prevCpu)));
        lines.add("");
        CpuSnapshot snapshot = wakeup.snapshot;
        if (snapshot != null) {
            draw(wakeup, snapshot, lines);
        }
        lines.add("");
        outcome(wakeup, lines);
        rules(wakeup, lines);
        return lines;
    }

    private String task(int slot) {
        return slot == 0
                ? "the idle thread"
                : audit.tasks().name(slot) + ":" + audit.tasks().pid(slot);
    }

    private static String cpu(int cpu) {
        return cpu < 0 ? "an unknown CPU" : "CPU " + cpu;
    }

    private void draw(Wakeup wakeup, CpuSnapshot snapshot, List<String> lines) {
        if (topology == null) {
            for (int cpu = 0; cpu < snapshot.size; cpu++) {
                lines.add("  " + box(wakeup, snapshot, cpu));
            }
            return;
        }
        for (int llc = 0; llc < topology.llcs().size(); llc++) {
            CpuMask cpus = topology.llcs().get(llc);
            lines.add("LLC of CPUs " + cpus);
            for (CpuMask core : topology.cores()) {
                if (!cpus.containsAll(core)) {
                    continue;
                }
                StringBuilder line = new StringBuilder("  core  ");
                for (int cpu = core.first(); cpu >= 0; cpu = core.next(cpu + 1)) {
                    line.append(box(wakeup, snapshot, cpu)).append("  ");
                }
                lines.add(line.toString().stripTrailing());
            }
        }
    }

    /** One CPU: its number, its roles in the wakeup, what it does. */
    private String box(Wakeup wakeup, CpuSnapshot snapshot, int cpu) {
        StringBuilder box = new StringBuilder("[").append(cpu);
        box.append(cpu == wakeup.thisCpu ? " this" : "");
        box.append(cpu == wakeup.prevCpu ? " prev" : "");
        box.append(cpu == wakeup.chosenCpu ? " CHOSEN" : "").append(": ");
        if (!snapshot.knows(cpu)) {
            return box.append(wakeup.known.contains(cpu) && wakeup.idle.contains(cpu) ? "idle]" : "not known]")
                    .toString();
        }
        int current = snapshot.current[cpu];
        if (current == 0) {
            box.append("idle");
            if (snapshot.idleState[cpu] >= 0) {
                box.append(", state ").append(snapshot.idleState[cpu]);
            }
            if (snapshot.idleSince[cpu] > 0) {
                box.append(", ").append(AuditText.time(wakeup.ns - snapshot.idleSince[cpu]));
            }
        } else {
            box.append(task(current));
        }
        if (snapshot.queued[cpu] > 0) {
            box.append(", ").append(snapshot.queued[cpu]).append(" queued");
        }
        if (snapshot.pending[cpu] > 0) {
            box.append(", ").append(snapshot.pending[cpu]).append(" on the way");
        }
        return box.append(']').toString();
    }

    private void outcome(Wakeup wakeup, List<String> lines) {
        Distance waker = wakeup.wakerToChosen(topology);
        Distance prev = wakeup.prevToChosen(topology);
        lines.add("chosen: " + cpu(wakeup.chosenCpu) + " (" + wakeup.certainty.word() + ")"
                + (waker == null ? "" : ", " + waker.word() + " from the waker")
                + (prev == null ? "" : ", " + prev.word() + " from prev"));
        lines.add("verdict: " + wakeup.verdict.word() + ", "
                + (wakeup.verdict == Verdict.UNKNOWN ? wakeup.unknownReason.text() : wakeup.verdict.text())
                + (wakeup.affinityAssumed ? " (affinity not known: all CPUs taken for allowed)" : ""));
        if (wakeup.latencyNs >= 0) {
            lines.add("latency: " + AuditText.time(wakeup.latencyNs) + " = queueing " + known(wakeup.queueingNs)
                    + " + idle exit " + known(wakeup.idleExitNs) + " + rest " + known(wakeup.restNs));
        } else {
            lines.add("latency: not known" + (wakeup.cutOff ? ", the recording ends before it runs" : ""));
        }
        lines.add("interrupt: " + wakeup.ipi.word());
        if (wakeup.crossingNs >= 0) {
            lines.add("crossing to the nearest idle CPU would have cost " + AuditText.time(wakeup.crossingNs));
        }
    }

    private static String known(long ns) {
        return ns < 0 ? "not known" : AuditText.time(ns);
    }

    private void rules(Wakeup wakeup, List<String> lines) {
        RuleWalk walk = wakeup.walk;
        if (kernel == null || walk == null || topology == null) {
            return;
        }
        lines.add("");
        if (!walk.asked || walk.missing == MissingInput.THIS_CPU || walk.missing == MissingInput.PREV_CPU) {
            lines.add("rules of " + kernel.name() + ": not asked, "
                    + (walk.asked ? "the recording lacks " + walk.missing.word() : "the kernel had no choice"));
            return;
        }
        boolean mayBeSync = walk.choiceSync != walk.choiceNotSync;
        lines.add("rules of " + kernel.name() + (wakeup.fromInterrupt() ? "" : ", as a sync wakeup") + ":");
        for (String line : walk.lines()) {
            lines.add("  " + line);
        }
        for (String line : walk.rebuilt()) {
            lines.add("  " + line);
        }
        lines.add("  choice: CPU " + walk.choiceSync
                + (mayBeSync ? " (without the sync hint: CPU " + walk.choiceNotSync + ")" : "")
                + (walk.chooses(wakeup.chosenCpu, true) || walk.chooses(wakeup.chosenCpu, false)
                        ? ", as recorded"
                        : ", other than recorded"));
        if (walk.doubtful != MissingInput.NONE) {
            lines.add("  (the recorded choice is that of another value of " + walk.doubtful.word()
                    + ", which is only estimated)");
        }
        if (walk.missing != MissingInput.NONE) {
            lines.add("  (the recording lacks " + walk.missing.word() + ")");
        }
    }
}
