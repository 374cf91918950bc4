package dev.perch.trace.perfetto;

import dev.perch.trace.Clock;
import dev.perch.trace.DefectKind;
import dev.perch.trace.Reading;
import dev.perch.trace.binary.EventWindow;
import dev.perch.trace.binary.StateNumbers;
import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.zstd.ZstdJavaInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads one Perfetto trace: a row of packets, some of them with ftrace events, in no order of time between CPUs. All events are sorted, in a
 * temporary file if they are many.
 */
public final class PerfettoTrace {
    private static final int PACKET_TAG = 0x0a;
    private static final int MAX_HEADER = 11;
    private static final int MIN_BUFFER = 1 << 20;
    private static final int MAX_PACKET = 1 << 28;
    private static final int MAX_UNPACKED = 1 << 26;
    private static final int MAX_DEPTH = 2;
    private static final int MAX_FIELD = 2000;

    private static final int FTRACE_EVENTS = 1;
    private static final int SYSTEM_INFO = 45;
    private static final int COMPRESSED_PACKETS = 50;
    private static final int ZSTD_COMPRESSED_PACKETS = 133;

    private final FileChannel file;
    private final Reading reading;
    private final FtraceBundle bundles;
    private byte[] buffer = new byte[MIN_BUFFER];
    private long bufferPlace;
    private int at;
    private int end;
    private @Nullable String release;

    private PerfettoTrace(FileChannel file, Reading reading, EventWindow window) {
        this.file = file;
        this.reading = reading;
        bundles = new FtraceBundle(reading, window);
    }

    /** Whether content that begins so is a trace: a packet, and another one after it if that much is there. */
    public static boolean isTrace(byte[] head) {
        if (head.length < 2 || head[0] != PACKET_TAG) {
            return false;
        }
        ProtoFields length = new ProtoFields().begin(head, 1, Math.min(head.length, MAX_HEADER));
        long size = length.varint();
        int start = length.position();
        if (length.isBroken() || size < 2 || size > MAX_PACKET) {
            return false;
        }
        long after = start + size;
        ProtoFields packet = new ProtoFields().begin(head, start, (int) Math.min(after, head.length));
        int count = 0;
        while (packet.next()) {
            if (packet.number() > MAX_FIELD) {
                return false;
            }
            count++;
        }
        return after < head.length
                ? count > 0 && !packet.isBroken() && head[(int) after] == PACKET_TAG
                : looksCut(head, start, count, packet);
    }

    /** The first packet goes on beyond the head: what is there of it must make sense. */
    private static boolean looksCut(byte[] head, int start, int count, ProtoFields packet) {
        if (count > 0 && !packet.isBroken()) {
            return true;
        }
        // One long field: a length-delimited one with a sensible number.
        int tag = start < head.length ? head[start] & 7 : -1;
        return head.length > 1024 && tag == ProtoFields.BYTES;
    }

    /**
     * Reads all of {@code file} into {@code reading}.
     *
     * @throws IOException the file cannot be read
     */
    public static void read(FileChannel file, Reading reading) throws IOException {
        try (EventWindow window = new EventWindow(reading)) {
            PerfettoTrace trace = new PerfettoTrace(file, reading, window);
            trace.readPackets();
            reading.clock(new Clock(trace.bundles.clock(), Clock.Unit.NANOSECONDS, 1));
            String release = trace.release;
            if (release == null) {
                reading.defects().note(DefectKind.ASSUMED_STATE_NUMBERS, -1);
            } else {
                reading.kernelRelease(release);
            }
            window.states(StateNumbers.ofRelease(release));
            window.releaseAll();
        }
    }

