package dev.perch.host.probe;

import dev.perch.host.bench.StoppedException;
import dev.perch.host.bench.YieldingProcess;
import dev.perch.host.linux.CoarseClock;
import dev.perch.host.linux.HostThread;
import dev.perch.host.linux.SystemCallException;
import dev.perch.host.linux.ThisThread;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * What things cost on the machine that Perch runs on, each measured by a small program of its own; docs/calibrate.md says how, and what each leaves out.
 *
 * <p>Each probe runs in threads of its own, pinned to the CPUs it names and gone when it returns: the caller's affinity is never touched. Times are ns of wall
 * time. Those of single system calls are without the call into C ({@link #callNs}). A probe takes some 0.1 to 0.8 s, most of it warm-up for
 * the compiler. Where others run on the same CPUs, readings spread and grow; probes cannot tell that from a slow machine.
 *
 * <p>All probes throw {@link InputException} for CPUs that this process may not use, and {@link StoppedException} soon after the measurement was to stop. Not for use
 * by several threads at once: two probes would disturb each other.
 */
public final class Probes {
    /**
     * How long the sleeper of {@link #wakeCall} has slept, ns: about as long as one of two tasks that wake each other. After longer sleeps an interrupt
     * may take several times as long to send, on a virtual machine whose hypervisor has given the idle CPU away.
     */
    public static final long WAKE_CALL_IDLE_NS = 20_000;

    private final BooleanSupplier stopped;
    private final CpuMask cpus = ThisThread.affinity();
    private final Map<Integer, Double> callNs = new HashMap<>();
    private final Map<Integer, Double> yieldNs = new HashMap<>();
    private volatile boolean interrupted;

    /**
     * @param stopped asked now and then, from any thread; once it is true, whatever runs ends with {@link StoppedException}. So does it when the
     *     calling thread is interrupted
     */
    public Probes(BooleanSupplier stopped) {
        this.stopped = stopped;
    }

    /** The cheapest system call (getppid): into the kernel and out of it. */
    public Reading systemCall(int cpu) {
        return call(cpu, CallProbe::parents);
    }

    /** FUTEX_WAKE (of a futex that processes may share) for which nobody waits. */
    public Reading futexWake(int cpu) {
        return call(cpu, CallProbe::futexWakes);
    }

    /** sched_yield of a task that is alone on its CPU. */
    @SuppressWarnings("NamedLikeContextualKeyword") // the kernel's name
    public Reading yield(int cpu) {
        return call(cpu, CallProbe::yields);
    }

    private Reading call(int cpu, Function<CallProbe, double[]> probe) {
        double call = callNs(cpu);
        return on(cpu, blocks -> Reading.of(probe.apply(new CallProbe(blocks)), ns -> ns - call));
    }

    /** What a call into C and out of it costs here by itself, which the readings of system calls are without. */
    public double callNs(int cpu) {
        return callNs.computeIfAbsent(cpu, key -> on(key, blocks -> new CallProbe(blocks).callNs()));
    }

    /** Writing four bytes into an empty pipe; nobody waits for them. */
    public Reading pipeWrite(int cpu) {
        return message(cpu, MessageProbe.Channel.PIPE, MessageProbe::sends);
    }

    /** Reading four bytes that are in a pipe; nobody waits for room. */
    public Reading pipeRead(int cpu) {
        return message(cpu, MessageProbe.Channel.PIPE, MessageProbe::receives);
    }

    /** Sending four bytes over a pair of stream sockets of the Unix domain; nobody waits for them. */
    public Reading socketSend(int cpu) {
        return message(cpu, MessageProbe.Channel.UNIX_SOCKETS, MessageProbe::sends);
    }

    /** Receiving four bytes that are there, from such a pair. */
    public Reading socketReceive(int cpu) {
        return message(cpu, MessageProbe.Channel.UNIX_SOCKETS, MessageProbe::receives);
    }

    /** Sending four bytes over TCP and loopback (TCP_NODELAY), the network's interrupt with it; nobody waits for them. */
    public Reading tcpSend(int cpu) {
        return message(cpu, MessageProbe.Channel.TCP, MessageProbe::sends);
    }

    /** Receiving four bytes that are there, over TCP. */
    public Reading tcpReceive(int cpu) {
        return message(cpu, MessageProbe.Channel.TCP, MessageProbe::receives);
    }

    private Reading message(int cpu, MessageProbe.Channel channel, Function<MessageProbe, double[]> probe) {
        double call = callNs(cpu);
        return on(cpu, blocks -> {
            try (MessageProbe messages = new MessageProbe(blocks, channel)) {
                return Reading.of(probe.apply(messages), ns -> ns - call);
            }
        });
    }

    /** A switch between two threads of one process. */
    public Reading switchThread(int cpu) {
        double yield = yieldNs(cpu);
        return on(cpu, blocks -> {
            try (YieldingThread other = new YieldingThread(blocks, cpu)) {
                return Reading.of(new SwitchProbe(blocks).values(other, yield));
            }
        });
    }

    /** A switch between two processes. */
    public Reading switchProcess(int cpu) {
        double yield = yieldNs(cpu);
        return on(cpu, blocks -> {
            try {
                return YieldingProcess.during(
                        cpu, blocks::isToStop, other -> Reading.of(new SwitchProbe(blocks).values(other, yield)));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** What a yield takes that finds nobody: the shortest block, for whoever is found can only lengthen it. */
    private double yieldNs(int cpu) {
        return yieldNs.computeIfAbsent(
                cpu,
                key -> on(
                        key,
                        blocks -> Arrays.stream(new CallProbe(blocks).yields())
                                .min()
                                .orElseThrow()));
    }

    /** One way of a cache line between two CPUs: half a round trip of compare-and-exchange. */
    public Reading lineTransfer(int a, int b) {
        return between(a, b, blocks -> Reading.of(new LineProbe(blocks).values(b)));
    }

    /** An interrupt from {@code a} to {@code b}, which runs user code, and its acknowledgement back; nothing where membarrier is not there or interrupts nobody. */
    public Optional<Reading> interrupt(int a, int b) {
        return between(a, b, blocks -> new InterruptProbe(blocks).reading(b));
    }

    /** FUTEX_WAKE on {@code a} that wakes a thread on {@code b}, idle for {@value #WAKE_CALL_IDLE_NS} ns; a value a wakeup. */
    public Reading wakeCall(int a, int b) {
        double call = callNs(a);
        return between(
                a,
                b,
                blocks -> Reading.of(
                        new WakeProbe(blocks).across(b, WAKE_CALL_IDLE_NS).calls(), ns -> ns - call));
    }

    /**
     * From before FUTEX_WAKE on {@code a} until the sleeper on {@code b} is back in user mode; a value a wakeup.
     *
     * @param idleNs how long {@code b} has been idle; at least 10 µs, or the sleeper is hardly ever asleep, and at most 1 s
     */
    public Reading wakeLatency(int a, int b, long idleNs) {
        return between(
                a,
                b,
                blocks -> Reading.of(new WakeProbe(blocks).across(b, idleNs).latencies()));
    }

    /** The same with both on one CPU, where the waker falls asleep right after its call; a value a wakeup. */
    public Reading wakeLatencySameCpu(int cpu) {
        return on(cpu, blocks -> Reading.of(new WakeProbe(blocks).onOneCpu(cpu).latencies()));
    }

    /** Extra time of a thread's first write and read of a pipe after it came from {@code a} to {@code b}; a value a move. */
    public Reading migrationRefill(int a, int b) {
        return between(a, b, blocks -> {
            try (MigrationProbe probe = new MigrationProbe(blocks)) {
                return Reading.of(probe.values(a, b));
            }
        });
    }

    /** Speed of a busy loop on {@code a} while the same runs on {@code b}, 1 being its speed alone; not a time. */
    public Reading beside(int a, int b) {
        return between(a, b, blocks -> new ComputeProbe(blocks).beside(b));
    }

    /** The clock of a busy CPU, kHz: operations of a chain in which each takes one cycle. */
    public Reading clockKhz(int cpu) {
        return on(cpu, blocks -> Reading.of(new ComputeProbe(blocks).clockKhz()));
    }

    /** How long the timer tick stops a spinning thread, a value a tick; nothing where it cannot be told from other gaps. */
    public Optional<Reading> tick(int cpu) {
        return on(cpu, blocks -> new TickProbe(blocks).reading());
    }

    /** Timer ticks a second, as the kernel was built. */
    public static int tickHz() {
        return (int) Math.round(1e9 / CoarseClock.resolutionNs());
    }

    private <T> T between(int a, int b, Function<Blocks, T> probe) {
        if (a == b) {
            throw new InputException("CPU " + a + " cannot be measured against itself; name two CPUs");
        }
        require(b);
        return on(a, probe);
    }

    /** Runs a probe in a thread that is pinned to {@code cpu}, until its end whatever happens. */
    private <T> T on(int cpu, Function<Blocks, T> probe) {
        require(cpu);
        CompletableFuture<T> result = HostThread.start("probe", () -> {
            HostThread.pin(CpuMask.of(cpu));
            return probe.apply(new Blocks(() -> interrupted || stopped.getAsBoolean()));
        });
        try {
            return HostThread.await(result);
        } catch (InterruptedException e) {
            interrupted = true;
            result.handle((reading, failure) -> reading).join();
            Thread.currentThread().interrupt();
            throw new StoppedException();
        } catch (SystemCallException e) {
            throw new InputException("the costs of CPU " + cpu + " cannot be measured: " + e.getMessage(), e);
        }
    }

    private void require(int cpu) {
        if (cpu < 0 || cpu >= CpuMask.MAX_CPUS || !cpus.contains(cpu)) {
            throw new InputException(
                    "CPU " + cpu + " cannot be measured: this process may run on " + cpus + " (affinity, cpuset)");
        }
    }
}
