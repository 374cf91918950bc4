package dev.perch.machines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.Cache;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import dev.perch.model.Topology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SysfsTopologyTest {
    private static final Pattern ATTACHING = Pattern.compile("CPU([0-9]+) attaching sched-domain");
    private static final Pattern DOMAIN = Pattern.compile("domain-[0-9]+: span=(\\S+) level=(\\S+)");

    @TempDir
    private Path folder;

    private static Path recording(String name) throws Exception {
        return HwlocXmlTest.resource("/recordings/" + name);
    }

    private static Topology topology(String recording) throws Exception {
        return SysfsTopology.folder("box", recording(recording)).topology();
    }

    private void write(String name, String text) throws Exception {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    private static Origin assumed(String text) {
        return new Origin(Origin.Kind.ASSUMED, text);
    }

    /** The kernel printed the spans of its sched domains: SMT spans the core, MC the last-level cache, the topmost everything. */
    @ParameterizedTest
    @ValueSource(strings = {"6.1-A-8cpu-1s4c2t", "6.1-B-4cpu-2s2c1t", "6.1-C-16cpu-2n4c2t-numa", "6.12-B-4cpu-2s2c1t"})
    void agreesWithTheSchedDomainsOfTheKernelThatWasRecorded(String recording) throws Exception {
        Topology topology = topology(recording);
        int cpu = -1;
        int checked = 0;
        for (String line : Files.readAllLines(recording(recording).resolve("machine/dmesg-domains.txt"))) {
            Matcher attaching = ATTACHING.matcher(line);
            Matcher domain = DOMAIN.matcher(line);
            if (attaching.find()) {
                cpu = Integer.parseInt(attaching.group(1));
            } else if (domain.find()) {
                CpuMask span = CpuMask.parse(domain.group(1));
                CpuMask ours = switch (domain.group(2)) {
                    case "SMT" -> topology.smt(cpu);
                    case "MC" -> topology.llc(cpu);
                    case "DIE", "PKG", "NUMA" -> topology.cpus();
                    default -> throw new AssertionError(line);
                };
                assertThat(ours).isEqualTo(span);
                checked++;
            }
        }
        assertThat(checked).isEqualTo(topology.cpuCount() * (topology.nodes().size() > 1 ? 3 : 2));
        assertThat(topology.hasClusters()).isFalse();
    }

    @Test
    void readsARecordingOfOneSocketWithFourCoresOfTwoThreads() throws Exception {
        Topology topology = topology("6.1-A-8cpu-1s4c2t");
        assertThat(topology.cpuCount()).isEqualTo(8);
        assertThat(topology.packages()).hasSize(1);
        assertThat(topology.cores()).hasSize(4).allMatch(core -> core.count() == 2);
        assertThat(topology.llcs()).hasSize(1);
    }

    @Test
    void readsARecordingOfTwoSocketsWithOneNode() throws Exception {
        Topology topology = topology("6.1-B-4cpu-2s2c1t");
        assertThat(topology.packages()).containsExactly(CpuMask.range(0, 1), CpuMask.range(2, 3));
        assertThat(topology.llcs()).isEqualTo(topology.packages());
        assertThat(topology.hasSmt()).isFalse();
        assertThat(topology.nodes()).containsExactly(CpuMask.range(0, 3));
    }

    @Test
    void readsARecordingOfTwoNodes() throws Exception {
        Machine machine = SysfsTopology.folder("box", recording("6.1-C-16cpu-2n4c2t-numa"));
        Topology topology = machine.topology();
        assertThat(topology.nodes()).containsExactly(CpuMask.range(0, 7), CpuMask.range(8, 15));
        assertThat(topology.nodeDistance(0, 1)).isEqualTo(20);
        assertThat(machine.caches()).contains(new Cache(3, "unified", 16384, CpuMask.range(8, 15)));
        assertThat(machine.title()).isEqualTo("16 CPUs: 2 nodes, 2 packages, 2 LLCs, 8 cores with up to 2 threads");
        assertThat(machine.origins()).containsOnlyKeys("topology", "caches");
    }

    @Test
    void theDumpItselfMayBeNamedToo() throws Exception {
        Path machine = recording("6.12-B-4cpu-2s2c1t").resolve("machine");
        assertThat(SysfsTopology.dump("box", machine.resolve("topology.txt"))
                        .topology()
                        .llcs())
                .hasSize(2);
        assertThat(SysfsTopology.folder("box", machine).topology().llcs()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"devices/system/", "sys/devices/system/", ""})
    void readsACopyOfTheFolders(String inside) throws Exception {
        for (int cpu = 0; cpu < 4; cpu++) {
            String pair = cpu < 2 ? "0-1" : "2-3";
            String at = inside + "cpu/cpu" + cpu;
            write(at + "/topology/thread_siblings_list", "" + cpu);
            write(at + "/topology/core_siblings_list", "0-3");
            write(at + "/cache/index0/level", "1");
            write(at + "/cache/index0/type", "Instruction");
            write(at + "/cache/index0/size", "64K");
            write(at + "/cache/index0/shared_cpu_list", "" + cpu);
            write(at + "/cache/index1/level", "2");
            write(at + "/cache/index1/type", "Unified");
            write(at + "/cache/index1/size", "2M");
            write(at + "/cache/index1/shared_cpu_list", pair);
            write(at + "/cache/index2/level", "3");
            write(at + "/cache/index2/type", "Unified");
            write(at + "/cache/index2/shared_cpu_list", "0-3");
        }
        write(inside + "cpu/online", "0-3");
        write(inside + "node/node0/cpulist", "0-3");
        write(inside + "node/node0/distance", "10");
        Machine machine = SysfsTopology.folder("box", folder);
        assertThat(machine.topology().clusters()).containsExactly(CpuMask.range(0, 1), CpuMask.range(2, 3));
        assertThat(machine.topology().llcs()).containsExactly(CpuMask.range(0, 3));
        assertThat(machine.caches())
                .contains(
                        new Cache(2, "unified", 2048, CpuMask.range(2, 3)),
                        new Cache(3, "unified", 0, CpuMask.range(0, 3)));
        assertThat(machine.origins()).containsOnlyKeys("topology", "caches");
    }

    @Test
    void takesTheClusterThatTheKernelNamesAndOnlyWhereThereIsOne() throws Exception {
        for (int cpu = 0; cpu < 8; cpu++) {
            write("cpu" + cpu + "/topology/core_cpus_list", "" + cpu);
            write("cpu" + cpu + "/topology/package_cpus_list", "0-7");
            write("cpu" + cpu + "/topology/cluster_cpus_list", cpu < 4 ? "" + cpu : "4-7");
        }
        Topology topology = SysfsTopology.folder("box", folder).topology();
        assertThat(topology.cluster(5)).isEqualTo(CpuMask.range(4, 7));
        assertThat(topology.cluster(2)).isEqualTo(CpuMask.of(2));
    }

    @Test
    void aContainerThatShowsOnlyTheCpusIsOnePackage() throws Exception {
        write("cpu0/uevent", "");
        write("cpu1/uevent", "");
        Machine machine = SysfsTopology.folder("box", folder);
        assertThat(machine.topology().cpuCount()).isEqualTo(2);
        assertThat(machine.origins())
                .containsEntry("topology.cores", assumed("no siblings told: every CPU is a core"))
                .containsEntry("topology.packages", assumed("no packages told: all CPUs are one"))
                .containsEntry("topology.llcs", assumed("no cache information: LLC = package"))
                .containsEntry("topology.nodes", assumed("no NUMA nodes told: all CPUs are one"));
    }

    @Test
    void oneCpuIsAMachineToo() throws Exception {
        write("cpu0/topology/core_cpus_list", "0");
        Machine machine = SysfsTopology.folder("box", folder);
        assertThat(machine.title()).isEqualTo("1 CPU: 1 node, 1 package, 1 LLC, 1 core");
    }

    @Test
    void cpusThatAreOfflineAboveTheOthersAreLeftOut() throws Exception {
        write("cpu/online", "0-1");
        write("cpu/cpu0/topology/core_cpus_list", "0");
        write("cpu/cpu1/topology/core_cpus_list", "1");
        write("cpu/cpu2/uevent", "");
        assertThat(SysfsTopology.folder("box", folder).topology().cpuCount()).isEqualTo(2);
    }

    @Test
    void cpusThatAreOfflineBelowAnotherAreRefused() throws Exception {
        write("cpu/online", "0,2,5");
        write("cpu/cpu0/topology/core_cpus_list", "0");
        assertThatThrownBy(() -> SysfsTopology.folder("box", folder))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "CPUs 1,3-4 of " + folder
                                + " are offline or missing, and gaps in the CPU numbers are not supported; bring them online, or write a machine file");
    }

    @Test
    void memoryOnlyNodesAreLeftOutAndThatIsSaid() throws Exception {
        for (int cpu = 0; cpu < 4; cpu++) {
            write("cpu/cpu" + cpu + "/topology/core_cpus_list", "" + cpu);
            write("cpu/cpu" + cpu + "/topology/package_cpus_list", cpu < 2 ? "0-1" : "2-3");
        }
        write("node/node0/cpulist", "0-1");
        write("node/node0/distance", "10 17 28");
        write("node/node2/cpulist", "");
        write("node/node2/distance", "17 10 28");
        write("node/node8/cpulist", "2-3");
        write("node/node8/distance", "28 28 10");
        Machine machine = SysfsTopology.folder("box", folder);
        assertThat(machine.topology().nodes()).containsExactly(CpuMask.range(0, 1), CpuMask.range(2, 3));
        assertThat(machine.topology().nodeDistance(0, 1)).isEqualTo(28);
        assertThat(machine.origins())
                .containsEntry(
                        "topology.nodes",
                        new Origin(Origin.Kind.MEASURED, "of nodes 0,2,8 those with CPUs, 0,8, numbered from 0"));
    }

    @Test
    void nodesWithoutDistancesAreAssumedToBeTwentyApart() throws Exception {
        write("cpu/cpu0/topology/core_cpus_list", "0");
        write("cpu/cpu1/topology/core_cpus_list", "1");
        write("node/node0/cpulist", "0");
        write("node/node1/cpulist", "1");
        Machine machine = SysfsTopology.folder("box", folder);
        assertThat(machine.topology().nodeDistance(1, 0)).isEqualTo(20);
        assertThat(machine.origins())
                .containsEntry("topology.distances", assumed("no distances told: 10 local, 20 remote"));
    }

    @Test
    void setsThatContradictEachOtherAreRefused() throws Exception {
        write("cpu0/topology/core_cpus_list", "0-1");
        write("cpu1/topology/core_cpus_list", "1");
        assertThatThrownBy(() -> SysfsTopology.folder("box", folder))
                .isInstanceOf(InputException.class)
                .hasMessage(folder
                        + " contradicts itself: CPU 1 is in core 0 and in core 1; every CPU belongs to exactly one");
    }

    @Test
    void unreadableValuesAreRefusedWithTheirFile() throws Exception {
        write("cpu0/topology/core_cpus_list", "zero");
        assertThatThrownBy(() -> SysfsTopology.folder("box", folder))
                .isInstanceOf(InputException.class)
                .hasMessageEndingWith("(cpu0/topology/core_cpus_list of " + folder + ")");
        write("cpu0/topology/core_cpus_list", "0");
        write("cpu0/cache/index0/level", "one");
        write("cpu0/cache/index0/type", "Data");
        write("cpu0/cache/index0/shared_cpu_list", "0");
        assertThatThrownBy(() -> SysfsTopology.folder("box", folder))
                .hasMessage("'one' is not a number (cpu0/cache/index0/level of " + folder + ")");
    }

    @Test
    void aLineOfADumpThatIsNoneIsRefusedWithItsNumber() throws Exception {
        write("topology.txt", "cpu0/topology/core_cpus_list 0\nhello");
        assertThatThrownBy(() -> SysfsTopology.folder("box", folder))
                .isInstanceOf(InputException.class)
                .hasMessage("'hello' is no line of a topology dump (" + folder.resolve("topology.txt") + ":2)");
    }

    @Test
    void capacitiesAreReadWhereTheKernelTellsThem() throws Exception {
        write("topology.txt", """
                cpu0/cpu_capacity 446
                cpu0/topology/core_cpus_list 0
                cpu1/cpu_capacity 1024
                cpu1/topology/core_cpus_list 1
                cpu2/topology/core_cpus_list 2""");
        Topology topology = SysfsTopology.folder("box", folder).topology();
        assertThat(topology.capacity(0)).isEqualTo(446);
        assertThat(topology.capacity(1)).isEqualTo(1024);
        assertThat(topology.capacity(2)).isEqualTo(1024);
        write("topology.txt", "cpu0/topology/core_cpus_list 0\ncpu0/cpu_capacity 2048");
        assertThatThrownBy(() -> SysfsTopology.folder("box", folder))
                .isInstanceOf(InputException.class)
                .hasMessage("capacity 2048 is not in 1..1024 (" + folder.resolve("topology.txt") + ":2)");
    }

    @Test
    void aWrongValueOfADumpIsRefusedWithItsLine() throws Exception {
        write("topology.txt", "cpu0/topology/core_cpus_list 0\ncpu0/topology/package_cpus_list zero");
        assertThatThrownBy(() -> SysfsTopology.folder("box", folder))
                .isInstanceOf(InputException.class)
                .hasMessageEndingWith("(" + folder.resolve("topology.txt") + ":2)");
        write(
                "topology.txt",
                "cpu0/topology/core_cpus_list 0\ncpu0/cache/index0 level=one type=Data shared_cpu_list=0");
        assertThatThrownBy(() -> SysfsTopology.folder("box", folder))
                .hasMessage("'one' is not a number (" + folder.resolve("topology.txt") + ":2)");
    }

    @Test
    void aDumpWhoseCpusContradictEachOtherIsRefusedWithTheLine() throws Exception {
        write("topology.txt", "cpu0/topology/core_cpus_list 0-1\n\ncpu1/topology/core_cpus_list 1");
        assertThatThrownBy(() -> SysfsTopology.folder("box", folder))
                .isInstanceOf(InputException.class)
                .hasMessage("cpu0/topology/core_cpus_list is 0-1, but that of CPU 1 is 1 ("
                        + folder.resolve("topology.txt") + ":3); was a file cut off or edited? copy it again");
        write("topology.txt", "cpu0/topology/core_cpus_list 0");
        write("nodes.txt", "node0 cpulist=0-1 distance=10");
        assertThatThrownBy(() -> SysfsTopology.folder("box", folder))
                .hasMessage("node0/cpulist names CPU 1, of which the topology tells nothing ("
                        + folder.resolve("nodes.txt") + ":1); was a file cut off or edited? copy it again");
    }

    /** Wherever the copy of a recording's dump broke off, the message names a file and a line; only the line end may be missing. */
    @ParameterizedTest
    @ValueSource(strings = {"6.1-A-8cpu-1s4c2t", "6.12-B-4cpu-2s2c1t"})
    void aDumpThatIsCutOffIsRefusedWithTheLine(String recording) throws Exception {
        Path machine = recording(recording).resolve("machine");
        String whole = Files.readString(machine.resolve("topology.txt"));
        write("nodes.txt", Files.readString(machine.resolve("nodes.txt")).strip());
        for (int end = 1; end < whole.length() - 1; end += 11) {
            String part = whole.substring(0, end);
            write("topology.txt", part);
            assertThatThrownBy(() -> SysfsTopology.folder("box", folder))
                    .as("cut after: %s", part.substring(part.lastIndexOf('\n') + 1))
                    .isInstanceOf(InputException.class)
                    .message()
                    .matches(".*(topology|nodes)\\.txt:[0-9]+\\).*")
                    .doesNotContain("\n");
        }
        write("topology.txt", whole.strip());
        assertThat(SysfsTopology.folder("box", folder).topology().cpus())
                .isEqualTo(topology(recording).cpus());
    }

    @Test
    void aFolderWithoutAMachineIsRefused() {
        assertThatThrownBy(() -> SysfsTopology.folder("box", folder))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        folder
                                + " holds no machine: neither cpu0, cpu or devices/system/cpu of a /sys, nor topology.txt of a recording");
    }
}
