package dev.perch.host.machinecode;

import dev.perch.host.machinecode.Operand.Register;

/**
 * Instructions of x86-64.
 *
 * <p>Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2; for system calls the System V ABI, AMD64 supplement, A.2.1: number in
 * rax, arguments in rdi, rsi, rdx, r10, r8, r9, result in rax; rcx and r11 are lost.
 */
final class X86Assembler extends Assembler {
    private static final int RAX = 0;
    private static final int SCRATCH = 11;
    private static final int[] ARGUMENTS = {7, 6, 2, 10, 8, 9};

    /** Of a ModRM byte: the operand is the register itself, or the memory at the address that it holds. */
    private static final int REGISTER = 0b11;

    private static final int MEMORY = 0b00;

    private static final int OPERANDS_OF_64_BITS = 1;
    private static final int OPERANDS_OF_32_BITS = 0;

    // Opcodes; those with two operands name the one that a ModRM byte calls r/m first.
    private static final int ADD = 0x01;
    private static final int COMPARE = 0x39;
    private static final int MOVE = 0x89;
    private static final int MOVE_FROM_MEMORY = 0x8B;
    private static final int MOVE_CONSTANT = 0xB8;
    private static final int JUMP = 0xE9;
    private static final int TWO_BYTES = 0x0F;
    private static final int JUMP_IF_EQUAL = 0x84;
    private static final int JUMP_UNLESS_EQUAL = 0x85;
    private static final int SYSCALL = 0x05;

    /** rbx, rbp, r14 and r15 are none of a system call's. */
    private static int number(Register register) {
        return switch (register) {
            case RESULT -> RAX;
            case A -> 3;
            case B -> 5;
            case C -> 14;
            case D -> 15;
        };
    }

    private void bytes(int... bytes) {
        for (int each : bytes) {
            code.put((byte) each);
        }
    }

    /** The prefix of an instruction: its operands' size, and the highest bit of the numbers of its registers. */
    private static int rex(int size, int register, int rm) {
        return 0x40 | size << 3 | register >> 3 << 2 | rm >> 3;
    }

    private static int modRm(int mode, int register, int rm) {
        return mode << 6 | (register & 7) << 3 | rm & 7;
    }

    private void betweenRegisters(int opcode, int rm, int register) {
        bytes(rex(OPERANDS_OF_64_BITS, register, rm), opcode, modRm(REGISTER, register, rm));
    }

    private void betweenMemory(int opcode, int register, long address) {
        set(SCRATCH, address);
        bytes(rex(OPERANDS_OF_32_BITS, register, SCRATCH), opcode, modRm(MEMORY, register, SCRATCH));
    }

    private void set(int register, long value) {
        bytes(rex(OPERANDS_OF_64_BITS, 0, register), MOVE_CONSTANT + (register & 7));
        code.putLong(value);
    }

    @Override
    public void set(Register register, long value) {
        set(number(register), value);
    }

    @Override
    public void add(Register sum, Register what) {
        betweenRegisters(ADD, number(sum), number(what));
    }

    @Override
    public void load(Register register, long address) {
        betweenMemory(MOVE_FROM_MEMORY, number(register), address);
    }

    @Override
    public void store(Register register, long address) {
        betweenMemory(MOVE, number(register), address);
    }

    @Override
    public void jump(Label to) {
        bytes(JUMP);
        distance(to);
    }

    @Override
    public void jumpIfEqual(Register a, Register b, Label to) {
        compareAndJump(a, b, JUMP_IF_EQUAL, to);
    }

    @Override
    public void jumpUnlessEqual(Register a, Register b, Label to) {
        compareAndJump(a, b, JUMP_UNLESS_EQUAL, to);
    }

    private void compareAndJump(Register a, Register b, int condition, Label to) {
        betweenRegisters(COMPARE, number(a), number(b));
        bytes(TWO_BYTES, condition);
        distance(to);
    }

    private void distance(Label to) {
        jumpsTo(to, code.position());
        code.putInt(0);
    }

    /** In bytes, from the next instruction. */
    @Override
    void fillIn(int jump, int end) {
        code.putInt(jump, end - (jump + Integer.BYTES));
    }

    @Override
    void setArgument(int index, long value) {
        set(ARGUMENTS[index], value);
    }

    @Override
    void copyToArgument(int index, Register register) {
        betweenRegisters(MOVE, ARGUMENTS[index], number(register));
    }

    @Override
    void enterKernel(SystemCall call) {
        set(RAX, call.x8664());
        bytes(TWO_BYTES, SYSCALL);
    }
}
