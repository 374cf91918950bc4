package dev.perch.host.machinecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.host.linux.ChildProcess;
import dev.perch.host.linux.MemoryFile;
import dev.perch.host.machinecode.Operand.Register;
import java.util.HexFormat;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The encodings are those that GNU as 2.40 gives the instructions beside them. */
class AssemblerTest {
    private static final String X86 = """
            48bb8877665544332211    movabs $0x1122334455667788, %rbx
            48bd0100000000000000    movabs $1, %rbp
            4901ee                  add %rbp, %r14
            4c01fb                  add %r15, %rbx
            49bb0000002000000000    movabs $0x20000000, %r11
            41891b                  mov %ebx, (%r11)
            49bb0000002000000000    movabs $0x20000000, %r11
            458933                  mov %r14d, (%r11)
            49bb0000002000000000    movabs $0x20000000, %r11
            458b3b                  mov (%r11), %r15d
            49bb0000002000000000    movabs $0x20000000, %r11
            418b03                  mov (%r11), %eax
            48bf0700000000000000    movabs $7, %rdi
            4c89f6                  mov %r14, %rsi
            48ba0300000000000000    movabs $3, %rdx
            4989da                  mov %rbx, %r10
            49b80400000000000000    movabs $4, %r8
            4d89f9                  mov %r15, %r9
            48b80900000000000000    movabs $9, %rax
            0f05                    syscall
            4839e8                  cmp %rbp, %rax
            0f8476ffffff            je start
            4d39fe                  cmp %r15, %r14
            0f8505000000            jne end
            e968ffffff              jmp start
            """;

    private static final String ARM64 = """
            13f18ed2    movz x19, #30600
            d3acaaf2    movk x19, #21862, lsl #16
            9368c6f2    movk x19, #13124, lsl #32
            5324e2f2    movk x19, #4386, lsl #48
            340080d2    movz x20, #1
            1400a0f2    movk x20, #0, lsl #16
            1400c0f2    movk x20, #0, lsl #32
            1400e0f2    movk x20, #0, lsl #48
            b502148b    add x21, x21, x20
            7302168b    add x19, x19, x22
            090080d2    movz x9, #0
            0900a4f2    movk x9, #8192, lsl #16
            0900c0f2    movk x9, #0, lsl #32
            0900e0f2    movk x9, #0, lsl #48
            330100b9    str w19, [x9]
            090080d2    movz x9, #0
            0900a4f2    movk x9, #8192, lsl #16
            0900c0f2    movk x9, #0, lsl #32
            0900e0f2    movk x9, #0, lsl #48
            350100b9    str w21, [x9]
            090080d2    movz x9, #0
            0900a4f2    movk x9, #8192, lsl #16
            0900c0f2    movk x9, #0, lsl #32
            0900e0f2    movk x9, #0, lsl #48
            360140b9    ldr w22, [x9]
            090080d2    movz x9, #0
            0900a4f2    movk x9, #8192, lsl #16
            0900c0f2    movk x9, #0, lsl #32
            0900e0f2    movk x9, #0, lsl #48
            200140b9    ldr w0, [x9]
            e00080d2    movz x0, #7
            0000a0f2    movk x0, #0, lsl #16
            0000c0f2    movk x0, #0, lsl #32
            0000e0f2    movk x0, #0, lsl #48
            e10315aa    mov x1, x21
            620080d2    movz x2, #3
            0200a0f2    movk x2, #0, lsl #16
            0200c0f2    movk x2, #0, lsl #32
            0200e0f2    movk x2, #0, lsl #48
            e30313aa    mov x3, x19
            840080d2    movz x4, #4
            0400a0f2    movk x4, #0, lsl #16
            0400c0f2    movk x4, #0, lsl #32
            0400e0f2    movk x4, #0, lsl #48
            e50316aa    mov x5, x22
            c81b80d2    movz x8, #222
            0800a0f2    movk x8, #0, lsl #16
            0800c0f2    movk x8, #0, lsl #32
            0800e0f2    movk x8, #0, lsl #48
            010000d4    svc #0
            1f0014eb    cmp x0, x20
            a0f9ff54    b.eq start
            bf0216eb    cmp x21, x22
            41000054    b.ne end
            caffff17    b start
            """;

    /** Every instruction, with every register. */
    private static byte[] everything(Processor processor) {
        Assembler code = processor.assembler();
        Assembler.Label end = code.label();
        Assembler.Label start = code.here();
        code.set(Register.A, 0x1122334455667788L);
        code.set(Register.B, 1);
        code.add(Register.C, Register.B);
        code.add(Register.A, Register.D);
        code.store(Register.A, ElfProgram.MEMORY);
        code.store(Register.C, ElfProgram.MEMORY);
        code.load(Register.D, ElfProgram.MEMORY);
        code.load(Register.RESULT, ElfProgram.MEMORY);
        code.call(SystemCall.MMAP, Operand.of(7), Register.C, Operand.of(3), Register.A, Operand.of(4), Register.D);
        code.jumpIfEqual(Register.RESULT, Register.B, start);
        code.jumpUnlessEqual(Register.C, Register.D, end);
        code.jump(start);
        code.place(end);
        return code.bytes();
    }

    private static String hex(String listing) {
        return listing.lines().map(line -> line.substring(0, line.indexOf(' '))).collect(Collectors.joining());
    }

    @Test
    void instructionsOfX86AreThoseOfGnuAs() {
        assertThat(HexFormat.of().formatHex(everything(Processor.X86_64))).isEqualTo(hex(X86));
    }

    @Test
    void instructionsOfArm64AreThoseOfGnuAs() {
        assertThat(HexFormat.of().formatHex(everything(Processor.AARCH64))).isEqualTo(hex(ARM64));
    }

    /** Adds the numbers from 1 to 10, through memory; a sum that is not in bounds of an exit code would show too. */
    @ParameterizedTest
    @EnumSource(Processor.class)
    @EnabledOnOs(OS.LINUX)
    void aProgramRunsAndEndsWithWhatItComputed(Processor processor) {
        Assembler code = processor.assembler();
        code.set(Register.A, 0);
        code.set(Register.B, 1);
        code.set(Register.C, 10);
        Assembler.Label again = code.here();
        code.add(Register.A, Register.B);
        code.load(Register.D, ElfProgram.MEMORY + 8);
        code.add(Register.D, Register.A);
        code.store(Register.D, ElfProgram.MEMORY + 8);
        code.jumpUnlessEqual(Register.A, Register.C, again);
        code.call(SystemCall.EXIT_GROUP, Register.D);
        try (MemoryFile program = MemoryFile.ofProgram("sum", ElfProgram.of(processor, code))) {
            ChildProcess process = ChildProcess.start(Emulated.command(processor, program));
            process.await();
            assertThat(process.exitCode()).isEqualTo(OptionalInt.of(55));
            process.endNow();
        }
    }

    @Test
    void aJumpThatLeadsNowhereIsRefused() {
        Assembler code = Processor.X86_64.assembler();
        code.jump(code.label());
        assertThatThrownBy(code::bytes).isInstanceOf(IllegalStateException.class);
    }
}
