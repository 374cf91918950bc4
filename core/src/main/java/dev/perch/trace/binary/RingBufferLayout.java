package dev.perch.trace.binary;

import java.util.List;

/**
 * Where things lie at the beginning of a ring-buffer page: the content of tracefs' {@code events/header_page}.
 *
 * @param commitOffset offset of the word with the length of the data and the flags of lost events
 * @param commitSize its size, 4 or 8
 * @param dataOffset where the events begin
 */
public record RingBufferLayout(int commitOffset, int commitSize, int dataOffset) {
    /** That of kernels with {@code long}s of {@code longSize} bytes. */
    static RingBufferLayout usual(int longSize) {
        return new RingBufferLayout(8, longSize, 8 + longSize);
    }

    /** The one that {@code fields} tell; the usual one where they make no sense. */
    static RingBufferLayout of(List<EventField> fields, int longSize) {
        RingBufferLayout usual = usual(longSize);
        int commitOffset = usual.commitOffset;
        int commitSize = usual.commitSize;
        int dataOffset = usual.dataOffset;
        for (EventField field : fields) {
            if (field.name().equals("commit") && (field.size() == 4 || field.size() == 8)) {
                commitOffset = field.offset();
                commitSize = field.size();
            } else if (field.name().equals("data")) {
                dataOffset = field.offset();
            }
        }
        boolean sensible = commitOffset >= 8 && commitOffset + commitSize <= dataOffset && dataOffset <= 64;
        return sensible ? new RingBufferLayout(commitOffset, commitSize, dataOffset) : usual;
    }
}
