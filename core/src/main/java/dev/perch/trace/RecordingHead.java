package dev.perch.trace;

import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a recording tells about the machine and its tasks without being read through.
 *
 * @param topology the machine's, if the recording carries it
 * @param simulated whether the recording says that a simulation wrote it
 * @param affinities allowed CPUs by pid, of tasks that may not use all; only simulated recordings tell
 * @param cpuset CPUs of an exclusive cpuset with its own sched domains, empty if there was none; only simulated recordings tell
 */
public record RecordingHead(
        @Nullable Topology topology, boolean simulated, Map<Integer, CpuMask> affinities, CpuMask cpuset) {
    /** Of a recording that tells nothing. */
    public static final RecordingHead NOTHING = of(null);

    public RecordingHead {
        affinities = Map.copyOf(affinities);
    }

    /** Of a recording of a real machine. */
    public static RecordingHead of(@Nullable Topology topology) {
        return new RecordingHead(topology, false, Map.of(), CpuMask.empty());
    }
}
