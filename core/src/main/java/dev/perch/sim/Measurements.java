package dev.perch.sim;

import dev.perch.model.Distance;
import java.util.Arrays;

/**
 * What a run counts: operations, wakeups by distance, moves. Reset when the warm-up ends; the last tenth of the measured time is
 * counted once more by instance, to say in which state each one ended.
 */
final class Measurements {
    private static final int DISTANCES = Distance.all().length;

    private final int[] instanceOf;
    private final long[] operations;
    private final long[] wakeupsByDistance = new long[DISTANCES];
    private final long[] migrationsByDistance = new long[DISTANCES];
    private final long[] endWakeups;
    private final long[] endMoves;
    private long wakeups;
    private long bounced;
    private long balancerMigrations;

    /** {@code instanceOf} by task number; {@link Workload#NO_INSTANCE} for tasks that are not counted. */
    Measurements(int[] instanceOf, int instances) {
        this.instanceOf = instanceOf;
        operations = new long[instances];
        endWakeups = new long[instances * DISTANCES];
        endMoves = new long[instances];
    }

    /** The warm-up is over. */
    void reset() {
        Arrays.fill(operations, 0);
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

    void operation(int task) {
        int instance = instanceOf[task];
        if (instance >= 0) {
            operations[instance]++;
        }
    }

    /** A wakeup was placed: {@code wakerToChosen} and {@code prevToChosen} are {@link Distance} ordinals. */
    void placed(int wakee, int wakerToChosen, int prevToChosen) {
        int instance = instanceOf[wakee];
        if (instance < 0) {
            return;
        }
        wakeups++;
        wakeupsByDistance[wakerToChosen]++;
        endWakeups[instance * DISTANCES + wakerToChosen]++;
        if (prevToChosen != 0) {
            bounced++;
            migrationsByDistance[prevToChosen]++;
            endMoves[instance]++;
        }
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
