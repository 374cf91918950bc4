package dev.perch.trace.tracedat;

import dev.perch.trace.DefectKind;
import dev.perch.trace.Reading;
import dev.perch.trace.binary.ByteCursor;
import dev.perch.trace.binary.DamageException;
import dev.perch.trace.binary.EventLane;
import dev.perch.trace.binary.RingBufferPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** The events of one CPU of a buffer, page after page as they are asked for. */
final class CpuPages extends EventLane {
    /** trace-cmd packs ten pages at a time. */
    private static final int MAX_BLOCK = 1 << 23;

    private static final int BLOCK_HEADER = 4;

    private final FileChannel file;
    private final Compression compression;
    private final Reading reading;
    private final RingBufferPage pages;
    private final int cpu;
    private final int pageSize;
    private final long end;
    private final boolean packed;
    private long position;
    private long blocksLeft;
    private byte[] block;
    private int blockEnd;
    private int blockAt;
    private long blockPlace;

    /** @param room bytes to read at once, where pages are not packed */
    CpuPages(
            int rank,
            FileChannel file,
            Buffer buffer,
            Buffer.CpuData data,
            Compression compression,
            RingBufferPage pages,
            Reading reading,
            int room)
            throws IOException {
        super(rank);
        this.file = file;
        this.compression = compression;
        this.reading = reading;
        this.pages = pages;
        cpu = data.cpu();
        pageSize = buffer.pageSize();
        packed = buffer.compressed();
        position = data.offset();
        long size = data.size() + (packed ? BLOCK_HEADER : 0);
        end = Math.min(file.size(), data.offset() + size);
        if (data.offset() + size > file.size()) {
            reading.defects().note(DefectKind.TRUNCATED, file.size());
        }
        long pagesAtOnce = Math.max(1, room / pageSize);
        block = packed
                ? new byte[0]
                : new byte[(int) Math.clamp(pagesAtOnce * pageSize, 0, Math.max(0, end - position))];
        if (packed && end - position >= BLOCK_HEADER) {
            ByteCursor in = ByteCursor.of(file, position, end);
            in.order(pages.order());
            blocksLeft = in.u32();
            position += BLOCK_HEADER;
        }
    }

    @Override
    protected boolean refill() throws IOException {
        while (isEmpty()) {
            if (blockAt >= blockEnd && !(packed ? unpackBlock() : readBlock())) {
                return false;
            }
            int available = Math.min(pageSize, blockEnd - blockAt);
            pages.read(block, blockAt, available, cpu, this, blockPlace + blockAt);
            blockAt += available;
        }
        return true;
    }

    private boolean readBlock() throws IOException {
        if (position >= end) {
            return false;
        }
        ByteBuffer target = ByteBuffer.wrap(block, 0, (int) Math.min(block.length, end - position));
        while (target.hasRemaining()) {
            int count = file.read(target, position + target.position());
            if (count < 0) {
                break;
            }
        }
        blockPlace = position;
        position += target.position();
        blockAt = 0;
        blockEnd = target.position();
        return blockEnd > 0;
    }

    private boolean unpackBlock() throws IOException {
        if (blocksLeft == 0) {
            return false;
        }
        blocksLeft--;
        ByteCursor in = ByteCursor.of(file, position, end);
        in.order(pages.order());
        try {
            block = compression.block(in, MAX_BLOCK);
        } catch (DamageException e) {
            reading.defects().add(DefectKind.CUT_OFF_COMPRESSION, e.place());
            blocksLeft = 0;
            return false;
        }
        blockPlace = position;
        position = in.position();
        blockAt = 0;
        blockEnd = block.length;
        return true;
    }
}