    private void readPackets() throws IOException {
        ProtoFields header = new ProtoFields();
        while (true) {
            if (end - at < MAX_HEADER) {
                fill(MAX_HEADER);
            }
            if (at == end) {
                return;
            }
            header.begin(buffer, at, Math.min(end, at + MAX_HEADER));
            long tag = header.varint();
            long size = header.varint();
            if (header.isBroken()) {
                reading.defects().add(DefectKind.TRUNCATED, bufferPlace + at);
                return;
            }
            if (tag != PACKET_TAG || size < 0) {
                reading.defects().add(DefectKind.CORRUPT_RECORD, bufferPlace + at);
                return;
            }
            at = header.position();
            long place = bufferPlace + at;
            if (size > file.size() - place) {
                reading.defects().add(DefectKind.TRUNCATED, place);
                return;
            }
            if (size > MAX_PACKET) {
                reading.defects().add(DefectKind.CORRUPT_RECORD, place);
                bufferPlace = place + size;
                at = 0;
                end = 0;
                continue;
            }
            if (end - at < size) {
                fill((int) size);
                if (end - at < size) {
                    reading.defects().add(DefectKind.TRUNCATED, place);
                    return;
                }
            }
            packet(buffer, at, at + (int) size, place, 0);
            at += (int) size;
        }
    }

    private void fill(int needed) throws IOException {
        byte[] target = buffer.length >= needed ? buffer : new byte[needed];
        System.arraycopy(buffer, at, target, 0, end - at);
        buffer = target;
        bufferPlace += at;
        end -= at;
        at = 0;
        while (end < buffer.length) {
            int count = file.read(ByteBuffer.wrap(buffer, end, buffer.length - end), bufferPlace + end);
            if (count < 0) {
                return;
            }
            end += count;
        }
    }

    private void packet(byte[] bytes, int from, int to, long place, int depth) throws IOException {
        ProtoFields packet = new ProtoFields().begin(bytes, from, to);
        while (packet.next()) {
            if (!packet.isBytes()) {
                continue;
            }
            switch (packet.number()) {
                case FTRACE_EVENTS -> bundles.read(packet, place);
                case SYSTEM_INFO -> systemInfo(packet);
                case COMPRESSED_PACKETS -> unpack(packet, false, place, depth);
                case ZSTD_COMPRESSED_PACKETS -> unpack(packet, true, place, depth);
                default -> {}
            }
        }
        if (packet.isBroken()) {
            reading.defects().add(DefectKind.CORRUPT_RECORD, place);
        }
    }

    private void systemInfo(ProtoFields packet) {
        ProtoFields info = new ProtoFields().begin(packet);
        while (info.next()) {
            if (info.number() == 1 && info.isBytes()) {
                ProtoFields utsname = new ProtoFields().begin(info);
                while (utsname.next()) {
                    if (utsname.number() == 3 && utsname.isBytes()) {
                        release = FtraceFields.text(utsname);
                    }
                }
            }
        }
    }

    /** Packets packed together with deflate or zstd. */
    private void unpack(ProtoFields packed, boolean zstd, long place, int depth) throws IOException {
        if (depth == MAX_DEPTH) {
            reading.defects().add(DefectKind.CORRUPT_RECORD, place);
            return;
        }
        InputStream in = new ByteArrayInputStream(packed.bytes(), packed.from(), packed.to() - packed.from());
        ByteArrayOutputStream unpacked = new ByteArrayOutputStream();
        try (InputStream unpacking = zstd ? new ZstdJavaInputStream(in) : new InflaterInputStream(in)) {
            byte[] piece = new byte[1 << 16];
            for (int count = unpacking.read(piece); count >= 0; count = unpacking.read(piece)) {
                unpacked.write(piece, 0, count);
                if (unpacked.size() > MAX_UNPACKED) {
                    reading.defects().add(DefectKind.CORRUPT_RECORD, place);
                    return;
                }
            }
        } catch (IOException
                | MalformedInputException
                | IndexOutOfBoundsException
                | IllegalArgumentException
                | IllegalStateException _) {
            // Only memory is read here: whatever fails, fails for what is in it.
            reading.defects().add(DefectKind.CUT_OFF_COMPRESSION, place);
        }
        byte[] bytes = unpacked.toByteArray();
        ProtoFields packets = new ProtoFields().begin(bytes, 0, bytes.length);
        while (packets.next()) {
            if (packets.number() == 1 && packets.isBytes()) {
                packet(bytes, packets.from(), packets.to(), place, depth + 1);
            }
        }
        if (packets.isBroken()) {
            reading.defects().add(DefectKind.CORRUPT_RECORD, place);
        }
    }
}
