package dev.perch.host.linux;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * How often CPUs have been interrupted.
 *
 * <p>Source: /proc/interrupts; show_interrupts and arch_show_interrupts. Its first line names the CPUs that are online, each line after it has a number for each.
 */
public final class InterruptCounts {
    private static final Path FILE = Path.of("/proc/interrupts");
    /** How x86 and arm64 both call an interrupt by which one CPU has another call a function. */
    private static final String FUNCTION_CALLS = "Function call interrupts";

    private InterruptCounts() {}

    /** By another CPU that wanted a function called, since the start; nothing where the kernel does not tell. */
    public static OptionalLong functionCalls(int cpu) {
        return functionCalls(
                new String(KernelFile.bytes(FILE), StandardCharsets.UTF_8)
                        .lines()
                        .toList(),
                cpu);
    }

    /** Of the lines of a file of that format. */
    public static OptionalLong functionCalls(List<String> lines, int cpu) {
        if (lines.isEmpty()) {
            return OptionalLong.empty();
        }
        int column = List.of(lines.get(0).strip().split("\\s+")).indexOf("CPU" + cpu) + 1;
        for (String line : lines) {
            if (line.endsWith(FUNCTION_CALLS)) {
                String[] words = line.strip().split("\\s+");
                return column > 0 && column < words.length && words[column].matches("[0-9]{1,18}")
                        ? OptionalLong.of(Long.parseLong(words[column]))
                        : OptionalLong.empty();
            }
        }
        return OptionalLong.empty();
    }
}
