package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Expected: spec scheduler.md 9.1 and 9.4. */
class PipesTest {
    private static final int TASKS = 10;
    private static final int WRITER = 1;
    private static final int OTHER_WRITER = 2;
    private static final int READER = 3;
    private static final int OTHER_READER = 4;
    private static final int POLLER = 5;

    private WaitQueues queues = new WaitQueues(0, 1);

    @BeforeEach
    void emptyQueues() {
        queues = new WaitQueues(Pipes.QUEUES, TASKS);
    }

    private Pipes pipe(String rules) {
        return new Pipes(1, TASKS, queues, 0, rules);
    }

    private void fill(Pipes pipe) {
        for (int message = 0; message < 640; message++) {
            assertThat(pipe.write(0, WRITER, 100, 0)).isTrue();
        }
    }

    @Test
    void holds640MessagesOf100Bytes() {
        Pipes pipe = pipe("5.6");
        fill(pipe);
        assertThat(pipe.bytes(0)).isEqualTo(64_000);
        assertThat(pipe.write(0, WRITER, 100, 0)).isFalse();
    }

    @Test
    void itsMutexIsHadInTheOrderOfAsking() {
        Pipes pipe = pipe("5.6");
        assertThat(pipe.lock(0, 1, 1000, 50)).isZero();
        assertThat(pipe.lock(0, 2, 1020, 50)).isEqualTo(30);
        assertThat(pipe.lock(0, 3, 1020, 50)).isEqualTo(80);
        assertThat(pipe.lock(0, 1, 1150, 50)).isZero();
    }

    @Test
    void itsLinesComeFromTheCpuThatHadItLast() {
        Pipes pipe = pipe("5.6");
        assertThat(pipe.lastCpu(0, 3)).isEqualTo(3);
        pipe.lock(0, 1, 0, 50);
        assertThat(pipe.lastCpu(0, 3)).isEqualTo(1);
        assertThat(pipe.lastCpu(0, 1)).isEqualTo(1);
    }

    @Test
    void holds64KibInOneWrite() {
        Pipes pipe = pipe("3.2");
        assertThat(pipe.write(0, WRITER, 65_536, 0)).isTrue();
        assertThat(pipe.write(0, WRITER, 1, 0)).isFalse();
    }

    @Test
    void aReadFreesABufferOnlyWhenAllOfItHasBeenRead() {
        Pipes pipe = pipe("5.6");
        fill(pipe);
        for (int message = 0; message < 39; message++) {
            assertThat(pipe.read(0, READER, 100)).isTrue();
        }
        assertThat(pipe.write(0, OTHER_WRITER, 100, 0)).isFalse();
        assertThat(pipe.read(0, READER, 100)).isTrue();
        assertThat(queues.nextToWake(READER)).isEqualTo(OTHER_WRITER);
        assertThat(pipe.write(0, OTHER_WRITER, 100, 0)).isTrue();
    }

    @Test
    void until55AWriteWakesAllThatWait() {
        Pipes pipe = pipe("3.2");
        assertThat(pipe.read(0, READER, 100)).isFalse();
        assertThat(pipe.poll(0, POLLER)).isFalse();
        assertThat(pipe.read(0, OTHER_READER, 100)).isFalse();
        assertThat(pipe.write(0, WRITER, 100, 0)).isTrue();
        assertThat(queues.isSync(WRITER)).isTrue();
        assertThat(queues.nextToWake(WRITER)).isEqualTo(READER);
        assertThat(queues.nextToWake(WRITER)).isEqualTo(POLLER);
        assertThat(queues.nextToWake(WRITER)).isEqualTo(OTHER_READER);
        assertThat(queues.nextToWake(WRITER)).isEqualTo(WaitQueues.NOBODY);
    }

