package dev.perch.host.probe;

import java.nio.file.Path;

/** Where the kernel tells of a CPU. */
final class CpuFolder {
    private CpuFolder() {}

    static Path of(int cpu) {
        return Path.of("/sys/devices/system/cpu/cpu" + cpu);
    }
}
