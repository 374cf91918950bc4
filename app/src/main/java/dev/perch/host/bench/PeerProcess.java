package dev.perch.host.bench;

import dev.perch.host.linux.HostThread;
import dev.perch.host.linux.TaskUse;
import dev.perch.model.CpuMask;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A {@link Peer} in a process of its own, as seen from the one that started it. */
public final class PeerProcess implements AutoCloseable {
    private static final int LONGEST_END_SECONDS = 5;

    private final Process process;
    private final Writer requests;
    private final BufferedReader answers;

    /** Starts it; it is ready when it answers its first request. */
    public PeerProcess() {
        try {
            process = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            classPath(),
                            Peer.class.getName()))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("a second process cannot be started: " + e.getMessage(), e);
        }
        requests = process.outputWriter(StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Where the classes come from that a peer takes; what {@code java.class.path} says depends on who loads them. */
    private static String classPath() {
        return Stream.of(Peer.class, CpuMask.class)
                .map(PeerProcess::origin)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String origin(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Asks it to be the second end of a link. */
    void ask(LinkKind kind, CpuMask cpus, String address) {
        ask(kind.name(), cpus, address);
    }

    /** Asks it to yield on {@code cpus} until {@link YieldLoop#stop} of that file; what its thread went through, when it has ended. */
    public CompletableFuture<TaskUse> yieldOn(CpuMask cpus, Path file) {
        ask(Peer.YIELD, cpus, file.toString());
        return HostThread.start("yield-answer", this::answer);
    }

    private void ask(String kind, CpuMask cpus, String address) {
        try {
            requests.write(kind + ' ' + (cpus.isEmpty() ? "-" : cpus.toString()) + ' ' + address + '\n');
            requests.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the second process is gone", e);
        }
    }

    /** Waits for its answer: what its thread went through. */
    TaskUse answer() {
        try {
            String line = answers.readLine();
            String[] words = line == null ? new String[0] : line.split(" ");
            if (words.length == 4 && words[0].equals("done")) {
                return new TaskUse(Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
            }
            throw new IllegalStateException(
                    line == null ? "the second process has ended" : "the second process " + line);
        } catch (IOException e) {
            throw new UncheckedIOException("the second process is gone", e);
        }
    }

    /** Ends it, and waits until it has. */
    @Override
    public void close() {
        process.destroyForcibly()
                .onExit()
                .completeOnTimeout(process, LONGEST_END_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** CPU time it has used so far, ns. */
    long cpuNs() {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }
}
