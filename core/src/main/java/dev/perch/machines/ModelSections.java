package dev.perch.machines;

import dev.perch.model.Cost;
import dev.perch.model.CostItem;
import dev.perch.model.Frequencies;
import dev.perch.model.HardwareModel;
import dev.perch.model.IdleState;
import dev.perch.model.Nearest;
import dev.perch.model.SmtSpeed;
import dev.perch.model.Topology;
import dev.perch.yaml.YamlList;
import dev.perch.yaml.YamlMap;
import dev.perch.yaml.YamlScalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The sections of a machine file that make its hardware model: {@code costs}, {@code transfer}, {@code smt}, {@code idle},
 * {@code frequencies}, {@code workloads}, {@code speeds}.
 *
 * <p>Checked, each with the line: every cost item present; SMT speeds exactly where there is SMT; idle states that are slower to leave
 * the deeper they are; P-states ascending, with the nominal clock among them; turbo above them, and never faster with more active cores.
 */
final class ModelSections {
    private static final int MAX_NS = 1_000_000_000;
    private static final int MAX_KHZ = 20_000_000;

    private ModelSections() {}

    static HardwareModel read(Sourced root, Topology topology) {
        Cost[] costs = costs(root.section("costs"));
        return new HardwareModel(
                        costs,
                        TransferSection.read(root.section("transfer"), topology),
                        smt(root, topology),
                        idle(root.section("idle")),
                        frequencies(root.section("frequencies"), topology),
                        root.has("workloads") ? workloads(root.section("workloads")) : Map.of())
                .withSpeeds(SpeedSection.read(root, topology));
    }

    private static Cost[] costs(Sourced section) {
        List<String> names = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (CostItem item : CostItem.all()) {
            names.add(item.key());
            if (!section.has(item.key())) {
                missing.add(item.key());
            }
        }
        for (String key : section.keys()) {
            if (!names.contains(key)) {
                String near = Nearest.of(key, missing);
                throw section.map()
                        .errorAt(
                                key,
                                "unknown cost '" + key + "'",
                                Nearest.hint(key, near.isEmpty() ? names : List.of(near)));
            }
        }
        if (!missing.isEmpty()) {
            throw section.map().error("costs lacks " + String.join(", ", missing));
        }
        return names.stream().map(name -> cost(section.entry(name))).toArray(Cost[]::new);
    }

    private static Cost cost(Sourced entry) {
        YamlMap map = entry.map();
        int core = part(entry, "core");
        int wall = part(entry, "wall");
        int lines = part(entry, "lines");
        map.refuseOthers();
        if (!map.has("core") && !map.has("wall") && !map.has("lines")) {
            throw map.error(map.path() + " says no cost", "; write core, wall (nanoseconds) or lines");
        }
        return new Cost(core, wall, lines);
    }

    private static int part(Sourced entry, String key) {
        return entry.has(key) ? entry.scalar(key).integer(0, MAX_NS) : 0;
    }

    private static Map<String, Map<String, Cost>> workloads(Sourced section) {
        Map<String, Map<String, Cost>> workloads = new LinkedHashMap<>();
        for (String workload : section.keys()) {
            Sourced costs = section.section(workload);
            Map<String, Cost> byName = new LinkedHashMap<>();
            for (String name : costs.keys()) {
                byName.put(name, cost(costs.entry(name)));
            }
            workloads.put(workload, byName);
        }
        return workloads;
    }

    private static SmtSpeed smt(Sourced root, Topology topology) {
        if (!topology.hasSmt()) {
            if (root.has("smt")) {
                throw root.map().value("smt").error("smt is given, but every core has one thread", "; remove it");
            }
            return new SmtSpeed(1000, 1000, 0);
        }
        Sourced section = root.section("smt");
        int busy = mille(section.scalar("busy"));
        int polling = mille(section.scalar("polling"));
        int repartition = section.scalar("repartition-ns").integer(0, MAX_NS);
        section.map().refuseOthers();
        if (polling < busy) {
            throw section.map()
                    .value("polling")
                    .error(
                            "smt.polling is less than smt.busy",
                            "; a spinning sibling takes no more than an executing one");
        }
        return new SmtSpeed(busy, polling, repartition);
    }

    private static int mille(YamlScalar scalar) {
        double value = scalar.decimal();
        if (value < 0.001 || value > 1) {
            throw scalar.error(scalar.path() + " is " + scalar
                    + ", but must be a speed from 0.001 to 1, where 1 is that of the thread alone");
        }
        return (int) Math.round(value * 1000);
    }

