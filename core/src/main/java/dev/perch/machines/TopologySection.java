package dev.perch.machines;

import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import dev.perch.yaml.YamlList;
import dev.perch.yaml.YamlMap;
import dev.perch.yaml.YamlNode;
import dev.perch.yaml.YamlScalar;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code topology} of a machine file.
 *
 * <p>Checked, each with the line: every CPU in exactly one set of each kind; cores inside one cluster, LLC and node, clusters inside one
 * LLC, LLCs inside one package; distances square, symmetric, and remote larger than local; capacities at most once for each CPU, and one
 * CPU with the full one.
 */
final class TopologySection {
    private static final Pattern EVERY = Pattern.compile("every ([0-9]{1,4})");

    private final Sourced section;
    private final int cpus;

    private TopologySection(Sourced section) {
        this.section = section;
        cpus = section.scalar("cpus").integer(1, CpuMask.MAX_CPUS);
    }

    /** Sets of one kind with the places where they stand. */
    private record Sets(String word, List<CpuMask> masks, YamlNode node) {
        YamlNode place(int index) {
            return node instanceof YamlList list ? list.get(index) : node;
        }
    }

    static Topology read(Sourced section) {
        return new TopologySection(section).topology();
    }

    private Topology topology() {
        Sets cores = sets("cores", "core");
        Sets clusters = section.has("clusters") ? sets("clusters", "cluster") : null;
        Sets llcs = sets("llcs", "LLC");
        Sets packages = sets("packages", "package");
        Sets nodes = sets("nodes", "node");
        int[][] distances = distances(nodes);
        int[] capacities = capacities();
        int reclaimDistance = section.has("reclaim-distance")
                ? section.scalar("reclaim-distance").integer(10, 254)
                : Topology.USUAL_RECLAIM_DISTANCE;
        section.map().refuseOthers();
        checkInside(cores, clusters == null ? llcs : clusters);
        checkInside(cores, nodes);
        if (clusters != null) {
            checkInside(clusters, llcs);
        }
        checkInside(llcs, packages);
        @Nullable List<CpuMask> clusterMasks = clusters == null ? null : clusters.masks;
        return new Topology(cpus, cores.masks, clusterMasks, llcs.masks, packages.masks, nodes.masks, distances)
                .withCapacities(capacities)
                .withReclaimDistance(reclaimDistance);
    }

    private int[] capacities() {
        int[] capacities = new int[cpus];
        Arrays.fill(capacities, Topology.FULL_CAPACITY);
        if (!section.has("capacities")) {
            return capacities;
        }
        YamlList list = section.list("capacities");
        CpuMask seen = CpuMask.empty();
        for (YamlMap item : list.maps()) {
            CpuMask mask = item.cpuMask("cpus");
            int capacity = item.integer("capacity", 1, Topology.FULL_CAPACITY);
            item.refuseOthers();
            if (mask.isEmpty() || mask.last() >= cpus) {
                throw item.error(
                        item.path() + " names CPUs '" + mask + "', but the machine has CPUs 0-" + (cpus - 1));
            }
            if (seen.intersects(mask)) {
                throw item.error(item.path() + " names CPU " + seen.and(mask).first()
                        + ", which has a capacity already");
            }
            seen = seen.or(mask);
            for (int cpu : mask.toArray()) {
                capacities[cpu] = capacity;
            }
        }
        if (Arrays.stream(capacities).max().orElse(0) < Topology.FULL_CAPACITY) {
            throw list.error("no CPU has capacity " + Topology.FULL_CAPACITY, "; the largest CPUs have it");
        }
        return capacities;
    }

    private Sets sets(String key, String word) {
        YamlNode node = section.value(key);
        if (node instanceof YamlScalar scalar) {
            Matcher every = EVERY.matcher(scalar.string());
            if (!every.matches()) {
                throw scalar.error(
                        scalar.path() + " cannot be '" + scalar.string() + "'",
                        "; write a list of CPU lists, or every N for runs of N CPUs");
            }
            return new Sets(word, runs(Integer.parseInt(every.group(1)), scalar), node);
        }
        YamlList list = node.asList();
        List<CpuMask> masks = list.cpuMasks();
        checkPartition(new Sets(word, masks, list));
        return new Sets(word, masks, list);
    }

    private List<CpuMask> runs(int length, YamlScalar scalar) {
        if (length == 0 || cpus % length != 0) {
            throw scalar.error(scalar.path() + ": " + cpus + " CPUs cannot be divided into runs of " + length);
        }
        List<CpuMask> runs = new ArrayList<>();
        for (int from = 0; from < cpus; from += length) {
            runs.add(CpuMask.range(from, from + length - 1));
        }
        return runs;
    }

    private void checkPartition(Sets sets) {
        CpuMask all = CpuMask.range(0, cpus - 1);
        CpuMask seen = CpuMask.empty();
        for (int i = 0; i < sets.masks.size(); i++) {
            CpuMask mask = sets.masks.get(i);
            String what = sets.word + " " + i + " (" + mask + ")";
            if (mask.isEmpty()) {
                throw sets.place(i).error(sets.word + " " + i + " has no CPU");
            }
            if (!all.containsAll(mask)) {
                throw sets.place(i)
                        .error(what + " names CPU " + mask.minus(all).first() + ", but topology.cpus is " + cpus);
            }
            if (seen.intersects(mask)) {
                throw sets.place(i)
                        .error(what + " names CPU " + seen.and(mask).first() + ", which is in an earlier one already");
            }
            seen = seen.or(mask);
        }
        CpuMask missing = all.minus(seen);
        if (!missing.isEmpty()) {
            throw sets.node.error((missing.count() == 1 ? "CPU " : "CPUs ") + missing + " in no " + sets.word);
        }
    }

    private static void checkInside(Sets inner, Sets outer) {
        for (int i = 0; i < inner.masks.size(); i++) {
            CpuMask mask = inner.masks.get(i);
            if (outer.masks.stream().noneMatch(set -> set.containsAll(mask))) {
                throw inner.place(i)
                        .error(inner.word + " " + i + " (" + mask + ") does not lie inside one " + outer.word);
            }
        }
    }

    private int[][] distances(Sets nodes) {
        int count = nodes.masks.size();
        if (count == 1 && !section.has("distances")) {
            return new int[][] {{10}};
        }
        YamlList rows = section.list("distances");
        int[][] distances = new int[count][count];
        if (rows.size() != count) {
            throw rows.error("topology.distances has " + rows.size() + " rows for " + count + " nodes");
        }
        for (int from = 0; from < count; from++) {
            YamlList row = rows.get(from).asList();
            if (row.size() != count) {
                throw row.error(row.path() + " has " + row.size() + " numbers for " + count + " nodes");
            }
            for (int to = 0; to < count; to++) {
                distances[from][to] = row.get(to).asScalar().integer(10, 254);
            }
        }
        for (int from = 0; from < count; from++) {
            for (int to = 0; to < count; to++) {
                checkDistance(distances, from, to, rows.get(from));
            }
        }
        return distances;
    }

    private static void checkDistance(int[][] distances, int from, int to, YamlNode row) {
        int there = distances[from][to];
        if (from == to && there != 10) {
            throw row.error("distance of node " + from + " to itself is " + there, "; local is 10");
        }
        if (from != to && there == 10) {
            throw row.error("distance from node " + from + " to node " + to + " is 10, which means local");
        }
        if (there != distances[to][from]) {
            throw row.error("distance from node " + from + " to node " + to + " is " + there + ", but "
                    + distances[to][from] + " back");
        }
    }
}
