package dev.perch.host.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.host.linux.ChildProcess;
import dev.perch.host.linux.Futexes;
import dev.perch.host.linux.MemoryFile;
import dev.perch.host.linux.OpenFiles;
import dev.perch.host.linux.StreamSockets;
import dev.perch.host.machinecode.Emulated;
import dev.perch.host.machinecode.Processor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each program against a test that plays whom it talks to; for the other kind of processor under an emulator, if there is one. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class TaskProgramTest {
    private static final long PARENT = ProcessHandle.current().pid();
    private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();
    private static final int BACK = 128;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(4096);
    private final List<ChildProcess> processes = new ArrayList<>();
    private final List<MemoryFile> programs = new ArrayList<>();

    @AfterEach
    void endAll() {
        processes.forEach(ChildProcess::endNow);
        programs.forEach(MemoryFile::close);
        arena.close();
    }

    private ChildProcess start(Processor processor, byte[] program, int... files) {
        MemoryFile file = MemoryFile.ofProgram("task", program);
        programs.add(file);
        ChildProcess process = ChildProcess.start(Emulated.command(processor, file), files);
        processes.add(process);
        return process;
    }

    private static void isOver(ChildProcess process, int code) {
        process.await();
        assertThat(process.exitCode()).isEqualTo(OptionalInt.of(code));
    }

    @ParameterizedTest
    @EnumSource(Processor.class)
    void aSenderWaitsAtTheGateAndSendsToEachReceiverInTurn(Processor processor) {
        OpenFiles.Ends ready = OpenFiles.pipe();
        OpenFiles.Ends gate = OpenFiles.pipe();
        OpenFiles.Ends one = OpenFiles.pipe();
        OpenFiles.Ends two = OpenFiles.pipe();
        ChildProcess sender = start(
                processor,
                TaskProgram.sender(processor, PARENT, 2, 3, 100),
                ready.second(),
                gate.first(),
                one.second(),
                two.second());
        assertThat(OpenFiles.read(ready.first(), buffer, 2)).isEqualTo(1);
        assertThat(sender.exitCode()).isEmpty();
        OpenFiles.close(gate.second());
        isOver(sender, TaskProgram.DONE);
        assertThat(OpenFiles.read(one.first(), buffer, 4096)).isEqualTo(3 * 100);
        assertThat(OpenFiles.read(two.first(), buffer, 4096)).isEqualTo(3 * 100);
        closeAll(ready.first(), ready.second(), gate.first(), one.first(), one.second(), two.first(), two.second());
    }

    @ParameterizedTest
    @EnumSource(Processor.class)
    void aReceiverEndsAfterItsLastMessageAndFailsIfThatDoesNotCome(Processor processor) {
        OpenFiles.Ends ready = OpenFiles.pipe();
        OpenFiles.Ends gate = OpenFiles.pipe();
        OpenFiles.close(gate.second());
        for (int messages : new int[] {4, 3}) {
            OpenFiles.Ends channel = OpenFiles.pipe();
            ChildProcess receiver = start(
                    processor,
                    TaskProgram.receiver(processor, PARENT, 4, 100),
                    ready.second(),
                    gate.first(),
                    channel.first());
            OpenFiles.close(channel.first());
            assertThat(OpenFiles.write(channel.second(), buffer, messages * 100L))
                    .isEqualTo(messages * 100L);
            OpenFiles.close(channel.second());
            isOver(receiver, messages == 4 ? TaskProgram.DONE : TaskProgram.FAILED);
        }
        closeAll(ready.first(), ready.second(), gate.first());
    }

    @ParameterizedTest
    @EnumSource(Processor.class)
    void theFirstEndOfALinkCountsRoundsAndTheSecondOneAnswers(Processor processor) {
        OpenFiles.Ends ofFirst = StreamSockets.socketPair();
        OpenFiles.Ends ofSecond = StreamSockets.socketPair();
        try (MemoryFile shared = MemoryFile.ofData("shared", new byte[TaskProgram.SHARED_BYTES])) {
            MemorySegment memory = OpenFiles.map(shared.number(), TaskProgram.SHARED_BYTES);
            ChildProcess first = start(
                    processor,
                    TaskProgram.firstOfFiles(processor, PARENT),
                    shared.number(),
                    ofFirst.second(),
                    ofFirst.second());
            ChildProcess second = start(
                    processor,
                    TaskProgram.secondOfFiles(processor, PARENT),
                    shared.number(),
                    ofSecond.second(),
                    ofSecond.second());
            OpenFiles.close(ofFirst.second());
            OpenFiles.close(ofSecond.second());
            for (int round = 0; round < 5; round++) {
                assertThat(OpenFiles.read(ofFirst.first(), buffer, 4096)).isEqualTo(4);
                assertThat((int) WORD.getVolatile(memory, 0L)).isEqualTo(round);
                buffer.set(ValueLayout.JAVA_INT, 0, 4711 + round);
                OpenFiles.write(ofSecond.first(), buffer, 4);
                buffer.fill((byte) 0);
                assertThat(OpenFiles.read(ofSecond.first(), buffer, 4096)).isEqualTo(4);
                assertThat(buffer.get(ValueLayout.JAVA_INT, 0)).isEqualTo(4711 + round);
                OpenFiles.write(ofFirst.first(), buffer, 4);
            }
            OpenFiles.close(ofFirst.first());
            OpenFiles.close(ofSecond.first());
            second.await();
            first.await();
            assertThat((int) WORD.getVolatile(memory, 0L)).isEqualTo(5);
            assertThat(second.exitCode()).isEqualTo(OptionalInt.of(TaskProgram.FAILED));
            OpenFiles.unmap(memory);
        }
    }

    @ParameterizedTest
    @EnumSource(Processor.class)
    void endsOfFutexesCountMessagesInEachDirection(Processor processor) {
        try (MemoryFile ofFirst = MemoryFile.ofData("first", new byte[TaskProgram.SHARED_BYTES]);
                MemoryFile ofSecond = MemoryFile.ofData("second", new byte[TaskProgram.SHARED_BYTES])) {
            MemorySegment first = OpenFiles.map(ofFirst.number(), TaskProgram.SHARED_BYTES);
            MemorySegment second = OpenFiles.map(ofSecond.number(), TaskProgram.SHARED_BYTES);
            ChildProcess one = start(processor, TaskProgram.firstOfFutexes(processor, PARENT), ofFirst.number());
            ChildProcess two = start(processor, TaskProgram.secondOfFutexes(processor, PARENT), ofSecond.number());
            for (int round = 1; round <= 5; round++) {
                awaitWord(first, 0, round);
                WORD.setVolatile(second, 0L, round);
                Futexes.wake(second, 1);
                awaitWord(second, BACK, round);
                WORD.setVolatile(first, (long) BACK, round);
                Futexes.wake(first.asSlice(BACK), 1);
            }
            awaitWord(first, 0, 6);
            assertThat((int) WORD.getVolatile(second, (long) BACK)).isEqualTo(5);
            assertThat(one.exitCode()).isEmpty();
            assertThat(two.exitCode()).isEmpty();
            OpenFiles.unmap(first);
            OpenFiles.unmap(second);
        }
    }

    private static void awaitWord(MemorySegment memory, long at, int value) {
        for (int now = (int) WORD.getVolatile(memory, at); now != value; now = (int) WORD.getVolatile(memory, at)) {
            assertThat(now).isEqualTo(value - 1);
            Futexes.await(memory.asSlice(at), now);
        }
    }

    @ParameterizedTest
    @EnumSource(Processor.class)
    void aProgramThatIsNoChildOfItsParentEndsAtOnce(Processor processor) {
        isOver(start(processor, TaskProgram.firstOfFutexes(processor, PARENT + 1)), TaskProgram.FAILED);
    }

    private static void closeAll(int... files) {
        for (int file : files) {
            OpenFiles.close(file);
        }
    }
}
