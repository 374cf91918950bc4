package dev.perch.kernel.cpufreq;

/**
 * What a {@link SamplingGovernor} sees of the CPUs of its policy: their load since the last sample (spec: scheduler.md 6.2, 6.4; {@code
 * dbs_check_cpu} of Linux 3.2, 3.4 and 3.13, {@code dbs_update} of 6.12). Times are µs.
 *
 * <p>Its owner calls {@link #begin}, then {@link #add} for each CPU with the CPU's times as its accounting has them at that moment. How
 * exact they are, to the µs or to the tick, is the accounting's business.
 */
public final class PolicyLoad {
    private final boolean ignoreNice;
    private final boolean ioIsBusy;
    private final boolean remembersLoadOverSleep;
    private final long[] lastWall;
    private final long[] lastIdle;
    private final long[] lastIowait;
    private final long[] lastNice;
    private final int[] previousLoad;
    private long samplingRateUs;
    private int load;
    private long loadKhz;
    private long idlePeriods;
    private boolean sleptLong;

    /**
     * @param cpus number of CPUs of the policy
     * @param ignoreNice {@code ignore_nice_load}: time of tasks with a positive nice value counts as idle
     * @param ioIsBusy {@code io_is_busy}: idle time in which a task waits for input or output counts as busy
     * @param remembersLoadOverSleep Linux 4.9 and later: after a long sleep the load before it counts once more
     */
    public PolicyLoad(int cpus, boolean ignoreNice, boolean ioIsBusy, boolean remembersLoadOverSleep) {
        this.ignoreNice = ignoreNice;
        this.ioIsBusy = ioIsBusy;
        this.remembersLoadOverSleep = remembersLoadOverSleep;
        lastWall = new long[cpus];
        lastIdle = new long[cpus];
        lastIowait = new long[cpus];
        lastNice = new long[cpus];
        previousLoad = new int[cpus];
    }

    /** A sample begins; {@code samplingRateUs} is the time between two, as it is set. */
    public void begin(long samplingRateUs) {
        this.samplingRateUs = samplingRateUs;
        load = 0;
        loadKhz = 0;
        idlePeriods = Long.MAX_VALUE;
        sleptLong = false;
    }

    /**
     * Takes in one CPU. All times count from the start of the machine and never go back.
     *
     * @param cpu index within the policy
     * @param wall µs
     * @param idle idle part of it, time with tasks that wait for input or output included, µs
     * @param iowait that part of {@code idle}, µs
     * @param nice time of tasks with a positive nice value, µs
     * @param averageKhzWhileBusy average clock of the busy part since the last sample, which the hardware may have chosen higher than the
     *     request; 0 if not known
     * @param requestKhz present request of the policy
     */
    public void add(int cpu, long wall, long idle, long iowait, long nice, int averageKhzWhileBusy, int requestKhz) {
        long wallUs = wall - lastWall[cpu];
        long idleUs = idle - lastIdle[cpu];
        long iowaitUs = iowait - lastIowait[cpu];
        long niceUs = nice - lastNice[cpu];
        lastWall[cpu] = wall;
        lastIdle[cpu] = idle;
        lastIowait[cpu] = iowait;
        lastNice[cpu] = nice;
        if (ioIsBusy && idleUs >= iowaitUs) {
            idleUs -= iowaitUs;
        }
        if (ignoreNice) {
            idleUs += niceUs;
        }
        int cpuLoad;
        if (remembersLoadOverSleep) {
            cpuLoad = remembered(cpu, wallUs, Math.max(0, idleUs));
        } else if (wallUs <= 0 || wallUs < idleUs) {
            return;
        } else {
            cpuLoad = (int) (100 * (wallUs - idleUs) / wallUs);
        }
        load = Math.max(load, cpuLoad);
        loadKhz = Math.max(loadKhz, (long) cpuLoad * (averageKhzWhileBusy > 0 ? averageKhzWhileBusy : requestKhz));
    }

    private int remembered(int cpu, long wallUs, long idleUs) {
        boolean longSleep = idleUs > 2 * samplingRateUs;
        if (longSleep) {
            sleptLong = true;
            idlePeriods = Math.min(idlePeriods, idleUs / samplingRateUs);
        }
        int before = previousLoad[cpu];
        if (wallUs <= 0) {
            return before;
        }
        if (longSleep && before > 0) {
            previousLoad[cpu] = 0;
            return before;
        }
        int now = wallUs >= idleUs ? (int) (100 * (wallUs - idleUs) / wallUs) : 0;
        previousLoad[cpu] = now;
        return now;
    }

    /** The largest load of the policy's CPUs, per cent. */
    public int load() {
        return load;
    }

    /** The largest product of a CPU's load in per cent and its average clock in kHz. */
    public long loadKhz() {
        return loadKhz;
    }

    /** Whether a CPU was idle for more than two sampling times. */
    public boolean sleptLong() {
        return sleptLong;
    }

    /** For how many sampling times the CPU with the fewest was idle; only if {@link #sleptLong}. */
    public long idlePeriods() {
        return idlePeriods;
    }
}
