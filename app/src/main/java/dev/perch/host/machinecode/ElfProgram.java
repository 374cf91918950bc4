package dev.perch.host.machinecode;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An executable file of the form ELF64, with instructions and a page of memory and nothing else: no library, no symbols.
 *
 * <p>Source: elf(5). Segments begin at multiples of 64 KiB, the largest page of the processors in question.
 */
public final class ElfProgram {
    /** Where the program has {@value #MEMORY_BYTES} bytes of its own to write to, all zero at first. */
    public static final long MEMORY = 0x2000_0000;

    public static final int MEMORY_BYTES = 4096;

    private static final long CODE = 0x40_0000;
    private static final long ALIGNMENT = 0x1_0000;
    private static final int HEADER_BYTES = 64;
    private static final int SEGMENT_BYTES = 56;
    private static final int SEGMENTS = 3;
    private static final int BEFORE_CODE = HEADER_BYTES + SEGMENTS * SEGMENT_BYTES;

    private static final byte[] MAGIC = {0x7F, 'E', 'L', 'F'};
    private static final byte CLASS_64 = 2;
    private static final byte LITTLE_ENDIAN = 1;
    private static final byte VERSION = 1;
    private static final int IDENTIFICATION_BYTES = 16;
    private static final short EXECUTABLE = 2;

    private static final int LOAD = 1;
    private static final int GNU_STACK = 0x6474_e551;
    private static final int EXECUTE = 1;
    private static final int WRITE = 2;
    private static final int READ = 4;

    private ElfProgram() {}

    /** The file's content; the program begins with the first of the instructions. */
    public static byte[] of(Processor processor, Assembler instructions) {
        byte[] code = instructions.bytes();
        int size = BEFORE_CODE + code.length;
        ByteBuffer file = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        header(file, processor);
        segment(file, LOAD, READ | EXECUTE, CODE, size, size);
        segment(file, LOAD, READ | WRITE, MEMORY, 0, MEMORY_BYTES);
        segment(file, GNU_STACK, READ | WRITE, 0, 0, 0);
        file.put(code);
        return file.array();
    }

    private static void header(ByteBuffer file, Processor processor) {
        file.put(MAGIC).put(CLASS_64).put(LITTLE_ENDIAN).put(VERSION).position(IDENTIFICATION_BYTES);
        file.putShort(EXECUTABLE).putShort((short) processor.elfMachine()).putInt(VERSION);
        file.putLong(CODE + BEFORE_CODE).putLong(HEADER_BYTES).putLong(0).putInt(0);
        file.putShort((short) HEADER_BYTES).putShort((short) SEGMENT_BYTES).putShort((short) SEGMENTS);
        file.position(HEADER_BYTES);
    }

    /** All segments begin at the file's beginning; the one with the code has the headers in it too. */
    private static void segment(ByteBuffer file, int type, int rights, long address, long inFile, long inMemory) {
        file.putInt(type).putInt(rights).putLong(0).putLong(address).putLong(address);
        file.putLong(inFile).putLong(inMemory).putLong(ALIGNMENT);
    }
}
