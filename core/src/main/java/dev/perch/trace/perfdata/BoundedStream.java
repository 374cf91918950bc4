package dev.perch.trace.perfdata;

import java.io.IOException;
import java.io.InputStream;

/** The first bytes of a stream. */
final class BoundedStream extends InputStream {
    private final InputStream in;
    private long left;

    BoundedStream(InputStream in, long left) {
        this.in = in;
        this.left = left;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (left <= 0) {
            return -1;
        }
        int count = in.read(target, offset, (int) Math.min(length, left));
        left -= Math.max(0, count);
        return count;
    }
}
