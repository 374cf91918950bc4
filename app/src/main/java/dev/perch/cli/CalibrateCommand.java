package dev.perch.cli;

import dev.perch.host.HostBoot;
import dev.perch.host.HostSystem;
import dev.perch.host.RunningKernel;
import dev.perch.host.bench.StoppedException;
import dev.perch.host.calibrate.HostCalibration;
import dev.perch.host.calibrate.HostCheck;
import dev.perch.host.calibrate.HostReadings;
import dev.perch.host.probe.Probes;
import dev.perch.kernel.Kernels;
import dev.perch.machines.MachineText;
import dev.perch.machines.Machines;
import dev.perch.machines.NearestMachine;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.Times;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code perch calibrate}: the machine that Perch runs on as a machine file, and how well that foretells it. */
@Command(
        name = "calibrate",
        description =
                "Measure what things cost on this machine and write a machine file; check simulations against this machine.",
        mixinStandardHelpOptions = true,
        versionProvider = PerchCommand.Version.class,
        sortOptions = false,
        footer = {
            "",
            "Small probes measure system calls, switches, wakeups, interrupts, cache lines, ways out of idleness. What they",
            "do not show alone is found by simulating pairs of tasks that were measured bound to CPUs. What this machine",
            "does not have is filled from the nearest known machine; every number says where it comes from.",
            "",
            "--check lays pairs of tasks on this machine beside simulations of the same: bound ones, and free ones, from",
            "which no number comes. Best on a quiet machine; each takes about a minute.",
            "",
            "Examples: perch calibrate -o my.yaml",
            "          perch calibrate -o my.yaml --check",
            "          perch calibrate --check --machine ./my.yaml",
            "          perch run --machine ./my.yaml --kernel v6.12 --workload pipe"
        })
final class CalibrateCommand implements Callable<Integer> {
    private static final int REPEATS = 5;
    private static final int MOST_REPEATS = 1000;
    private static final long DURATION_NS = 500_000_000;
    private static final long WARMUP_NS = 100_000_000;

    private final Surroundings surroundings;

    @Option(
            names = "-o",
            paramLabel = "FILE",
            description = "The machine file to write; one that is there is not replaced.")
    private @Nullable String output;

    @Option(names = "--check", description = "Measure pairs of tasks, and simulate the same.")
    private boolean check;

    @Option(
            names = "--machine",
            paramLabel = "FILE",
            description = "Check this machine file, which was measured before, and measure nothing but the pairs.")
    private @Nullable String existing;

    @Option(
            names = "--fill-from",
            paramLabel = "MACHINE",
            description = "Take what cannot be measured from this machine instead of the nearest one.")
    private @Nullable String filler;

    @Option(
            names = "--kernel",
            paramLabel = "KERNEL",
            description = "Simulate this kernel instead of the newest known one of the running kernel's series.")
    private @Nullable String kernelText;

    @Option(names = "--repeats", paramLabel = "N", description = "Measurements of each pair in a check (5).")
    private @Nullable String repeats;

    @Option(names = "--duration", paramLabel = "TIME", description = "Time of each (500 ms).")
    private @Nullable String duration;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    CalibrateCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws InterruptedException {
        refuseContradictions();
        if (output != null) {
            refuseTarget(output);
        }
        int measurements = repeats == null ? REPEATS : (int) RunCommand.number("--repeats", repeats, 1, MOST_REPEATS);
        long durationNs = duration == null ? DURATION_NS : Times.parse("--duration", duration, false);
        Path home = surroundings.home().get();
        HostSystem host = HostSystem.find(home);
        RunningKernel kernel = kernel(host, home);
        HostBoot boot = HostBoot.read(Probes.tickHz());
        Machine filling = filler == null ? null : Machines.find(filler, home);
        Machine known = existing == null ? null : measuredBefore(existing, host, home);
        CalibrateReport report = new CalibrateReport(host, kernel, boot);
        Progress progress = new Progress(surroundings, "calibrate", 0);
        HostCalibration calibration = new HostCalibration(surroundings.simulator(), kernel, boot, progress::show);
        try (Interruption interruption = new Interruption(calibration::stop)) {
            try {
                Machine machine = known == null ? measured(calibration, report, filling, host, home) : known;
                if (check) {
                    HostCheck.Plan plan = new HostCheck.Plan(machine, host.cpus(), measurements, WARMUP_NS, durationNs);
                    report.checked(calibration.check(plan));
                }
            } catch (StoppedException e) {
                progress.clear();
                surroundings.err().println("perch: interrupted before all was measured" + whatIsWritten(report));
                return Interruption.EXIT_CODE;
            } finally {
                progress.clear();
            }
            surroundings.out().print(json ? CalibrateJson.document(report) : report.text());
            surroundings.out().flush();
            if (output != null) {
                surroundings.err().println("wrote " + output);
            }
            return interruption.isRequested() ? Interruption.EXIT_CODE : 0;
        }
    }

