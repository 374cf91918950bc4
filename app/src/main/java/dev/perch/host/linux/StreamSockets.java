package dev.perch.host.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Stream sockets: of the Unix domain, and of TCP over the loopback interface. */
public final class StreamSockets {
    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int SOCK_STREAM = 1;
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_NODELAY = 1;

    private static final MethodHandle SOCKET_PAIR =
            NativeCalls.function("socketpair", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle SOCKET =
            NativeCalls.function("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle BIND =
            NativeCalls.function("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle LISTEN =
            NativeCalls.function("listen", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle ACCEPT =
            NativeCalls.function("accept4", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    private static final MethodHandle CONNECT =
            NativeCalls.function("connect", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SOCKET_NAME =
            NativeCalls.function("getsockname", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));

    private static final MethodHandle SET_OPTION = NativeCalls.function(
            "setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));

    private StreamSockets() {}

    /** Two stream sockets of the Unix domain that are connected to each other. */
    public static OpenFiles.Ends socketPair() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(2L * Integer.BYTES, Integer.BYTES);
            NativeCalls.check("socketpair", (int)
                    SOCKET_PAIR.invokeExact(NativeCalls.state(), AF_UNIX, SOCK_STREAM | OpenFiles.O_CLOEXEC, 0, ends));
            return new OpenFiles.Ends(ends.get(JAVA_INT, 0), ends.get(JAVA_INT, Integer.BYTES));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** Two TCP sockets of the loopback interface that are connected to each other. */
    public static OpenFiles.Ends loopbackPair() {
        int listening = listenOnLoopback();
        try {
            int second = connectToLoopback(port(listening));
            return new OpenFiles.Ends(accept(listening), second);
        } finally {
            OpenFiles.close(listening);
        }
    }

    /** A TCP socket of this machine's loopback interface that waits for {@link #accept}, at a port that the kernel chose. */
    public static int listenOnLoopback() {
        int socket = socket();
        listen(socket, loopback(0));
        return socket;
    }

    /** The port of {@link #listenOnLoopback}. */
    private static int port(int socket) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(16, 4);
            MemorySegment size = arena.allocateFrom(JAVA_INT, 16);
            NativeCalls.check("getsockname", (int) SOCKET_NAME.invokeExact(NativeCalls.state(), socket, address, size));
            return Short.toUnsignedInt(Short.reverseBytes(address.get(JAVA_SHORT, 2)));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    private static int connectToLoopback(int port) {
        int socket = socket();
        connect(socket, loopback(port));
        return socket;
    }

    /** Waits for somebody who connects. */
    private static int accept(int socket) {
        try {
            return NativeCalls.check("accept4", (int) ACCEPT.invokeExact(
                    NativeCalls.state(), socket, MemorySegment.NULL, MemorySegment.NULL, OpenFiles.O_CLOEXEC));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    /** Lets a TCP socket send each message at once, however short it is (TCP_NODELAY). */
    public static void sendAtOnce(int socket) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment on = arena.allocateFrom(JAVA_INT, 1);
            NativeCalls.check("setsockopt", (int)
                    SET_OPTION.invokeExact(NativeCalls.state(), socket, IPPROTO_TCP, TCP_NODELAY, on, Integer.BYTES));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    private static int socket() {
        try {
            return NativeCalls.check("socket", (int)
                    SOCKET.invokeExact(NativeCalls.state(), AF_INET, SOCK_STREAM | OpenFiles.O_CLOEXEC, 0));
        } catch (Throwable e) {
            throw NativeCalls.rethrown(e);
        }
    }

    private static void listen(int socket, byte[] address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, address);
            NativeCalls.check("bind", (int) BIND.invokeExact(NativeCalls.state(), socket, bytes, address.length));
            NativeCalls.check("listen", (int) LISTEN.invokeExact(NativeCalls.state(), socket, 1));
        } catch (Throwable e) {
            OpenFiles.close(socket);
            throw NativeCalls.rethrown(e);
        }
    }

    private static void connect(int socket, byte[] address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, address);
            NativeCalls.check("connect", (int) CONNECT.invokeExact(NativeCalls.state(), socket, bytes, address.length));
        } catch (Throwable e) {
            OpenFiles.close(socket);
            throw NativeCalls.rethrown(e);
        }
    }

    /** struct sockaddr_in of 127.0.0.1. */
    private static byte[] loopback(int port) {
        byte[] address = new byte[16];
        address[0] = AF_INET;
        address[2] = (byte) (port >>> Byte.SIZE);
        address[3] = (byte) port;
        address[4] = 127;
        address[7] = 1;
        return address;
    }
}
