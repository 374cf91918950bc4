package dev.perch.sim.random;

import dev.perch.machines.Machines;
import dev.perch.model.Cost;
import dev.perch.model.CostItem;
import dev.perch.model.CpuMask;
import dev.perch.model.Distance;
import dev.perch.model.Frequencies;
import dev.perch.model.HardwareModel;
import dev.perch.model.LineTransfer;
import dev.perch.model.Machine;
import dev.perch.model.SmtSpeed;
import dev.perch.model.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Machines of 1 to 64 CPUs: threads, clusters, caches, packages and nodes in any combination, numbered in any way, with the costs, clocks and
 * idle states of a shipped machine, each number shaken.
 */
final class RandomMachines {
    private static final int MOST_CPUS = 64;

    private final List<HardwareModel> models;
    private final Map<String, Map<String, Cost>> workloads = new TreeMap<>();

    RandomMachines(Path home) {
        models = Machines.list(home).stream()
                .filter(entry -> entry.source().endsWith(".yaml"))
                .map(entry -> Machines.find(entry.name(), home).requireModel())
                .toList();
        for (HardwareModel model : models) {
            model.workloads()
                    .forEach((name, costs) -> costs.forEach((key, cost) -> workloads
                            .computeIfAbsent(name, _ -> new TreeMap<>())
                            .putIfAbsent(key, cost)));
        }
        workloads.computeIfAbsent("tcp-rr", _ -> new TreeMap<>()).putIfAbsent("kib", Cost.core(200));
    }

    Machine draw(Draws draws) {
        Topology topology = topology(draws);
        HardwareModel base = draws.of(models);
        HardwareModel model = model(draws, base, topology);
        if (draws.once(4)) {
            int[] capacity = capacities(draws, topology);
            topology = topology.withCapacities(capacity);
            int[] speed = new int[capacity.length];
            for (int cpu = 0; cpu < speed.length; cpu++) {
                speed[cpu] = Math.max(1, capacity[cpu] * HardwareModel.FULL_SPEED / Topology.FULL_CAPACITY);
            }
            model = model.withSpeeds(speed);
        }
        return new Machine("random", "drawn", "test", topology, List.of(), model, Map.of());
    }

    private static Topology topology(Draws draws) {
        int threads = draws.of(1, 1, 2, 2, 4);
        int cores = draws.of(1, 1, 2, 3, 4);
        int clusters = draws.of(1, 1, 2, 4);
        int llcs = draws.of(1, 1, 2, 3);
        int nodesOfPackage = draws.of(1, 1, 1, 2);
        int packages = draws.of(1, 1, 2, 4);
        while (threads * cores * clusters * llcs * nodesOfPackage * packages > MOST_CPUS) {
            packages = Math.max(1, packages / 2);
            llcs = packages == 1 ? Math.max(1, llcs - 1) : llcs;
            nodesOfPackage = packages == 1 ? 1 : nodesOfPackage;
            clusters = llcs == 1 ? Math.max(1, clusters / 2) : clusters;
        }
        int count = threads * cores * clusters * llcs * nodesOfPackage * packages;
        int[] number = numbering(draws, count, threads);
        List<CpuMask> coreSets = groups(number, threads);
        List<CpuMask> llcSets = groups(number, threads * cores * clusters);
        List<CpuMask> packageSets = groups(number, count / packages);
        int perNode = count / (packages * nodesOfPackage);
        if (nodesOfPackage == 1 && packages % 2 == 0 && draws.once(4)) {
            perNode *= 2; // two packages to a node
        }
        List<CpuMask> nodes = groups(number, perNode);
        int[][] distance = new int[nodes.size()][nodes.size()];
        for (int from = 0; from < nodes.size(); from++) {
            for (int to = 0; to <= from; to++) {
                distance[from][to] = from == to ? 10 : draws.of(12, 20, 21, 31, 32);
                distance[to][from] = distance[from][to];
            }
        }
        List<CpuMask> clusterSets = clusters > 1 ? groups(number, threads * cores) : null;
        return new Topology(count, coreSets, clusterSets, llcSets, packageSets, nodes, distance);
    }

    /** CPUs in the order of what they share: siblings side by side, all first threads first, or in any order. */
    private static int[] numbering(Draws draws, int count, int threads) {
        int[] number = new int[count];
        int way = draws.below(3);
        for (int i = 0; i < count; i++) {
            number[i] = way == 0 ? i % threads * (count / threads) + i / threads : i;
        }
        if (way == 2) {
            draws.shuffle(number);
        }
        return number;
    }

    private static List<CpuMask> groups(int[] number, int size) {
        List<CpuMask> groups = new ArrayList<>();
        for (int first = 0; first < number.length; first += size) {
            groups.add(CpuMask.of(java.util.Arrays.copyOfRange(number, first, first + size)));
        }
        return groups;
    }

    /** One for all CPUs of a last-level cache, the largest being full. */
    private static int[] capacities(Draws draws, Topology topology) {
        int[] capacity = new int[topology.cpuCount()];
        int full = draws.below(topology.llcs().size());
        for (int llc = 0; llc < topology.llcs().size(); llc++) {
            int common = llc == full ? Topology.FULL_CAPACITY : draws.between(200, 1024);
            for (int cpu : topology.llcs().get(llc).toArray()) {
                capacity[cpu] = common;
            }
        }
        return capacity;
    }

    private HardwareModel model(Draws draws, HardwareModel base, Topology topology) {
        Cost[] costs = new Cost[CostItem.all().length];
        for (CostItem item : CostItem.all()) {
            costs[item.ordinal()] = shaken(draws, base.cost(item));
        }
        long[] latency = new long[Distance.all().length];
        for (Distance distance : Distance.all()) {
            latency[distance.ordinal()] =
                    distance == Distance.CPU || distance == Distance.REMOTE ? 0 : draws.logBetween(10_000, 200_000);
        }
        int nodes = topology.nodes().size();
        long[][] remote = new long[nodes][nodes];
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                remote[from][to] = from == to ? 0 : draws.logBetween(50_000, 500_000);
            }
        }
        Map<String, Map<String, Cost>> shakenWorkloads = new HashMap<>();
        workloads.forEach((name, byKey) -> {
            Map<String, Cost> inner = new HashMap<>();
            byKey.forEach((key, cost) -> inner.put(key, shaken(draws, cost)));
            shakenWorkloads.put(name, inner);
        });
        SmtSpeed smt = new SmtSpeed(draws.between(400, 1000), draws.between(600, 1000), draws.of(0, 0, 500));
        Frequencies clocks = base.frequencies();
        return new HardwareModel(
                costs,
                new LineTransfer(draws.of(0, 20_000, 60_000), latency, remote),
                smt,
                base.idleStates(),
                clocks,
                shakenWorkloads);
    }

    private static Cost shaken(Draws draws, Cost cost) {
        return new Cost(shaken(draws, cost.coreNs()), shaken(draws, cost.wallNs()), cost.lines());
    }

    private static int shaken(Draws draws, int number) {
        return number == 0 ? 0 : (int) draws.logBetween(Math.max(1, number / 4), number * 4L);
    }
}
