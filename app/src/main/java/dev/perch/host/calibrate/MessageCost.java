package dev.perch.host.calibrate;

import dev.perch.model.Cost;
import dev.perch.model.HardwareModel;
import dev.perch.model.Machine;

/**
 * What a message of a workload takes beside the scheduler, ns: up to its wakeup, and after it.
 *
 * @param before {@code message} in a machine file
 * @param after {@code tail}
 */
record MessageCost(int before, int after) {
    private static final int MILLE = HostNumber.MILLE;

    static boolean isKnown(Machine machine, String workload) {
        return HostNumber.has(machine, workload, MeasuredWorkloads.MESSAGE)
                && HostNumber.has(machine, workload, MeasuredWorkloads.TAIL);
    }

    static MessageCost of(Machine machine, String workload) {
        return new MessageCost(
                HostNumber.cost(machine, workload, MeasuredWorkloads.MESSAGE).coreNs(),
                HostNumber.cost(machine, workload, MeasuredWorkloads.TAIL).coreNs());
    }

    int sum() {
        return before + after;
    }

    /** How much of it comes after the wakeup, in thousandths. */
    int afterMille() {
        return (int) (sum() == 0 ? 0 : (long) after * MILLE / sum());
    }

    /** The same proportion of another sum. */
    MessageCost ofSum(int sum) {
        return split(sum, (int) (sum() == 0 ? 0 : (long) sum * after / sum()));
    }

    /** The same sum, so many thousandths of it after the wakeup. */
    MessageCost withAfter(int mille) {
        return split(sum(), (int) ((long) sum() * mille / MILLE));
    }

    private static MessageCost split(int sum, int after) {
        return new MessageCost(sum - after, after);
    }

    HardwareModel in(HardwareModel model, String workload) {
        return model.with(workload, MeasuredWorkloads.MESSAGE, Cost.core(before))
                .with(workload, MeasuredWorkloads.TAIL, Cost.core(after));
    }
}
