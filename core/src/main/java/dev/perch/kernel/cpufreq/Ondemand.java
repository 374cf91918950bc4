package dev.perch.kernel.cpufreq;

/**
 * The ondemand governor of one policy: to the highest frequency at once when the load is high, down to one that carries the load when it
 * is not (spec: scheduler.md 6.2, 6.4; {@code dbs_check_cpu} of Linux 3.2, 3.4 and 3.13, {@code od_update} of 6.12).
 *
 * <p>With a powersave bias, each target is lowered by that many thousandths, and the sampling time is divided between the two entries
 * next to it, the higher one first.
 */
public final class Ondemand implements SamplingGovernor {
    /** How a target follows from a load below the threshold, and who asks for samples. */
    public enum Form {
        /** 2.6.39 to 3.8: just enough for load times average clock, below a second threshold; a timer. */
        V3_2,
        /** 3.13: load as a share of the highest frequency; a timer. */
        V3_13,
        /** 4.9 and later: load as a share of the span between lowest and highest; changes of utilisation. */
        V4_9
    }

    private final Form form;
    private final OndemandParameters parameters;
    private final FrequencyTable table;
    private final int samplingJiffies;
    private int request;
    private int rateMultiplier = 1;

    /** The lower entry that ends the sampling time, kHz, or 0; and how long it and the higher one take, ticks or µs. */
    private int lowKhz;

    private long lowTime;
    private long highTime;
    private boolean inLowPart;

    /**
     * @param hz ticks a second
     * @param requestKhz request when the governor starts
     */
    public Ondemand(Form form, OndemandParameters parameters, FrequencyTable table, int hz, int requestKhz) {
        this.form = form;
        this.parameters = parameters;
        this.table = table;
        samplingJiffies = Math.toIntExact(Math.ceilDiv(parameters.samplingRateUs() * hz, 1_000_000L));
        request = requestKhz;
    }

    @Override
    public int requestKhz() {
        return request;
    }

    @Override
    public long samplingRateUs() {
        return parameters.samplingRateUs();
    }

    @Override
    public boolean isDrivenByScheduler() {
        return form == Form.V4_9;
    }

    @Override
    public int delayJiffies(long jiffies, int onlineCpus) {
        if (lowKhz != 0) {
            return (int) (inLowPart ? lowTime : highTime);
        }
        int delay = samplingJiffies * rateMultiplier;
        return onlineCpus > 1 ? delay - (int) (jiffies % delay) : delay;
    }

    @Override
    public long delayUs() {
        if (lowKhz != 0) {
            return inLowPart ? lowTime : highTime;
        }
        return parameters.samplingRateUs() * rateMultiplier;
    }

    @Override
    public boolean isWithinPeriod() {
        return lowKhz != 0 && !inLowPart;
    }

    @Override
    public int finishPeriod() {
        inLowPart = true;
        request = lowKhz;
        return request;
    }

    @Override
    public int sample(PolicyLoad load) {
        lowKhz = 0;
        inLowPart = false;
        switch (form) {
            case V3_2 -> {
                int up = parameters.upThreshold();
                int down = up - parameters.downDifferential();
                if (load.loadKhz() > (long) up * request) {
                    raise();
                } else if (request != table.lowest() && load.loadKhz() < (long) down * request) {
                    lower(Math.max(load.loadKhz() / down, table.lowest()), Relation.L);
                }
            }
            case V3_13 -> {
                if (load.load() > parameters.upThreshold()) {
                    raise();
                } else {
                    lower((long) load.load() * table.highest() / 100, Relation.L);
                }
            }
            case V4_9 -> {
                if (load.load() > parameters.upThreshold()) {
                    raise();
                } else {
                    long span = (long) table.highest() - table.lowest();
                    lower(table.lowest() + load.load() * span / 100, Relation.C);
                }
            }
        }
        return request;
    }

    private void raise() {
        if (request < table.highest()) {
            rateMultiplier = parameters.samplingDownFactor();
        }
        request = biased(table.highest(), Relation.H);
    }

    private void lower(long target, Relation relation) {
        rateMultiplier = 1;
        request = biased(target, relation);
    }

    /** The entry for a target; with a bias the higher of the two entries that share the sampling time ({@code powersave_bias_target}). */
    private int biased(long target, Relation relation) {
        int entry = table.find(target, relation);
        if (parameters.powersaveBias() == 0) {
            return entry;
        }
        long average = entry - (long) entry * parameters.powersaveBias() / 1000;
        int low = table.find(average, Relation.H);
        int high = table.find(average, Relation.L);
        if (low >= high) {
            return low;
        }
        long time = isDrivenByScheduler() ? parameters.samplingRateUs() : samplingJiffies;
        highTime = ((average - low) * time + (high - low) / 2) / (high - low);
        lowTime = time - highTime;
        lowKhz = low;
        return high;
    }
}
