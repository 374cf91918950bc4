package dev.perch.sim;

import dev.perch.kernel.cpufreq.FrequencyTable;
import dev.perch.kernel.cpufreq.Ondemand;
import dev.perch.kernel.cpufreq.OndemandParameters;
import dev.perch.model.CostItem;
import dev.perch.model.Frequencies;
import dev.perch.model.Machine;
import dev.perch.sim.Settings.Governor;
import org.jspecify.annotations.Nullable;

/**
 * The frequency governor at work: one policy a CPU, sampled by a deferrable timer, which runs at a tick of its CPU and so never wakes
 * an idle one whose tick is stopped (spec scheduler.md 6.1, 6.2).
 *
 * <p>With dynamic ticks idle time is accounted in microseconds, without them in whole ticks. Limitation: the worker that takes the
 * sample costs time but is not a task of its own.
 */
final class Governing {
    private final Run run;
    private final Ondemand @Nullable [] ondemand;
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
        ondemand = run.settings.governor() == Governor.ONDEMAND ? new Ondemand[cpuCount] : null;
        if (ondemand != null) {
            FrequencyTable frequencyTable = new FrequencyTable(table);
            OndemandParameters parameters =
                    OndemandParameters.atStart(microAccounting, run.settings.hz(), frequencies.transitionLatencyUs());
            for (int cpu = 0; cpu < cpuCount; cpu++) {
                ondemand[cpu] = new Ondemand(parameters, frequencyTable, run.settings.hz(), table[0]);
            }
        }
        dueJiffy = new long[cpuCount];
        lastSampleNs = new long[cpuCount];
        lastIdleNs = new long[cpuCount];
        idleTicks = new long[cpuCount];
    }

    /** The clock at which the machine starts: the governor's resting point. */
    static int initialKhz(Machine machine, Settings settings) {
        int[] table = machine.requireModel().frequencies().table(settings.turbo());
        return switch (settings.governor()) {
            case PERFORMANCE -> table[table.length - 1];
            case ONDEMAND -> table[0];
        };
    }

    void begin() {
        if (ondemand != null) {
            long jiffies = run.interrupts.jiffies();
            for (int cpu = 0; cpu < run.cpuCount; cpu++) {
                dueJiffy[cpu] = jiffies + ondemand[cpu].delayJiffies(jiffies, run.cpuCount);
            }
        }
    }

    /** A tick of a CPU: charges it if ticks are how idle time is known, and samples if that is due. */
    void tick(int cpu) {
        if (run.cpus.isIdle(cpu)) {
            idleTicks[cpu]++;
        }
        if (ondemand == null) {
            return;
        }
        long jiffies = run.interrupts.jiffies();
        if (jiffies < dueJiffy[cpu]) {
            return;
        }
        sample(cpu, ondemand[cpu]);
        dueJiffy[cpu] = jiffies + ondemand[cpu].delayJiffies(jiffies, run.cpuCount);
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
