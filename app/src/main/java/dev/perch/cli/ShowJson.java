package dev.perch.cli;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.KernelDifference;
import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.lab.Experiment;
import dev.perch.lab.Experiment.Block;
import dev.perch.lab.Experiment.Choice;
import dev.perch.lab.Experiment.Published;
import dev.perch.lab.Experiment.Reading;
import dev.perch.model.Cost;
import dev.perch.model.CostItem;
import dev.perch.model.CpuMask;
import dev.perch.model.HardwareModel;
import dev.perch.model.Machine;
import dev.perch.model.Topology;
import dev.perch.sim.workload.WorkloadKind;
import dev.perch.sim.workload.Workloads;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One thing in full as JSON. */
final class ShowJson {
    private ShowJson() {}

    static String kernel(Kernel kernel) {
        ObjectNode document = JsonText.document();
        ObjectNode node = document.putObject("kernel");
        node.put("expression", kernel.expression()).put("name", kernel.name()).put("version", kernel.release());
        strings(node.putArray("patches"), kernel.patches());
        ObjectNode rules = node.putObject("rules");
        ArrayNode notModelled = node.putArray("notModelled");
        kernel.rules().ids().forEach((kind, id) -> {
            rules.put(kind.key(), id);
            if (!kernel.isModelled(kind)) {
                notModelled.add(kind.key());
            }
        });
        ArrayNode parts = node.putArray("wakeup");
        kernel.wakeupSteps()
                .forEach(part ->
                        strings(parts.addObject().put("part", part.title()).putArray("steps"), part.steps()));
        ObjectNode features = node.putObject("features");
        kernel.features().forEach(features::put);
        ObjectNode tunables = node.putObject("tunables");
        kernel.tunables().forEach(tunables::put);
        strings(node.putArray("notes"), kernel.notes());
        return JsonText.write(document);
    }

    private static void scanLimits(ArrayNode array, SchedDomains domains) {
        ScanLimits.of(domains).forEach((cpus, limits) -> {
            ObjectNode table = array.addObject().put("cpus", cpus).putObject("limitByUtilisationPercent");
            for (int i = 0; i < limits.length; i++) {
                table.put(Integer.toString(ScanLimits.PERCENT[i]), limits[i]);
            }
        });
    }

    static String difference(KernelDifference difference) {
        ObjectNode document = JsonText.document();
        document.put("from", difference.from()).put("to", difference.to());
        ArrayNode rules = document.putArray("rules");
        difference.rules().forEach(change -> {
            ObjectNode node = rules.addObject();
            node.put("kind", change.kind()).put("from", change.from()).put("to", change.to());
            strings(node.putArray("removed"), change.removed());
            strings(node.putArray("added"), change.added());
        });
        values(document.putArray("features"), difference.features());
        values(document.putArray("tunables"), difference.tunables());
        return JsonText.write(document);
    }

    private static void values(ArrayNode array, List<KernelDifference.ValueChange> changes) {
        changes.forEach(change -> array.addObject()
                .put("name", change.name())
                .put("from", change.from())
                .put("to", change.to()));
    }

    static String workload(WorkloadKind workload) {
        ObjectNode document = JsonText.document();
        ObjectNode node = document.putObject("workload");
        node.put("name", workload.name())
                .put("title", workload.title())
                .put("source", workload.source())
                .put("metric", workload.metric())
                .put("higherIsBetter", workload.higherIsBetter());
        strings(node.putArray("options"), workload.options());
        strings(node.putArray("commonOptions"), Workloads.commonOptions());
        return JsonText.write(document);
    }

