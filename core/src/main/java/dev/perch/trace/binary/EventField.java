package dev.perch.trace.binary;

/**
 * One field of an event, as its description places it.
 *
 * @param offset bytes from the beginning of the event's record
 * @param size bytes that it takes there
 * @param where whether the value itself lies there, or a word that tells where it lies
 */
public record EventField(String name, int offset, int size, boolean signed, Where where) {
    /** What lies at the field's offset. */
    public enum Where {
        /** The value itself. */
        HERE,
        /** A word with the value's offset in the record (low half) and its length (high half): {@code __data_loc}. */
        DATA_LOC,
        /** The same with the offset counted from the end of that word: {@code __rel_loc}. */
        REL_LOC
    }

    /** One more than the last byte of the field. */
    public int end() {
        return offset + size;
    }
}
