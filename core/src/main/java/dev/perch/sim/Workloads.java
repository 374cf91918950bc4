package dev.perch.sim;

import dev.perch.model.Cost;
import dev.perch.model.CpuMask;
import dev.perch.model.HardwareModel;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The workloads there are, and how an expression of them becomes tasks.
 *
 * <p>What a workload's steps cost is the machine's to say ({@code workloads.NAME} in its file). The anatomy is spec scheduler.md 9.
 */
public final class Workloads {
    private static final WorkloadKind TCP_RR = new WorkloadKind(
            "tcp-rr",
            "two processes that send each other one message in turn over a TCP loopback connection",
            "netperf TCP_RR, as run on linux-kernel in November 2011 and May 2012",
            "transactions/s",
            true,
            List.of("pin=A/B bind the client to CPU A and the server to CPU B", "size=BYTES payload of a message (1)"));

    private static final WorkloadKind PIPE = new WorkloadKind(
            "pipe",
            "two processes that send each other four bytes in turn over two pipes",
            "perf bench sched pipe, as run on linux-kernel in February 2013",
            "us/op",
            false,
            List.of("pin=A/B bind the parent to CPU A and the child to CPU B"));

    private static final WorkloadKind HOG = new WorkloadKind(
            "hog",
            "a process that computes without end",
            "CPU hogs, as run on linux-kernel in November 2011",
            "ms/s",
            true,
            List.of("pin=A bind it to CPU A"));

    private static final List<WorkloadKind> ALL = List.of(TCP_RR, PIPE, HOG);

    /** Length of one counted piece of a hog's work, nominal ns. */
    private static final int HOG_PIECE_NS = 1_000_000;

    /** Bounds of the work of one housekeeping wakeup, nominal ns. */
    private static final int HOUSEKEEPING_FROM_NS = 15_000;

    private static final int HOUSEKEEPING_TO_NS = 45_000;

    private Workloads() {}

    /** All kinds, in the order in which a list should show them. */
    public static List<WorkloadKind> list() {
        return ALL;
    }

    /**
     * Checks names, options, pins and masks of a run without running it.
     *
     * @throws InputException what is wrong, with the nearest name if one is unknown
     */
    public static void check(SimulationSpec spec) {
        build(spec);
    }

    static Workload build(SimulationSpec spec) {
        CpuMask cpus = spec.machine().topology().cpus();
        CpuMask home = checkedHome(spec, cpus);
        CpuMask free = spec.taskset().isEmpty() ? home : spec.taskset();
        if (spec.workload().isEmpty()) {
            throw new InputException("the workload is empty; name one, such as tcp-rr (perch list workloads)");
        }
        Workload.Builder builder = new Workload.Builder();
        for (WorkloadItem item : spec.workload()) {
            for (int i = 0; i < item.count(); i++) {
                add(builder, item, spec.machine(), home, free);
            }
        }
        addHousekeeping(builder, spec);
        return builder.build();
    }

    private static CpuMask checkedHome(SimulationSpec spec, CpuMask cpus) {
        CpuMask home = spec.cpuset().isEmpty() ? cpus : spec.cpuset();
        if (!cpus.containsAll(home)) {
            throw new InputException("cpuset " + home + " names CPUs that machine '"
                    + spec.machine().name() + "' does not have; it has " + cpus);
        }
        if (!home.containsAll(spec.taskset())) {
            throw new InputException(
                    "taskset " + spec.taskset() + " names CPUs outside of " + home + ", where the workload may run");
        }
        return home;
    }

    private static void add(Workload.Builder builder, WorkloadItem item, Machine machine, CpuMask home, CpuMask free) {
        switch (item.name()) {
            case "tcp-rr" -> addTcpRr(builder, item, machine, home, free);
            case "pipe" -> addPipe(builder, item, machine, home, free);
            case "hog" -> addHog(builder, item, machine, home, free);
            default -> {
                List<String> names = ALL.stream().map(WorkloadKind::name).toList();
                throw new InputException("unknown workload '" + item.name() + "'" + Nearest.hint(item.name(), names));
            }
        }
    }

    /**
     * One transaction is a request and a response. The wakeup happens inside the sender's send call, with the receive path of the
     * loopback device already behind it; what is left of the call, the return to user mode and the next receive call until it
     * blocks are the sender's tail, which runs beside the receiver if that one is on another CPU.
     */
    private static void addTcpRr(
            Workload.Builder builder, WorkloadItem item, Machine machine, CpuMask home, CpuMask free) {
        refuseOtherOptions(item, Set.of("pin", "size"));
        int size = positive(item, "size", 1, 65_535);
        HardwareModel model = machine.requireModel();
        Cost message = model.workloadCost(machine.name(), "tcp-rr", "message");
        Cost crossing = model.workloadCost(machine.name(), "tcp-rr", "crossing");
        if (size > 1) {
            Cost perKib = model.workloadCost(machine.name(), "tcp-rr", "kib");
            message = message.plus(scaled(perKib, size - 1));
            crossing = new Cost(crossing.coreNs(), crossing.wallNs(), crossing.lines() + (size - 1) / 64);
        }
        addPair(builder, item, machine, home, free, TCP_RR, message, crossing, "netperf", "netserver");
    }

