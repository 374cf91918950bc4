package dev.perch.trace.perfetto;

import dev.perch.trace.binary.TracepointFields;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which field of a protobuf message is which field of a tracepoint: for the events that Perfetto has messages for, and for those that a trace
 * describes itself.
 */
final class FtraceFields {
    private static final int MAX_DESCRIBED = 4096;

    /**
     * One kind of message.
     *
     * @param numbers for each of the tracepoint's {@link TracepointFields#fields} its field number here, 0 if it has none
     * @param names for each of its {@link TracepointFields#names} its field number here
     * @param namedPids for each of those the field number of the pid that is called so
     */
    record Message(TracepointFields tracepoint, int[] numbers, int[] names, int[] namedPids) {}

    private final Map<Integer, Message> byNumber = new HashMap<>();
    private @Nullable Message[] first = new Message[1024];

    FtraceFields() {
        add(
                4,
                TracepointFields.SCHED_SWITCH,
                "prev_comm",
                "prev_pid",
                "prev_prio",
                "prev_state",
                "next_comm",
                "next_pid",
                "next_prio");
        add(11, TracepointFields.CPU_FREQUENCY, "state", "cpu_id");
        add(13, TracepointFields.CPU_IDLE, "state", "cpu_id");
        add(17, TracepointFields.SCHED_WAKEUP, "comm", "pid", "prio", "success", "target_cpu");
        add(20, TracepointFields.SCHED_WAKING, "comm", "pid", "prio", "success", "target_cpu");
        add(114, TracepointFields.SCHED_WAKEUP_NEW, "comm", "pid", "prio", "success", "target_cpu");
        add(237, TracepointFields.SCHED_PROCESS_EXEC, "filename", "pid", "old_pid");
        add(238, TracepointFields.SCHED_PROCESS_EXIT, "comm", "pid", "tgid", "prio");
        add(239, TracepointFields.SCHED_PROCESS_FORK, "parent_comm", "parent_pid", "child_comm", "child_pid");
        add(240, TracepointFields.SCHED_PROCESS_FREE, "comm", "pid", "prio");
        add(491, TracepointFields.SCHED_MIGRATE_TASK, "comm", "pid", "prio", "orig_cpu", "dest_cpu");
    }

    /** @param fields the message's fields from number 1 */
    private void add(int number, TracepointFields tracepoint, String... fields) {
        Map<String, Integer> numbers = new HashMap<>();
        for (int i = 0; i < fields.length; i++) {
            numbers.put(fields[i], i + 1);
        }
        put(number, tracepoint, numbers);
    }

    private void put(int number, TracepointFields tracepoint, Map<String, Integer> numbers) {
        Message message = new Message(
                tracepoint,
                numbers(tracepoint.fields(), numbers),
                numbers(tracepoint.names(), numbers),
                numbers(tracepoint.namedPids(), numbers));
        byNumber.put(number, message);
        if (number < first.length) {
            first[number] = message;
        }
    }

    private static int[] numbers(String[] fields, Map<String, Integer> numbers) {
        return Arrays.stream(fields)
                .mapToInt(field -> numbers.getOrDefault(field, 0))
                .toArray();
    }

    /** What the message in field {@code number} of an event is; null if it is none that is read. */
    @Nullable
    Message of(int number) {
        return number > 0 && number < first.length ? first[number] : byNumber.get(number);
    }

    /**
     * Learns a kind of message that the trace describes.
     *
     * @param descriptor a GenericEventDescriptor
     */
    void describe(ProtoFields descriptor) {
        int number = 0;
        String name = "";
        Map<String, Integer> numbers = new HashMap<>();
        while (descriptor.next()) {
            if (descriptor.number() == 1 && descriptor.isVarint()) {
                number = (int) descriptor.value();
            } else if (descriptor.number() == 2 && descriptor.isBytes()) {
                ProtoFields message = new ProtoFields().begin(descriptor);
                while (message.next()) {
                    if (message.number() == 1 && message.isBytes()) {
                        name = text(message);
                    } else if (message.number() == 2 && message.isBytes()) {
                        describeField(new ProtoFields().begin(message), numbers);
                    }
                }
            }
        }
        TracepointFields tracepoint = TracepointFields.called(name);
        if (tracepoint != null
                && tracepoint != TracepointFields.IPI_SEND_CPUMASK
                && number > 0
                && byNumber.size() < MAX_DESCRIBED) {
            put(number, tracepoint, numbers);
        }
    }

    private static void describeField(ProtoFields field, Map<String, Integer> numbers) {
        String name = "";
        int number = 0;
        while (field.next()) {
            if (field.number() == 1 && field.isBytes()) {
                name = text(field);
            } else if (field.number() == 3 && field.isVarint()) {
                number = (int) field.value();
            }
        }
        numbers.put(name, number);
    }

    /** The current field of {@code fields} as text. */
    static String text(ProtoFields fields) {
        return new String(fields.bytes(), fields.from(), fields.to() - fields.from(), StandardCharsets.UTF_8);
    }
}
