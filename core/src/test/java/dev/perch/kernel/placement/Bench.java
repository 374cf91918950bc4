package dev.perch.kernel.placement;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.TestMachines;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

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
        Arrays.fill(view.schedIdle, 0);
    }

    /** Fills the bench with a random state, hidden state included, and asks from random CPUs; no scan is limited. */
    void randomise(Random random) {
        int cpus = topology.cpuCount();
        int busyOfTen = random.nextInt(11);
        CpuMask allowed = CpuMask.empty();
        for (int cpu = 0; cpu < cpus; cpu++) {
            run(cpu, random.nextInt(10) < busyOfTen ? 1 + random.nextInt(2) : 0, 1024);
            view.schedIdle[cpu] = random.nextInt(8) == 0 ? 1 : 0;
            view.hasIdleCores[cpu] = random.nextBoolean();
            if (random.nextInt(3) > 0) {
                allowed = allowed.or(CpuMask.of(cpu));
            }
        }
        request.allow(allowed.isEmpty() ? CpuMask.of(random.nextInt(cpus)) : allowed);
        request.recentCpu = random.nextInt(cpus);
        request.wakerIsPerCpuKthread = random.nextInt(8) == 0;
        ask(WakeKind.WAKE, random.nextInt(cpus), random.nextInt(cpus), random.nextBoolean());
        unlimited();
    }

    /** Averages and counts with which neither SIS_PROP nor SIS_UTIL nor SIS_AVG_CPU limits a scan. */
    void unlimited() {
        Arrays.fill(view.avgScanCost, 0);
        Arrays.fill(view.avgIdle, 1_000_000);
        Arrays.fill(view.wakeAvgIdle, 1_000_000);
        Arrays.fill(view.nrIdleScan, 1000);
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
