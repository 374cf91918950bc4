package dev.perch.host.linux;

import dev.perch.model.CpuMask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Time of some CPUs since the machine started, in ticks of 1/100 s.
 *
 * <p>Source: /proc/stat, proc(5): user (with guest), nice, system, idle, iowait, irq, softirq, steal. Limitation: the kernel counts ticks, so that
 * a share of a short time is coarse.
 *
 * @param busy all but idle, waiting for disks, and stolen
 * @param steal in which a hypervisor ran something else
 * @param all of it; 0 if the kernel does not tell
 */
public record CpuTime(long busy, long steal, long all) {
    public static final long TICK_NS = 10_000_000;

    private static final Path STAT = Path.of("/proc/stat");
    private static final int USER = 1;
    private static final int IDLE = 4;
    private static final int IO_WAIT = 5;
    private static final int STEAL = 8;

    /** Until now. */
    public static CpuTime now(CpuMask cpus) {
        try {
            return of(Files.readAllLines(STAT), cpus);
        } catch (IOException e) {
            return new CpuTime(0, 0, 0);
        }
    }

    /** Of the lines of a file of that format. */
    public static CpuTime of(List<String> lines, CpuMask cpus) {
        long busy = 0;
        long steal = 0;
        long idle = 0;
        for (String line : lines) {
            if (line.matches("cpu[0-9]+ .*")) {
                String[] words = line.split(" ");
                if (words.length > STEAL && cpus.contains(Integer.parseInt(words[0].substring(3)))) {
                    for (int word = USER; word < STEAL; word++) {
                        if (word == IDLE || word == IO_WAIT) {
                            idle += Long.parseLong(words[word]);
                        } else {
                            busy += Long.parseLong(words[word]);
                        }
                    }
                    steal += Long.parseLong(words[STEAL]);
                }
            }
        }
        return new CpuTime(busy, steal, busy + steal + idle);
    }
}
