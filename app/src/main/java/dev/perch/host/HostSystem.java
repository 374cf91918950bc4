package dev.perch.host;

import dev.perch.host.linux.ThisThread;
import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What is known of the machine that Perch runs on before anything is measured.
 *
 * @param title one line for people
 * @param kernel the running kernel's release
 * @param cpus where this process may run: its affinity, inside a container's cpuset
 * @param topology none where {@code /sys} does not tell it, as in some containers
 * @param topologyProblem why there is none; empty if there is one
 */
public record HostSystem(
        String title, String kernel, CpuMask cpus, Optional<Topology> topology, String topologyProblem) {
    /** Name of the machine, as everywhere in Perch. */
    public static final String NAME = "host";

    /**
     * This machine.
     *
     * @param home the folder of machine files
     * @throws InputException it does not run Linux
     */
    public static HostSystem find(Path home) {
        requireLinux(System.getProperty("os.name"));
        CpuMask cpus = ThisThread.affinity();
        String kernel = System.getProperty("os.version");
        try {
            var machine = Machines.find(NAME, home);
            return new HostSystem(machine.title(), kernel, cpus, Optional.of(machine.topology()), "");
        } catch (InputException e) {
            return new HostSystem("this machine", kernel, cpus, Optional.empty(), String.valueOf(e.getMessage()));
        }
    }

    static void requireLinux(String system) {
        if (!system.equals("Linux")) {
            throw new InputException("Perch measures on Linux only, and this is " + system);
        }
    }
}
