package dev.perch.sim;

import dev.perch.kernel.cpufreq.FrequencyTable;
import dev.perch.kernel.cpufreq.Governor;
import dev.perch.kernel.cpufreq.Ondemand;
import dev.perch.kernel.cpufreq.OndemandParameters;
import dev.perch.kernel.cpufreq.Performance;
import dev.perch.model.CostItem;
import dev.perch.model.Frequencies;
import dev.perch.model.Machine;

/**
 * The frequency governor at work: one policy a CPU, sampled by a deferrable timer, which runs at a tick of its CPU and so never wakes
 * an idle one whose tick is stopped (spec scheduler.md 6.1, 6.2).
 *
 * <p>With dynamic ticks idle time is accounted in microseconds, without them in whole ticks. Limitation: the worker that takes the
 * sample costs time but is not a task of its own.
 */
final class Governing {
    private final Run run;
    private final Governor[] governors;
    private final int maxKhz;
    private final int nominalKhz;
    private final boolean microAccounting;
    private final long[] dueJiffy;
    private final long[] lastSampleNs;
    private final long[] lastIdleNs;
    private final long[] idleTicks;

    Governing(Run run) {
        this.run = run;
        Frequencies frequencies = run.machine.requireModel().frequencies();
        int[] table = frequencies.table(run.settings.turbo());
        maxKhz = table[table.length - 1];
        nominalKhz = frequencies.nominalKhz();
        microAccounting = run.settings.nohz();
        int cpuCount = run.cpuCount;
        governors = new Governor[cpuCount];
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            governors[cpu] = governor(run.machine, run.settings);
        }
        dueJiffy = new long[cpuCount];
        lastSampleNs = new long[cpuCount];
        lastIdleNs = new long[cpuCount];
        idleTicks = new long[cpuCount];
    }

    /** The clock that the governor of a machine that starts requests. */
    static int initialKhz(Machine machine, Settings settings) {
        return governor(machine, settings).requestKhz();
    }

    private static Governor governor(Machine machine, Settings settings) {
        Frequencies frequencies = machine.requireModel().frequencies();
        FrequencyTable table = new FrequencyTable(frequencies.table(settings.turbo()));
        return switch (settings.governor()) {
            case PERFORMANCE -> new Performance(table);
            case ONDEMAND -> {
                OndemandParameters parameters =
                        OndemandParameters.atStart(settings.nohz(), settings.hz(), frequencies.transitionLatencyUs());
                yield new Ondemand(parameters, table, settings.hz(), table.lowest());
            }
        };
    }

    void begin() {
        long jiffies = run.interrupts.jiffies();
        for (int cpu = 0; cpu < run.cpuCount; cpu++) {
            if (governors[cpu] instanceof Ondemand ondemand) {
                dueJiffy[cpu] = jiffies + ondemand.delayJiffies(jiffies, run.cpuCount);
            }
        }
    }

    /** A tick of a CPU: charges it if ticks are how idle time is known, and samples if that is due. */
    void tick(int cpu) {
        if (run.cpus.isIdle(cpu)) {
            idleTicks[cpu]++;
        }
        if (!(governors[cpu] instanceof Ondemand ondemand)) {
            return;
        }
        long jiffies = run.interrupts.jiffies();
        if (jiffies < dueJiffy[cpu]) {
            return;
        }
        sample(cpu, ondemand);
        dueJiffy[cpu] = jiffies + ondemand.delayJiffies(jiffies, run.cpuCount);
        run.owe(cpu, CostItem.GOVERNOR_SAMPLE);
    }

    private void sample(int cpu, Ondemand governor) {
        long idleNs = microAccounting ? run.idling.idleNs(cpu) : idleTicks[cpu] * run.interrupts.jiffyNs();
        long wallUs = (run.now - lastSampleNs[cpu]) / 1000;
        long idleUs = (idleNs - lastIdleNs[cpu]) / 1000;
        lastSampleNs[cpu] = run.now;
        lastIdleNs[cpu] = idleNs;
        // the ratio of APERF to MPERF has ten fractional bits
        long ratio = ((long) run.clocks.averageKhz(cpu, run.now) << 10) / nominalKhz;
        int averageKhz = (int) (maxKhz * ratio >> 10);
        int before = run.clocks.requestKhz(cpu);
        int request = governor.sample(wallUs, idleUs, averageKhz);
        if (request == before) {
            return;
        }
        run.events.frequency(run.now, cpu, request);
        if (run.clocks.request(cpu, request, run.now)) {
            run.owe(cpu, CostItem.CLOCK_CHANGE);
        }
    }
}
