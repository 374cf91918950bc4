package dev.perch.kernel.balance;

import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.load.CpuLoad;

/**
 * 3.2: two busy CPUs are picked to watch, the first kicks with two tasks, the second with one already; the first CPU to stop its
 * tick is nominated to be kicked.
 */
final class TwoPicks extends WholeKicks {
    private int firstPick = NO_CPU;
    private int secondPick = NO_CPU;
    private int nominated = NO_CPU;

    TwoPicks(Runqueue[] queues, CpuLoad[] loads) {
        super(queues, loads);
    }

    @Override
    void idleEntered(int cpu) {
        // Only stopping the tick matters to these rules.
    }

    @Override
    void tickStopped(int cpu) {
        tickless[cpu] = true;
        firstPick = firstPick == cpu ? NO_CPU : firstPick;
        secondPick = secondPick == cpu ? NO_CPU : secondPick;
        nominated = nominated == NO_CPU ? cpu : nominated;
    }

    @Override
    void tickRestarted(int cpu) {
        tickless[cpu] = false;
        nominated = nominated == cpu ? NO_CPU : nominated;
    }

    @Override
    boolean kicksBesidesOwnBalance() {
        return false;
    }

    @Override
    boolean wantsKick(int cpu, boolean due, boolean idleAtTick) {
        if (!due || idleAtTick) {
            return false;
        }
        boolean others = firstPick != NO_CPU && firstPick != cpu && secondPick != NO_CPU && secondPick != cpu;
        if (others) {
            return false;
        }
        int nrRunning = queues[cpu].nrRunning();
        if (firstPick == NO_CPU || firstPick == cpu) {
            firstPick = cpu;
            secondPick = secondPick == cpu ? NO_CPU : secondPick;
            return nrRunning > 1;
        }
        secondPick = cpu;
        return nrRunning > 0;
    }

    @Override
    int target(BalanceHost host) {
        return nominated == NO_CPU ? firstTickless() : nominated;
    }

    @Override
    boolean isServed(int cpu, BalanceHost host) {
        return tickless[cpu];
    }
}
