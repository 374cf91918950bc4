package dev.perch.host.bench;

import dev.perch.host.linux.ChildProcess;
import dev.perch.host.machinecode.Assembler;
import dev.perch.host.machinecode.ElfProgram;
import dev.perch.host.machinecode.Operand;
import dev.perch.host.machinecode.Operand.Register;
import dev.perch.host.machinecode.Processor;
import dev.perch.host.machinecode.SystemCall;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * What the tasks of a benchmark do when they are processes: programs of a few dozen instructions, so that they are no heavier than those of a
 * benchmark in C.
 *
 * <p>Whatever a program needs it finds in files that it inherits, under numbers fixed here. It is killed with the thread that started it, and a
 * signal from the terminal does not reach it. It ends with {@value #FAILED} if a message does not go through whole.
 */
final class TaskProgram {
    static final int DONE = 0;
    static final int FAILED = 1;

    /** Of the two ends of a link: shared memory, and what messages come from and go to. Futexes have the shared memory alone. */
    private static final int SHARED_FILE = ChildProcess.FIRST_FILE;

    private static final int FROM = ChildProcess.FIRST_FILE + 1;
    private static final int TO = ChildProcess.FIRST_FILE + 2;

    /** Of senders and receivers: a byte says that one is ready, the end of the gate that all may begin; then a channel or several. */
    private static final int READY = ChildProcess.FIRST_FILE;

    private static final int GATE = ChildProcess.FIRST_FILE + 1;
    private static final int FIRST_CHANNEL = ChildProcess.FIRST_FILE + 2;

    /** In the shared memory: how many rounds the first end has been through, or begun if it is one of futexes. */
    static final int ROUNDS = 0;

    /** Bytes of the shared memory. */
    static final int SHARED_BYTES = 4096;

    private static final long SHARED = 0x3000_0000;
    /** Words of futexes: how many messages there were in each direction; in cache lines of their own. */
    private static final long THERE = SHARED + ROUNDS;

    private static final long BACK = SHARED + 128;

    /** Of a message of a link, as perf bench sched pipe sends. */
    private static final int LINK_BYTES = Integer.BYTES;

    private static final int PR_SET_PDEATHSIG = 1;
    private static final int PR_SET_NAME = 15;
    private static final int SIGKILL = 9;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED_FIXED = 0x11;
    private static final int FUTEX_WAIT = 0;
    private static final int FUTEX_WAKE = 1;

    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    private final Processor processor;
    private final Assembler code;
    private final Assembler.Label failed;

    /** The beginning of each program. Who is not a child of {@code parent} any more would wait for its end in vain. */
    private TaskProgram(Processor processor, String name, long parent) {
        this.processor = processor;
        code = processor.assembler();
        failed = code.label();
        call(SystemCall.PRCTL, PR_SET_PDEATHSIG, SIGKILL);
        call(SystemCall.GETPPID);
        code.set(Register.A, parent);
        code.jumpUnlessEqual(Register.RESULT, Register.A, failed);
        call(SystemCall.SETPGID, 0, 0);
        setName(name);
    }

    /** How many rounds, or yields, a program has counted in the memory that it shares with us; wraps. */
    static int counted(MemorySegment shared) {
        return (int) INT.getVolatile(shared, (long) ROUNDS);
    }

    /** What recordings and {@code top} call the task. */
    private void setName(String name) {
        ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(name.getBytes(StandardCharsets.US_ASCII));
        for (int at = 0; at < bytes.capacity(); at += Integer.BYTES) {
            code.set(Register.A, bytes.getInt(at));
            code.store(Register.A, ElfProgram.MEMORY + at);
        }
        call(SystemCall.PRCTL, PR_SET_NAME, ElfProgram.MEMORY);
    }

    /** The end of a link of files that begins: a message there and one back, for ever. */
    static byte[] firstOfFiles(Processor processor, long parent) {
        TaskProgram program = new TaskProgram(processor, "perch-first", parent);
        Assembler code = program.code;
        program.mapShared();
        code.set(Register.A, 0);
        code.set(Register.B, 1);
        code.set(Register.C, LINK_BYTES);
        Assembler.Label round = code.here();
        program.transfer(SystemCall.WRITE, TO, Register.C, LINK_BYTES);
        program.transfer(SystemCall.READ, FROM, Register.C, LINK_BYTES);
        code.add(Register.A, Register.B);
        code.store(Register.A, SHARED + ROUNDS);
        code.jump(round);
        return program.end();
    }

    /** The other end: sends back what it gets. */
    static byte[] secondOfFiles(Processor processor, long parent) {
        TaskProgram program = new TaskProgram(processor, "perch-second", parent);
        Assembler code = program.code;
        code.set(Register.C, LINK_BYTES);
        Assembler.Label round = code.here();
        program.transfer(SystemCall.READ, FROM, Register.C, LINK_BYTES);
        program.transfer(SystemCall.WRITE, TO, Register.C, LINK_BYTES);
        code.jump(round);
        return program.end();
    }

    /** The end of a link of futexes that begins. */
    static byte[] firstOfFutexes(Processor processor, long parent) {
        TaskProgram program = new TaskProgram(processor, "perch-first", parent);
        Assembler code = program.code;
        program.mapShared();
        code.set(Register.A, 0);
        code.set(Register.B, 1);
        Assembler.Label round = code.here();
        code.add(Register.A, Register.B);
        program.wake(THERE);
        program.sleepUntil(BACK, round);
        return program.end();
    }

    /** The other end. */
    static byte[] secondOfFutexes(Processor processor, long parent) {
        TaskProgram program = new TaskProgram(processor, "perch-second", parent);
        Assembler code = program.code;
        program.mapShared();
        code.set(Register.A, 0);
        code.set(Register.B, 1);
        Assembler.Label round = code.here();
        Assembler.Label answer = code.label();
        code.add(Register.A, Register.B);
        program.sleepUntil(THERE, answer);
        code.place(answer);
        program.wake(BACK);
        code.jump(round);
        return program.end();
    }

    /** Yields its CPU for ever, and counts how often as an end of a link counts rounds. */
    static byte[] yielding(Processor processor, long parent) {
        TaskProgram program = new TaskProgram(processor, "perch-yielding", parent);
        Assembler code = program.code;
        program.mapShared();
        code.set(Register.A, 0);
        code.set(Register.B, 1);
        Assembler.Label again = code.here();
        program.call(SystemCall.SCHED_YIELD);
        code.add(Register.A, Register.B);
        code.store(Register.A, SHARED + ROUNDS);
        code.jump(again);
        return program.end();
    }

    /**
     * Sends a message to each receiver in turn, and so on.
     *
     * @param bytes of a message
     */
    static byte[] sender(Processor processor, long parent, int receivers, long loops, int bytes) {
        TaskProgram program = new TaskProgram(processor, "perch-sender", parent);
        program.waitAtGate();
        program.repeat(loops, bytes, () -> {
            for (int i = 0; i < receivers; i++) {
                program.transfer(SystemCall.WRITE, FIRST_CHANNEL + i, Register.C, bytes);
            }
        });
        return program.end();
    }

    /** Receives that many messages. */
    static byte[] receiver(Processor processor, long parent, long messages, int bytes) {
        TaskProgram program = new TaskProgram(processor, "perch-receiver", parent);
        program.waitAtGate();
        program.repeat(messages, bytes, () -> program.transfer(SystemCall.READ, FIRST_CHANNEL, Register.C, bytes));
        return program.end();
    }

    /** Register C has the bytes of a message. */
    private void repeat(long times, int bytes, Runnable body) {
        code.set(Register.A, 0);
        code.set(Register.B, 1);
        code.set(Register.C, bytes);
        code.set(Register.D, times);
        Assembler.Label again = code.here();
        body.run();
        code.add(Register.A, Register.B);
        code.jumpUnlessEqual(Register.A, Register.D, again);
        call(SystemCall.EXIT_GROUP, DONE);
    }

    /** Reads or writes a message. */
    private void transfer(SystemCall call, int file, Register sameBytes, int bytes) {
        call(call, file, ElfProgram.MEMORY, bytes);
        code.jumpUnlessEqual(Register.RESULT, sameBytes, failed);
    }

    private void waitAtGate() {
        call(SystemCall.WRITE, READY, ElfProgram.MEMORY, 1);
        call(SystemCall.READ, GATE, ElfProgram.MEMORY, 1);
    }

    private void mapShared() {
        call(SystemCall.MMAP, SHARED, SHARED_BYTES, PROT_READ_WRITE, MAP_SHARED_FIXED, SHARED_FILE, 0);
    }

    /** Sets the word to what register A has, and wakes who sleeps on it. */
    private void wake(long word) {
        code.store(Register.A, word);
        call(SystemCall.FUTEX, word, FUTEX_WAKE, 1);
    }

    /** Sleeps until the word is what register A has, and goes on at {@code then}. */
    private void sleepUntil(long word, Assembler.Label then) {
        Assembler.Label look = code.here();
        code.load(Register.C, word);
        code.jumpIfEqual(Register.C, Register.A, then);
        code.call(SystemCall.FUTEX, Operand.of(word), Operand.of(FUTEX_WAIT), Register.C, Operand.of(0));
        code.jump(look);
    }

    private void call(SystemCall call, long... arguments) {
        Operand[] operands = new Operand[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            operands[i] = Operand.of(arguments[i]);
        }
        code.call(call, operands);
    }

    private byte[] end() {
        code.place(failed);
        call(SystemCall.EXIT_GROUP, FAILED);
        return ElfProgram.of(processor, code);
    }
}
