package dev.perch.sim;

import dev.perch.kernel.placement.ScanResult;
import dev.perch.model.Distance;
import dev.perch.sim.workload.Workload;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * What a run counts and times: operations, wakeups by distance, moves, latencies. Reset when the warm-up ends; the last tenth of the measured time is
 * counted once more by instance, to say in which state each one ended.
 */
final class Measurements {
    private static final int DISTANCES = Distance.all().length;

    private static final long NEVER = -1;

    /** Longer latencies count as this, ns. */
    private static final long LONGEST_NS = 1_000_000_000_000L;

    /** Digits to which latencies are kept. */
    private static final int DIGITS = 3;

    private final int[] instanceOf;
    private final long[] operations;
    private final long[] wakeupsByDistance = new long[DISTANCES];
    private final long[] migrationsByDistance = new long[DISTANCES];
    private final long[] endWakeups;
    private final long[] endMoves;
    private long wakeups;
    private long bounced;
    private long balancerMigrations;
    private long placedOnBusy;
    private long scans;
    private long scansNothingIdle;
    private long scansOverBudget;
    private long scanProbes;
    private final long[] amount;
    private final long[] beganAt;
    private final long[] endedAt;
    private int toEnd;
    private final Histogram[] latencies;
    private final long[] tallies;

    /** {@code instanceOf} by task number; {@link Workload#NO_INSTANCE} for tasks that are not counted. */
    Measurements(int[] instanceOf, Workload workload) {
        this.instanceOf = instanceOf;
        int instances = workload.instances().size();
        operations = new long[instances];
        amount = new long[instances];
        beganAt = new long[instances];
        endedAt = new long[instances];
        Arrays.fill(beganAt, NEVER);
        Arrays.fill(endedAt, NEVER);
        toEnd = (int) workload.instances().stream()
                .filter(instance -> instance.kind().ends())
                .count();
        latencies = new Histogram[workload.shared().series().size()];
        Arrays.setAll(latencies, series -> new Histogram(1, LONGEST_NS, DIGITS));
        tallies = new long[workload.shared().counters().size()];
        endWakeups = new long[instances * DISTANCES];
        endMoves = new long[instances];
    }

    /** The warm-up is over. */
    void reset() {
        Arrays.fill(operations, 0);
        Arrays.fill(amount, 0);
        Arrays.fill(tallies, 0);
        for (Histogram latency : latencies) {
            latency.reset();
        }
        placedOnBusy = 0;
        scans = 0;
        scansNothingIdle = 0;
        scansOverBudget = 0;
        scanProbes = 0;
        Arrays.fill(wakeupsByDistance, 0);
        Arrays.fill(migrationsByDistance, 0);
        wakeups = 0;
        bounced = 0;
        balancerMigrations = 0;
        resetEnd();
    }

    /** The last tenth begins. */
    void resetEnd() {
        Arrays.fill(endWakeups, 0);
        Arrays.fill(endMoves, 0);
    }

    /** {@code more} is what the operation adds to the amount of the task's instance. */
    void operation(int task, int more) {
        int instance = instanceOf[task];
        if (instance >= 0) {
            operations[instance]++;
            amount[instance] += more;
        }
    }

    void tally(int counter) {
        tallies[counter]++;
    }

    /** What a counter of the workload has counted. */
    long tallied(int counter) {
        return tallies[counter];
    }

    void latency(int series, long ns) {
        latencies[series].recordValue(Math.clamp(ns, 0, LONGEST_NS));
    }

    /** The timed part of the task's instance begins. */
    void begin(int task, long now) {
        beganAt[instanceOf[task]] = now;
    }

    /** The timed part of the task's instance is over. */
    void end(int task, long now) {
        endedAt[instanceOf[task]] = now;
        toEnd--;
    }

    boolean anyBegun() {
        for (long at : beganAt) {
            if (at != NEVER) {
                return true;
            }
        }
        return false;
    }

    boolean allEnded() {
        return toEnd == 0;
    }

    /** When the first timed part began, ns, or −1. */
    long firstBegan() {
        long first = NEVER;
        for (long at : beganAt) {
            first = at != NEVER && (first == NEVER || at < first) ? at : first;
        }
        return first;
    }

    /** Length of the timed part of an instance that has ended, ns. */
    long elapsedNs(int instance) {
        return endedAt[instance] - beganAt[instance];
    }

    long amount(int instance) {
        return amount[instance];
    }

    /** Latencies of a series, ns. */
    Histogram latencies(int series) {
        return latencies[series];
    }

    /**
     * A wakeup was placed: {@code wakerToChosen} and {@code prevToChosen} are {@link Distance} ordinals; {@code idle}: the chosen CPU had
     * nothing to run.
     */
    void placed(int wakee, int wakerToChosen, int prevToChosen, boolean idle) {
        int instance = instanceOf[wakee];
        if (instance < 0) {
            return;
        }
        wakeups++;
        placedOnBusy += idle ? 0 : 1;
        wakeupsByDistance[wakerToChosen]++;
        endWakeups[instance * DISTANCES + wakerToChosen]++;
        if (prevToChosen != 0) {
            bounced++;
            migrationsByDistance[prevToChosen]++;
            endMoves[instance]++;
        }
    }

    /** A last-level cache was scanned for a wakeup; the decision looked at {@code probes} CPUs. */
    void scanned(int wakee, ScanResult result, int probes) {
        if (instanceOf[wakee] < 0) {
            return;
        }
        scans++;
        scanProbes += probes;
        scansNothingIdle += result == ScanResult.NOTHING_IDLE ? 1 : 0;
        scansOverBudget += result == ScanResult.BUDGET_SPENT ? 1 : 0;
    }

    /** The load balancer moved a task. */
    void balanced(int task, int distance) {
        if (instanceOf[task] >= 0) {
            balancerMigrations++;
            migrationsByDistance[distance]++;
        }
    }

    long operations(int instance) {
        return operations[instance];
    }

    /** Where an instance stood at the end, such as {@code smt, stays}; empty if it made no wakeups. */
    String endState(int instance) {
        long total = 0;
        int most = 0;
        for (int distance = 0; distance < DISTANCES; distance++) {
            long count = endWakeups[instance * DISTANCES + distance];
            total += count;
            if (count > endWakeups[instance * DISTANCES + most]) {
                most = distance;
            }
        }
        if (total == 0) {
            return "";
        }
        return Distance.all()[most].word() + (2 * endMoves[instance] > total ? ", walks" : ", stays");
    }

    long wakeups() {
        return wakeups;
    }

    long placedOnBusy() {
        return placedOnBusy;
    }

    SimulationResult.Scans scans() {
        return new SimulationResult.Scans(scans, scansNothingIdle, scansOverBudget, scanProbes);
    }

    long bounced() {
        return bounced;
    }

    long balancerMigrations() {
        return balancerMigrations;
    }

    long[] wakeupsByDistance() {
        return wakeupsByDistance.clone();
    }

    long[] migrationsByDistance() {
        return migrationsByDistance.clone();
    }
}
