package dev.perch.model;

/**
 * One cache that a CPU sees.
 *
 * @param level 1 for the nearest
 * @param type {@code data}, {@code instruction} or {@code unified}
 * @param sizeKib size in KiB
 * @param shared the CPUs that share it
 */
public record Cache(int level, String type, int sizeKib, CpuMask shared) {}
