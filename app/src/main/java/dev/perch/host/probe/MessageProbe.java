package dev.perch.host.probe;

import dev.perch.host.linux.OpenFiles;
import dev.perch.host.linux.StreamSockets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Messages of four bytes that one thread sends to itself, so that nobody is woken and nobody waits.
 *
 * <p>There are {@value #LANES} connections, each with one message at most. So every send finds an empty connection, as between two tasks that
 * answer each other, and one look at the clock serves several. Over sockets the next messages go the other way, so that acknowledgements
 * of TCP travel with data, as they do in netperf TCP_RR.
 */
final class MessageProbe implements AutoCloseable {
    private static final int LANES = 8;

    private final Blocks blocks;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment message = arena.allocate(Integer.BYTES, Integer.BYTES);
    private final int[] receivers = new int[LANES];
    private final int[] senders = new int[LANES];
    private final boolean bothWays;
    private int open;
    private int round;

    /** What messages go through. */
    enum Channel {
        PIPE,
        UNIX_SOCKETS,
        TCP
    }

    /** For the calling thread. */
    MessageProbe(Blocks blocks, Channel channel) {
        this.blocks = blocks;
        bothWays = channel != Channel.PIPE;
        try {
            for (; open < LANES; open++) {
                OpenFiles.Ends ends = switch (channel) {
                    case PIPE -> OpenFiles.pipe();
                    case UNIX_SOCKETS -> StreamSockets.socketPair();
                    case TCP -> connection();
                };
                receivers[open] = ends.first();
                senders[open] = ends.second();
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static OpenFiles.Ends connection() {
        OpenFiles.Ends pair = StreamSockets.loopbackPair();
        StreamSockets.sendAtOnce(pair.first());
        StreamSockets.sendAtOnce(pair.second());
        return pair;
    }

    /** ns of sending a message, the call into C included. */
    double[] sends() {
        return blocks.values(LANES, () -> {
            long ns = send();
            receive();
            return ns;
        });
    }

    /** ns of receiving a message that is there, the call into C included. */
    double[] receives() {
        return blocks.values(LANES, () -> {
            send();
            return receive();
        });
    }

    private long send() {
        round++;
        int[] to = bothWays && round % 2 == 0 ? receivers : senders;
        long start = System.nanoTime();
        for (int lane = 0; lane < LANES; lane++) {
            OpenFiles.write(to[lane], message, Integer.BYTES);
        }
        return System.nanoTime() - start;
    }

    private long receive() {
        int[] from = bothWays && round % 2 == 0 ? senders : receivers;
        long start = System.nanoTime();
        for (int lane = 0; lane < LANES; lane++) {
            OpenFiles.read(from[lane], message, Integer.BYTES);
        }
        return System.nanoTime() - start;
    }

    @Override
    public void close() {
        for (int lane = 0; lane < open; lane++) {
            OpenFiles.close(receivers[lane]);
            OpenFiles.close(senders[lane]);
        }
        arena.close();
    }
}
