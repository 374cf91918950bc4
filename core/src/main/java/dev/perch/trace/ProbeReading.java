package dev.perch.trace;

import dev.perch.model.CpuMask;
import dev.perch.model.ProbedDecision;
import dev.perch.model.ProbedDecisions;
import dev.perch.model.TaskNames;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One reading of a kprobe recording. A decision is a run of probes on one CPU, from srq to srq_ret, with interrupts off, so that no other can
 * lie within it; between the lines of one CPU stand those of others.
 *
 * <p>A decision with a line that cannot be read, or that a loss may have taken from it, is not passed on. Limitation: a task's name with a newline makes
 * its srq such a line.
 */
final class ProbeReading {
    private static final byte[] LOST = TextCursor.literal(" [LOST ");
    private static final byte[] LOST_CPU = TextCursor.literal("CPU:");

    private final Lines lines;
    private final TaskNames names;
    private final ProbedDecisions sink;
    private final RecordPrefix prefix = new FtracePrefix();
    private final ProbeFields fields = new ProbeFields();
    private final Defects defects = new Defects(Defects.Place.LINE);
    private final @Nullable ProbedDecision[] ofCpu = new ProbedDecision[CpuMask.MAX_CPUS];
    private final boolean[] open = new boolean[CpuMask.MAX_CPUS];
    private long decisions;
    private long incomplete;
    private long began;

    ProbeReading(Lines lines, TaskNames names, ProbedDecisions sink) {
        this.lines = lines;
        this.names = names;
        this.sink = sink;
    }

    ProbeSummary run() throws IOException {
        while (lines.next()) {
            if (lines.isTooLong()) {
                defects.add(DefectKind.LONG_LINE, lines.number());
            } else if (lines.isCutOff()) {
                defects.add(DefectKind.TRUNCATED, lines.number());
            } else {
                line(lines.bytes(), lines.start(), lines.end());
            }
        }
        for (int cpu = 0; cpu < open.length; cpu++) {
            drop(cpu);
        }
        return new ProbeSummary(decisions, incomplete, defects);
    }

    /** What a recording without a complete decision lacks. */
    String missing() {
        return began == 0
                ? "has no placement probes (events srq … srq_ret); docs/probes.md says which those are"
                : "has no complete placement decision: of " + began
                        + " that begin (srq) none ends (srq_ret); record both probes";
    }

    private void line(byte[] bytes, int start, int newline) {
        int end = newline > start && bytes[newline - 1] == '\r' ? newline - 1 : newline;
        if (start == end || bytes[start] == '#') {
            return;
        }
        if (!prefix.read(bytes, start, end)) {
            noRecord(bytes, start, end);
            return;
        }
        Probe probe = Probe.find(bytes, prefix.eventFrom, prefix.eventTo);
        if (probe == null || prefix.cpu < 0) {
            return;
        }
        int cpu = prefix.cpu;
        if (probe == Probe.SRQ) {
            drop(cpu);
            begin(cpu, bytes, start);
        } else if (!open[cpu]) {
            return;
        }
        ProbedDecision decision = decision(cpu);
        fields.set(bytes, prefix.bodyFrom, end);
        if (!fields.read(probe, decision)) {
            defects.add(DefectKind.UNPARSED_EVENT, lines.number());
            drop(cpu);
        } else if (probe == Probe.SRQ_RET) {
            pass(cpu, decision);
        }
    }

    private void begin(int cpu, byte[] bytes, int start) {
        began++;
        open[cpu] = true;
        ProbedDecision decision = decision(cpu);
        decision.clear();
        decision.line = lines.number();
        decision.ns = prefix.time;
        decision.thisCpu = cpu;
        decision.current = prefix.current;
        decision.context = prefix.context;
        int nameFrom = start;
        int nameTo = start + prefix.nameEnd;
        while (nameFrom < nameTo && bytes[nameFrom] == ' ') {
            nameFrom++;
        }
        names.learn(prefix.current, bytes, nameFrom, nameTo);
    }

    private ProbedDecision decision(int cpu) {
        ProbedDecision decision = ofCpu[cpu];
        if (decision == null) {
            decision = new ProbedDecision();
            ofCpu[cpu] = decision;
        }
        return decision;
    }

    private void pass(int cpu, ProbedDecision decision) {
        open[cpu] = false;
        if (decision.hasSearch && !isConsistent(decision)) {
            defects.add(DefectKind.CORRUPT_RECORD, decision.line);
            incomplete++;
            return;
        }
        decisions++;
        sink.decided(decision);
    }

    /** Whether all lines show the same CPUs, and name no others. */
    private static boolean isConsistent(ProbedDecision decision) {
        int cpus = decision.cpus;
        for (int i = 0; i < decision.testCount; i++) {
            if (decision.testedCpu[i] >= cpus) {
                return false;
            }
        }
        return ofEach(decision.pendingCpus, cpus)
                && ofEach(decision.runnableCpus, cpus)
                && ofEach(decision.loadCpus, cpus)
                && decision.thisCpu < cpus
                && decision.prevCpu < cpus
                && decision.target < cpus
                && decision.recentCpu < cpus
                && decision.chosenCpu < cpus;
    }

    /** Whether a probe showed all CPUs, or was not hit. */
    private static boolean ofEach(int shown, int cpus) {
        return shown == 0 || shown == cpus;
    }

    private void drop(int cpu) {
        if (open[cpu]) {
            open[cpu] = false;
            incomplete++;
        }
    }

    /** A line that is no record: lost events end the decision of their CPU. */
    private void noRecord(byte[] bytes, int start, int end) {
        fields.set(bytes, start, end);
        if (fields.skip(LOST_CPU) && fields.number() && fields.value < open.length) {
            int cpu = (int) fields.value;
            if (fields.skip(LOST)) {
                drop(cpu);
                defects.add(DefectKind.EVENTS_LOST, fields.number() ? fields.value : 1, lines.number());
                return;
            }
        }
        defects.add(DefectKind.UNPARSED_LINE, lines.number());
    }
}
