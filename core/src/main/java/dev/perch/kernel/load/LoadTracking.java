package dev.perch.kernel.load;

import static dev.perch.kernel.load.IdleTime.Form.AGED;
import static dev.perch.kernel.load.IdleTime.Form.CAPPED;
import static dev.perch.kernel.load.IdleTime.Form.CLAMPED;
import static dev.perch.kernel.load.IdleTime.Form.ROUNDED_TO_ZERO;
import static dev.perch.kernel.load.LoadTracking.Capacity.OF_ARCHITECTURE;
import static dev.perch.kernel.load.LoadTracking.Capacity.SMT_SHARE;
import static dev.perch.kernel.load.LoadTracking.CpuLoads.AVERAGE;
import static dev.perch.kernel.load.LoadTracking.CpuLoads.FIRST_RUNNABLE;
import static dev.perch.kernel.load.LoadTracking.CpuLoads.RUNNABLE;
import static dev.perch.kernel.load.LoadTracking.CpuLoads.WEIGHT;
import static dev.perch.kernel.load.LoadTracking.Estimate.NO_ESTIMATE;
import static dev.perch.kernel.load.LoadTracking.Estimate.ONE_VALUE;
import static dev.perch.kernel.load.LoadTracking.Estimate.TWO_VALUES;
import static dev.perch.kernel.load.LoadTracking.Flips.HALVED;
import static dev.perch.kernel.load.LoadTracking.Flips.UNCOUNTED;
import static dev.perch.kernel.load.LoadTracking.Flips.ZEROED;
import static dev.perch.kernel.load.LoadTracking.Shares.AVERAGES;
import static dev.perch.kernel.load.LoadTracking.Shares.FIRST_AVERAGES;
import static dev.perch.kernel.load.LoadTracking.Shares.WINDOW;

import dev.perch.model.InputException;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * What an era keeps of load, idle time and wakeups, a row an era: the values of {@code load-tracking} in kernel files. Which of it a
 * decision reads is that decision's rule. Source: scheduler.md 3 and 1.19, placement.md 4.2, 5.7, 8.6.
 *
 * <p>Limitations: several of these kernels were not read, and a row holds from where the specification sees the change first; {@code
 * cpu_load[]} is kept until 5.4, though the last kernels with it no longer look at it.
 */
public enum LoadTracking {
    V3_2("3.2", WEIGHT, WINDOW, UNCOUNTED, CLAMPED, NO_ESTIMATE, SMT_SHARE),
    V3_8("3.8", WEIGHT, FIRST_AVERAGES, UNCOUNTED, CLAMPED, NO_ESTIMATE, SMT_SHARE),
    V3_11("3.11", FIRST_RUNNABLE, FIRST_AVERAGES, UNCOUNTED, CLAMPED, NO_ESTIMATE, SMT_SHARE),
    V3_12("3.12", FIRST_RUNNABLE, FIRST_AVERAGES, ZEROED, CLAMPED, NO_ESTIMATE, SMT_SHARE),
    V3_13("3.13", FIRST_RUNNABLE, FIRST_AVERAGES, ZEROED, CAPPED, NO_ESTIMATE, SMT_SHARE),
    V4_0("4.0", FIRST_RUNNABLE, FIRST_AVERAGES, HALVED, CAPPED, NO_ESTIMATE, SMT_SHARE),
    V4_3("4.3", RUNNABLE, AVERAGES, HALVED, CAPPED, NO_ESTIMATE, SMT_SHARE),
    V4_12("4.12", RUNNABLE, AVERAGES, HALVED, CAPPED, NO_ESTIMATE, SMT_SHARE),
    V4_17("4.17", RUNNABLE, AVERAGES, HALVED, CAPPED, TWO_VALUES, SMT_SHARE),
    V5_0("5.0", RUNNABLE, AVERAGES, HALVED, CAPPED, TWO_VALUES, OF_ARCHITECTURE),
    V5_5("5.5", AVERAGE, AVERAGES, HALVED, CAPPED, TWO_VALUES, OF_ARCHITECTURE),
    V5_8("5.8", AVERAGE, AVERAGES, HALVED, ROUNDED_TO_ZERO, TWO_VALUES, OF_ARCHITECTURE),
    V5_14("5.14", AVERAGE, AVERAGES, HALVED, AGED, TWO_VALUES, OF_ARCHITECTURE),
    V6_0("6.0", AVERAGE, AVERAGES, HALVED, AGED, TWO_VALUES, OF_ARCHITECTURE),
    V6_5("6.5", AVERAGE, AVERAGES, HALVED, AGED, TWO_VALUES, OF_ARCHITECTURE),
    V6_6("6.6", AVERAGE, AVERAGES, HALVED, AGED, TWO_VALUES, OF_ARCHITECTURE),
    V6_7("6.7", AVERAGE, AVERAGES, HALVED, ROUNDED_TO_ZERO, ONE_VALUE, OF_ARCHITECTURE),
    V6_12("6.12", AVERAGE, AVERAGES, HALVED, ROUNDED_TO_ZERO, ONE_VALUE, OF_ARCHITECTURE);

