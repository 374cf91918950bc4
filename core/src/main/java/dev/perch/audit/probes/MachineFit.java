package dev.perch.audit.probes;

import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.InputException;
import dev.perch.model.ProbedDecision;

/** Whether a recorded decision fits the machine that the user names: as many CPUs, and as many in the waker's LLC. */
final class MachineFit {
    private final SchedDomains domains;
    private final String machine;

    /** @param machine its name, for messages */
    MachineFit(SchedDomains domains, String machine) {
        this.domains = domains;
        this.machine = machine;
    }

    /**
     * Nothing if the decision may be one of the machine.
     *
     * @param file the recording, for the message
     * @throws InputException if it cannot be
     */
    void require(ProbedDecision decision, String file) {
        int cpus = domains.cpuCount();
        if (decision.hasSearch && decision.cpus != cpus) {
            throw new InputException(place(decision, file) + ": the probes show " + decision.cpus
                    + " CPUs, but machine '" + machine + "' has " + cpus + "; name the recorded one with --machine");
        }
        int highest = Math.max(Math.max(decision.thisCpu, decision.prevCpu), decision.chosenCpu);
        if (highest >= cpus) {
            throw new InputException(place(decision, file) + ": CPU " + highest + " is not among the " + cpus
                    + " of machine '" + machine + "'; name the recorded one with --machine");
        }
        if (decision.hasWakeWide && decision.llcSize != domains.llcSize(decision.thisCpu)) {
            throw new InputException(place(decision, file) + ": the LLC of CPU " + decision.thisCpu + " has "
                    + decision.llcSize + " CPUs (ww factor), but " + domains.llcSize(decision.thisCpu)
                    + " on machine '" + machine
                    + "'; name the recorded machine with --machine, and an exclusive cpuset with --cpuset");
        }
    }

    private static String place(ProbedDecision decision, String file) {
        return file + ":" + decision.line;
    }
}
