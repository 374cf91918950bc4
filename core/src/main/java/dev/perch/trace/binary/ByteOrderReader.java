package dev.perch.trace.binary;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads numbers from byte arrays in the byte order of the machine that wrote them. Immutable; callers check the bounds. */
public final class ByteOrderReader {
    public static final ByteOrderReader LITTLE = new ByteOrderReader(false);
    public static final ByteOrderReader BIG = new ByteOrderReader(true);

    private static final VarHandle SHORT_LE = view(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT_BE = view(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT_LE = view(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT_BE = view(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG_LE = view(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG_BE = view(long[].class, ByteOrder.BIG_ENDIAN);

    private final boolean big;

    private ByteOrderReader(boolean big) {
        this.big = big;
    }

    private static VarHandle view(Class<?> type, ByteOrder order) {
        return MethodHandles.byteArrayViewVarHandle(type, order);
    }

    public static ByteOrderReader of(boolean big) {
        return big ? BIG : LITTLE;
    }

    public boolean isBig() {
        return big;
    }

    /** 16 bits, 0 … 65535. */
    public int u16(byte[] bytes, int at) {
        return (big ? (short) SHORT_BE.get(bytes, at) : (short) SHORT_LE.get(bytes, at)) & 0xffff;
    }

    /** 32 bits, signed. */
    public int s32(byte[] bytes, int at) {
        return big ? (int) INT_BE.get(bytes, at) : (int) INT_LE.get(bytes, at);
    }

    /** 32 bits, 0 … 2³² − 1. */
    public long u32(byte[] bytes, int at) {
        return s32(bytes, at) & 0xffffffffL;
    }

    /** 64 bits. */
    public long s64(byte[] bytes, int at) {
        return big ? (long) LONG_BE.get(bytes, at) : (long) LONG_LE.get(bytes, at);
    }

    /** A number of {@code size} 1, 2, 4 or 8 bytes; other sizes read as 0. */
    public long number(byte[] bytes, int at, int size, boolean signed) {
        return switch (size) {
            case 1 -> signed ? bytes[at] : bytes[at] & 0xff;
            case 2 -> signed ? (short) u16(bytes, at) : u16(bytes, at);
            case 4 -> signed ? s32(bytes, at) : u32(bytes, at);
            case 8 -> s64(bytes, at);
            default -> 0;
        };
    }
}
