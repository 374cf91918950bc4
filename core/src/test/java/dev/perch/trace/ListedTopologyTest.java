package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ListedTopologyTest {
    /** Two packages of two cores with two threads; the second-level cache is a core's, the third a package's. */
    private static final String TEXT = """
            perch 0.1.0
            cores 0,4 1,5 2,6 3,7
            packages 0-1,4-5 2-3,6-7
            nodes 0-1,4-5 2-3,6-7
            cache 2 0,4 1,5 2,6 3,7
            cache 3 0-1,4-5 2-3,6-7
            """;

    @Test
    void itsTextSaysWhoSharesWhat() {
        Topology topology = Objects.requireNonNull(ListedTopology.parse(TEXT).topology());
        assertThat(topology.cpuCount()).isEqualTo(8);
        assertThat(topology.llc(4)).isEqualTo(CpuMask.of(0, 1, 4, 5));
        assertThat(topology.hasClusters()).isFalse();
        assertThat(topology.nodes()).containsExactly(CpuMask.of(0, 1, 4, 5), CpuMask.of(2, 3, 6, 7));
    }

    @Test
    void isWrittenAsItIsRead() {
        assertThat("perch 0.1.0\n" + ListedTopology.parse(TEXT).text()).isEqualTo(TEXT);
    }

    @Test
    void isNoTopologyWithoutCachesOrWithContradictions() {
        assertThat(ListedTopology.parse("cores 0 1\npackages 0-1\nnodes 0-1\n").topology())
                .isNull();
        assertThat(ListedTopology.parse("cores 0-1 1\npackages 0-1\ncache 3 0-1\n")
                        .topology())
                .isNull();
        assertThat(ListedTopology.parse("3.1.6 (not a git repo)").topology()).isNull();
        assertThatThrownBy(() -> ListedTopology.parse("cores 1-0\n")).isInstanceOf(InputException.class);
    }
}