    @Test
    void until55AWriterThatCannotWriteWakesNobody() {
        Pipes pipe = pipe("3.2");
        fill(pipe);
        assertThat(pipe.write(0, OTHER_WRITER, 100, 0)).isFalse();
        assertThat(pipe.write(0, WRITER, 100, 0)).isFalse();
        assertThat(queues.nextToWake(WRITER)).isEqualTo(WaitQueues.NOBODY);
    }

    @Test
    void until55AReadThatFreesABufferWakesAllWriters() {
        Pipes pipe = pipe("3.2");
        fill(pipe);
        assertThat(pipe.write(0, WRITER, 100, 0)).isFalse();
        assertThat(pipe.write(0, OTHER_WRITER, 100, 0)).isFalse();
        for (int message = 0; message < 40; message++) {
            assertThat(queues.nextToWake(READER)).isEqualTo(WaitQueues.NOBODY);
            assertThat(pipe.read(0, READER, 100)).isTrue();
        }
        assertThat(queues.isSync(READER)).isTrue();
        assertThat(queues.nextToWake(READER)).isEqualTo(WRITER);
        assertThat(queues.nextToWake(READER)).isEqualTo(OTHER_WRITER);
    }

    @Test
    void from56AWriteWakesOneReaderAndOnlyIfThePipeWasEmpty() {
        Pipes pipe = pipe("5.6");
        assertThat(pipe.read(0, READER, 100)).isFalse();
        assertThat(pipe.read(0, OTHER_READER, 100)).isFalse();
        assertThat(pipe.write(0, WRITER, 100, 0)).isTrue();
        assertThat(queues.isSync(WRITER)).isTrue();
        assertThat(queues.nextToWake(WRITER)).isEqualTo(READER);
        assertThat(queues.nextToWake(WRITER)).isEqualTo(WaitQueues.NOBODY);
        assertThat(pipe.write(0, WRITER, 100, 0)).isTrue();
        assertThat(queues.nextToWake(WRITER)).isEqualTo(WaitQueues.NOBODY);
    }

    @Test
    void from56AReaderThatLeavesSomethingWakesTheNextReader() {
        Pipes pipe = pipe("5.6");
        assertThat(pipe.read(0, READER, 100)).isFalse();
        assertThat(pipe.read(0, OTHER_READER, 100)).isFalse();
        assertThat(pipe.write(0, WRITER, 300, 0)).isTrue();
        assertThat(queues.nextToWake(WRITER)).isEqualTo(READER);
        assertThat(pipe.read(0, READER, 100)).isTrue();
        assertThat(queues.nextToWake(READER)).isEqualTo(OTHER_READER);
    }

    @Test
    void from56AReadWakesOneWriterAndOnlyIfThePipeWasFull() {
        Pipes pipe = pipe("5.6");
        assertThat(pipe.write(0, WRITER, 65_536, 0)).isTrue();
        assertThat(pipe.write(0, WRITER, 100, 0)).isFalse();
        assertThat(pipe.write(0, OTHER_WRITER, 100, 0)).isFalse();
        assertThat(pipe.read(0, READER, 8192)).isTrue();
        assertThat(queues.nextToWake(READER)).isEqualTo(WRITER);
        assertThat(queues.nextToWake(READER)).isEqualTo(WaitQueues.NOBODY);
        assertThat(pipe.write(0, WRITER, 100, 0)).isTrue();
        assertThat(queues.nextToWake(WRITER)).isEqualTo(OTHER_WRITER);
    }

    @Test
    void aLargeWriteGoesOnAsRoomAppears() {
        Pipes pipe = pipe("5.6");
        assertThat(pipe.write(0, WRITER, 100_000, 0)).isFalse();
        assertThat(pipe.read(0, READER, 65_536)).isTrue();
        assertThat(queues.nextToWake(READER)).isEqualTo(WRITER);
        assertThat(pipe.write(0, WRITER, 100_000, 0)).isTrue();
        assertThat(pipe.bytes(0)).isEqualTo(100_000 - 65_536);
    }
}
