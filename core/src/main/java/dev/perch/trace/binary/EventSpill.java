package dev.perch.trace.binary;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A temporary file that holds runs of sorted events which did not fit into memory. Made when first needed, deleted by {@link #close}. */
final class EventSpill implements Closeable {
    private static final int EVENT_BYTES = PackedEvents.WORDS * Long.BYTES;
    private static final int WRITE_EVENTS = 8192;
    private static final int READ_EVENTS = 1024;

    private @Nullable FileChannel channel;
    private long end;

    /** Writes all that {@code merge} holds as one run. */
    Run write(EventMerge merge, int rank) throws IOException {
        FileChannel file = file();
        long start = end;
        ByteBuffer buffer = ByteBuffer.allocate(WRITE_EVENTS * EVENT_BYTES).order(ByteOrder.nativeOrder());
        merge.copyTo((words, at) -> {
            for (int i = 0; i < PackedEvents.WORDS; i++) {
                buffer.putLong(words[at + i]);
            }
            if (!buffer.hasRemaining()) {
                flush(file, buffer);
            }
        });
        flush(file, buffer);
        return new Run(file, start, end, rank);
    }

    private void flush(FileChannel file, ByteBuffer buffer) throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            end += file.write(buffer, end);
        }
        buffer.clear();
    }

    private FileChannel file() throws IOException {
        FileChannel open = channel;
        if (open == null) {
            Path path = Files.createTempFile("perch-events", ".tmp");
            open = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
            channel = open;
        }
        return open;
    }

    @Override
    public void close() throws IOException {
        FileChannel open = channel;
        if (open != null) {
            open.close();
        }
    }

    /** One run, read back piece by piece. */
    static final class Run extends EventSource {
        private final FileChannel file;
        private final long until;
        private final ByteBuffer buffer =
                ByteBuffer.allocate(READ_EVENTS * EVENT_BYTES).order(ByteOrder.nativeOrder());
        private long position;
        private int tail;

        private Run(FileChannel file, long from, long until, int rank) {
            this.file = file;
            this.until = until;
            this.rank = rank;
            position = from;
            words = new long[READ_EVENTS * PackedEvents.WORDS];
        }

        @Override
        boolean advance() throws IOException {
            head += PackedEvents.WORDS;
            return head < tail || fill();
        }

        boolean isEmpty() {
            return head >= tail;
        }

        /** Reads the next piece; false at the end of the run. */
        boolean fill() throws IOException {
            buffer.clear();
            buffer.limit((int) Math.min(buffer.capacity(), until - position));
            while (buffer.hasRemaining()) {
                int count = file.read(buffer, position);
                if (count < 0) {
                    throw new IOException("the temporary file of sorted events became shorter");
                }
                position += count;
            }
            buffer.flip();
            tail = buffer.remaining() / Long.BYTES;
            head = 0;
            buffer.asLongBuffer().get(words, 0, tail);
            return tail > 0;
        }
    }
}
