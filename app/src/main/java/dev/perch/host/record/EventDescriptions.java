package dev.perch.host.record;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The description of a machine's tracing that a perf.data has as a feature and a trace.dat at its beginning: the layout of the kernel's pages and of
 * the recorded events, as tracefs tells them, and names of tasks.
 *
 * <p>Source: tools/perf/util/trace-event-info.c; trace-cmd.dat.v6(5). Limitation: without the kernel's symbols, which no scheduler event needs.
 */
final class EventDescriptions {
    private static final byte[] MAGIC = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

    private final Tracefs tracefs;
    private final List<RecordedEvent> events;

    EventDescriptions(Tracefs tracefs, List<RecordedEvent> events) {
        this.tracefs = tracefs;
        this.events = events;
    }

    /**
     * @param version of the format
     * @param names lines with a pid and the name of its task
     */
    byte[] toBytes(String version, int pageSize, byte[] names) {
        ByteSink data = new ByteSink().raw(MAGIC).terminated(version);
        data.u8(0).u8(Long.BYTES).u32(pageSize);
        data.terminated("header_page").sized(tracefs.bytes("events/header_page"));
        data.terminated("header_event").sized(tracefs.bytes("events/header_event"));
        data.u32(0); // events of the function tracer
        SortedMap<String, List<RecordedEvent>> systems = new TreeMap<>();
        events.forEach(event ->
                systems.computeIfAbsent(event.system(), _ -> new ArrayList<>()).add(event));
        data.u32(systems.size());
        systems.forEach((system, itsEvents) -> {
            data.terminated(system).u32(itsEvents.size());
            itsEvents.forEach(event -> data.sized(event.format()));
        });
        data.u32(0); // symbols of the kernel
        data.sized32(tracefs.bytes("printk_formats"));
        return data.sized(names).toBytes();
    }

    /** Bytes of a page of the kernel's trace buffers, as {@code events/header_page} tells it; {@code otherwise} if it does not. */
    int bufferPageSize(int otherwise) {
        String header = new String(tracefs.bytes("events/header_page"), StandardCharsets.US_ASCII);
        var data = java.util.regex.Pattern.compile("field: char data;\\s*offset:(\\d{1,6});\\s*size:(\\d{1,8});")
                .matcher(header);
        return data.find() ? Integer.parseInt(data.group(1)) + Integer.parseInt(data.group(2)) : otherwise;
    }
}