    private String whatIsWritten(CalibrateReport report) {
        return output != null && report.isMeasured() ? "; " + output + " is written" : "; nothing is written";
    }

    private void refuseContradictions() {
        if (output == null && !check) {
            throw new InputException("name a file to write, as in -o my.yaml, or give --check");
        }
        if (existing != null && output != null) {
            throw new InputException("--machine checks a file and -o writes one; leave one out");
        }
        if (existing != null && filler != null) {
            throw new InputException(
                    "--fill-from is for a machine that is measured, and --machine names one that was; leave one out");
        }
        if (!check && (repeats != null || duration != null)) {
            throw new InputException((repeats != null ? "--repeats" : "--duration") + " is of --check; give that too");
        }
    }

    private RunningKernel kernel(HostSystem host, Path home) {
        if (kernelText == null) {
            return RunningKernel.find(host.kernel(), home);
        }
        return new RunningKernel(host.kernel(), Kernels.resolve(kernelText, home), List.of());
    }

    /** A machine file of this host, as far as can be seen. */
    private static Machine measuredBefore(String name, HostSystem host, Path home) {
        Machine machine = Machines.find(name, home);
        machine.requireModel();
        if (host.topology().isPresent()
                && host.topology().get().cpuCount() != machine.topology().cpuCount()) {
            throw new InputException(
                    "--machine: " + name + " has " + machine.topology().cpuCount()
                            + " CPUs and this machine " + host.topology().get().cpuCount()
                            + "; it is not a description of this machine");
        }
        return machine;
    }

    /** Measures the host, and writes the file if there is to be one. */
    private Machine measured(
            HostCalibration calibration, CalibrateReport report, @Nullable Machine filling, HostSystem host, Path home)
            throws InterruptedException {
        if (output == null) {
            return measure(calibration, report, filling, host, home);
        }
        AtomicReference<Machine> machine = new AtomicReference<>();
        OutputFile.write("-o", output, unfinished -> {
            machine.set(measure(calibration, report, filling, host, home));
            Files.writeString(unfinished, MachineText.yaml(machine.get(), report.comments()));
            return 0;
        });
        return machine.get();
    }

    private static Machine measure(
            HostCalibration calibration, CalibrateReport report, @Nullable Machine filling, HostSystem host, Path home)
            throws InterruptedException {
        HostReadings readings = calibration.measure(Machines.find(HostSystem.NAME, home), host.cpus());
        NearestMachine.Choice nearest = filling == null
                ? NearestMachine.of(readings.known(), home)
                : new NearestMachine.Choice(filling, 0, "filled from " + filling.name() + ", as was asked for");
        HostCalibration.Outcome outcome = calibration.machine(readings, nearest.machine());
        report.measured(outcome, nearest.sentence());
        return outcome.machine();
    }

    /** What OutputFile does not refuse: a machine file that nobody would find, or that somebody may have written by hand. */
    private static void refuseTarget(String name) {
        if (!name.endsWith(".yaml") && !name.endsWith(".yml")) {
            throw new InputException("-o: a machine file ends in .yaml; " + name + " does not");
        }
        try {
            if (Files.exists(Path.of(name))) {
                throw new InputException("-o: " + name + " is there already; name another file, or remove it");
            }
        } catch (InvalidPathException e) {
            throw new InputException("-o: '" + name + "' is not a file name: " + e.getReason(), e);
        }
    }
}
