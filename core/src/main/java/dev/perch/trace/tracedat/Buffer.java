package dev.perch.trace.tracedat;

import java.util.List;

/**
 * One trace buffer of a trace.dat: the kernel's own, or an instance that the user made.
 *
 * @param name empty for the kernel's own
 * @param clock name of the trace clock, empty if the file does not tell it for this buffer
 * @param compressed whether the pages are packed
 */
record Buffer(String name, String clock, int pageSize, boolean compressed, List<CpuData> cpus) {
    /** Where the pages of one CPU lie in the file. */
    record CpuData(int cpu, long offset, long size) {}
}
