package dev.perch.machines;

import dev.perch.model.CpuMask;
import dev.perch.model.HardwareModel;
import dev.perch.model.Topology;
import dev.perch.yaml.YamlMap;
import java.util.Arrays;

/**
 * The section {@code speeds} of a machine file: how fast CPUs are at the nominal clock beside the fastest ones. Without it the
 * scheduler's capacities say so, which are all equal on most machines.
 *
 * <p>Checked, each with the line: CPUs that the machine has, each at most once; some CPU with the full speed.
 */
final class SpeedSection {
    private static final double LEAST = 0.001;

    private SpeedSection() {}

    /** Speeds by CPU, in thousandths. */
    static int[] read(Sourced root, Topology topology) {
        if (!root.has("speeds")) {
            return HardwareModel.speedsOf(topology);
        }
        int[] mille = new int[topology.cpuCount()];
        Arrays.fill(mille, HardwareModel.FULL_SPEED);
        Sourced section = root.section("speeds");
        CpuMask seen = CpuMask.empty();
        for (YamlMap item : section.list("list").maps()) {
            CpuMask cpus = item.cpuMask("cpus");
            double speed = item.decimal("speed");
            item.refuseOthers();
            if (cpus.isEmpty() || cpus.last() >= mille.length) {
                throw item.error(
                        item.path() + " names CPUs '" + cpus + "', but the machine has CPUs 0-" + (mille.length - 1));
            }
            if (seen.intersects(cpus)) {
                throw item.error(item.path() + " names CPU " + seen.and(cpus).first() + ", which has a speed already");
            }
            if (speed < LEAST || speed > 1) {
                throw item.error(
                        item.path() + ".speed must be from 0.001 to 1, where 1 is the speed of the fastest CPUs");
            }
            seen = seen.or(cpus);
            for (int cpu : cpus.toArray()) {
                mille[cpu] = (int) Math.round(speed * HardwareModel.FULL_SPEED);
            }
        }
        section.map().refuseOthers();
        if (Arrays.stream(mille).max().orElse(0) < HardwareModel.FULL_SPEED) {
            throw section.map().error("no CPU has speed 1", "; the fastest CPUs have it");
        }
        return mille;
    }
}
