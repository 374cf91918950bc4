package dev.perch.report.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What stands for a CPU on machines small and large. */
class CpuGroupsTest {
    /** Nodes of last-level caches of cores of two threads, numbered as on x86: second threads after all first ones. */
    private static Topology machine(int nodes, int llcsPerNode, int coresPerLlc) {
        int cores = nodes * llcsPerNode * coresPerLlc;
        List<CpuMask> coreMasks = new ArrayList<>();
        List<CpuMask> llcs = new ArrayList<>();
        List<CpuMask> nodeMasks = new ArrayList<>();
        for (int core = 0; core < cores; core++) {
            CpuMask mask = CpuMask.of(core, core + cores);
            coreMasks.add(mask);
            add(llcs, core / coresPerLlc, mask);
            add(nodeMasks, core / coresPerLlc / llcsPerNode, mask);
        }
        int[][] distance = new int[nodes][nodes];
        for (int a = 0; a < nodes; a++) {
            for (int b = 0; b < nodes; b++) {
                distance[a][b] = a == b ? 10 : 20;
            }
        }
        return new Topology(2 * cores, coreMasks, null, llcs, nodeMasks, nodeMasks, distance);
    }

    private static void add(List<CpuMask> masks, int index, CpuMask mask) {
        if (index == masks.size()) {
            masks.add(mask);
        } else {
            masks.set(index, masks.get(index).or(mask));
        }
    }

    private static List<String> labels(CpuGroups groups) {
        return groups.groups().stream().map(CpuGroups.Group::label).toList();
    }

    @Test
    void smallMachinesShowEachCpuInTheOrderOfTheMachine() {
        Topology topology = machine(1, 1, 4);
        CpuGroups groups = CpuGroups.of(topology.cpus(), topology);
        assertThat(labels(groups)).containsExactly("0", "4", "1", "5", "2", "6", "3", "7");
        assertThat(groups.borderKind()).isEqualTo("core");
        assertThat(groups.borders()).containsExactly(false, false, true, false, true, false, true, false);
    }

    @Test
    void onlyCpusThatAreUsedAreShown() {
        Topology topology = machine(1, 1, 4);
        assertThat(labels(CpuGroups.of(CpuMask.of(1, 3, 5), topology))).containsExactly("1", "5", "3");
    }

    @Test
    void hundredAndTwentyEightCpusAreShownByCore() {
        Topology topology = machine(2, 2, 16);
        CpuGroups groups = CpuGroups.of(topology.cpus(), topology);
        assertThat(groups.kind()).isEqualTo("core");
        assertThat(groups.groups()).hasSize(64);
        assertThat(groups.groups().getFirst().cpus()).isEqualTo(CpuMask.of(0, 64));
        assertThat(groups.borderKind()).isEqualTo("LLC");
        assertThat(groups.borders().stream().filter(border -> border)).hasSize(3);
    }

    @Test
    void twoHundredAndFiftySixCpusAreShownByLastLevelCache() {
        Topology topology = machine(2, 8, 8);
        CpuGroups groups = CpuGroups.of(topology.cpus(), topology);
        assertThat(groups.kind()).isEqualTo("LLC");
        assertThat(groups.groups()).hasSize(16);
        assertThat(groups.groups().get(1).label()).isEqualTo("LLC 1");
        assertThat(groups.groups().stream()
                        .mapToInt(group -> group.cpus().count())
                        .sum())
                .isEqualTo(256);
    }

    @Test
    void withoutATopologyNeighboursByNumberAreTakenTogether() {
        CpuGroups groups = CpuGroups.of(CpuMask.range(0, 129), null);
        assertThat(groups.groups()).hasSizeLessThanOrEqualTo(CpuGroups.MOST);
        assertThat(groups.groups().getFirst().cpus().count()).isEqualTo(3);
        assertThat(groups.groups().stream()
                        .mapToInt(group -> group.cpus().count())
                        .sum())
                .isEqualTo(CpuMask.range(0, 129).count());
    }

    @Test
    void wakeupsAreCountedByBothCpus() {
        WakeMatrix matrix = new WakeMatrix();
        matrix.add(1, 3);
        matrix.add(1, 3);
        matrix.add(200, 0);
        matrix.add(-1, 0);
        matrix.add(0, 5000);
        assertThat(matrix.count(1, 3)).isEqualTo(2);
        assertThat(matrix.count(200, 0)).isEqualTo(1);
        assertThat(matrix.count(3, 1)).isZero();
        assertThat(matrix.total()).isEqualTo(3);
        assertThat(matrix.unknown()).isEqualTo(2);
        assertThat(matrix.cpus()).isEqualTo(CpuMask.of(0, 1, 3, 200));
    }
}
