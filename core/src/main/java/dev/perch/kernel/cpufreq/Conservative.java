package dev.perch.kernel.cpufreq;

/**
 * The conservative governor of one policy: a step up when the load is high, a step down when it is low (spec: scheduler.md 6.5; {@code
 * dbs_check_cpu} of Linux 3.4, {@code cs_dbs_update} of 6.12).
 *
 * <p>Steps add up in a wish of their own that need not be an entry of the table; the request is the entry next to it.
 */
public final class Conservative implements SamplingGovernor {
    /** When a step is taken and how it is rounded. */
    public enum Form {
        /** Until 4.6: both ways to the entry that is not above the wish; ten per cent of room below the lower threshold; a timer. */
        V3_4,
        /** 6.12: down to the entry that is not below the wish; long sleeps are made up for; changes of utilisation drive it. */
        V6_12
    }

    private static final int ROOM_BELOW_DOWN_THRESHOLD = 10;

    private final Form form;
    private final ConservativeParameters parameters;
    private final FrequencyTable table;
    private final int samplingJiffies;
    private final long step;
    private int request;
    private long wish;
    private int downSkip;

    /**
     * @param hz ticks a second
     * @param requestKhz request when the governor starts
     */
    public Conservative(Form form, ConservativeParameters parameters, FrequencyTable table, int hz, int requestKhz) {
        this.form = form;
        this.parameters = parameters;
        this.table = table;
        samplingJiffies = Math.toIntExact(Math.ceilDiv(parameters.samplingRateUs() * hz, 1_000_000L));
        step = (long) parameters.freqStep() * table.highest() / 100;
        request = requestKhz;
        wish = requestKhz;
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
        return form == Form.V6_12;
    }

    @Override
    public int delayJiffies(long jiffies, int onlineCpus) {
        return onlineCpus > 1 ? samplingJiffies - (int) (jiffies % samplingJiffies) : samplingJiffies;
    }

    @Override
    public long delayUs() {
        return parameters.samplingRateUs();
    }

    @Override
    public boolean isWithinPeriod() {
        return false;
    }

    @Override
    public int finishPeriod() {
        return request;
    }

    @Override
    public int sample(PolicyLoad load) {
        if (step == 0) {
            return request;
        }
        switch (form) {
            case V3_4 -> {
                if (load.load() > parameters.upThreshold()) {
                    move(wish + step, Relation.H);
                } else if (load.load() < parameters.downThreshold() - ROOM_BELOW_DOWN_THRESHOLD) {
                    move(wish - step, Relation.H);
                }
            }
            case V6_12 -> {
                if (load.sleptLong() && load.load() < parameters.downThreshold()) {
                    wish = Math.max(table.lowest(), wish - load.idlePeriods() * step);
                }
                if (load.load() > parameters.upThreshold()) {
                    downSkip = 0;
                    move(wish + step, Relation.H);
                } else if (++downSkip >= parameters.samplingDownFactor()) {
                    downSkip = 0;
                    if (load.load() < parameters.downThreshold()) {
                        move(wish - step, Relation.L);
                    }
                }
            }
        }
        return request;
    }

    private void move(long target, Relation relation) {
        wish = Math.min(table.highest(), Math.max(table.lowest(), target));
        request = table.find(wish, relation);
    }
}