    private static List<IdleState> idle(Sourced section) {
        YamlList list = section.map().list("states");
        section.map().refuseOthers();
        List<IdleState> states = new ArrayList<>();
        for (YamlMap map : list.maps()) {
            Sourced entry = section.entry(map);
            IdleState state = new IdleState(
                    entry.scalar("name").string(),
                    entry.scalar("exit-us").integer(0, MAX_NS),
                    entry.scalar("residency-us").integer(0, MAX_NS),
                    entry.scalar("real-exit-ns").integer(0, MAX_NS),
                    entry.scalar("votes").bool());
            map.refuseOthers();
            if (!states.isEmpty()) {
                checkDeeper(states.getLast(), state, map);
            }
            states.add(state);
        }
        if (states.isEmpty()) {
            throw list.error("idle.states is empty", "; write at least C1");
        }
        return states;
    }

    private static void checkDeeper(IdleState shallow, IdleState deep, YamlMap map) {
        String pair = "idle state " + deep.name() + " is deeper than " + shallow.name() + ", but ";
        if (deep.exitUs() <= shallow.exitUs()) {
            throw map.error(pair + "its exit-us is not larger");
        }
        if (deep.residencyUs() < shallow.residencyUs()) {
            throw map.error(pair + "its residency-us is smaller");
        }
        if (deep.realExitNs() < shallow.realExitNs()) {
            throw map.error(pair + "its real-exit-ns is smaller");
        }
        if (deep.votes() && !shallow.votes()) {
            throw map.error(pair + "only the deeper one votes");
        }
    }

    private static Frequencies frequencies(Sourced section, Topology topology) {
        Frequencies.Domain domain = section.scalar("domain").choice(Frequencies.Domain.class);
        Frequencies.Policy policy = section.has("policy")
                ? section.scalar("policy").choice(Frequencies.Policy.class)
                : Frequencies.Policy.CPU;
        YamlScalar nominal = section.scalar("nominal-khz");
        YamlList table = section.list("p-states-khz");
        List<Integer> pStates = khz(table);
        int latency = section.scalar("transition-latency-us").integer(0, MAX_NS);
        for (int i = 1; i < pStates.size(); i++) {
            if (pStates.get(i) <= pStates.get(i - 1)) {
                throw table.get(i)
                        .error(
                                table.get(i).path() + " (" + pStates.get(i) + ") is not above the one before it",
                                "; write them ascending");
            }
        }
        if (!pStates.contains(nominal.integer())) {
            throw nominal.error(nominal.path() + " (" + nominal + ") is none of p-states-khz");
        }
        int turboEntry = 0;
        List<Integer> bins = List.of();
        if (section.has("turbo")) {
            Sourced turbo = section.section("turbo");
            YamlScalar entry = turbo.scalar("entry-khz");
            YamlList list = turbo.list("bins-khz");
            turboEntry = entry.integer(1, MAX_KHZ);
            bins = khz(list);
            turbo.map().refuseOthers();
            checkTurbo(entry, list, bins, pStates.getLast(), topology);
        }
        section.map().refuseOthers();
        return new Frequencies(nominal.integer(), pStates, turboEntry, bins, latency, domain, policy);
    }

    private static List<Integer> khz(YamlList list) {
        List<Integer> khz = new ArrayList<>();
        list.forEach(item -> khz.add(item.asScalar().integer(1, MAX_KHZ)));
        if (khz.isEmpty()) {
            throw list.error(list.path() + " is empty");
        }
        return khz;
    }

    private static void checkTurbo(YamlScalar entry, YamlList list, List<Integer> bins, int top, Topology topology) {
        if (entry.integer() <= top) {
            throw entry.error(entry.path() + " (" + entry + ") is not above the highest P-state (" + top + ")");
        }
        int cores = 0;
        for (var set : topology.packages()) {
            cores = Math.max(cores, (int)
                    topology.cores().stream().filter(set::containsAll).count());
        }
        if (bins.size() > cores) {
            throw list.error(list.path() + " has " + bins.size() + " bins, but a package has " + cores + " cores");
        }
        for (int i = 0; i < bins.size(); i++) {
            String bin = list.get(i).path() + " (" + bins.get(i) + ")";
            if (bins.get(i) < top) {
                throw list.get(i).error(bin + " is below the highest P-state (" + top + ")");
            }
            if (i > 0 && bins.get(i) > bins.get(i - 1)) {
                throw list.get(i).error(bin + " is above the bin for fewer active cores");
            }
        }
    }
}
