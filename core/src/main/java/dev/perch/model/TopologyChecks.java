package dev.perch.model;

import java.util.Arrays;
import java.util.List;

/** What the sets and distances of a {@link Topology} must satisfy; what does not is an {@link InputException}. */
final class TopologyChecks {
    private TopologyChecks() {}

    /** For each CPU the index of the set that holds it; {@code what} is what a set is called in messages. */
    static int[] indexOf(List<CpuMask> sets, String what, int cpuCount) {
        int[] index = new int[cpuCount];
        Arrays.fill(index, -1);
        for (int i = 0; i < sets.size(); i++) {
            for (int cpu : sets.get(i).toArray()) {
                if (cpu >= cpuCount) {
                    throw new InputException(what + " " + i + " (" + sets.get(i) + ") names CPU " + cpu
                            + ", but the machine has only CPUs 0-" + (cpuCount - 1));
                }
                if (index[cpu] >= 0) {
                    throw new InputException("CPU " + cpu + " is in " + what + " " + index[cpu] + " and in " + what
                            + " " + i + "; every CPU belongs to exactly one");
                }
                index[cpu] = i;
            }
        }
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            if (index[cpu] < 0) {
                throw new InputException("CPU " + cpu + " is in no " + what + "; every CPU belongs to exactly one");
            }
        }
        return index;
    }

    /** Refuses a table from node to node that is not square, symmetric and larger than its diagonal. */
    static void distances(int[][] nodeDistance, int count) {
        if (nodeDistance.length != count) {
            throw new InputException("distance table has " + nodeDistance.length + " rows for " + count + " nodes");
        }
        for (int a = 0; a < count; a++) {
            if (nodeDistance[a].length != count) {
                throw new InputException("distance table row " + a + " has " + nodeDistance[a].length + " entries for "
                        + count + " nodes");
            }
            for (int b = 0; b < count; b++) {
                if (nodeDistance[a][b] != nodeDistance[b][a]) {
                    throw new InputException("distance from node " + a + " to node " + b + " is " + nodeDistance[a][b]
                            + " but " + nodeDistance[b][a] + " the other way; the table must be symmetric");
                }
                if (a != b && nodeDistance[a][b] <= nodeDistance[a][a]) {
                    throw new InputException("distance from node " + a + " to node " + b + " (" + nodeDistance[a][b]
                            + ") is not larger than the local one (" + nodeDistance[a][a] + ")");
                }
            }
        }
    }
}
