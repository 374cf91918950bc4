package dev.perch.host.machinecode;

import dev.perch.model.InputException;

/** A kind of processor for which programs can be made. */
public enum Processor {
    X86_64(62),
    AARCH64(183);

    private final int elfMachine;

    Processor(int elfMachine) {
        this.elfMachine = elfMachine;
    }

    /** Its number in ELF files: {@code EM_X86_64}, {@code EM_AARCH64} of include/uapi/linux/elf-em.h. */
    int elfMachine() {
        return elfMachine;
    }

    /** An empty program. */
    public Assembler assembler() {
        return switch (this) {
            case X86_64 -> new X86Assembler();
            case AARCH64 -> new Arm64Assembler();
        };
    }

    /** @throws InputException this machine has another one */
    public static Processor current() {
        String name = System.getProperty("os.arch");
        return switch (name) {
            case "amd64" -> X86_64;
            case "aarch64" -> AARCH64;
            default ->
                throw new InputException(
                        "Perch cannot make programs for a processor of type " + name + "; it knows x86-64 and aarch64");
        };
    }
}
