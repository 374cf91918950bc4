package dev.perch.host.machinecode;

import dev.perch.host.machinecode.Operand.Register;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a program, one instruction after the other: the few that loops of system calls are made of. Each method appends what its name says; a
 * subclass knows the processor's encoding.
 *
 * <p>Limitation: nothing is optimised. A constant takes the processor's longest form, some instructions where one might do; beside a system call
 * that is nothing.
 */
public abstract class Assembler {
    private static final int LONGEST = 1 << 14;
    private static final int UNPLACED = -1;

    /** Little-endian, as instructions and constants of both processors are. */
    final ByteBuffer code = ByteBuffer.allocate(LONGEST).order(ByteOrder.LITTLE_ENDIAN);

    private final List<Jump> jumps = new ArrayList<>();

    Assembler() {}

    /** A place in the program to jump to. */
    public static final class Label {
        private int at = UNPLACED;
    }

    /** @param at where the jump's distance is to be written */
    private record Jump(int at, Label to) {}

    public abstract void set(Register register, long value);

    /** {@code sum += what}. */
    public abstract void add(Register sum, Register what);

    /** Reads the 32 bits at {@code address} into the lower half of {@code register}; the upper one is 0. */
    public abstract void load(Register register, long address);

    /** Writes the lower 32 bits of {@code register} to {@code address}. */
    public abstract void store(Register register, long address);

    public abstract void jump(Label to);

    public abstract void jumpIfEqual(Register a, Register b, Label to);

    public abstract void jumpUnlessEqual(Register a, Register b, Label to);

    /** Asks the kernel; {@link Register#RESULT} then holds what it returned, an error as its negative number. */
    public final void call(SystemCall call, Operand... arguments) {
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case Operand.Constant constant -> setArgument(i, constant.value());
                case Register register -> copyToArgument(i, register);
            }
        }
        enterKernel(call);
    }

    abstract void setArgument(int index, long value);

    /** @param register any but {@link Register#RESULT}, which may be where the first argument goes */
    abstract void copyToArgument(int index, Register register);

    abstract void enterKernel(SystemCall call);

    /** A place that {@link #place} is still to say. */
    public final Label label() {
        return new Label();
    }

    /** Lets jumps to {@code label} arrive at the next instruction. */
    public final void place(Label label) {
        label.at = code.position();
    }

    /** {@return a label of the next instruction} */
    public final Label here() {
        Label label = new Label();
        place(label);
        return label;
    }

    /** A jump to {@code to} begins {@code at}; its distance is filled in when all labels are known. */
    final void jumpsTo(Label to, int at) {
        jumps.add(new Jump(at, to));
    }

    /** Writes the distance between a jump and its end. */
    abstract void fillIn(int jump, int end);

    /** The instructions so far. */
    public final byte[] bytes() {
        for (Jump jump : jumps) {
            if (jump.to.at == UNPLACED) {
                throw new IllegalStateException("a jump leads nowhere");
            }
            fillIn(jump.at, jump.to.at);
        }
        byte[] bytes = new byte[code.position()];
        code.get(0, bytes);
        return bytes;
    }
}