    static String machine(Machine machine, @Nullable Kernel kernel, @Nullable SchedDomains domains) {
        ObjectNode document = JsonText.document();
        ObjectNode node = document.putObject("machine");
        Topology topology = machine.topology();
        node.put("name", machine.name())
                .put("title", machine.title())
                .put("source", machine.source())
                .put("cpus", topology.cpuCount());
        masks(node.putArray("cores"), topology.cores());
        if (topology.hasClusters()) {
            masks(node.putArray("clusters"), topology.clusters());
        }
        masks(node.putArray("llcs"), topology.llcs());
        masks(node.putArray("packages"), topology.packages());
        masks(node.putArray("nodes"), topology.nodes());
        ArrayNode distances = node.putArray("nodeDistances");
        for (int from = 0; from < topology.nodes().size(); from++) {
            ArrayNode row = distances.addArray();
            for (int to = 0; to < topology.nodes().size(); to++) {
                row.add(topology.nodeDistance(from, to));
            }
        }
        node.put("reclaimDistance", topology.reclaimDistance());
        ArrayNode capacities = node.putArray("capacities");
        for (int cpu = 0; cpu < topology.cpuCount(); cpu++) {
            capacities.add(topology.capacity(cpu));
        }
        HardwareModel model = machine.model();
        if (model != null) {
            ObjectNode costs = node.putObject("costs");
            for (CostItem item : CostItem.all()) {
                cost(costs.putObject(item.key()), model.cost(item));
            }
            ObjectNode workloads = node.putObject("workloads");
            new TreeMap<>(model.workloads()).forEach((name, parts) -> {
                ObjectNode workload = workloads.putObject(name);
                new TreeMap<>(parts).forEach((part, cost) -> cost(workload.putObject(part), cost));
            });
        }
        ObjectNode origins = node.putObject("origins");
        machine.origins().forEach((path, origin) -> origins.put(path, origin.toString()));
        if (kernel != null && domains != null) {
            document.put("kernel", kernel.name());
            domains(document.putArray("domains"), domains, topology);
            if (kernel.has("SIS_UTIL")) {
                scanLimits(document.putArray("scanLimits"), domains);
            }
        }
        return JsonText.write(document);
    }

    private static void domains(ArrayNode array, SchedDomains domains, Topology topology) {
        for (int cpu = 0; cpu < topology.cpuCount(); cpu++) {
            ObjectNode node = array.addObject().put("cpu", cpu);
            ArrayNode chain = node.putArray("domains");
            for (SchedDomain domain = domains.lowest(cpu); domain != null; domain = domain.parent()) {
                ObjectNode level = chain.addObject()
                        .put("level", domain.name())
                        .put("span", domain.span().toString())
                        .put("flags", DomainFlags.names(domain.flags(), domains.rules()));
                ArrayNode groups = level.putArray("groups");
                for (int group = 0; group < domain.groupCount(); group++) {
                    groups.add(domain.group(group).toString());
                }
            }
        }
    }

    static String experiment(Experiment experiment) {
        ObjectNode document = JsonText.document();
        ObjectNode node = document.putObject("experiment");
        node.put("name", experiment.name())
                .put("title", experiment.title())
                .put("source", experiment.source())
                .put("metric", experiment.metric())
                .put("repeats", experiment.repeats())
                .put("durationNs", experiment.durationNs())
                .put("warmupNs", experiment.warmupNs());
        ArrayNode blocks = node.putArray("blocks");
        experiment.blocks().forEach(block -> block(blocks.addObject(), block));
        ArrayNode steps = node.putArray("calibrate");
        experiment.calibration().forEach(step -> {
            ObjectNode entry = steps.addObject();
            ObjectNode shares = entry.putObject("shares");
            step.shares().forEach(shares::put);
            entry.put("row", step.row().toString());
        });
        strings(node.putArray("notes"), experiment.notes());
        return JsonText.write(document);
    }

    private static void block(ObjectNode node, Block block) {
        node.put("title", block.title());
        choices(node.putObject("machines"), block.machines());
        choices(node.putObject("kernels"), block.kernels());
        choices(node.putObject("workloads"), block.workloads());
        ArrayNode readings = node.putArray("settings");
        for (Reading reading : block.readings()) {
            ObjectNode entry = readings.addObject().put("name", reading.label()).put("judged", reading.judged());
            SettingJson.write(entry.putObject("set"), reading.settings(), block.cpuset(), block.taskset());
        }
        ArrayNode published = node.putArray("published");
        for (Published value : block.published()) {
            ObjectNode entry =
                    published.addObject().put("row", value.row().toString()).put("value", value.value());
            if (value.role() != null) {
                entry.put("role", value.role().word());
            }
            entry.put("tolerance", value.tolerance());
        }
    }

    private static void choices(ObjectNode node, List<Choice> choices) {
        choices.forEach(choice -> node.put(choice.label(), choice.expression()));
    }

    private static void cost(ObjectNode node, Cost cost) {
        node.put("core", cost.coreNs()).put("wall", cost.wallNs()).put("lines", cost.lines());
    }

    private static void masks(ArrayNode array, List<CpuMask> masks) {
        masks.forEach(mask -> array.add(mask.toString()));
    }

    private static void strings(ArrayNode array, List<String> strings) {
        strings.forEach(array::add);
    }
}
