package dev.perch.sim;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * All times of one kind that an instance measured. Kept encoded: a histogram in use takes a hundred times the room, and an experiment keeps
 * those of all its runs.
 *
 * @param name such as {@code wakeup latency}
 * @param encoded an HdrHistogram of nanoseconds in its compressed form V2, as {@code Histogram.decodeFromCompressedByteBuffer} takes it; not to be
 *     changed
 */
public record Latencies(String name, byte[] encoded) {
    static Latencies of(String name, Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return new Latencies(name, Arrays.copyOf(buffer.array(), length));
    }

    /** The histogram, in ns. */
    public Histogram histogram() {
        try {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), 0);
        } catch (DataFormatException e) {
            throw new IllegalStateException("'" + name + "' is no encoded histogram", e);
        }
    }
}
