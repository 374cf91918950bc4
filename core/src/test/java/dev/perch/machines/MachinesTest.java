package dev.perch.machines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.InputException;
import dev.perch.model.Machine;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

class MachinesTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));

    @TempDir
    private Path folder;

    @Test
    void findsAMachineByItsName() {
        Machine machine = Machines.find("e5620", HOME);
        assertThat(machine.name()).isEqualTo("e5620");
        assertThat(machine.model()).isNotNull();
    }

    @Test
    void findsAMachineByItsPath() throws Exception {
        Path copy = Files.copy(HOME.resolve("machines/q6600.yaml"), folder.resolve("mine.yaml"));
        assertThat(Machines.find(copy.toString(), HOME).name()).isEqualTo("mine");
        assertThat(Machines.find(
                                HwlocXmlTest.resource("/hwloc/v1-two-nodes.xml").toString(), HOME)
                        .topology()
                        .cpuCount())
                .isEqualTo(8);
        Path recording = HwlocXmlTest.resource("/recordings/6.1-B-4cpu-2s2c1t");
        assertThat(Machines.find(recording.toString(), HOME).topology().cpuCount())
                .isEqualTo(4);
        assertThat(Machines.find(recording.resolve("machine/topology.txt").toString(), HOME)
                        .topology()
                        .cpuCount())
                .isEqualTo(4);
    }

    static boolean onLinuxWithoutOfflineCpus() throws Exception {
        Path online = Path.of("/sys/devices/system/cpu/online");
        return Files.exists(online) && Files.readString(online).strip().matches("0(-[0-9]+)?");
    }

    @Test
    @EnabledIf("onLinuxWithoutOfflineCpus")
    void findsTheHost() throws Exception {
        Machine host = Machines.find("host", HOME);
        String online =
                Files.readString(Path.of("/sys/devices/system/cpu/online")).strip();
        assertThat(host.topology().cpus()).hasToString(online);
        assertThat(host.model()).isNull();
        assertThat(host.origins()).containsKey("topology");
        assertThat(TopologyDrawing.draw(host)).contains("No costs");
    }

    @Test
    void suggestsTheNearestName() {
        assertThatThrownBy(() -> Machines.find("e5602", HOME))
                .isInstanceOf(InputException.class)
                .hasMessage("unknown machine 'e5602'; did you mean 'e5620'?");
        assertThatThrownBy(() -> Machines.find("hsot", HOME))
                .hasMessage("unknown machine 'hsot'; did you mean 'host'?");
        assertThatThrownBy(() -> Machines.find("zen", HOME))
                .hasMessage(
                        "unknown machine 'zen'; known are alder-lake-12900k, e5620, epyc-7r13, kunpeng-920, nehalem-ex-8s, "
                                + "q6600, rk3588, westmere-ex-10c, westmere-ex-4s, xeon-8275cl, host");
    }

    @Test
    void saysThatAFileIsNotThere() {
        assertThatThrownBy(() -> Machines.find("./mine.yaml", HOME))
                .isInstanceOf(InputException.class)
                .hasMessage("there is no machine file ./mine.yaml");
        assertThatThrownBy(() -> Machines.find("\0", HOME)).isInstanceOf(InputException.class);
    }

    @Test
    void refusesAFileOfAnotherKind() throws Exception {
        Path file = Files.writeString(folder.resolve("trace.dat"), "");
        assertThatThrownBy(() -> Machines.find(file.toString(), HOME))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "machine " + file
                                + " has none of the endings .yaml (machine file), .xml (hwloc), .txt (a recording's topology.txt)");
    }

    @Test
    void listsTheMachinesWithTitleAndSource() {
        assertThat(Machines.list(HOME))
                .extracting(Machines.Entry::name)
                .containsExactly(
                        "alder-lake-12900k",
                        "e5620",
                        "epyc-7r13",
                        "kunpeng-920",
                        "nehalem-ex-8s",
                        "q6600",
                        "rk3588",
                        "westmere-ex-10c",
                        "westmere-ex-4s",
                        "xeon-8275cl",
                        "host");
        assertThat(Machines.list(HOME).get(1))
                .isEqualTo(new Machines.Entry(
                        "e5620",
                        "Xeon E5620 (Westmere-EP), one socket, 4 cores x 2 threads, 2.4 GHz",
                        HOME.resolve("machines/e5620.yaml").toString()));
    }

    @Test
    void aBrokenFileDoesNotHideTheOthers() throws Exception {
        Files.createDirectory(folder.resolve("machines"));
        Path broken = Files.writeString(folder.resolve("machines/broken.yaml"), "titel: x\n");
        Files.copy(HOME.resolve("machines/q6600.yaml"), folder.resolve("machines/q6600.yaml"));
        assertThat(Machines.list(folder)).extracting(Machines.Entry::name).containsExactly("broken", "q6600", "host");
        assertThat(Machines.list(folder).getFirst().title()).isEqualTo("missing key 'title' (" + broken + ":1)");
    }

    @Test
    void aHomeWithoutMachinesHasOnlyTheHost() {
        assertThat(Machines.list(folder)).extracting(Machines.Entry::name).containsExactly("host");
    }
}