    /** What stands for the load of a CPU. */
    public enum CpuLoads {
        /** Summed weight of what is queued. */
        WEIGHT,
        /** Contributions of what is queued, by the first averages: {@link RunnableAverages}. */
        FIRST_RUNNABLE,
        /** Load average of what is queued, {@link QueueLoads#runnableLoad}; with blocked tasks, {@link QueueLoads#load}. */
        RUNNABLE,
        /** Load average of what is queued or has slept there, {@link QueueLoads#load}. */
        AVERAGE
    }

    /** From what the weight of a task group on a CPU is made: {@link GroupShares}. */
    public enum Shares {
        WINDOW,
        FIRST_AVERAGES,
        AVERAGES
    }

    /** What a second does to the wake flips of a task: {@link WakeFlips}. */
    public enum Flips {
        /** They do not exist. */
        UNCOUNTED,
        ZEROED,
        HALVED
    }

    /** How utilisation is estimated beyond its average: {@link UtilEst}. */
    public enum Estimate {
        NO_ESTIMATE,
        /** What the task had when it last slept, and a moving average of that. */
        TWO_VALUES,
        /** The moving average alone. */
        ONE_VALUE
    }

    /** What a CPU offers to fair tasks: {@link FairCapacity}. */
    public enum Capacity {
        /** SMT threads share that of their core. */
        SMT_SHARE,
        /** Each thread counts as the architecture says, less what others take. */
        OF_ARCHITECTURE
    }

    private final String id;
    private final CpuLoads cpuLoads;
    private final Shares shares;
    private final Flips flips;
    private final IdleTime.Form idleTime;
    private final Estimate estimate;
    private final Capacity capacity;

    LoadTracking(
            String id,
            CpuLoads cpuLoads,
            Shares shares,
            Flips flips,
            IdleTime.Form idleTime,
            Estimate estimate,
            Capacity capacity) {
        this.id = id;
        this.cpuLoads = cpuLoads;
        this.shares = shares;
        this.flips = flips;
        this.idleTime = idleTime;
        this.estimate = estimate;
        this.capacity = capacity;
    }

    /**
     * The row that a kernel file names under {@code load-tracking}.
     *
     * @throws InputException if there is none of that name
     */
    public static LoadTracking named(String id) {
        for (LoadTracking tracking : values()) {
            if (tracking.id.equals(id)) {
                return tracking;
            }
        }
        throw new InputException("there are no load-tracking rules '" + id + "'; known are "
                + Arrays.stream(values()).map(LoadTracking::id).collect(Collectors.joining(", ")));
    }

    /** As in kernel files. */
    public String id() {
        return id;
    }

    public CpuLoads cpuLoads() {
        return cpuLoads;
    }

    public Shares shares() {
        return shares;
    }

    public Flips flips() {
        return flips;
    }

    public IdleTime.Form idleTime() {
        return idleTime;
    }

    /** Without the feature bit UTIL_EST nothing is estimated. */
    public Estimate estimate() {
        return estimate;
    }

    public Capacity capacity() {
        return capacity;
    }

    /** Whether runqueues and tasks have the averages of {@link QueueLoads} and {@link EntityLoads}. */
    public boolean hasAverages() {
        return compareTo(V4_3) >= 0;
    }

    /** Whether the copies of {@link CpuLoad} are kept. */
    public boolean hasDecayedCopies() {
        return compareTo(V5_5) < 0;
    }

    /** The arithmetic of averages. */
    public Pelt pelt() {
        return compareTo(V4_12) < 0 ? Pelt.UNTIL_4_11 : Pelt.SINCE_4_12;
    }

    /** Whether what leaves a runqueue is taken from its sums, which until then were made anew of its averages. */
    boolean keepsSums() {
        return compareTo(V6_0) >= 0;
    }

    /** Whether the busiest-queue search and frequency selection may look at the runnable average too. */
    public boolean boostsUtil() {
        return compareTo(V6_5) >= 0;
    }

    /** Whether a queue contributes to its group's load at most once a ms. */
    boolean ratesContributions() {
        return compareTo(V6_6) >= 0;
    }

    /** Whether a new task's utilisation is made of its weight times 1024, as that is kept on 64 bits. */
    boolean newTaskByScaledUpWeight() {
        return compareTo(V6_12) < 0;
    }

    /** Whether an estimate stays when other tasks kept the task from running. */
    boolean keepsEstimateUnderContention() {
        return compareTo(V6_12) >= 0;
    }
}
