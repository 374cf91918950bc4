package dev.perch.host.machinecode;

import dev.perch.host.machinecode.Operand.Register;

/**
 * Instructions of aarch64, four bytes each.
 *
 * <p>Source: Arm Architecture Reference Manual for A-profile, C6.2; for system calls Linux's arch/arm64/kernel/entry.S: number in x8, arguments in x0 to
 * x5, result in x0.
 */
final class Arm64Assembler extends Assembler {
    private static final int RESULT = 0;
    private static final int NUMBER_OF_CALL = 8;
    private static final int SCRATCH = 9;
    private static final int ZERO = 31;

    // Instructions without their operands. Of registers Rd is in bits 0–4, Rn in 5–9, Rm in 16–20.
    private static final int ADD = 0x8B00_0000;
    private static final int COMPARE = 0xEB00_0000 | ZERO;
    private static final int MOVE = 0xAA00_0000 | ZERO << 5;
    private static final int MOVE_16_BITS_ZERO_OTHERS = 0xD280_0000;
    private static final int MOVE_16_BITS_KEEP_OTHERS = 0xF280_0000;
    private static final int LOAD_32_BITS = 0xB940_0000;
    private static final int STORE_32_BITS = 0xB900_0000;
    private static final int BRANCH = 0x1400_0000;
    private static final int BRANCH_IF = 0x5400_0000;
    private static final int EQUAL = 0b0000;
    private static final int NOT_EQUAL = 0b0001;
    private static final int SUPERVISOR_CALL = 0xD400_0001;

    /** Where a conditional branch has its distance: bits 5–23. An unconditional one has it in 0–25. */
    private static final int DISTANCE_OF_CONDITION = 5;

    private static final int BITS_OF_CONDITIONAL_DISTANCE = 19;
    private static final int BITS_OF_DISTANCE = 26;

    /** x19 to x22 are none of a system call's. */
    private static int number(Register register) {
        return switch (register) {
            case RESULT -> RESULT;
            case A -> 19;
            case B -> 20;
            case C -> 21;
            case D -> 22;
        };
    }

    private void set(int register, long value) {
        int move = MOVE_16_BITS_ZERO_OTHERS;
        for (int piece = 0; piece < 4; piece++) {
            int bits = (int) (value >>> 16 * piece & 0xFFFF);
            code.putInt(move | piece << 21 | bits << 5 | register);
            move = MOVE_16_BITS_KEEP_OTHERS;
        }
    }

    @Override
    public void set(Register register, long value) {
        set(number(register), value);
    }

    @Override
    public void add(Register sum, Register what) {
        code.putInt(ADD | number(what) << 16 | number(sum) << 5 | number(sum));
    }

    @Override
    public void load(Register register, long address) {
        set(SCRATCH, address);
        code.putInt(LOAD_32_BITS | SCRATCH << 5 | number(register));
    }

    @Override
    public void store(Register register, long address) {
        set(SCRATCH, address);
        code.putInt(STORE_32_BITS | SCRATCH << 5 | number(register));
    }

    @Override
    public void jump(Label to) {
        jumpsTo(to, code.position());
        code.putInt(BRANCH);
    }

    @Override
    public void jumpIfEqual(Register a, Register b, Label to) {
        compareAndJump(a, b, EQUAL, to);
    }

    @Override
    public void jumpUnlessEqual(Register a, Register b, Label to) {
        compareAndJump(a, b, NOT_EQUAL, to);
    }

    private void compareAndJump(Register a, Register b, int condition, Label to) {
        code.putInt(COMPARE | number(b) << 16 | number(a) << 5);
        jumpsTo(to, code.position());
        code.putInt(BRANCH_IF | condition);
    }

    /** In instructions, from the jump itself. */
    @Override
    void fillIn(int jump, int end) {
        int distance = (end - jump) / Integer.BYTES;
        int branch = code.getInt(jump);
        int filled = branch == BRANCH
                ? BRANCH | lowest(BITS_OF_DISTANCE, distance)
                : branch | lowest(BITS_OF_CONDITIONAL_DISTANCE, distance) << DISTANCE_OF_CONDITION;
        code.putInt(jump, filled);
    }

    private static int lowest(int bits, int value) {
        return value & (1 << bits) - 1;
    }

    @Override
    void setArgument(int index, long value) {
        set(index, value);
    }

    @Override
    void copyToArgument(int index, Register register) {
        code.putInt(MOVE | number(register) << 16 | index);
    }

    @Override
    void enterKernel(SystemCall call) {
        set(NUMBER_OF_CALL, call.aarch64());
        code.putInt(SUPERVISOR_CALL);
    }
}
