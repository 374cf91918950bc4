package dev.perch.trace;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The remarks at the top of a text that a simulation wrote: {@code # simulated: about}, {@code # affinity: pid list} and
 * {@code # cpuset: list}. {@link FtraceText} writes them.
 *
 * <p>Limitation: remarks beyond the first {@value RecordingSource#HEAD} bytes, some 3000 tasks, are not seen.
 */
final class TextHead {
    static final String SIMULATED = "# simulated:";
    static final String AFFINITY = "# affinity:";
    static final String CPUSET = "# cpuset:";

    private final Map<Integer, CpuMask> affinities = new HashMap<>();
    private CpuMask cpuset = CpuMask.empty();
    private boolean simulated;

    private TextHead() {}

    /** What the comments say with which {@code head} begins; the last line may be cut off and is not believed. */
    static RecordingHead read(byte[] head) {
        TextHead found = new TextHead();
        int from = 0;
        for (int at = 0; at < head.length && head[from] == '#'; at++) {
            if (head[at] == '\n') {
                found.line(new String(head, from, at - from, StandardCharsets.UTF_8));
                from = at + 1;
                if (from == head.length) {
                    break;
                }
            }
        }
        return new RecordingHead(null, found.simulated, found.affinities, found.cpuset);
    }

    private void line(String line) {
        if (line.startsWith(SIMULATED)) {
            simulated = true;
        } else if (line.startsWith(AFFINITY)) {
            String[] words = line.substring(AFFINITY.length()).strip().split(" +");
            if (words.length == 2 && words[0].matches("[0-9]{1,9}")) {
                CpuMask cpus = cpus(words[1]);
                if (!cpus.isEmpty()) {
                    affinities.put(Integer.parseInt(words[0]), cpus);
                }
            }
        } else if (line.startsWith(CPUSET)) {
            cpuset = cpus(line.substring(CPUSET.length()).strip());
        }
    }

    /** Empty if it is no list: a remark that someone else wrote for another purpose. */
    private static CpuMask cpus(String list) {
        try {
            return CpuMask.parse(list);
        } catch (InputException e) {
            return CpuMask.empty();
        }
    }
}
