package dev.perch.kernel.placement;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.TestMachines;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.Arrays;
import java.util.List;

/** A machine under a kernel's rules whose CPUs a test makes busy before it asks. */
final class Bench {
    final Topology topology;
    final SchedDomains domains;
    final PlacementRules rules;
    final CpuView view;
    final WakeRequest request = new WakeRequest();

    Bench(Kernel kernel, Topology topology, CpuMask partition) {
        this.topology = topology;
        domains = SchedDomains.build(
                topology, List.of(partition), DomainRules.named(kernel.rules().schedDomains()));
        rules = Placement.rules(kernel, topology, domains);
        view = Placement.view(kernel, domains);
        request.wakeeWeight = 1024;
        request.wakeeLoad = 1024;
        request.allow(topology.cpus());
    }

    Bench(Kernel kernel, String machine) {
        this(kernel, TestMachines.named(machine), TestMachines.named(machine).cpus());
    }

    void idleEverywhere() {
        Arrays.fill(view.currentIdle, true);
        Arrays.fill(view.nrRunning, 0);
        Arrays.fill(view.load, 0);
        Arrays.fill(view.runnableLoad, 0);
        Arrays.fill(view.loadAvg, 0);
        Arrays.fill(view.runnableAvg, 0);
        Arrays.fill(view.utilAvg, 0);
        Arrays.fill(view.wakePending, false);
    }

    void run(int cpu, int tasks, int weight) {
        view.currentIdle[cpu] = tasks == 0;
        view.nrRunning[cpu] = tasks;
        view.load[cpu] = (long) tasks * weight;
        view.runnableLoad[cpu] = view.load[cpu];
        view.loadAvg[cpu] = view.load[cpu];
        view.runnableAvg[cpu] = 1024L * tasks;
        view.utilAvg[cpu] = tasks == 0 ? 0 : 1024;
    }

    void run(CpuMask cpus) {
        for (int cpu : cpus.toArray()) {
            run(cpu, 1, 1024);
        }
    }

    int wake(int thisCpu, int prevCpu, boolean sync) {
        ask(WakeKind.WAKE, thisCpu, prevCpu, sync);
        return rules.select(request, view);
    }

    int place(WakeKind kind, int thisCpu) {
        ask(kind, thisCpu, thisCpu, false);
        return rules.select(request, view);
    }

    void ask(WakeKind kind, int thisCpu, int prevCpu, boolean sync) {
        request.kind = kind;
        request.thisCpu = thisCpu;
        request.prevCpu = prevCpu;
        request.sync = sync;
        request.wakerWeight = view.currentIdle[thisCpu] ? 0 : 1024;
        request.wakerLoad = request.wakerWeight;
    }
}
