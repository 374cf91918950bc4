package dev.perch.machines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyTableTest {
    private static final String TWO_NODES = """
            {"box": {"cpus": 4, "smt": [[0, 2], [1, 3]], "llc": [[0, 2], [1, 3]], "node": [[0, 2], [1, 3]],
                     "cluster": null, "node_distance": 20}}
            """;

    @TempDir
    private Path folder;

    private Map<String, Topology> read(String text) throws IOException {
        return TopologyTable.read(Files.writeString(folder.resolve("machines.json"), text));
    }

    @Test
    void readsNodesThreadsAndTheirDistance() throws IOException {
        Topology box = Objects.requireNonNull(read(TWO_NODES).get("box"));
        assertThat(box.cpuCount()).isEqualTo(4);
        assertThat(box.smt(0).toArray()).containsExactly(0, 2);
        assertThat(box.nodeOf(3)).isEqualTo(1);
        assertThat(box.nodeDistance(0, 1)).isEqualTo(20);
        assertThat(box.hasClusters()).isFalse();
    }

    @Test
    void refusesNodesWithoutADistanceAndCpusInTwoSets() {
        assertThatThrownBy(() -> read(TWO_NODES.replace("20", "null")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("2 nodes, but no node_distance");
        assertThatThrownBy(() -> read(TWO_NODES.replace("\"llc\": [[0, 2]", "\"llc\": [[0, 1, 2]")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("CPU 1 is in LLC");
        assertThatThrownBy(() -> read("{\"box\": {\"cpus\": 4}}"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("smt");
        assertThatThrownBy(() -> TopologyTable.read(folder.resolve("none.json")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("none.json");
    }
}
