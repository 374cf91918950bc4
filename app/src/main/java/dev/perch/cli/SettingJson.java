package dev.perch.cli;

import dev.perch.model.CpuMask;
import dev.perch.sim.Settings;
import dev.perch.sim.SettingsText;
import tools.jackson.databind.node.ObjectNode;

/** Settings as JSON, under the keys of {@code --set}, with cpuset and taskset where there are any. */
final class SettingJson {
    private SettingJson() {}

    static void write(ObjectNode node, Settings settings, CpuMask cpuset, CpuMask taskset) {
        SettingsText.toMap(settings).forEach((key, value) -> {
            if (value.matches("[0-9]+")) {
                node.put(key, Integer.parseInt(value));
            } else {
                node.put(key, value);
            }
        });
        if (!cpuset.isEmpty()) {
            node.put("cpuset", cpuset.toString());
        }
        if (!taskset.isEmpty()) {
            node.put("taskset", taskset.toString());
        }
    }
}
