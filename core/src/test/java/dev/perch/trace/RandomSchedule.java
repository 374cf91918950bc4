package dev.perch.trace;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A schedule out of a seed: every kind of event, on some CPUs, by tasks whose names fight parsers. It need not make sense as a schedule,
 * but what runs on a CPU is what was switched to there, and times never decrease.
 */
final class RandomSchedule {
    /** Names that fight parsers, all within the kernel's 15 bytes. */
    static final List<byte[]> NAMES = names();

    private static final TaskState[] STATES = {
        TaskState.RUNNABLE,
        TaskState.SLEEPING,
        TaskState.DISK_SLEEP,
        TaskState.STOPPED,
        TaskState.TRACED,
        TaskState.DEAD,
        TaskState.ZOMBIE,
        TaskState.PARKED,
        TaskState.IDLE
    };

    private final SplittableRandom random;
    private final int cpus;
    private final long timeStep;
    private final int[] running;
    private long ns;

    /** {@code timeStep}: all times are multiples of it, nanoseconds. */
    RandomSchedule(long seed, int cpus, long timeStep, TaskNames names) {
        random = new SplittableRandom(seed);
        this.cpus = cpus;
        this.timeStep = timeStep;
        running = new int[cpus];
        ns = random.nextLong(2_000_000_000L) / timeStep * timeStep;
        for (int pid = 1; pid <= 60; pid++) {
            byte[] name = NAMES.get(random.nextInt(NAMES.size()));
            names.learn(pid, name, 0, name.length);
        }
    }

    /** Every CPU first switches once, so that what runs is known. */
    void run(int events, SchedEvents out) {
        for (int cpu = 0; cpu < cpus; cpu++) {
            switchOn(cpu, out);
        }
        for (int i = cpus; i < events; i++) {
            event(out);
        }
    }

    private void switchOn(int cpu, SchedEvents out) {
        int next = random.nextInt(3) == 0 ? 0 : task();
        TaskState state = running[cpu] == 0 ? TaskState.RUNNABLE : STATES[random.nextInt(STATES.length)];
        out.switched(ns, cpu, running[cpu], prio(), state, next, prio());
        running[cpu] = next;
    }

    private void event(SchedEvents out) {
        ns += random.nextInt(4) == 0 ? 0 : random.nextLong(50_000) / timeStep * timeStep;
        int cpu = random.nextInt(cpus);
        int other = random.nextInt(cpus);
        int current = running[cpu];
        int context = random.nextInt(3);
        int task = task();
        switch (random.nextInt(19)) {
            case 0, 1, 2 -> out.waking(ns, cpu, current, context, task, prio(), other);
            case 3, 4 -> out.wakeup(ns, cpu, current, context, task, prio(), other);
            case 5 -> out.wakeupNew(ns, cpu, current, context, task, prio(), other);
            case 6 -> out.migrated(ns, cpu, current, task, prio(), other, cpu);
            case 7 -> out.forked(ns, cpu, current, task);
            case 8 -> out.exec(ns, cpu, current, task);
            case 9 -> out.exited(ns, cpu, current, prio());
            case 10 -> out.freed(ns, cpu, task);
            case 11 -> out.wakeIdleWithoutIpi(ns, cpu, other);
            case 12 -> out.idle(ns, cpu, random.nextInt(5) - 1);
            case 13 -> out.frequency(ns, cpu, 800_000 + random.nextInt(3_000_000));
            case 14 -> out.ipiSent(ns, cpu, other);
            case 15 -> out.rescheduleIpi(ns, cpu);
            case 16 -> out.callFunctionIpi(ns, cpu);
            case 17 -> out.runtime(ns, cpu, task, random.nextLong(10_000_000));
            default -> switchOn(cpu, out);
        }
    }

    private int task() {
        return 1 + random.nextInt(60);
    }

    private int prio() {
        return random.nextInt(8) == 0 ? random.nextInt(100) : 100 + random.nextInt(40);
    }

    private static List<byte[]> names() {
        List<byte[]> names = new ArrayList<>();
        for (String name : new String[] {
            "bash",
            "a => b",
            "x ==> y",
            "[br] ack",
            "(sd-pam)",
            "next_pid=7 x",
            "a\tb",
            "a\nb",
            "\nstart",
            "end\n",
            "日本語",
            "pid=1 prio=0",
            "-123 [001] 1.0",
            " leading",
            "trailing ",
            " ",
            "",
            "%s%n",
            "{\"j\":1}",
            "<...>-9",
            "C2 CompilerThre",
            "GC Thread#0",
            "VM Periodic Tas",
            "kworker/u130:2",
            "kworker/0:1H",
            "HDMI polling ta",
            "foobar [worker]",
            "[ET_NET 0]",
            "tmux: server",
            "a:1 [1] S ==> b",
            " pid=1 prio=1",
            "==> next_comm=x",
            " prev_pid=9 ",
            "1 [001] 1.0: x",
            "-1 [0] 1.0: x:",
            "# tracer: nop",
            "a\n#b",
            "CPU:0 [LOST 1 E",
            "x target_cpu=1",
            " next_prio=5",
            "runtime=5 [ns]",
            "a:b:c",
            "9",
            "0/1",
            "R+",
            "prev_state=S",
            "\n\n",
            "swapper/0"
        }) {
            names.add(name.getBytes(StandardCharsets.UTF_8));
        }
        names.add(new byte[] {(byte) 0xff, (byte) 0xfe, 'x'});
        return names;
    }
}
