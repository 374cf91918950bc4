package dev.perch.trace.tracedat;

import dev.perch.trace.binary.ByteCursor;
import dev.perch.trace.binary.DamageException;
import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import java.io.IOException;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Unpacks the blocks of a trace.dat of version 7: each is a zstd frame or a zlib stream of its own, with both lengths before it. */
enum Compression {
    NONE,
    ZLIB,
    ZSTD;

    /** Reads a block: packed length, unpacked length, data; at most {@code most} bytes unpacked. */
    byte[] block(ByteCursor in, int most) throws IOException {
        long packed = in.u32();
        long unpacked = in.u32();
        if (unpacked > most) {
            throw new DamageException("has a compressed block of " + unpacked + " bytes", in.position());
        }
        long place = in.position();
        byte[] data = in.bytes(packed, most);
        byte[] target = new byte[(int) unpacked];
        int length;
        try {
            length = switch (this) {
                case NONE -> throw new DamageException("has a compressed block, but names no compression", place);
                case ZLIB -> inflate(data, target);
                case ZSTD -> new ZstdJavaDecompressor().decompress(data, 0, data.length, target, 0, target.length);
            };
        } catch (MalformedInputException
                | DataFormatException
                | IndexOutOfBoundsException
                | IllegalArgumentException e) {
            throw new DamageException("has a damaged compressed block: " + e.getMessage(), place);
        }
        if (length != target.length) {
            throw new DamageException("has a compressed block that is shorter than it says", place);
        }
        return target;
    }

    private static int inflate(byte[] data, byte[] target) throws DataFormatException {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(data);
            int done = 0;
            while (done < target.length) {
                int count = inflater.inflate(target, done, target.length - done);
                if (count == 0) {
                    return done;
                }
                done += count;
            }
            return done;
        } finally {
            inflater.end();
        }
    }
}
