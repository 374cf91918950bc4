package dev.perch.trace.tracedat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All of a trace.dat of version 6 before its pages: what records look like, and where the pages of each CPU are. Little-endian, eight-byte
 * longs.
 *
 * <p>Source: trace-cmd's documentation of the format, version 6.
 */
final class TraceDatHead {
    private static final int OPTION_TRACE_CLOCK = 4;
    private static final int OPTION_UNAME = 5;
    private static final int TABLE_ENTRY = 16;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private TraceDatHead() {}

    /**
     * @param pageSize bytes of a ring-buffer page, {@code pageHeader} of them before the events
     * @param pages how many pages each CPU has; they follow CPU by CPU
     */
    static byte[] of(int pageSize, int pageHeader, @Nullable String release, int[] pages) {
        TraceDatHead head = new TraceDatHead();
        head.text("\27\10\104tracing6\0");
        head.number(0, 1).number(Long.BYTES, 1).number(pageSize, Integer.BYTES);
        head.named("header_page\0", headerPage(pageSize, pageHeader));
        head.named("header_event\0", headerEvent());
        head.number(0, Integer.BYTES);
        head.descriptions();
        // No kernel symbols, no printk formats, no other names of tasks.
        head.number(0, Integer.BYTES).number(0, Integer.BYTES).number(0, Long.BYTES);
        head.number(pages.length, Integer.BYTES);
        head.text("options  \0");
        head.option(OPTION_TRACE_CLOCK, "[mono]\0");
        if (release != null) {
            head.option(OPTION_UNAME, "Linux - " + release + " - -\0");
        }
        head.number(0, Short.BYTES).text("flyrecord\0");
        long start = (head.bytes.size() + (long) TABLE_ENTRY * pages.length + pageSize - 1) / pageSize * pageSize;
        long at = start;
        for (int count : pages) {
            head.number(at, Long.BYTES).number((long) count * pageSize, Long.BYTES);
            at += (long) count * pageSize;
        }
        while (head.bytes.size() < start) {
            head.number(0, 1);
        }
        return head.bytes.toByteArray();
    }

    private static String headerPage(int pageSize, int pageHeader) {
        return "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
                + "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
                + "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
                + "\tfield: char data;\toffset:" + pageHeader + ";\tsize:" + (pageSize - pageHeader) + ";\tsigned:0;\n";
    }

    private static String headerEvent() {
        return "# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n\tarray       :   32 bits\n\n"
                + "\tpadding     : type == 29\n\ttime_extend : type == 30\n\ttime_stamp : type == 31\n"
                + "\tdata max type_len  == 28\n";
    }

    private void descriptions() {
        Map<String, List<RecordLayout>> systems = new LinkedHashMap<>();
        for (RecordLayout layout : RecordLayout.values()) {
            systems.computeIfAbsent(layout.system(), _ -> new ArrayList<>()).add(layout);
        }
        number(systems.size(), Integer.BYTES);
        systems.forEach((system, layouts) -> {
            text(system + '\0').number(layouts.size(), Integer.BYTES);
            layouts.forEach(layout -> named("", layout.description()));
        });
    }

    private void named(String name, String content) {
        text(name).number(content.length(), Long.BYTES).text(content);
    }

    private void option(int number, String content) {
        number(number, Short.BYTES).number(content.length(), Integer.BYTES).text(content);
    }

    private TraceDatHead text(String text) {
        bytes.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    private TraceDatHead number(long value, int size) {
        for (int i = 0; i < size; i++) {
            bytes.write((int) (value >>> Byte.SIZE * i));
        }
        return this;
    }
}
