package dev.perch.host.machinecode;

/** What a system call is given: a constant, or what a register holds. */
public sealed interface Operand {
    /** A number or an address. */
    record Constant(long value) implements Operand {}

    /** 64 bits that an instruction changes and a system call leaves as they are, but for {@link #RESULT}, which holds what it returned. */
    enum Register implements Operand {
        RESULT,
        A,
        B,
        C,
        D
    }

    static Operand of(long value) {
        return new Constant(value);
    }
}
