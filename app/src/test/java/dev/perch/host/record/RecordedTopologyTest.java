package dev.perch.host.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.host.HostTopology;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import dev.perch.trace.Recording;
import dev.perch.trace.Recordings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine with two cores of two threads, each core with a last-level cache of its own, told by both formats. */
class RecordedTopologyTest {
    @TempDir
    private Path folder;

    private HostTopology host(boolean withCaches) throws IOException {
        Path system = folder.resolve("sys");
        write(system.resolve("cpu/online"), "0-3");
        write(system.resolve("cpu/present"), "0-3");
        write(system.resolve("node/online"), "0");
        write(system.resolve("node/node0/cpulist"), "0-3");
        for (int cpu = 0; cpu < 4; cpu++) {
            Path own = system.resolve("cpu/cpu" + cpu);
            String core = cpu % 2 == 0 ? "0,2" : "1,3";
            write(own.resolve("topology/core_cpus_list"), core);
            write(own.resolve("topology/package_cpus_list"), "0-3");
            for (int index = 0; withCaches && index < 2; index++) {
                Path cache = own.resolve("cache/index" + index);
                write(cache.resolve("level"), index == 0 ? "1" : "3");
                write(cache.resolve("type"), index == 0 ? "Instruction" : "Unified");
                write(cache.resolve("shared_cpu_list"), core);
            }
        }
        return new HostTopology(system, Files.createDirectories(folder.resolve("proc")));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    private @Nullable Topology inTraceDat(HostTopology host) throws IOException {
        Path file = folder.resolve("trace.dat");
        byte[] nothing = new EventDescriptions(Tracefs.at(folder), List.of()).toBytes("6", 4096, new byte[0]);
        try (PageSpill pages = new PageSpill(folder.resolve("pages"), 1)) {
            new TraceDatFile()
                    .machine(host, 4, new RecordingNote("test", List.of()))
                    .write(file, nothing, List.of(0), pages, 4096);
        }
        return topology(file);
    }

    private @Nullable Topology inPerfData(HostTopology host) throws IOException {
        Path file = folder.resolve("perf.data");
        try (PerfDataFile data = new PerfDataFile(file, List.of())) {
            data.finishRound(); // without any record a file counts as cut off
            data.finish(PerfFeatureSections.ofMachine(host).sections());
        }
        return topology(file);
    }

    private static @Nullable Topology topology(Path file) {
        try (Recording recording = Recordings.open(file)) {
            return recording.head().topology();
        }
    }

    @Test
    void isReadBackFromBothFormats() throws IOException {
        HostTopology host = host(true);
        for (Topology topology : new Topology[] {inTraceDat(host), inPerfData(host)}) {
            assertThat(topology).isNotNull();
            assertThat(topology.cpuCount()).isEqualTo(4);
            assertThat(topology.smt(2)).isEqualTo(CpuMask.of(0, 2));
            assertThat(topology.llc(3)).isEqualTo(CpuMask.of(1, 3));
            assertThat(topology.packages()).containsExactly(CpuMask.range(0, 3));
        }
    }

    @Test
    void isNotInventedWhereTheMachineDoesNotTellItsCaches() throws IOException {
        HostTopology host = host(false);
        assertThat(inTraceDat(host)).isNull();
        assertThat(inPerfData(host)).isNull();
    }
}
