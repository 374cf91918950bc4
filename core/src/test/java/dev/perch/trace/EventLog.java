package dev.perch.trace;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskState;
import java.util.ArrayList;
import java.util.List;

/** Writes down every event as one line, so that two streams can be compared. */
final class EventLog implements SchedEvents {
    private final List<String> lines = new ArrayList<>();

    List<String> lines() {
        return lines;
    }

    private void log(String kind, long ns, int cpu, Object... rest) {
        StringBuilder line = new StringBuilder(kind + " ns=" + ns + " cpu=" + cpu);
        for (Object value : rest) {
            line.append(' ').append(value);
        }
        lines.add(line.toString());
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        log("switch", ns, cpu, prev, prevPrio, prevState, next, nextPrio);
    }

    @Override
    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
        log("waking", ns, cpu, current, context, wakee, prio, prevCpu);
    }

    @Override
    public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        log("wakeup", ns, cpu, current, context, wakee, prio, targetCpu);
    }

    @Override
    public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        log("wakeup_new", ns, cpu, current, context, wakee, prio, targetCpu);
    }

    @Override
    public void migrated(long ns, int cpu, int current, int task, int prio, int fromCpu, int toCpu) {
        log("migrate", ns, cpu, current, task, prio, fromCpu, toCpu);
    }

    @Override
    public void forked(long ns, int cpu, int parent, int child) {
        log("fork", ns, cpu, parent, child);
    }

    @Override
    public void exec(long ns, int cpu, int pid, int oldPid) {
        log("exec", ns, cpu, pid, oldPid);
    }

    @Override
    public void exited(long ns, int cpu, int pid, int prio) {
        log("exit", ns, cpu, pid, prio);
    }

    @Override
    public void freed(long ns, int cpu, int pid) {
        log("free", ns, cpu, pid);
    }

    @Override
    public void wakeIdleWithoutIpi(long ns, int cpu, int targetCpu) {
        log("wake_idle_without_ipi", ns, cpu, targetCpu);
    }

    @Override
    public void idle(long ns, int cpu, int state) {
        log("cpu_idle", ns, cpu, state);
    }

    @Override
    public void frequency(long ns, int cpu, int khz) {
        log("cpu_frequency", ns, cpu, khz);
    }

    @Override
    public void ipiSent(long ns, int cpu, int targetCpu) {
        log("ipi_send", ns, cpu, targetCpu);
    }

    @Override
    public void rescheduleIpi(long ns, int cpu) {
        log("reschedule_ipi", ns, cpu);
    }

    @Override
    public void callFunctionIpi(long ns, int cpu) {
        log("call_function_ipi", ns, cpu);
    }

    @Override
    public void runtime(long ns, int cpu, int pid, long runtimeNs) {
        log("stat_runtime", ns, cpu, pid, runtimeNs);
    }

    @Override
    public void lost(long ns, int cpu, long count) {
        log("lost", ns, cpu, count);
    }
}
