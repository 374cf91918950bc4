package dev.perch.sim.random;

import dev.perch.model.CpuMask;
import dev.perch.sim.workload.WorkloadItem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One to three workloads side by side: all kinds with random options, pinned or not, and programs of random steps. */
final class RandomWorkloads {
    private RandomWorkloads() {}

    /** @param home CPUs on which the workload may run */
    static List<WorkloadItem> draw(Draws draws, CpuMask home) {
        List<WorkloadItem> items = new ArrayList<>();
        for (int count = draws.of(1, 1, 2, 3); count > 0; count--) {
            items.add(draws.once(2) ? RandomPrograms.draw(draws, home) : kind(draws, home));
        }
        return items;
    }

    private static WorkloadItem kind(Draws draws, CpuMask home) {
        Map<String, String> options = new LinkedHashMap<>();
        String name = draws.of(
                "tcp-rr",
                "pipe",
                "socketpair",
                "futex-pair",
                "hackbench",
                "messaging",
                "tbench",
                "schbench",
                "oltp",
                "semaphore",
                "futex",
                "hog",
                "periodic");
        switch (name) {
            case "tcp-rr" -> {
                pins(draws, home, options, 2);
                if (draws.once(3)) {
                    options.put("size", Long.toString(draws.logBetween(1, 65_535)));
                }
            }
            case "pipe", "socketpair", "futex-pair" -> pins(draws, home, options, 2);
            case "hog" -> pins(draws, home, options, 1);
            case "periodic" -> {
                pins(draws, home, options, 1);
                long period = draws.logBetween(50, 5_000);
                options.put("period", Long.toString(period));
                options.put("run", Long.toString(draws.logBetween(1, period * 2)));
            }
            case "hackbench", "messaging" -> {
                options.put("groups", Integer.toString(draws.between(1, 3)));
                options.put("fan", Integer.toString(draws.between(1, 8)));
                options.put("loops", Integer.toString(draws.between(1, 30)));
                options.put("tasks", draws.of("process", "threads"));
                options.put("channel", draws.of("pipe", "socket"));
            }
            case "tbench" -> options.put("clients", Integer.toString(draws.between(1, 12)));
            case "schbench" -> {
                options.put("messages", Integer.toString(draws.between(1, 3)));
                options.put("workers", Integer.toString(draws.between(1, 12)));
            }
            case "oltp" -> {
                options.put("threads", Integer.toString(draws.between(1, 16)));
                options.put("mode", draws.of("read-write", "read-only"));
                options.put("locks", Integer.toString(draws.between(1, 8)));
            }
            case "semaphore" -> {
                options.put("threads", Integer.toString(draws.between(1, 24)));
                options.put("tokens", Integer.toString(draws.between(1, 8)));
            }
            case "futex" -> {
                options.put("waiters", Integer.toString(draws.between(1, 24)));
                options.put("wake", Integer.toString(draws.between(1, 8)));
            }
            default -> throw new IllegalStateException(name);
        }
        int count = options.containsKey("pin") || options.isEmpty() ? draws.between(1, 6) : draws.between(1, 2);
        return new WorkloadItem(name, options, count, Optional.empty());
    }

    private static void pins(Draws draws, CpuMask home, Map<String, String> options, int ends) {
        if (draws.once(3)) {
            int[] cpus = home.toArray();
            StringBuilder pin = new StringBuilder();
            for (int end = 0; end < ends; end++) {
                pin.append(end == 0 ? "" : "/").append(cpus[draws.below(cpus.length)]);
            }
            options.put("pin", pin.toString());
        }
    }
}
