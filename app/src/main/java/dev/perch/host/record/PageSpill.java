package dev.perch.host.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Pages of all CPUs as they come, in a temporary file: a trace.dat has the pages of each CPU in one piece. The file has no name, so that nothing
 * remains of it whatever happens.
 */
final class PageSpill implements AutoCloseable {
    private final FileChannel file;
    private final List<List<Run>> runs = new ArrayList<>();
    private long size;

    /** Pages of one CPU that stand one behind the other. */
    private record Run(long at, long bytes) {}

    /** @param beside a file that is not there, in the folder that is to hold the pages */
    PageSpill(Path beside, int cpus) throws IOException {
        file = FileChannel.open(
                beside,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        Files.delete(beside);
        for (int i = 0; i < cpus; i++) {
            runs.add(new ArrayList<>());
        }
    }

    /** Adds pages of the CPU with this index. */
    void add(int index, ByteBuffer pages) throws IOException {
        List<Run> own = runs.get(index);
        int bytes = pages.remaining();
        Run last = own.isEmpty() ? new Run(0, 0) : own.getLast();
        if (last.at + last.bytes == size && last.bytes > 0) {
            own.set(own.size() - 1, new Run(last.at, last.bytes + bytes));
        } else {
            own.add(new Run(size, bytes));
        }
        while (pages.hasRemaining()) {
            size += file.write(pages, size);
        }
    }

    /** How many bytes of pages the CPU with this index has. */
    long bytes(int index) {
        return runs.get(index).stream().mapToLong(Run::bytes).sum();
    }

    /** Appends the pages of the CPU with this index to a file, in the order in which they came. */
    void copy(int index, FileChannel target) throws IOException {
        for (Run run : runs.get(index)) {
            for (long done = 0; done < run.bytes; ) {
                long count = file.transferTo(run.at + done, run.bytes - done, target);
                if (count <= 0) {
                    throw new IOException("the temporary file was cut");
                }
                done += count;
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
