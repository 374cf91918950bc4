package dev.perch.machines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.Cache;
import dev.perch.model.CpuMask;
import dev.perch.model.Distance;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import dev.perch.model.Topology;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HwlocXmlTest {
    @TempDir
    private Path folder;

    static Path resource(String name) throws URISyntaxException {
        return Path.of(
                Objects.requireNonNull(HwlocXmlTest.class.getResource(name)).toURI());
    }

    private Machine read(String text) throws Exception {
        return HwlocXml.read("box.xml", Files.writeString(folder.resolve("box.xml"), text));
    }

    private void refuses(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(InputException.class)
                .hasMessage(message.replace("FILE", folder.resolve("box.xml").toString()));
    }

    @Test
    void readsVersionOne() throws Exception {
        Machine machine = HwlocXml.read("box", resource("/hwloc/v1-two-nodes.xml"));
        Topology topology = machine.topology();
        assertThat(machine.title()).isEqualTo("8 CPUs: 2 nodes, 2 packages, 2 LLCs, 4 cores with up to 2 threads");
        assertThat(machine.model()).isNull();
        assertThat(topology.cores())
                .containsExactly(CpuMask.of(0, 4), CpuMask.of(1, 5), CpuMask.of(2, 6), CpuMask.of(3, 7));
        assertThat(topology.nodes()).containsExactly(CpuMask.of(0, 1, 4, 5), CpuMask.of(2, 3, 6, 7));
        assertThat(topology.packages()).isEqualTo(topology.nodes());
        assertThat(topology.llcs()).isEqualTo(topology.nodes());
        assertThat(topology.hasClusters()).isFalse();
        assertThat(topology.nodeDistance(0, 1)).isEqualTo(21);
        assertThat(topology.nodeDistance(1, 1)).isEqualTo(10);
        assertThat(machine.caches())
                .contains(
                        new Cache(3, "unified", 12288, CpuMask.of(0, 1, 4, 5)),
                        new Cache(1, "data", 32, CpuMask.of(3, 7)))
                .hasSize(10);
    }

    @Test
    void readsVersionTwoWithMemoryChildrenAndClusters() throws Exception {
        Machine machine = HwlocXml.read("box", resource("/hwloc/v2-clusters.xml"));
        Topology topology = machine.topology();
        assertThat(topology.cpuCount()).isEqualTo(40);
        assertThat(topology.packages()).containsExactly(CpuMask.range(0, 39));
        assertThat(topology.nodes()).containsExactly(CpuMask.range(0, 19), CpuMask.range(20, 39));
        assertThat(topology.llcs()).isEqualTo(topology.nodes());
        assertThat(topology.hasClusters()).isTrue();
        assertThat(topology.cluster(33)).isEqualTo(CpuMask.of(32, 33));
        assertThat(topology.distance(32, 33)).isEqualTo(Distance.CLUSTER);
        assertThat(topology.distance(31, 33)).isEqualTo(Distance.LLC);
        assertThat(topology.nodeDistance(0, 1)).isEqualTo(12);
        assertThat(machine.caches()).contains(new Cache(1, "instruction", 64, CpuMask.of(39)));
    }

    @Test
    void saysWhatItAssumesWhereTheFileSaysNothing() throws Exception {
        Machine machine = read("""
                <topology><object type="Machine" cpuset="0x3">
                <object type="PU" os_index="0" cpuset="0x1"/><object type="PU" os_index="1" cpuset="0x2"/>
                </object></topology>
                """);
        assertThat(machine.topology().cores()).hasSize(2);
        assertThat(machine.topology().llcs()).containsExactly(CpuMask.range(0, 1));
        assertThat(machine.origins())
                .containsEntry("topology.cores", assumed("no siblings told: every CPU is a core"))
                .containsEntry("topology.packages", assumed("no packages told: all CPUs are one"))
                .containsEntry("topology.llcs", assumed("no cache information: LLC = package"))
                .containsEntry("topology.nodes", assumed("no NUMA nodes told: all CPUs are one"));
    }

    private static Origin assumed(String text) {
        return new Origin(Origin.Kind.ASSUMED, text);
    }

    @Test
    void leavesOutProcessorsThatAreNotOnline() throws Exception {
        Machine machine = read("""
                <topology><object type="Machine" cpuset="0x7" online_cpuset="0x3">
                <object type="PU" os_index="0" cpuset="0x1"/><object type="PU" os_index="1" cpuset="0x2"/>
                <object type="PU" os_index="2" cpuset="0x4"/>
                </object></topology>
                """);
        assertThat(machine.topology().cpuCount()).isEqualTo(2);
    }

    @Test
    void refusesGapsInTheNumbers() {
        refuses(
                "<topology><object type=\"PU\" os_index=\"0\"/><object type=\"PU\" os_index=\"2\"/></topology>",
                "CPU 1 of FILE is offline or missing, and gaps in the CPU numbers are not supported;"
                        + " bring it online, or write a machine file");
    }

    @Test
    void refusesWhatIsNotATopologyOfHwloc() {
        refuses("<html/>", "the root element is <html>, but hwloc writes <topology> (FILE:1)");
        refuses("<topology/>", "FILE tells of no CPU");
        refuses("<topology>\n<object type=\"PU\"/></topology>", "<object> lacks the attribute os_index (FILE:2)");
        refuses("<topology>\n<object type=\"PU\" os_index=\"x\"/></topology>", "os_index 'x' is not a number (FILE:2)");
        refuses(
                "<topology>\n<object type=\"PU\" os_index=\"9000\"/></topology>",
                "os_index 9000, but at most 8192 CPUs are supported (FILE:2)");
        refuses(
                "<topology>\n<object type=\"Core\" cpuset=\"0xf...f\"/></topology>",
                "cpuset '0xf...f' is not a list of hexadecimal words (FILE:2)");
        refuses("<topology>\n<object type=\"Core\"/></topology>", "<object> lacks the attribute cpuset (FILE:2)");
    }

    @Test
    void refusesBrokenXmlInOneLine() {
        assertThatThrownBy(() -> read("<topology>\n<object></topology>"))
                .isInstanceOf(InputException.class)
                .hasMessageMatching("broken XML: [^\n]* \\(.*box.xml:2\\)");
        assertThatThrownBy(() -> read("no xml"))
                .isInstanceOf(InputException.class)
                .hasMessageMatching("broken XML: [^\n]* \\(.*box.xml:1\\)");
    }

    @Test
    void loadsNoExternalEntity() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "<object type=\"PU\" os_index=\"0\"/>");
        String text = "<!DOCTYPE topology [<!ENTITY x SYSTEM \"" + secret.toUri() + "\">]>\n<topology>&x;</topology>";
        assertThatThrownBy(() -> read(text)).isInstanceOf(InputException.class);
    }
}
