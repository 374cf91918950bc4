package dev.perch.decide;

import dev.perch.kernel.placement.WakeKind;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * A machine's state and a wakeup, as a person says them. What is left out is as on a machine where nothing is hidden: the hint of idle
 * cores is true to the state, and searches may look at every CPU.
 *
 * @param kind a wakeup, a fork or an exec
 * @param thisCpu the waker's CPU
 * @param prevCpu where the task last ran; of a fork the parent's CPU
 * @param sync the waker says that it will sleep soon
 * @param fromInterrupt an interrupt wakes the task
 * @param wakerIsPerCpuKthread the waker is a kernel thread bound to its CPU
 * @param running runnable tasks by CPU, the waker included; CPUs left out are idle
 * @param schedIdle those of the busy CPUs that run nothing but SCHED_IDLE tasks
 * @param allowed the task's affinity; empty: every CPU
 * @param recentCpu {@code recent_used_cpu} of the task; empty: prev
 * @param loads load of CPUs, 1024 = one task of nice 0; CPUs left out have that of their running tasks
 * @param wakerFlips {@code wakee_flips} of the waker, this wakeup included
 * @param wakeeFlips {@code wakee_flips} of the task
 * @param hasIdleCores the hint of the LLCs; empty: true where an LLC has an idle core
 * @param nrIdleScan CPUs that SIS_UTIL lets a search visit; empty: no limit
 * @param sisPropNr entries that SIS_PROP lets a search begin, at least 4; empty: no limit
 */
public record Situation(
        WakeKind kind,
        int thisCpu,
        int prevCpu,
        boolean sync,
        boolean fromInterrupt,
        boolean wakerIsPerCpuKthread,
        Map<Integer, Integer> running,
        CpuMask schedIdle,
        CpuMask allowed,
        OptionalInt recentCpu,
        Map<Integer, Integer> loads,
        int wakerFlips,
        int wakeeFlips,
        Optional<Boolean> hasIdleCores,
        OptionalInt nrIdleScan,
        OptionalInt sisPropNr) {

    /** The least that SIS_PROP computes. */
    public static final int LEAST_SIS_PROP = 4;

    public Situation {
        running = java.util.Collections.unmodifiableMap(new TreeMap<>(running));
        loads = java.util.Collections.unmodifiableMap(new TreeMap<>(loads));
    }

    /** A plain wakeup of a task that may run everywhere, {@code busy} CPUs running a task each. */
    public static Situation wakeup(CpuMask busy, int thisCpu, int prevCpu, boolean sync) {
        Map<Integer, Integer> running = new TreeMap<>();
        for (int cpu = busy.first(); cpu >= 0; cpu = busy.next(cpu + 1)) {
            running.put(cpu, 1);
        }
        return new Situation(
                WakeKind.WAKE,
                thisCpu,
                prevCpu,
                sync,
                false,
                false,
                running,
                CpuMask.empty(),
                CpuMask.empty(),
                OptionalInt.empty(),
                Map.of(),
                0,
                0,
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty());
    }

    /** Runnable tasks of a CPU. */
    int running(int cpu) {
        return running.getOrDefault(cpu, 0);
    }

    /**
     * Checks that everything named is on the machine.
     *
     * @throws InputException naming what is not
     */
    void check(int cpuCount) {
        checkCpu("--this", thisCpu, cpuCount);
        checkCpu("--prev", prevCpu, cpuCount);
        if (recentCpu.isPresent()) {
            checkCpu("--recent", recentCpu.getAsInt(), cpuCount);
        }
        running.keySet().forEach(cpu -> checkCpu("--busy", cpu, cpuCount));
        loads.keySet().forEach(cpu -> checkCpu("--load", cpu, cpuCount));
        if (!allowed.isEmpty()) {
            checkCpu("--taskset", allowed.last(), cpuCount);
        }
        for (int cpu = schedIdle.first(); cpu >= 0; cpu = schedIdle.next(cpu + 1)) {
            checkCpu("--sched-idle", cpu, cpuCount);
            if (running(cpu) == 0) {
                throw new InputException(
                        "--sched-idle names CPU " + cpu + ", which runs nothing; name it in --busy too");
            }
        }
        if (sisPropNr.isPresent() && sisPropNr.getAsInt() < LEAST_SIS_PROP) {
            throw new InputException("--sis-prop-nr cannot be " + sisPropNr.getAsInt()
                    + "; the kernel never takes less than " + LEAST_SIS_PROP);
        }
    }

    private static void checkCpu(String option, int cpu, int cpuCount) {
        if (cpu < 0 || cpu >= cpuCount) {
            throw new InputException(
                    option + " names CPU " + cpu + ", but the machine has only CPUs 0-" + (cpuCount - 1));
        }
    }
}
