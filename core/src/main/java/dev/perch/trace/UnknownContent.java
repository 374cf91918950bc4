package dev.perch.trace;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Says what content looks like that is none of the formats, and what to bring instead. */
final class UnknownContent {
    private static final String WAYS =
            "bring a perf.data, a trace.dat, ftrace text, or the text of 'perf script' or 'trace-cmd report'";

    private UnknownContent() {}

    /**
     * @param head the first bytes
     * @param damaged whether it was compressed and broken
     * @return the rest of a sentence that starts with the file's name and a colon
     */
    static String describe(byte[] head, boolean damaged) {
        if (head.length == 0) {
            return damaged
                    ? "the compressed data is damaged or cut off, or was written by 'zstd --long'; unpack it with 'zstd -d'"
                    : "the file is empty; record something first (perf sched record, or trace-cmd record -e sched)";
        }
        if (startsWith(head, 0x50, 0x4b, 0x03, 0x04)) {
            return "this is a zip archive; unpack it and name the recording in it";
        }
        if (startsWith(head, 0xfd, 0x37, 0x7a, 0x58, 0x5a)) {
            return "this is compressed with xz, which is not read; unpack it with 'xz -d'";
        }
        if (startsWith(head, 0x42, 0x5a, 0x68)) {
            return "this is compressed with bzip2, which is not read; unpack it with 'bzip2 -d'";
        }
        if (startsWith(head, 0x04, 0x22, 0x4d, 0x18)) {
            return "this is compressed with lz4, which is not read; unpack it with 'lz4 -d'";
        }
        if (head.length >= 4 && (head[0] & 0xf0) == 0x50 && startsWith(head, head[0], 0x2a, 0x4d, 0x18)) {
            return "this was compressed by pzstd, which is not read; unpack it with 'zstd -d'";
        }
        if (head.length > 262 && new String(head, 257, 5, StandardCharsets.ISO_8859_1).equals("ustar")) {
            return "this is a tar archive; unpack it and name the recording in it";
        }
        if (startsWith(head, 0x7f, 'E', 'L', 'F')) {
            return "this is a program, not a recording; " + WAYS;
        }
        String text = new String(head, StandardCharsets.UTF_8).stripLeading();
        String start = text.substring(0, Math.min(text.length(), 200)).toLowerCase(Locale.ROOT);
        if (start.startsWith("<!doctype html") || start.startsWith("<html") || start.startsWith("<?xml")) {
            return text.contains("systrace") || text.contains("trace-data")
                    ? "this is a systrace HTML page, which is not read; record with Perfetto or export it as ftrace text"
                    : "this is an HTML or XML page, not a recording; " + WAYS;
        }
        if (start.startsWith("{") || start.startsWith("[{") || start.startsWith("[\n")) {
            return text.contains("\"ph\"") || text.contains("traceEvents")
                    ? "this is Chrome's JSON trace format, which is not read; export it as a Perfetto trace or as ftrace text"
                    : "this is JSON, not a recording; " + WAYS;
        }
        if (isBinary(head)) {
            return "this is a binary file of a kind that is not known; " + WAYS;
        }
        return "this text has no line that is a scheduler event; " + WAYS;
    }

    private static boolean startsWith(byte[] head, int... bytes) {
        if (head.length < bytes.length) {
            return false;
        }
        for (int i = 0; i < bytes.length; i++) {
            if (head[i] != (byte) bytes[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBinary(byte[] head) {
        int control = 0;
        for (byte b : head) {
            if (b == 0) {
                return true;
            }
            if (b > 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t') {
                control++;
            }
        }
        return control * 20 > head.length;
    }
}
