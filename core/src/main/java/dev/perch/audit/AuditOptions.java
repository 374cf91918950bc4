package dev.perch.audit;

import dev.perch.model.CpuMask;
import dev.perch.model.HardwareModel;
import dev.perch.model.Topology;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an audit is given beside the recording.
 *
 * @param topology who shares what; null if not known, which leaves out the verdicts that need it
 * @param model the machine's costs, or null
 * @param machineName for messages; empty if there is no machine
 * @param affinity allowed CPUs by pid, as far as the user tells
 * @param from only wakeups and times from here on are reported; the state is rebuilt from all events
 * @param to only those before this
 * @param comm report only wakeups whose waker or wakee is called so; empty for all
 * @param pid report only wakeups whose waker or wakee is this task; −1 for all
 */
public record AuditOptions(
        @Nullable Topology topology,
        @Nullable HardwareModel model,
        String machineName,
        Map<Integer, CpuMask> affinity,
        Moment from,
        Moment to,
        String comm,
        int pid) {

    /**
     * A time in a recording.
     *
     * @param ns in the recording's clock, or since its first event
     * @param sinceFirst whether it counts from the first event
     */
    public record Moment(long ns, boolean sinceFirst) {
        public static final Moment START = new Moment(Long.MIN_VALUE, false);
        public static final Moment END = new Moment(Long.MAX_VALUE, false);

        /** The time in the recording's clock, given that of its first event. */
        public long in(long firstNs) {
            return sinceFirst ? firstNs + ns : ns;
        }
    }

    public AuditOptions {
        affinity = Map.copyOf(affinity);
    }

    /** All of the recording, on a machine of this topology or an unknown one. */
    public static AuditOptions of(@Nullable Topology topology) {
        return new AuditOptions(topology, null, "", Map.of(), Moment.START, Moment.END, "", -1);
    }

    public AuditOptions withModel(@Nullable HardwareModel costs) {
        return new AuditOptions(topology, costs, machineName, affinity, from, to, comm, pid);
    }

    public AuditOptions withMachineName(String name) {
        return new AuditOptions(topology, model, name, affinity, from, to, comm, pid);
    }

    public AuditOptions withAffinity(Map<Integer, CpuMask> cpus) {
        return new AuditOptions(topology, model, machineName, cpus, from, to, comm, pid);
    }

    public AuditOptions withInterval(Moment begin, Moment end) {
        return new AuditOptions(topology, model, machineName, affinity, begin, end, comm, pid);
    }

    public AuditOptions withFilter(String name, int onlyPid) {
        return new AuditOptions(topology, model, machineName, affinity, from, to, name, onlyPid);
    }
}
