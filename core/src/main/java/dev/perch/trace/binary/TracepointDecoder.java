package dev.perch.trace.binary;

import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.trace.EventKind;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the records of one scheduler tracepoint. Made once from the event's description in the recording; decoding allocates nothing.
 *
 * <p>Limitation: only words of 1, 2, 4 and 8 bytes are numbers.
 */
final class TracepointDecoder {
    private static final int NOT_THERE = -1;

    private final EventKind kind;
    private final ByteOrderReader order;
    private final int longSize;
    private final LearntNames learnt;
    private final @Nullable EventField[] names;
    private final @Nullable EventField[] namedPids;
    private final int[] offsets;
    private final int[] sizes;
    private final boolean[] signed;
    private final long[] values;
    private final int needed;
    private final @Nullable EventField cpuMask;
    private final int flagsOffset;
    private final int pidOffset;

    private TracepointDecoder(
            TracepointFields tracepoint, EventFormat format, ByteOrderReader order, int longSize, LearntNames learnt) {
        kind = tracepoint.kind();
        this.order = order;
        this.longSize = longSize;
        this.learnt = learnt;
        String[] wanted = tracepoint.fields();
        offsets = new int[wanted.length];
        sizes = new int[wanted.length];
        signed = new boolean[wanted.length];
        values = new long[wanted.length];
        int end = 0;
        for (int i = 0; i < wanted.length; i++) {
            EventField field = format.fieldCalled(wanted[i]);
            if (field == null || field.where() != EventField.Where.HERE) {
                offsets[i] = NOT_THERE;
            } else {
                offsets[i] = field.offset();
                sizes[i] = field.size();
                signed[i] = field.signed();
                end = Math.max(end, field.end());
            }
        }
        names = new EventField[tracepoint.names().length];
        namedPids = new EventField[names.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = format.fieldCalled(tracepoint.names()[i]);
            namedPids[i] = format.fieldCalled(tracepoint.namedPids()[i]);
        }
        EventField mask = format.fieldCalled("cpumask");
        cpuMask = tracepoint == TracepointFields.IPI_SEND_CPUMASK ? mask : null;
        EventField flags = format.fieldCalled("common_flags");
        EventField pid = format.fieldCalled("common_pid");
        flagsOffset = flags == null || flags.size() != 1 ? NOT_THERE : flags.offset();
        pidOffset = pid == null || pid.size() != 4 ? NOT_THERE : pid.offset();
        end = Math.max(end, flagsOffset + 1);
        needed = Math.max(end, pidOffset + 4);
    }

    /** The decoder of {@code format}, or null if a field that the event cannot do without is missing. */
    static @Nullable TracepointDecoder of(
            TracepointFields tracepoint, EventFormat format, ByteOrderReader order, int longSize, LearntNames learnt) {
        for (int i = 0; i < tracepoint.required(); i++) {
            EventField field = format.fieldCalled(tracepoint.fields()[i]);
            if (field == null
                    || field.where() != EventField.Where.HERE
                    || Integer.bitCount(field.size()) != 1
                    || field.size() > Long.BYTES) {
                return null;
            }
        }
        if (tracepoint == TracepointFields.IPI_SEND_CPUMASK && format.fieldCalled("cpumask") == null) {
            return null;
        }
        return new TracepointDecoder(tracepoint, format, order, longSize, learnt);
    }

    EventKind kind() {
        return kind;
    }

    private long number(byte[] bytes, int at, int index) {
        int offset = offsets[index];
        return offset < 0 ? -1 : order.number(bytes, at + offset, sizes[index], signed[index]);
    }

    /**
     * Decodes a record and adds its event or events to {@code lane}.
     *
     * @param at where the record begins in {@code bytes}
     * @param length its length, bytes; the caller has made sure that the array is that long
     * @return false if the record is too short or a CPU number in it is none
     */
    boolean decode(byte[] bytes, int at, int length, long ns, int cpu, EventLane lane, TaskNames taskNames) {
        if (length < needed) {
            return false;
        }
        for (int i = 0; i < names.length; i++) {
            learn(bytes, at, length, i, taskNames);
        }
        int current = pidOffset < 0 ? -1 : order.s32(bytes, at + pidOffset);
        int context = flagsOffset < 0 ? SchedEvents.CONTEXT_UNKNOWN : PackedEvents.context(bytes[at + flagsOffset]);
        EventField mask = cpuMask;
        if (mask != null) {
            return decodeMask(bytes, at, length, mask, ns, PackedEvents.meta(kind, context, cpu, current), lane);
        }
        long[] numbers = values;
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = number(bytes, at, i);
        }
        return PackedEvents.add(lane, kind, numbers, ns, cpu, current, context);
    }

    /** One event for each CPU of a mask: words of the kernel's {@code long}, the lowest CPU in the lowest bit of the first word. */
    private boolean decodeMask(byte[] bytes, int at, int length, EventField mask, long ns, long meta, EventLane lane) {
        int start = valueStart(bytes, at, length, mask);
        int size = start < 0 ? 0 : valueLength(bytes, at, mask);
        if (start < 0 || size > CpuMask.MAX_CPUS / Byte.SIZE || start + size > length || mask.end() > length) {
            return false;
        }
        for (int word = 0; word + longSize <= size; word += longSize) {
            long bits = order.number(bytes, at + start + word, longSize, false);
            while (bits != 0) {
                int cpu = word * Byte.SIZE + Long.numberOfTrailingZeros(bits);
                lane.add(ns, meta, PackedEvents.pair(cpu, 0), 0, 0);
                bits &= bits - 1;
            }
        }
        return true;
    }

    private int valueStart(byte[] bytes, int at, int length, EventField field) {
        if (field.end() > length) {
            return -1;
        }
        return switch (field.where()) {
            case HERE -> field.offset();
            case DATA_LOC -> field.size() == 4 ? order.s32(bytes, at + field.offset()) & 0xffff : -1;
            case REL_LOC -> field.size() == 4 ? (order.s32(bytes, at + field.offset()) & 0xffff) + field.end() : -1;
        };
    }

    private int valueLength(byte[] bytes, int at, EventField field) {
        return field.where() == EventField.Where.HERE ? field.size() : order.s32(bytes, at + field.offset()) >>> 16;
    }

    private void learn(byte[] bytes, int at, int length, int index, TaskNames taskNames) {
        EventField name = names[index];
        EventField pidField = namedPids[index];
        if (name == null || pidField == null || pidField.end() > length) {
            return;
        }
        int pid = (int) order.number(bytes, at + pidField.offset(), pidField.size(), true);
        int start = valueStart(bytes, at, length, name);
        if (pid <= 0 || start < 0 || start > length) {
            return;
        }
        int end = Math.min(length, start + valueLength(bytes, at, name));
        if (end - start == LearntNames.LENGTH && learnt.knows(pid, bytes, at + start)) {
            return;
        }
        int to = start;
        while (to < end && bytes[at + to] != 0) {
            to++;
        }
        taskNames.learn(pid, bytes, at + start, at + to);
    }
}
