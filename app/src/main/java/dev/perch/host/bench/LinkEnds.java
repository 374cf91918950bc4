package dev.perch.host.bench;

import dev.perch.host.linux.OpenFiles;
import dev.perch.host.linux.StreamSockets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The two ends of a link, for two threads or two processes: the files that each reads and writes. Futexes have none; threads share words of memory then.
 *
 * <p>Ends that no thread took are closed with this; a thread closes its own.
 */
final class LinkEnds implements AutoCloseable {
    /** What an end reads and writes; sockets do both. */
    private record End(int from, int to) {
        void close() {
            IntStream.of(from, to).distinct().forEach(OpenFiles::close);
        }
    }

    private final List<End> ends;
    private final MemorySegment words = Arena.ofAuto().allocate(Link.Futex.BYTES, Link.Futex.BYTES);
    private final boolean[] taken = new boolean[2];
    private boolean over;

    LinkEnds(LinkKind kind) {
        ends = switch (kind) {
            case PIPE -> {
                OpenFiles.Ends there = OpenFiles.pipe();
                OpenFiles.Ends back = OpenFiles.pipe();
                yield List.of(new End(back.first(), there.second()), new End(there.first(), back.second()));
            }
            case SOCKETPAIR -> sockets(StreamSockets.socketPair());
            case TCP_RR -> sockets(StreamSockets.loopbackPair());
            case FUTEX -> List.of();
        };
    }

    private static List<End> sockets(OpenFiles.Ends pair) {
        return List.of(new End(pair.first(), pair.first()), new End(pair.second(), pair.second()));
    }

    /** The files of an end, 0 or 1, for a process to inherit: what it reads and what it writes; none for futexes. */
    int[] files(int end) {
        return ends.isEmpty() ? new int[0] : new int[] {ends.get(end).from, ends.get(end).to};
    }

    /** An end, 0 or 1, for the calling thread. */
    synchronized Link link(int end) {
        if (over) {
            throw new IllegalStateException("the link is closed");
        }
        taken[end] = true;
        return ends.isEmpty() ? new Link.Futex(words, end == 0) : new Link.Files(ends.get(end).from, ends.get(end).to);
    }

    @Override
    public synchronized void close() {
        over = true;
        for (int end = 0; end < ends.size(); end++) {
            if (!taken[end]) {
                ends.get(end).close();
            }
        }
    }
}
