package dev.perch.kernel.balance;

import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.load.CpuLoad;

/**
 * Kicks that are about all there is to do for idle CPUs ({@code nohz_kick_needed}, {@code nohz_balancer_kick} of Linux 3.2 to 5.4; spec:
 * scheduler.md 4.6): who is kicked balances itself, then all others.
 *
 * <p>Limitation: no asymmetric packing.
 */
abstract sealed class WholeKicks extends NohzIdle permits TwoPicks, BusyGroups {
    private final CpuLoad[] loads;
    private final boolean[] kicked;

    WholeKicks(Runqueue[] queues, CpuLoad[] loads) {
        super(queues);
        this.loads = loads;
        kicked = new boolean[queues.length];
    }

    @Override
    final int kick(int cpu, long jiffies, boolean idleAtTick, BalanceHost host) {
        if (!wantsKick(cpu, jiffies >= nextBalance, idleAtTick)) {
            return NO_CPU;
        }
        // No second kick in this jiffy, whether or not there is somebody to kick.
        nextBalance++;
        int target = target(host);
        if (target == NO_CPU || kicked[target]) {
            return NO_CPU;
        }
        kicked[target] = true;
        return target;
    }

    /** Whether an idle CPU that was kicked balances for {@code cpu}. */
    abstract boolean isServed(int cpu, BalanceHost host);

    /** Whether the CPU wants others balanced, if that is due; notes that it is busy. */
    abstract boolean wantsKick(int cpu, boolean due, boolean idleAtTick);

    abstract int target(BalanceHost host);

    final int firstTickless() {
        for (int cpu = 0; cpu < tickless.length; cpu++) {
            if (tickless[cpu]) {
                return cpu;
            }
        }
        return NO_CPU;
    }

    @Override
    final void softirq(int cpu, boolean idle, long jiffies, PeriodicBalance periodic, BalanceHost host) {
        periodic.rebalance(cpu, idle ? BalanceMode.IDLE : BalanceMode.BUSY, jiffies, host);
        if (idle && kicked[cpu]) {
            balanceOthers(cpu, jiffies, periodic, host);
        }
    }

    private void balanceOthers(int cpu, long jiffies, PeriodicBalance periodic, BalanceHost host) {
        for (int other = 0; other < queues.length; other++) {
            if (other == cpu || !isServed(other, host)) {
                continue;
            }
            if (queues[cpu].reschedulePending()) {
                break;
            }
            queues[cpu].refresh(host.now());
            loads[cpu].update(jiffies, queues[cpu].weight());
            periodic.rebalance(other, BalanceMode.IDLE, jiffies, host);
            periodic.next[cpu] = Math.min(periodic.next[cpu], periodic.next[other]);
        }
        kicked[cpu] = false;
        nextBalance = periodic.next[cpu];
    }

    @Override
    final void kickMissed(int cpu) {
        // the CPU stays marked as kicked until it is idle at a tick
    }

    @Override
    final void foundNothing(int cpu, long jiffies, BalanceHost host) {
        // there are no averages that would age
    }
}
