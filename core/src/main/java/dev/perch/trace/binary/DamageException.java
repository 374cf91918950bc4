package dev.perch.trace.binary;

import java.io.IOException;

/** A part of a file contradicts its format, or the file ends within it. What to do about it depends on the part. */
public final class DamageException extends IOException {
    private static final long serialVersionUID = 1L;
    private final long place;

    /**
     * @param what what is wrong, to be read after the file's name
     * @param place byte offset in the file, or in the unpacked part of it
     */
    public DamageException(String what, long place) {
        super(what);
        this.place = place;
    }

    public long place() {
        return place;
    }
}
