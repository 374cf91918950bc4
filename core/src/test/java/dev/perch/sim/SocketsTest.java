package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Expected: spec scheduler.md 9.1 and 9.4. */
class SocketsTest {
    private static final int SENDER = 1;
    private static final int OTHER_SENDER = 2;
    private static final int RECEIVER = 3;

    private final WaitQueues queues = new WaitQueues(Sockets.QUEUES, 5);
    private final Sockets socket = new Sockets(1, 5, queues, 0);

    private int fill() {
        int messages = 0;
        while (socket.send(0, SENDER, 100, 0)) {
            messages++;
        }
        return messages;
    }

    @Test
    void asManyMessagesAreInFlightAsTheLimitAllows() {
        // 90 to 280 messages of 100 bytes, by era
        assertThat(fill()).isBetween(90, 280);
        assertThat(socket.messages(0)).isBetween(90, 280);
    }

    @Test
    void eachMessageWakesAllThatWait() {
        assertThat(socket.receive(0, RECEIVER, 100)).isFalse();
        assertThat(socket.send(0, SENDER, 100, 0)).isTrue();
        assertThat(queues.isSync(SENDER)).isTrue();
        assertThat(queues.nextToWake(SENDER)).isEqualTo(RECEIVER);
    }

    @Test
    void aSenderIsLetOnWhenAQuarterOfTheLimitIsLeft() {
        int messages = fill();
        assertThat(socket.send(0, OTHER_SENDER, 100, 0)).isFalse();
        int received = 0;
        int woken = WaitQueues.NOBODY;
        while (woken == WaitQueues.NOBODY) {
            assertThat(socket.receive(0, RECEIVER, 100)).isTrue();
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
        assertThat(socket.send(0, SENDER, 60, 0)).isTrue();
        assertThat(socket.receive(0, RECEIVER, 100)).isFalse();
        assertThat(socket.send(0, SENDER, 60, 0)).isTrue();
        assertThat(socket.receive(0, RECEIVER, 100)).isTrue();
        assertThat(socket.messages(0)).isEqualTo(1);
    }
}
