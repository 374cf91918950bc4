package dev.perch.sim;

import dev.perch.model.Frequencies;
import dev.perch.model.Machine;
import dev.perch.model.Topology;

/**
 * What the hardware makes of the clocks that governors request.
 *
 * <p>CPUs of a domain (a core, the CPUs of an LLC, a package) run at one clock: the highest request among those whose core is not in a
 * deep idle state. At the turbo entry the real clock depends on how many cores of the package are not in a deep idle state. Source:
 * spec scheduler.md 6.1, what the hardware does with per-core requests. Limitations: a change takes effect at once; thermal and
 * current limits are not modelled.
 */
final class ClockDomains {
    private final Frequencies frequencies;
    private final Processors processors;
    private final int[] domainOf;
    private final int[][] cpusOfDomain;
    private final int[] requestKhz;
    private final int[] effectiveKhz;
    private final boolean[] votes;
    private final int[] packageOf;
    private final int[] coreOf;
    private final int[] votersOfCore;
    private final int[] activeCoresOfPackage;
    private final int[][] domainsOfPackage;
    /** Not in an idle state (C0), since when, and the cycles before that: kHz × ns. */
    private final boolean[] running;

    private final long[] since;
    private final long[] cycles;
    private final long[] runningNs;

    ClockDomains(Machine machine, Processors processors, int initialKhz, long now) {
        this.processors = processors;
        frequencies = machine.requireModel().frequencies();
        Topology topology = machine.topology();
        int cpuCount = topology.cpuCount();
        domainOf = new int[cpuCount];
        packageOf = new int[cpuCount];
        coreOf = new int[cpuCount];
        requestKhz = new int[cpuCount];
        votes = new boolean[cpuCount];
        running = new boolean[cpuCount];
        since = new long[cpuCount];
        cycles = new long[cpuCount];
        runningNs = new long[cpuCount];
        java.util.Arrays.fill(running, true);
        votersOfCore = new int[topology.cores().size()];
        activeCoresOfPackage = new int[topology.packages().size()];
        int domains = 0;
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            domainOf[cpu] = domainOf(frequencies, topology, cpu);
            domains = Math.max(domains, domainOf[cpu] + 1);
            packageOf[cpu] = topology.packageOf(cpu);
            coreOf[cpu] = topology.coreOf(cpu);
            requestKhz[cpu] = initialKhz;
        }
        effectiveKhz = new int[domains];
        cpusOfDomain = new int[domains][];
        for (int domain = 0; domain < domains; domain++) {
            cpusOfDomain[domain] = members(domainOf, domain);
        }
        domainsOfPackage = new int[activeCoresOfPackage.length][];
        for (int index = 0; index < activeCoresOfPackage.length; index++) {
            domainsOfPackage[index] = topology.packages().get(index).toArray();
            for (int i = 0; i < domainsOfPackage[index].length; i++) {
                domainsOfPackage[index][i] = domainOf[domainsOfPackage[index][i]];
            }
            domainsOfPackage[index] = java.util.Arrays.stream(domainsOfPackage[index])
                    .sorted()
                    .distinct()
                    .toArray();
        }
        for (int domain = 0; domain < domains; domain++) {
            effectiveKhz[domain] = frequencies.effectiveKhz(initialKhz, 1);
            apply(domain, now);
        }
    }

    private static int domainOf(Frequencies frequencies, Topology topology, int cpu) {
        return switch (frequencies.domain()) {
            case CORE -> topology.coreOf(cpu);
            case CLUSTER -> topology.clusterOf(cpu);
            case LLC -> topology.llcOf(cpu);
            case PACKAGE -> topology.packageOf(cpu);
        };
    }

    /** The CPUs of each policy: those of a domain if they share one request, else each CPU by itself. */
    static int[][] policies(Machine machine) {
        Frequencies frequencies = machine.requireModel().frequencies();
        int[] policyOf = new int[machine.topology().cpuCount()];
        int policies = 0;
        for (int cpu = 0; cpu < policyOf.length; cpu++) {
            policyOf[cpu] = switch (frequencies.policy()) {
                case CPU -> cpu;
                case DOMAIN -> domainOf(frequencies, machine.topology(), cpu);
            };
            policies = Math.max(policies, policyOf[cpu] + 1);
        }
        int[][] members = new int[policies][];
        for (int policy = 0; policy < policies; policy++) {
            members[policy] = members(policyOf, policy);
        }
        return members;
    }

    private static int[] members(int[] indexOf, int index) {
        return java.util.stream.IntStream.range(0, indexOf.length)
                .filter(cpu -> indexOf[cpu] == index)
                .toArray();
    }

    /** The clock that a governor last requested for a CPU. */
    int requestKhz(int cpu) {
        return requestKhz[cpu];
    }

    /** The clock at which a CPU really runs. */
    int effectiveKhz(int cpu) {
        return effectiveKhz[domainOf[cpu]];
    }

    /** The clock that counts as full for invariance: the highest there is with four active cores. */
    int fullKhz(boolean turbo) {
        int[] table = frequencies.table(turbo);
        return frequencies.effectiveKhz(table[table.length - 1], 4);
    }

    /** A governor requests a clock. Returns whether the clock of the CPU's domain changed. */
    boolean request(int cpu, int khz, long now) {
        requestKhz[cpu] = khz;
        return votes[cpu] && update(domainOf[cpu], now);
    }

    /** A CPU's core takes part in the choice of the clock, or, in a deep idle state, does not. */
    void setVotes(int cpu, boolean takesPart, long now) {
        if (votes[cpu] == takesPart) {
            return;
        }
        votes[cpu] = takesPart;
        int core = coreOf[cpu];
        boolean wasActive = votersOfCore[core] > 0;
        votersOfCore[core] += takesPart ? 1 : -1;
        boolean isActive = votersOfCore[core] > 0;
        if (wasActive == isActive) {
            update(domainOf[cpu], now);
            return;
        }
        activeCoresOfPackage[packageOf[cpu]] += isActive ? 1 : -1;
        for (int domain : domainsOfPackage[packageOf[cpu]]) {
            update(domain, now);
        }
    }

    /** A CPU enters (false) or leaves an idle state in which its cycle counter stands still. */
    void setRunning(int cpu, boolean runs, long now) {
        settle(cpu, now);
        running[cpu] = runs;
    }

    /**
     * The average clock of a CPU while it was not in an idle state, since the last call; 0 if it never was. What APERF and MPERF
     * tell a governor.
     */
    int averageKhz(int cpu, long now) {
        settle(cpu, now);
        int average = runningNs[cpu] == 0 ? 0 : (int) (cycles[cpu] / runningNs[cpu]);
        cycles[cpu] = 0;
        runningNs[cpu] = 0;
        return average;
    }

    private void settle(int cpu, long now) {
        if (running[cpu]) {
            cycles[cpu] += (now - since[cpu]) * effectiveKhz[domainOf[cpu]];
            runningNs[cpu] += now - since[cpu];
        }
        since[cpu] = now;
    }

    private boolean update(int domain, long now) {
        int highest = 0;
        for (int cpu : cpusOfDomain[domain]) {
            if (votes[cpu]) {
                highest = Math.max(highest, requestKhz[cpu]);
            }
        }
        if (highest == 0) {
            return false; // everybody sleeps: the clock is kept until somebody wakes
        }
        int active = activeCoresOfPackage[packageOf[cpusOfDomain[domain][0]]];
        int khz = frequencies.effectiveKhz(highest, active);
        if (khz == effectiveKhz[domain]) {
            return false;
        }
        for (int cpu : cpusOfDomain[domain]) {
            settle(cpu, now);
        }
        effectiveKhz[domain] = khz;
        apply(domain, now);
        return true;
    }

    private void apply(int domain, long now) {
        for (int cpu : cpusOfDomain[domain]) {
            processors.setClock(cpu, effectiveKhz[domain], frequencies.nominalKhz(), now);
        }
    }
}
