package dev.perch.kernel.wakeup;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.InputException;

/**
 * Whether the waker enqueues the wakee itself or leaves that to the chosen CPU, through its wake list.
 *
 * <p>{@code ttwu_queue} of 2.6.39 – 3.15. Source: placement.md 9.2, 9.3. A wakeup put on a list that was empty is announced by a
 * reschedule IPI, whatever the idle state; on a list that was not, by nothing.
 */
public final class RemoteQueue {
    private final SchedDomains domains;
    private final boolean feature;
    private final boolean everyRemote;

    private RemoteQueue(SchedDomains domains, boolean feature, boolean everyRemote) {
        this.domains = domains;
        this.feature = feature;
        this.everyRemote = everyRemote;
    }

    /**
     * The rule of {@code kernel}; with NO_TTWU_QUEUE the list is never used.
     *
     * @throws InputException if the kernel names a rule that there is not
     */
    public static RemoteQueue of(Kernel kernel, SchedDomains domains) {
        boolean everyRemote = switch (kernel.rules().remoteQueue()) {
            case "every-remote" -> true;
            case "other-llc" -> false;
            default ->
                throw new InputException("kernel " + kernel.version() + " names the remote-queue rules '"
                        + kernel.rules().remoteQueue() + "', which are not known; known are every-remote, other-llc");
        };
        return new RemoteQueue(domains, kernel.has("TTWU_QUEUE"), everyRemote);
    }

    /** Whether a waker on {@code thisCpu} puts its wakee on the wake list of {@code targetCpu}. */
    public boolean useWakeList(int thisCpu, int targetCpu) {
        return feature && thisCpu != targetCpu && (everyRemote || !domains.shareCache(thisCpu, targetCpu));
    }
}
