package dev.perch.sim;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.KernelVersion;
import dev.perch.kernel.cpufreq.Conservative;
import dev.perch.kernel.cpufreq.ConservativeParameters;
import dev.perch.kernel.cpufreq.FrequencyTable;
import dev.perch.kernel.cpufreq.Governor;
import dev.perch.kernel.cpufreq.Ondemand;
import dev.perch.kernel.cpufreq.OndemandParameters;
import dev.perch.kernel.cpufreq.Performance;
import dev.perch.kernel.cpufreq.PolicyLoad;
import dev.perch.kernel.cpufreq.Powersave;
import dev.perch.kernel.cpufreq.SamplingRate;
import dev.perch.kernel.cpufreq.Schedutil;
import dev.perch.kernel.cpufreq.Userspace;
import dev.perch.model.Frequencies;
import dev.perch.model.InputException;
import dev.perch.model.Machine;

/**
 * The frequency governor that settings and kernel ask for, with its tunables (spec scheduler.md 6.2 to 6.7). A governor that chooses starts
 * at the lowest clock.
 */
final class Governors {
    /** From here on x86 scales utilisation by the clock. */
    private static final KernelVersion INVARIANT_SINCE = KernelVersion.parse("v5.7");

    private final Machine machine;
    private final Kernel kernel;
    private final Settings settings;
    private final Frequencies frequencies;
    private final FrequencyTable table;

    Governors(Machine machine, Kernel kernel, Settings settings) {
        this.machine = machine;
        this.kernel = kernel;
        this.settings = settings;
        frequencies = machine.requireModel().frequencies();
        table = new FrequencyTable(frequencies.table(settings.turbo()));
        GovernorTunable.check(settings);
    }

    /** The clock that the governor of a machine that starts requests. */
    static int initialKhz(Machine machine, Kernel kernel, Settings settings) {
        return new Governors(machine, kernel, settings).governor(1).requestKhz();
    }

    /** Whether utilisation counts at the highest clock, whatever the present one is. */
    boolean isInvariant() {
        return kernel.version().compareTo(INVARIANT_SINCE) >= 0 || frequencies.policy() == Frequencies.Policy.DOMAIN;
    }

    /**
     * The governor of a policy of so many CPUs.
     *
     * @throws InputException if the kernel does not have it, or a tunable does not fit
     */
    Governor governor(int cpus) {
        return switch (settings.governor()) {
            case PERFORMANCE -> new Performance(table);
            case POWERSAVE -> new Powersave(table);
            case USERSPACE -> new Userspace(table, settings.tunable(GovernorTunable.SCALING_SETSPEED, table.highest()));
            case ONDEMAND -> ondemand();
            case CONSERVATIVE -> conservative();
            case SCHEDUTIL -> schedutil(cpus);
        };
    }

    /** What a sampling governor sees of a policy of so many CPUs. */
    PolicyLoad load(int cpus, boolean drivenByScheduler) {
        boolean ondemand = settings.governor() == Settings.Governor.ONDEMAND;
        return new PolicyLoad(
                cpus,
                settings.tunable(GovernorTunable.IGNORE_NICE_LOAD, 0) == 1,
                ondemand && settings.tunable(GovernorTunable.IO_IS_BUSY, 1) == 1,
                drivenByScheduler);
    }

    private Ondemand ondemand() {
        String id = kernel.rules().ondemand();
        Ondemand.Form form = switch (id) {
            case "3.2", "3.2-sle" -> Ondemand.Form.V3_2;
            case "3.13" -> Ondemand.Form.V3_13;
            case "4.9" -> Ondemand.Form.V4_9;
            default ->
                throw new InputException("there are no ondemand rules '" + id + "'; known are 3.2, 3.2-sle, 3.13, 4.9");
        };
        SamplingRate rate = form == Ondemand.Form.V4_9
                ? SamplingRate.drivenByScheduler(settings.hz(), transitionDelayUs())
                : SamplingRate.ondemand(settings.nohz(), settings.hz(), frequencies.transitionLatencyUs());
        OndemandParameters start = id.equals("3.2-sle")
                ? OndemandParameters.atStartWithLowThreshold(
                        settings.nohz(), rate, machine.topology().cpuCount())
                : OndemandParameters.atStart(settings.nohz(), rate);
        int up = settings.tunable(GovernorTunable.UP_THRESHOLD, start.upThreshold());
        OndemandParameters parameters = new OndemandParameters(
                up,
                Math.min(start.downDifferential(), up - 1),
                samplingRate(rate, start.samplingRateUs()),
                settings.tunable(GovernorTunable.SAMPLING_DOWN_FACTOR, start.samplingDownFactor()),
                settings.tunable(GovernorTunable.POWERSAVE_BIAS, start.powersaveBias()));
        return new Ondemand(form, parameters, table, settings.hz(), table.lowest());
    }

    /** As set, but no shorter than the kernel accepts. */
    private long samplingRate(SamplingRate rate, long standardUs) {
        int set = settings.tunable(GovernorTunable.SAMPLING_RATE, 0);
        return set == 0 ? standardUs : Math.max(set, rate.shortestUs());
    }

    private Conservative conservative() {
        String id = kernel.rules().conservative();
        Conservative.Form form = switch (id) {
            case "3.4" -> Conservative.Form.V3_4;
            case "6.12" -> Conservative.Form.V6_12;
            default -> throw new InputException("there are no conservative rules '" + id + "'; known are 3.4, 6.12");
        };
        SamplingRate rate = form == Conservative.Form.V6_12
                ? SamplingRate.drivenByScheduler(settings.hz(), transitionDelayUs())
                : SamplingRate.conservative(settings.hz(), frequencies.transitionLatencyUs());
        ConservativeParameters start = ConservativeParameters.atStart(rate);
        int up = settings.tunable(GovernorTunable.UP_THRESHOLD, start.upThreshold());
        int down = settings.tunable(GovernorTunable.DOWN_THRESHOLD, start.downThreshold());
        if (down >= up) {
            throw new InputException("setting down_threshold=" + down + " is not below up_threshold=" + up
                    + "; the kernel refuses that, set them farther apart");
        }
        ConservativeParameters parameters = new ConservativeParameters(
                up,
                down,
                settings.tunable(GovernorTunable.FREQ_STEP, start.freqStep()),
                samplingRate(rate, start.samplingRateUs()),
                settings.tunable(GovernorTunable.SAMPLING_DOWN_FACTOR, start.samplingDownFactor()));
        return new Conservative(form, parameters, table, settings.hz(), table.lowest());
    }

    private Schedutil schedutil(int cpus) {
        if (kernel.rules().schedutil().equals("none")) {
            throw new InputException("kernel " + kernel.release()
                    + " has no schedutil governor, 4.7 was the first; choose governor=ondemand or another kernel");
        }
        int rateLimitUs = settings.tunable(GovernorTunable.RATE_LIMIT_US, (int) transitionDelayUs());
        return new Schedutil(schedutilForm(), table, isInvariant(), rateLimitUs, cpus, table.lowest());
    }

    private long transitionDelayUs() {
        return schedutilForm().transitionDelayUs(frequencies.transitionLatencyUs());
    }

    private Schedutil.Form schedutilForm() {
        String id = kernel.rules().schedutil();
        return switch (id) {
            case "none", "5.16" -> Schedutil.Form.V5_16;
            case "6.12" -> Schedutil.Form.V6_12;
            default ->
                throw new InputException("there are no schedutil rules '" + id + "'; known are none, 5.16, 6.12");
        };
    }
}
