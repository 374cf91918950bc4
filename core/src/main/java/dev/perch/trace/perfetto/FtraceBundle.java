package dev.perch.trace.perfetto;

import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.trace.DefectKind;
import dev.perch.trace.EventKind;
import dev.perch.trace.Reading;
import dev.perch.trace.binary.EventLane;
import dev.perch.trace.binary.EventWindow;
import dev.perch.trace.binary.PackedEvents;
import dev.perch.trace.binary.TracepointFields;
import java.io.IOException;
import java.util.Arrays;

/**
 * Decodes FtraceEventBundle messages: the events of one CPU over a stretch of time, as messages of their own or in the compact encoding.
 *
 * <p>Limitations: of ARM's ipi_raise and ipi_entry only reschedule and function-call interrupts count.
 */
final class FtraceBundle {
    private static final String[] CLOCKS = {"boot", "unknown", "global", "local", "mono_raw"};
    private static final int GENERIC = 327;
    private static final int TASK_RENAME = 236;
    private static final int IPI_ENTRY = 21;
    private static final int IPI_RAISE = 23;
    private static final int EVENT_FIELDS_BEFORE_PAYLOAD = 2;
    private static final int COMMON_FLAGS = 5;

    private final Reading reading;
    private final EventWindow window;
    private final FtraceFields messages = new FtraceFields();
    private final CpuStates cpus = new CpuStates();
    private final CompactSched compact;
    private final ProtoFields bundle = new ProtoFields();
    private final ProtoFields event = new ProtoFields();
    private final ProtoFields payload = new ProtoFields();
    private final ProtoFields generic = new ProtoFields();
    private final long[] values = new long[8];
    private final int[] nameFrom = new int[4];
    private final int[] nameTo = new int[4];
    private int clock = -1;
    private long firstNs;

    FtraceBundle(Reading reading, EventWindow window) {
        this.reading = reading;
        this.window = window;
        compact = new CompactSched(reading, cpus);
    }

    /** The trace clock, {@code boot} unless a bundle says otherwise. */
    String clock() {
        return clock < 0 ? CLOCKS[0] : CLOCKS[clock];
    }

    /** Decodes the bundle that is the current field of {@code packet}; {@code place} is for defects. */
    void read(ProtoFields packet, long place) throws IOException {
        long cpu = 0;
        boolean lost = false;
        long previousEnd = Long.MIN_VALUE;
        int itsClock = 0;
        bundle.begin(packet);
        while (bundle.next()) {
            switch (bundle.number()) {
                case 1 -> cpu = bundle.value();
                case 3 -> lost |= bundle.value() != 0;
                case 5 -> itsClock = Math.clamp(bundle.value(), 0, CLOCKS.length - 1);
                case 8 -> lost = true;
                case 10 -> previousEnd = bundle.value();
                case 11 -> messages.describe(payload.begin(bundle));
                default -> {}
            }
        }
        if (bundle.isBroken() || cpu < 0 || cpu >= CpuMask.MAX_CPUS) {
            reading.defects().add(DefectKind.CORRUPT_RECORD, place);
            return;
        }
        noteClock(itsClock);
        decode(packet, (int) cpu, lost, previousEnd, place);
    }

    private void noteClock(int itsClock) {
        if (clock >= 0 && clock != itsClock) {
            reading.defects().note(DefectKind.MIXED_CLOCKS, -1);
        }
        clock = itsClock;
    }

    private void decode(ProtoFields packet, int cpu, boolean saysLost, long previousEnd, long place)
            throws IOException {
        cpus.reach(cpu);
        long lastNs = cpus.lastNs(cpu);
        boolean lost = saysLost || lastNs > Long.MIN_VALUE && previousEnd > lastNs;
        if (lost) {
            cpus.forget(cpu);
        }
        firstNs = Long.MAX_VALUE;
        EventLane lane = window.lane(cpu);
        bundle.begin(packet);
        while (bundle.next()) {
            if (bundle.number() == 2 && bundle.isBytes()) {
                event(lane, cpu, place);
                window.relieve();
            } else if (bundle.number() == 4 && bundle.isBytes()) {
                firstNs = Math.min(firstNs, compact.read(bundle, cpu, lane, window, place));
            }
        }
        if (lost) {
            reading.defects().add(DefectKind.EVENTS_LOST, place);
            if (firstNs < Long.MAX_VALUE) {
                lane.add(firstNs - 1, PackedEvents.lostMeta(cpu), -1, 0, 0);
            }
        }
    }

    private void event(EventLane lane, int cpu, long place) {
        long ns = Long.MIN_VALUE;
        int pid = -1;
        int context = SchedEvents.CONTEXT_UNKNOWN;
        int number = 0;
        event.begin(bundle);
        while (event.next()) {
            if (event.number() == 1 && event.isVarint()) {
                ns = event.value();
            } else if (event.number() == 2 && event.isVarint()) {
                pid = (int) event.value();
            } else if (event.number() == COMMON_FLAGS && event.isVarint()) {
                context = PackedEvents.context((int) event.value());
            } else if (event.number() > EVENT_FIELDS_BEFORE_PAYLOAD && event.isBytes()) {
                number = event.number();
                payload.begin(event);
            }
        }
        if (event.isBroken() || ns < 0) {
            reading.defects().add(DefectKind.CORRUPT_RECORD, place);
            return;
        }
        firstNs = Math.min(firstNs, ns);
        cpus.happened(cpu, ns);
        FtraceFields.Message message = messages.of(number);
        if (message != null) {
            typed(message, lane, ns, cpu, pid, context, place);
            return;
        }
        switch (number) {
            case GENERIC -> generic(lane, ns, cpu, pid, context, place);
            case TASK_RENAME -> rename();
            case IPI_ENTRY, IPI_RAISE -> ipi(number, lane, ns, cpu, pid, context);
            default -> reading.skipped().add("ftrace event " + number, 1);
        }
    }

