package dev.perch.sim;

import dev.perch.kernel.cpufreq.CpuDemand;
import dev.perch.kernel.cpufreq.Governor;
import dev.perch.kernel.cpufreq.Performance;
import dev.perch.kernel.cpufreq.PolicyLoad;
import dev.perch.kernel.cpufreq.Powersave;
import dev.perch.kernel.cpufreq.SamplingGovernor;
import dev.perch.kernel.cpufreq.Schedutil;
import dev.perch.kernel.cpufreq.Userspace;
import dev.perch.model.CostItem;
import dev.perch.model.Frequencies;

/**
 * The frequency governors at work, one a policy (spec scheduler.md 6).
 *
 * <p>Until 4.6 a sampling governor is driven by a deferrable timer, which runs at a tick of one of the policy's CPUs and so never wakes an
 * idle one whose tick is stopped. From 4.9 on changes of utilisation drive it: enqueueing, dequeueing and ticks of busy CPUs, once the
 * sampling time is over; the sample is then taken by a kernel worker. schedutil acts at the same moments, in the scheduler itself.
 * Limitations: the worker costs time but is not a task of its own; no task waits for input or output, and none has a nice value.
 */
final class Governing {
    private final Run run;
    private final int[][] cpusOf;
    private final int[] policyOf;
    private final Governor[] governors;
    private final PolicyLoad[] loads;
    private final CpuTimes times;
    private final CpuDemand demand = new CpuDemand();
    private final int maxKhz;
    private final int nominalKhz;
    private final boolean timers;
    private final boolean callbacks;
    /** By policy: jiffy of the next sample, and ns of the next one that a change of utilisation leads to. */
    private final long[] dueJiffy;

    private final long[] dueNs;
    /** By CPU: how often it had gone idle when schedutil last looked. */
    private final int[] idleEntries;

    Governing(Run run) {
        this.run = run;
        Frequencies frequencies = run.machine.requireModel().frequencies();
        int[] table = frequencies.table(run.settings.turbo());
        maxKhz = table[table.length - 1];
        nominalKhz = frequencies.nominalKhz();
        times = new CpuTimes(run);
        Governors made = new Governors(run.machine, run.kernel, run.settings);
        cpusOf = ClockDomains.policies(run.machine);
        policyOf = new int[run.cpuCount];
        governors = new Governor[cpusOf.length];
        loads = new PolicyLoad[cpusOf.length];
        boolean anyTimer = false;
        boolean anyCallback = false;
        for (int policy = 0; policy < cpusOf.length; policy++) {
            for (int cpu : cpusOf[policy]) {
                policyOf[cpu] = policy;
            }
            governors[policy] = made.governor(cpusOf[policy].length);
            boolean driven = switch (governors[policy]) {
                case SamplingGovernor sampling -> {
                    anyTimer |= !sampling.isDrivenByScheduler();
                    yield sampling.isDrivenByScheduler();
                }
                case Schedutil _ -> true;
                case Performance _, Powersave _, Userspace _ -> false;
            };
            anyCallback |= driven;
            loads[policy] = made.load(cpusOf[policy].length, driven);
        }
        timers = anyTimer;
        callbacks = anyCallback;
        dueJiffy = new long[cpusOf.length];
        dueNs = new long[cpusOf.length];
        idleEntries = new int[run.cpuCount];
    }

    void begin() {
        long jiffies = run.interrupts.jiffies();
        for (int policy = 0; policy < governors.length; policy++) {
            if (governors[policy] instanceof SamplingGovernor governor) {
                dueJiffy[policy] = jiffies + governor.delayJiffies(jiffies, run.cpuCount);
                dueNs[policy] = governor.delayUs() * 1000;
            }
        }
    }

    /** A tick of a CPU: charges it if ticks are how idle time is known, and samples if that is due. */
    void tick(int cpu) {
        times.tick(cpu);
        if (callbacks && !run.cpus.isIdle(cpu)) {
            utilisationChanged(cpu);
        }
        if (!timers) {
            return;
        }
        int policy = policyOf[cpu];
        long jiffies = run.interrupts.jiffies();
        if (jiffies < dueJiffy[policy] || !(governors[policy] instanceof SamplingGovernor governor)) {
            return;
        }
        sample(cpu, policy, governor);
        dueJiffy[policy] = jiffies + governor.delayJiffies(jiffies, run.cpuCount);
        run.owe(cpu, CostItem.GOVERNOR_SAMPLE);
    }

    /** The utilisation of a CPU's root runqueue may have changed ({@code cpufreq_update_util}). */
    void utilisationChanged(int cpu) {
        if (!callbacks) {
            return;
        }
        int policy = policyOf[cpu];
        if (governors[policy] instanceof Schedutil governor) {
            follow(cpu, policy, governor);
        } else if (run.now >= dueNs[policy] && governors[policy] instanceof SamplingGovernor governor) {
            sample(cpu, policy, governor);
            dueNs[policy] = run.now + governor.delayUs() * 1000;
            run.owe(cpu, CostItem.GOVERNOR_SAMPLE);
            run.owe(cpu, CostItem.SWITCH_THREAD); // to the worker and back
            run.owe(cpu, CostItem.SWITCH_THREAD);
        }
    }

    private void follow(int cpu, int policy, Schedutil governor) {
        if (!governor.isDue(run.now)) {
            return;
        }
        int entries = run.idling.entries(cpu);
        boolean idleSince = entries != idleEntries[cpu];
        idleEntries[cpu] = entries;
        governor.begin();
        for (int member : cpusOf[policy]) {
            demand.fair = (int) run.loads.cpuUtil(member);
            demand.realTimeRunnable = run.runqueues[member].nrRealTime() > 0;
            governor.add(demand);
        }
        if (governor.decide(run.now, idleSince)) {
            request(cpu, policy, governor.requestKhz());
        }
    }

    private void sample(int cpu, int policy, SamplingGovernor governor) {
        int before = governor.requestKhz();
        int request;
        if (governor.isWithinPeriod()) {
            request = governor.finishPeriod();
        } else {
            PolicyLoad load = loads[policy];
            load.begin(governor.samplingRateUs());
            int[] members = cpusOf[policy];
            for (int i = 0; i < members.length; i++) {
                int member = members[i];
                load.add(i, times.wallUs(), times.idleUs(member), 0, 0, averageKhz(member), before);
            }
            request = governor.sample(load);
        }
        if (request != before) {
            request(cpu, policy, request);
        }
    }

    /** What APERF and MPERF make of the clock while the CPU was busy; their ratio has ten fractional bits. */
    private int averageKhz(int cpu) {
        long ratio = ((long) run.clocks.averageKhz(cpu, run.now) << 10) / nominalKhz;
        return (int) (maxKhz * ratio >> 10);
    }

    private void request(int cpu, int policy, int khz) {
        boolean changed = false;
        for (int member : cpusOf[policy]) {
            run.events.frequency(run.now, member, khz);
            changed |= run.clocks.request(member, khz, run.now);
        }
        if (changed) {
            run.owe(cpu, CostItem.CLOCK_CHANGE);
        }
    }
}
