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
 * @param fromNs only wakeups and times from here on are reported; the state is rebuilt from all events
 * @param toNs only those before this
 * @param comm report only wakeups whose waker or wakee is called so; empty for all
 * @param pid report only wakeups whose waker or wakee is this task; −1 for all
 */
public record AuditOptions(
        @Nullable Topology topology,
        @Nullable HardwareModel model,
        String machineName,
        Map<Integer, CpuMask> affinity,
        long fromNs,
        long toNs,
        String comm,
        int pid) {

    public AuditOptions {
        affinity = Map.copyOf(affinity);
    }

    /** All of the recording, on a machine of this topology or an unknown one. */
    public static AuditOptions of(@Nullable Topology topology) {
        return new AuditOptions(topology, null, "", Map.of(), Long.MIN_VALUE, Long.MAX_VALUE, "", -1);
    }

    public AuditOptions withModel(@Nullable HardwareModel costs) {
        return new AuditOptions(topology, costs, machineName, affinity, fromNs, toNs, comm, pid);
    }

    public AuditOptions withMachineName(String name) {
        return new AuditOptions(topology, model, name, affinity, fromNs, toNs, comm, pid);
    }

    public AuditOptions withAffinity(Map<Integer, CpuMask> cpus) {
        return new AuditOptions(topology, model, machineName, cpus, fromNs, toNs, comm, pid);
    }

    public AuditOptions withInterval(long from, long to) {
        return new AuditOptions(topology, model, machineName, affinity, from, to, comm, pid);
    }

    public AuditOptions withFilter(String name, int onlyPid) {
        return new AuditOptions(topology, model, machineName, affinity, fromNs, toNs, name, onlyPid);
    }
}
