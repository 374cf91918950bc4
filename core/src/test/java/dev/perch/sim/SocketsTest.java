package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Expected: spec scheduler.md 9.1 and 9.4; what wakes whom in a pair from net/unix/af_unix.c of 3.2 and 6.18, read side by side. */
class SocketsTest {
    private static final int SENDER = 1;
    private static final int OTHER_SENDER = 2;
    private static final int RECEIVER = 3;

    /** The two ends. */
    private static final int NEAR = 0;

    private static final int FAR = 1;

    private final WaitQueues queues = new WaitQueues(2, 5);
    private final Sockets socket = new Sockets(2, 5, queues, 0);

    private int fill() {
        int messages = 0;
        while (socket.send(NEAR, SENDER, 100, 0)) {
            messages++;
        }
        return messages;
    }

    @Test
    void asManyMessagesAreInFlightAsTheLimitAllows() {
        // 90 to 280 messages of 100 bytes, by era
        assertThat(fill()).isBetween(90, 280);
        assertThat(socket.messages(NEAR)).isBetween(90, 280);
        assertThat(socket.messages(FAR)).isZero();
    }

    @Test
    void eachMessageWakesAllThatWait() {
        assertThat(socket.receive(FAR, RECEIVER, 100)).isFalse();
        assertThat(socket.send(NEAR, SENDER, 100, 0)).isTrue();
        assertThat(queues.isSync(SENDER)).isTrue();
        assertThat(queues.nextToWake(SENDER)).isEqualTo(RECEIVER);
    }

    @Test
    void aSenderIsLetOnWhenAQuarterOfTheLimitIsLeft() {
        int messages = fill();
        assertThat(socket.send(NEAR, OTHER_SENDER, 100, 0)).isFalse();
        int received = 0;
        int woken = WaitQueues.NOBODY;
        while (woken == WaitQueues.NOBODY) {
            assertThat(socket.receive(FAR, RECEIVER, 100)).isTrue();
            received++;
            woken = queues.nextToWake(RECEIVER);
        }
        assertThat(messages - received).isEqualTo(Sockets.LIMIT / 4 / Sockets.trueSize(100));
        assertThat(queues.isSync(RECEIVER)).isTrue();
        assertThat(woken).isEqualTo(SENDER);
        assertThat(queues.nextToWake(RECEIVER)).isEqualTo(OTHER_SENDER);
    }

    @Test
    void aReceiverTakesAcrossMessages() {
        assertThat(socket.send(NEAR, SENDER, 60, 0)).isTrue();
        assertThat(socket.receive(FAR, RECEIVER, 100)).isFalse();
        assertThat(socket.send(NEAR, SENDER, 60, 0)).isTrue();
        assertThat(socket.receive(FAR, RECEIVER, 100)).isTrue();
        assertThat(socket.messages(NEAR)).isEqualTo(1);
    }

    @Test
    void theTwoDirectionsAreApart() {
        assertThat(socket.send(NEAR, SENDER, 4, 6)).isTrue();
        assertThat(socket.await(NEAR, SENDER)).isFalse();
        assertThat(socket.await(FAR, RECEIVER)).isTrue();
        assertThat(socket.lastSenderCpu(FAR)).isEqualTo(6);
        assertThat(socket.messages(NEAR)).isEqualTo(1);
        assertThat(socket.messages(FAR)).isZero();
    }

    @Test
    void readingAMessageWakesItsSenderThatWaitsForTheAnswer() {
        assertThat(socket.send(NEAR, SENDER, 4, 0)).isTrue();
        assertThat(socket.await(NEAR, SENDER)).isFalse();
        assertThat(socket.await(FAR, RECEIVER)).isTrue();
        assertThat(queues.nextToWake(RECEIVER)).isEqualTo(WaitQueues.NOBODY);
        assertThat(socket.receive(FAR, RECEIVER, 4)).isTrue();
        assertThat(queues.isSync(RECEIVER)).isTrue();
        assertThat(queues.nextToWake(RECEIVER)).isEqualTo(SENDER);
        assertThat(socket.await(NEAR, SENDER)).isFalse();
    }

    @Test
    void anAnswerWakesNobodyWhileTheOneThatWaitsForItIsStillAwakeForNothing() {
        assertThat(socket.send(NEAR, SENDER, 4, 0)).isTrue();
        assertThat(socket.await(NEAR, SENDER)).isFalse();
        assertThat(socket.receive(FAR, RECEIVER, 4)).isTrue();
        assertThat(queues.nextToWake(RECEIVER)).isEqualTo(SENDER);
        assertThat(socket.send(FAR, RECEIVER, 4, 0)).isTrue();
        assertThat(queues.nextToWake(RECEIVER)).isEqualTo(WaitQueues.NOBODY);
        assertThat(socket.await(NEAR, SENDER)).isTrue();
    }

    @Test
    void readingHalfOfAMessageWakesNobody() {
        assertThat(socket.send(NEAR, SENDER, 4, 0)).isTrue();
        assertThat(socket.await(NEAR, SENDER)).isFalse();
        assertThat(socket.receive(FAR, RECEIVER, 2)).isTrue();
        assertThat(queues.nextToWake(RECEIVER)).isEqualTo(WaitQueues.NOBODY);
        assertThat(socket.receive(FAR, RECEIVER, 2)).isTrue();
        assertThat(queues.nextToWake(RECEIVER)).isEqualTo(SENDER);
    }

    @Test
    void readingWakesNobodyWhileMoreThanAQuarterOfTheLimitIsCharged() {
        int quarter = Sockets.LIMIT / 4 / Sockets.trueSize(4);
        for (int message = 0; message < quarter + 2; message++) {
            assertThat(socket.send(NEAR, SENDER, 4, 0)).isTrue();
        }
        assertThat(socket.await(NEAR, SENDER)).isFalse();
        assertThat(socket.receive(FAR, RECEIVER, 4)).isTrue();
        assertThat(queues.nextToWake(RECEIVER)).isEqualTo(WaitQueues.NOBODY);
        assertThat(socket.receive(FAR, RECEIVER, 4)).isTrue();
        assertThat(queues.nextToWake(RECEIVER)).isEqualTo(SENDER);
    }

    @Test
    void aMessageAlsoWakesWhoWaitsForRoomAtTheSameEnd() {
        fill();
        assertThat(socket.await(NEAR, OTHER_SENDER)).isFalse();
        assertThat(socket.send(FAR, RECEIVER, 4, 0)).isTrue();
        assertThat(queues.nextToWake(RECEIVER)).isEqualTo(SENDER);
        assertThat(queues.nextToWake(RECEIVER)).isEqualTo(OTHER_SENDER);
        assertThat(socket.send(NEAR, SENDER, 100, 0)).isFalse();
    }

    @Test
    void whereEachEndIsUsedInOneDirectionNoWakeupIsInVain() {
        assertThat(socket.await(FAR, RECEIVER)).isFalse();
        assertThat(socket.send(NEAR, SENDER, 100, 0)).isTrue();
        assertThat(queues.nextToWake(SENDER)).isEqualTo(RECEIVER);
        assertThat(socket.receive(FAR, RECEIVER, 100)).isTrue();
        assertThat(queues.nextToWake(RECEIVER)).isEqualTo(WaitQueues.NOBODY);
    }
}
