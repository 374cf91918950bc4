package dev.perch.host.record;

import dev.perch.host.linux.OpenFiles;
import dev.perch.host.linux.SystemCallException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The pages of one CPU's trace buffer: {@code trace_pipe_raw} of tracefs. While events come, only full pages are moved, through a pipe, as the file
 * would else fill with pages of a few events; at the end also the last one.
 *
 * <p>Source: {@code tracing_buffers_splice_read} and {@code tracing_buffers_read} in kernel/trace/trace.c.
 */
final class CpuTracePipe implements AutoCloseable {
    private final int index;
    private final int file;
    private final OpenFiles.Ends pipe;
    private final MemorySegment room;
    private final ByteBuffer bytes;
    private final int pageSize;

    /**
     * @param index of the CPU among those of the recording
     * @param path of trace_pipe_raw
     * @param pipe through which pages go
     * @param room for what the pipe holds, a multiple of {@code pageSize}
     */
    CpuTracePipe(int index, String path, OpenFiles.Ends pipe, MemorySegment room, int pageSize) {
        this.index = index;
        this.pipe = pipe;
        this.room = room;
        this.pageSize = pageSize;
        bytes = room.asByteBuffer();
        file = OpenFiles.openWithoutWaiting(path);
    }

    /** Moves all full pages. */
    void drain(PageSpill spill) throws IOException {
        while (true) {
            long moved = OpenFiles.moveToPipe(file, pipe.second(), room.byteSize());
            if (moved == 0) {
                return;
            }
            for (long left = moved; left > 0; ) {
                long count = OpenFiles.read(pipe.first(), room, Math.min(left, room.byteSize()));
                spill.add(index, bytes.limit((int) count).position(0));
                left -= count;
            }
        }
    }

    /** Moves what is left; nothing must be recorded any more. */
    void finish(PageSpill spill) throws IOException {
        drain(spill);
        while (true) {
            try {
                long count = OpenFiles.read(file, room, pageSize);
                if (count <= 0) {
                    return;
                }
                spill.add(index, bytes.limit((int) count).position(0));
            } catch (SystemCallException e) {
                if (e.errno() == SystemCallException.EAGAIN) {
                    return;
                }
                throw e;
            }
        }
    }

    @Override
    public void close() {
        OpenFiles.close(file);
    }
}
