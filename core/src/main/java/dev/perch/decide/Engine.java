package dev.perch.decide;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.LoadWeights;
import dev.perch.kernel.load.IdleCores;
import dev.perch.kernel.load.ScanCost;
import dev.perch.kernel.placement.CpuView;
import dev.perch.kernel.placement.Placement;
import dev.perch.kernel.placement.PlacementRules;
import dev.perch.kernel.placement.StepRecorder;
import dev.perch.kernel.placement.WakeRequest;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.util.List;

/** A kernel's placement rules on a machine whose state is set by hand. Reusable, not for several threads at once. */
public final class Engine {
    private static final long PLENTY = 1L << 40;

    private final Topology topology;
    private final SchedDomains domains;
    private final PlacementRules rules;
    private final CpuView view;
    private final WakeRequest request = new WakeRequest();
    private final StepRecorder steps = new StepRecorder();
    private final boolean sisProp;
    private final IdleCores idleCores;

    /**
     * What the rules chose.
     *
     * @param cpu the CPU
     * @param steps what was asked on the way, a line each
     * @param probes CPUs looked at
     */
    public record Decision(int cpu, List<String> steps, int probes) {}

    /**
     * @param partitions sets of CPUs with sched domains of their own; empty for one of all CPUs
     * @throws InputException if a partition does not fit the machine or the kernel names rules that there are not
     */
    public Engine(Kernel kernel, Topology topology, List<CpuMask> partitions) {
        this.topology = topology;
        sisProp = kernel.has("SIS_PROP");
        domains = SchedDomains.build(
                topology,
                partitions.isEmpty() ? List.of(topology.cpus()) : partitions,
                DomainRules.named(kernel.rules().schedDomains()));
        rules = Placement.rules(kernel, topology, domains);
        view = Placement.view(kernel, domains);
        idleCores = new IdleCores(topology, domains, view.hasIdleCores);
    }

    /**
     * The whole decision, with the check of the affinity and its repair.
     *
     * @throws InputException if the situation names a CPU that the machine lacks
     */
    public Decision decide(Situation situation) {
        set(situation);
        int cpu = rules.select(request, view);
        return new Decision(cpu, steps.lines(), view.probeCount);
    }

    /**
     * The idle search alone, around {@code target}; what it returns is not checked against the affinity where the kernel does not.
     *
     * @throws InputException as {@link #decide}
     */
    public Decision search(Situation situation, int target) {
        set(situation);
        if (target < 0 || target >= topology.cpuCount()) {
            throw new InputException(
                    "--target names CPU " + target + ", but the machine has only CPUs 0-" + (topology.cpuCount() - 1));
        }
        int cpu = rules.selectIdleSibling(request, target, view);
        return new Decision(cpu, steps.lines(), view.probeCount);
    }

    private void set(Situation situation) {
        situation.check(topology.cpuCount());
        steps.clear();
        view.listenWith(steps);
        for (int cpu = 0; cpu < topology.cpuCount(); cpu++) {
            setCpu(situation, cpu);
        }
        if (situation.hasIdleCores().isEmpty()) {
            believeInIdleCores();
        }
        request.kind = situation.kind();
        request.thisCpu = situation.thisCpu();
        request.prevCpu = situation.prevCpu();
        request.sync = situation.sync();
        request.fromInterrupt = situation.fromInterrupt();
        request.wakerIsPerCpuKthread = situation.wakerIsPerCpuKthread();
        request.allow(situation.allowed().isEmpty() ? topology.cpus() : situation.allowed());
        boolean wakerRuns = situation.running(situation.thisCpu()) > 0;
        request.wakeeWeight = LoadWeights.NICE_0;
        request.wakerWeight = wakerRuns ? LoadWeights.NICE_0 : 0;
        request.wakeeLoad = LoadWeights.NICE_0;
        request.wakerLoad = request.wakerWeight;
        request.wakerFlips = situation.wakerFlips();
        request.wakeeFlips = situation.wakeeFlips();
        request.recentCpu = situation.recentCpu().orElse(situation.prevCpu());
        request.wakerRecentCpu = situation.thisCpu();
    }

    /** As if every idle CPU had just picked its idle thread. */
    private void believeInIdleCores() {
        for (int cpu = 0; cpu < topology.cpuCount(); cpu++) {
            if (view.currentIdle[cpu]) {
                idleCores.pickedIdle(cpu, other -> view.currentIdle[other]);
            }
        }
    }

    private void setCpu(Situation situation, int cpu) {
        int running = situation.running(cpu);
        long load = situation.loads().getOrDefault(cpu, running * LoadWeights.NICE_0);
        view.currentIdle[cpu] = running == 0;
        view.nrRunning[cpu] = running;
        view.schedIdle[cpu] = situation.schedIdle().contains(cpu) ? running : 0;
        view.load[cpu] = load;
        view.runnableLoad[cpu] = load;
        view.loadAvg[cpu] = load;
        view.utilAvg[cpu] = Math.min(1024, load);
        view.runnableAvg[cpu] = running * 1024L;
        view.hasIdleCores[cpu] = situation.hasIdleCores().orElse(false);
        view.nrIdleScan[cpu] = situation.nrIdleScan().orElse(Integer.MAX_VALUE - 1);
        setBudget(situation, cpu);
    }

    /** Average idle time and cost of a search such that SIS_PROP computes the wanted number for this CPU's LLC; plenty without it. */
    private void setBudget(Situation situation, int cpu) {
        boolean limited = sisProp && situation.sisPropNr().isPresent();
        long idle = limited ? situation.sisPropNr().getAsInt() : PLENTY;
        view.avgIdle[cpu] = ScanCost.IDLE_FRACTION * idle;
        view.wakeAvgIdle[cpu] = idle;
        view.wakeStamp[cpu] = view.tick;
        view.avgScanCost[cpu] = limited ? domains.llcSize(cpu) - 1L : 0;
    }
}
