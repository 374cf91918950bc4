package dev.perch.audit;

import dev.perch.model.Distance;
import dev.perch.model.Topology;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes every wakeup as one line of CSV, in the order in which wakeups end; empty fields are not known. Sort by {@code number} for the
 * order in which they began.
 */
public final class WakeupCsv implements WakeupConsumer {
    private static final String HEADER =
            "number,timeNs,waker,wakee,wakerComm,wakeeComm,thisCpu,prevCpu,chosenCpu,certainty,verdict,reason,faults,"
                    + "wakerToChosen,prevToChosen,latencyNs,queueingNs,idleExitNs,restNs,ipi,costNs,crossingNs";

    private final Appendable out;
    private final @Nullable Topology topology;
    private final AuditTasks tasks;
    private final StringBuilder line = new StringBuilder(256);

    /** Writes the header. */
    public WakeupCsv(Appendable out, AuditOptions options, AuditTasks tasks) {
        this.out = out;
        this.topology = options.topology();
        this.tasks = tasks;
        line.append(HEADER).append('\n');
        flush();
    }

    @Override
    public void wakeup(Wakeup wakeup) {
        line.append(wakeup.number);
        field(wakeup.ns, true);
        field(wakeup.wakerPid, wakeup.wakerPid >= 0);
        field(wakeup.wakeePid, true);
        name(wakeup.wakerSlot);
        name(wakeup.wakeeSlot);
        field(wakeup.thisCpu, wakeup.thisCpu >= 0);
        field(wakeup.prevCpu, wakeup.prevCpu >= 0);
        field(wakeup.chosenCpu, wakeup.chosenCpu >= 0);
        word(wakeup.certainty.word());
        word(wakeup.verdict.word());
        word(wakeup.unknownReason.text());
        faults(wakeup.faults);
        distance(wakeup.wakerToChosen(topology));
        distance(wakeup.prevToChosen(topology));
        field(wakeup.latencyNs, wakeup.latencyNs >= 0);
        field(wakeup.queueingNs, wakeup.queueingNs >= 0);
        field(wakeup.idleExitNs, wakeup.idleExitNs >= 0);
        field(wakeup.restNs, wakeup.restNs >= 0);
        word(wakeup.ipi.word());
        field(wakeup.costNs, wakeup.costKnown);
        field(wakeup.crossingNs, wakeup.crossingNs >= 0);
        line.append('\n');
        flush();
    }

    private void field(long value, boolean known) {
        line.append(',');
        if (known) {
            line.append(value);
        }
    }

    private void word(String word) {
        line.append(',').append(word);
    }

    private void distance(@Nullable Distance distance) {
        word(distance == null ? "" : distance.word());
    }

    private void faults(int bits) {
        line.append(',');
        boolean first = true;
        for (Verdict verdict : Verdict.all()) {
            if ((bits & verdict.bit()) != 0) {
                line.append(first ? "" : "+").append(verdict.word());
                first = false;
            }
        }
    }

    private void name(int slot) {
        line.append(',');
        if (slot < 0) {
            return;
        }
        String name = tasks.name(slot);
        boolean plain = name.chars().noneMatch(c -> c == ',' || c == '"' || c < ' ');
        if (plain) {
            line.append(name);
        } else {
            line.append('"').append(name.replace("\"", "\"\"")).append('"');
        }
    }

    private void flush() {
        try {
            out.append(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        line.setLength(0);
    }
}