    private void typed(
            FtraceFields.Message message, EventLane lane, long ns, int cpu, int pid, int context, long place) {
        int[] numbers = message.numbers();
        int[] names = message.names();
        Arrays.fill(values, -1);
        Arrays.fill(nameFrom, -1);
        // Pids of names, so that a name can come before its pid.
        long firstPid = -1;
        long secondPid = -1;
        int found = 0;
        while (payload.next()) {
            int number = payload.number();
            if (payload.isVarint()) {
                for (int i = 0; i < numbers.length; i++) {
                    if (numbers[i] == number) {
                        values[i] = payload.value();
                        found |= 1 << i;
                    }
                }
                firstPid = names.length > 0 && message.namedPids()[0] == number ? payload.value() : firstPid;
                secondPid = names.length > 1 && message.namedPids()[1] == number ? payload.value() : secondPid;
            } else if (payload.isBytes()) {
                for (int i = 0; i < names.length; i++) {
                    if (names[i] == number) {
                        nameFrom[i] = payload.from();
                        nameTo[i] = payload.to();
                    }
                }
            }
        }
        int needed = (1 << message.tracepoint().required()) - 1;
        if (payload.isBroken() || (found & needed) != needed) {
            reading.defects().add(DefectKind.UNPARSED_EVENT, place);
            return;
        }
        learn(firstPid, 0);
        learn(secondPid, 1);
        emit(message.tracepoint().kind(), lane, ns, cpu, pid, context, place);
    }

    private void learn(long pid, int index) {
        if (pid > 0 && nameFrom[index] >= 0) {
            reading.names().learn((int) pid, payload.bytes(), nameFrom[index], nameTo[index]);
        }
    }

    private void emit(EventKind kind, EventLane lane, long ns, int cpu, int pid, int context, long place) {
        if (kind == EventKind.CPU_IDLE) {
            values[0] = (int) values[0];
        }
        if (!PackedEvents.add(lane, kind, values, ns, cpu, pid, context)) {
            reading.defects().add(DefectKind.UNPARSED_EVENT, place);
        } else if (kind == EventKind.SWITCH) {
            cpus.runs(cpu, (int) values[1], (int) values[4]);
        }
    }

    /** A GenericFtraceEvent: name, and fields with a name and a value each. */
    private void generic(EventLane lane, long ns, int cpu, int pid, int context, long place) {
        TracepointFields tracepoint = null;
        String name = "";
        int from = payload.position();
        byte[] bytes = payload.bytes();
        while (payload.next()) {
            if (payload.number() == 1 && payload.isBytes()) {
                name = FtraceFields.text(payload);
                tracepoint = TracepointFields.called(name);
            }
        }
        int to = payload.position();
        if (tracepoint == null || tracepoint == TracepointFields.IPI_SEND_CPUMASK) {
            reading.skipped().add(name, 1);
            return;
        }
        String[] fields = tracepoint.fields();
        Arrays.fill(values, -1);
        int found = 0;
        payload.begin(bytes, from, to);
        while (payload.next()) {
            if (payload.number() != 2 || !payload.isBytes()) {
                continue;
            }
            String field = "";
            long value = -1;
            generic.begin(payload);
            while (generic.next()) {
                if (generic.number() == 1 && generic.isBytes()) {
                    field = FtraceFields.text(generic);
                } else if (generic.isVarint()) {
                    value = generic.value();
                }
            }
            for (int i = 0; i < fields.length; i++) {
                if (fields[i].equals(field)) {
                    values[i] = value;
                    found |= 1 << i;
                }
            }
        }
        int needed = (1 << tracepoint.required()) - 1;
        if (payload.isBroken() || (found & needed) != needed) {
            reading.defects().add(DefectKind.UNPARSED_EVENT, place);
            return;
        }
        emit(tracepoint.kind(), lane, ns, cpu, pid, context, place);
    }

    private void rename() {
        long pid = -1;
        Arrays.fill(nameFrom, -1);
        while (payload.next()) {
            if (payload.number() == 1 && payload.isVarint()) {
                pid = payload.value();
            } else if (payload.number() == 3 && payload.isBytes()) {
                nameFrom[0] = payload.from();
                nameTo[0] = payload.to();
            }
        }
        learn(pid, 0);
        reading.skipped().add("task_rename", 1);
    }

    /** ARM's interrupts between processors, told by their reason. */
    private void ipi(int number, EventLane lane, long ns, int cpu, int pid, int context) {
        long targets = 0;
        String reason = "";
        while (payload.next()) {
            if (payload.isVarint()) {
                targets = payload.value();
            } else if (payload.isBytes()) {
                reason = FtraceFields.text(payload);
            }
        }
        boolean reschedule = reason.startsWith("Rescheduling");
        if (!reschedule && !reason.startsWith("Function call")) {
            reading.skipped().add(number == IPI_ENTRY ? "ipi_entry" : "ipi_raise", 1);
            return;
        }
        Arrays.fill(values, -1);
        if (number == IPI_ENTRY) {
            EventKind kind = reschedule ? EventKind.RESCHEDULE_IPI : EventKind.CALL_FUNCTION_IPI;
            PackedEvents.add(lane, kind, values, ns, cpu, pid, context);
            return;
        }
        for (long left = targets; left != 0; left &= left - 1) {
            values[0] = Long.numberOfTrailingZeros(left);
            PackedEvents.add(lane, EventKind.IPI_SEND, values, ns, cpu, pid, context);
        }
    }
}
