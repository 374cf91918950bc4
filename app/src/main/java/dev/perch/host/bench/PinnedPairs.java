package dev.perch.host.bench;

import dev.perch.model.CpuMask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** Pairs of processes that send each other messages, measured one after the other, bound to CPUs or free. */
public final class PinnedPairs implements AutoCloseable {
    private final long warmupNs;
    private final long durationNs;
    private final BooleanSupplier stopped;
    private final Path folder;
    private final PeerProcess peer;

    /** @param stopped asked now and then; once it is true a measurement ends with {@link StoppedException} */
    public PinnedPairs(long warmupNs, long durationNs, BooleanSupplier stopped) {
        this.warmupNs = warmupNs;
        this.durationNs = durationNs;
        this.stopped = stopped;
        try {
            folder = Files.createTempDirectory("perch-pairs");
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary folder can be made: " + e.getMessage(), e);
        }
        peer = new PeerProcess();
    }

    /**
     * µs an operation takes: a message there and one back.
     *
     * @param first CPUs of the end that begins; empty: all
     * @param second CPUs of the other one
     */
    public double microseconds(Benchmark benchmark, CpuMask first, CpuMask second) throws InterruptedException {
        LinkKind link = benchmark
                .link()
                .orElseThrow(() -> new IllegalArgumentException(benchmark.word() + " is not a pair of tasks"));
        PingPong.Spec spec = new PingPong.Spec(link, first, second, warmupNs, durationNs);
        return new PingPong(spec, folder, stopped).betweenProcesses(peer).microsecondsARound();
    }

    @Override
    public void close() {
        peer.close();
        try {
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
