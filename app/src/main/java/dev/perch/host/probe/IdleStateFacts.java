package dev.perch.host.probe;

import dev.perch.host.linux.KernelFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An idle state of a CPU as its driver declares it: the numbers by which the kernel chooses, not measured ones.
 *
 * <p>Source: Documentation/ABI/testing/sysfs-devices-system-cpu, {@code cpuidle/stateN}. The polling state is left out, and so are states that
 * somebody has switched off.
 *
 * @param exitUs way out of it, µs
 * @param residencyUs how long a stay must be to be worth it, µs
 */
public record IdleStateFacts(String name, int exitUs, int residencyUs) {
    private static final String POLLING = "POLL";

    /** Of a CPU of this machine, from shallow to deep; empty where there is no idle driver, as on most virtual machines. */
    public static List<IdleStateFacts> of(int cpu) {
        return read(CpuFolder.of(cpu));
    }

    /** @param cpu a folder as /sys/devices/system/cpu/cpu0 */
    static List<IdleStateFacts> read(Path cpu) {
        List<IdleStateFacts> states = new ArrayList<>();
        for (int number = 0; ; number++) {
            Path state = cpu.resolve("cpuidle/state" + number);
            if (!Files.isDirectory(state)) {
                return List.copyOf(states);
            }
            String name = KernelFile.text(state.resolve("name"));
            if (!name.equals(POLLING) && KernelFile.number(state.resolve("disable"), 0) == 0) {
                states.add(new IdleStateFacts(
                        name,
                        KernelFile.number(state.resolve("latency"), 0),
                        KernelFile.number(state.resolve("residency"), 0)));
            }
        }
    }
}
