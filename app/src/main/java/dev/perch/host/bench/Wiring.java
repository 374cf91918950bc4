package dev.perch.host.bench;

import dev.perch.host.linux.OpenFiles;
import dev.perch.host.linux.StreamSockets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Connects two ends, of two threads or of two processes. Whoever wires makes what both need, and names it in one line ({@link #address}); each
 * end is then made by the thread that uses it, the second from that line alone.
 *
 * <p>Pipes are named by the open files of the wiring process in proc, sockets by a path or a port, shared memory by a file.
 */
final class Wiring implements AutoCloseable {
    private static final String BLANK = " ";

    private final LinkKind kind;
    private final String address;
    /** What the wiring process has open: a listening socket; the ends of two pipes; nothing. */
    private final int[] files;

    /** @param folder for files that both ends see; whoever made it removes it */
    Wiring(LinkKind kind, Path folder) {
        this.kind = kind;
        switch (kind) {
            case PIPE -> {
                OpenFiles.Ends there = OpenFiles.pipe();
                OpenFiles.Ends back = OpenFiles.pipe();
                files = new int[] {there.first(), there.second(), back.first(), back.second()};
                address = openFile(there.first()) + BLANK + openFile(back.second());
            }
            case SOCKETPAIR -> {
                address = folder.resolve("socket").toString();
                files = new int[] {StreamSockets.listenAt(address)};
            }
            case TCP_RR -> {
                files = new int[] {StreamSockets.listenOnLoopback()};
                address = Integer.toString(StreamSockets.port(files[0]));
            }
            case FUTEX -> {
                address = folder.resolve("words").toString();
                files = new int[0];
                makeEmpty(Path.of(address));
            }
            default -> throw new IllegalStateException(kind.toString());
        }
    }

    private static void makeEmpty(Path file) {
        try {
            Files.write(file, new byte[(int) Link.Futex.BYTES]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String openFile(int file) {
        return "/proc/" + ProcessHandle.current().pid() + "/fd/" + file;
    }

    /** What the second end is made from. */
    String address() {
        return address;
    }

    /** The first end, for the calling thread; sockets wait until the second end connects. */
    Link first() {
        return switch (kind) {
            case PIPE -> new Link.Files(opened(files[2], false), opened(files[1], true));
            case SOCKETPAIR, TCP_RR -> {
                int socket = StreamSockets.accept(files[0]);
                yield new Link.Files(socket, socket);
            }
            case FUTEX -> futex(address, true);
        };
    }

    private static int opened(int file, boolean forWriting) {
        return OpenFiles.open(openFile(file), forWriting);
    }

    /** The second end, for the calling thread. */
    static Link second(LinkKind kind, String address) {
        return switch (kind) {
            case PIPE -> {
                int blank = address.indexOf(BLANK);
                yield new Link.Files(
                        OpenFiles.open(address.substring(0, blank), false),
                        OpenFiles.open(address.substring(blank + 1), true));
            }
            case SOCKETPAIR -> {
                int socket = StreamSockets.connectTo(address);
                yield new Link.Files(socket, socket);
            }
            case TCP_RR -> {
                int socket = StreamSockets.connectToLoopback(Integer.parseInt(address));
                yield new Link.Files(socket, socket);
            }
            case FUTEX -> futex(address, false);
        };
    }

    private static Link futex(String file, boolean first) {
        try (FileChannel channel = FileChannel.open(Path.of(file), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment shared = channel.map(FileChannel.MapMode.READ_WRITE, 0, Link.Futex.BYTES, Arena.ofAuto());
            return new Link.Futex(shared, first);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** To be called when both ends are gone, or will never be made. */
    @Override
    public void close() {
        for (int file : files) {
            OpenFiles.close(file);
        }
        if (kind == LinkKind.SOCKETPAIR || kind == LinkKind.FUTEX) {
            try {
                Files.deleteIfExists(Path.of(address));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