    private static Cost scaled(Cost perKib, int bytes) {
        return new Cost(
                (int) ((long) perKib.coreNs() * bytes / 1024), (int) ((long) perKib.wallNs() * bytes / 1024), (int)
                        ((long) perKib.lines() * bytes / 1024));
    }

    private static void addPipe(
            Workload.Builder builder, WorkloadItem item, Machine machine, CpuMask home, CpuMask free) {
        refuseOtherOptions(item, Set.of("pin"));
        HardwareModel model = machine.requireModel();
        Cost message = model.workloadCost(machine.name(), "pipe", "message");
        Cost crossing = model.workloadCost(machine.name(), "pipe", "crossing");
        addPair(builder, item, machine, home, free, PIPE, message, crossing, "sched-pipe", "sched-pipe");
    }

    /** Two tasks that send to each other in turn; the first one begins and counts. */
    private static void addPair(
            Workload.Builder builder,
            WorkloadItem item,
            Machine machine,
            CpuMask home,
            CpuMask free,
            WorkloadKind kind,
            Cost message,
            Cost crossing,
            String firstName,
            String secondName) {
        Cost tail = machine.requireModel().workloadCost(machine.name(), kind.name(), "tail");
        // half of the tail is the rest of the send call, half the way into the next receive call
        Cost callTail = new Cost(tail.coreNs() / 2, tail.wallNs() / 2, 0);
        Cost userTail = new Cost(tail.coreNs() - callTail.coreNs(), tail.wallNs() - callTail.wallNs(), 0);
        int request = builder.addChannel();
        int response = builder.addChannel();
        int instance = builder.addInstance(kind);
        CpuMask[] ends = pins(item, home, free, 2);
        builder.addTask(
                firstName,
                new Program.Builder()
                        .kernel(message)
                        .send(request)
                        .kernel(callTail)
                        .returnToUser()
                        .kernel(userTail)
                        .receive(response, crossing)
                        .count()
                        .jump(0)
                        .build(),
                ends[0],
                instance);
        builder.addTask(
                secondName,
                new Program.Builder()
                        .receive(request, crossing)
                        .kernel(message)
                        .send(response)
                        .kernel(callTail)
                        .returnToUser()
                        .kernel(userTail)
                        .jump(0)
                        .build(),
                ends[1],
                instance);
    }

    private static void addHog(
            Workload.Builder builder, WorkloadItem item, Machine machine, CpuMask home, CpuMask free) {
        refuseOtherOptions(item, Set.of("pin"));
        machine.requireModel();
        Program program = new Program.Builder()
                .user(Cost.core(HOG_PIECE_NS))
                .count()
                .jump(0)
                .build();
        builder.addTask("hog", program, pins(item, home, free, 1)[0], builder.addInstance(HOG));
    }

    /** Every CPU of the machine has a kernel thread that wakes up now and then, for a few microseconds. */
    private static void addHousekeeping(Workload.Builder builder, SimulationSpec spec) {
        int rate = spec.settings().housekeepingPerSecond();
        if (rate == 0) {
            return;
        }
        int cpuCount = spec.machine().topology().cpuCount();
        int mean = (int) Math.min(2_000_000_000L, cpuCount * 1_000_000_000L / rate);
        Program program = new Program.Builder()
                .sleep(mean)
                .burst(HOUSEKEEPING_FROM_NS, HOUSEKEEPING_TO_NS)
                .jump(0)
                .build();
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            builder.addTask("kworker/" + cpu, program, CpuMask.of(cpu), Workload.NO_INSTANCE);
        }
    }

    private static CpuMask[] pins(WorkloadItem item, CpuMask home, CpuMask free, int ends) {
        CpuMask[] result = new CpuMask[ends];
        java.util.Arrays.fill(result, free);
        String pin = item.options().get("pin");
        if (pin == null) {
            return result;
        }
        String[] parts = pin.split("/", -1);
        if (parts.length != ends) {
            throw new InputException("workload '" + item.name() + "': pin=" + pin + " names " + parts.length
                    + " CPUs, but it has " + ends + (ends == 1 ? " task; write pin=A" : " tasks; write pin=A/B"));
        }
        for (int end = 0; end < ends; end++) {
            CpuMask mask = CpuMask.parse(parts[end]);
            if (mask.count() != 1) {
                throw new InputException(
                        "workload '" + item.name() + "': pin=" + pin + ": '" + parts[end] + "' is not one CPU number");
            }
            if (!home.containsAll(mask)) {
                throw new InputException("workload '" + item.name() + "': pin=" + pin + ": CPU " + mask
                        + " is not among CPUs " + home + ", where the workload may run");
            }
            result[end] = mask;
        }
        return result;
    }

    private static void refuseOtherOptions(WorkloadItem item, Set<String> known) {
        for (String key : item.options().keySet()) {
            if (!known.contains(key)) {
                throw new InputException("workload '" + item.name() + "' has no option '" + key + "'"
                        + Nearest.hint(key, new ArrayList<>(new java.util.TreeSet<>(known))));
            }
        }
    }

    private static int positive(WorkloadItem item, String key, int whenAbsent, int limit) {
        String text = item.options().get(key);
        if (text == null) {
            return whenAbsent;
        }
        if (!text.matches("\\d{1,9}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > limit) {
            throw new InputException(
                    "workload '" + item.name() + "': " + key + "=" + text + " is not a number from 1 to " + limit);
        }
        return Integer.parseInt(text);
    }
}
