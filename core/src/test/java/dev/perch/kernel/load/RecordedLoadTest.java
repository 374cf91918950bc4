package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Load averages rebuilt from the wakeups, switches and migrations of recordings of 6.1.192, against those that probes printed in {@code
 * wake_affine} ({@code waw}: each runqueue's; {@code whp}: the wakee's). The recordings say times in µs and nothing of interrupt time, of
 * ticks, or of what tasks had before they began, so the loads come close and are not equal; a task's besides hangs on when its queue's
 * was worked out last.
 */
@Tag("slow")
class RecordedLoadTest {
    private static final long NICE_0 = 1024;
    private static final long JIFFY_NS = 4_000_000;
    private static final long WARM_UP_NS = 300_000_000;

    @Test
    void loadsRebuiltFromSchedulingEventsComeCloseToTheKernelsOwn() throws IOException {
        String folder = System.getProperty("perch.recordings", "");
        assumeThat(folder).as("-Dperch.recordings=DIR").isNotEmpty();
        List<Double> ofQueues = new ArrayList<>();
        List<Double> ofTasks = new ArrayList<>();
        for (String name : List.of(
                "6.1-A-8cpu-1s4c2t/messaging",
                "6.1-A-8cpu-1s4c2t/hackbench-pipe",
                "6.1-A-8cpu-1s4c2t/hackbench-sock",
                "6.1-B-4cpu-2s2c1t/hackbench-sock")) {
            Replay replay = new Replay(ofQueues, ofTasks);
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                    new ZstdInputStream(Files.newInputStream(Path.of(folder, name + ".trace.txt.zst"))),
                    StandardCharsets.UTF_8))) {
                reader.lines().forEach(replay::line);
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
        ofQueues.sort(null);
        ofTasks.sort(null);

        assertThat(ofQueues).hasSizeGreaterThan(2000);
        assertThat(ofTasks).hasSizeGreaterThan(2000);
        assertThat(ofQueues.get(ofQueues.size() / 2)).isLessThan(0.02);
        assertThat(ofTasks.get(ofTasks.size() / 2)).isLessThan(0.15);
    }

    /** What one recording says, as far as loads need it. */
    private static final class Replay {
        private static final int CPUS = 8;
        private static final int TASKS = 4096;
        private static final Pattern LINE = Pattern.compile("\\[(\\d+)\\]\\s+\\S+\\s+(\\d+)\\.(\\d{6}): (\\w+): (.*)");
        private static final Pattern TASK =
                Pattern.compile("pid=(\\d+) prio=(\\d+)(?: \\w+_cpu=(\\d+))?(?: \\w+_cpu=(\\d+))?");
        private static final Pattern SWITCH = Pattern.compile(
                "prev_pid=(\\d+) prev_prio=(\\d+) prev_state=(\\S+) ==> .* next_pid=(\\d+) next_prio=(\\d+)");
        private static final Pattern NUMBER = Pattern.compile("(?:^|\\W)(p_h_load|pid|l\\d+)=(\\d+)");

        private final EntityLoads entities = new EntityLoads(TASKS, LoadTracking.V6_0.pelt());
        private final QueueLoads queues = new QueueLoads(LoadTracking.V6_0, CPUS, entities);
        private final HierarchicalLoad hierarchical = new HierarchicalLoad(CPUS);
        private final Map<Integer, Integer> slots = new HashMap<>();
        private final int[] cpu = new int[TASKS];
        private final boolean[] queued = new boolean[TASKS];
        private final boolean[] begunHere = new boolean[TASKS];
        private final long[] tasksOn = new long[CPUS];
        private final int[] running = new int[CPUS];
        private final int[] wakee = new int[CPUS];
        private final List<Double> ofQueues;
        private final List<Double> ofTasks;
        private long first = -1;
        private long now;

        Replay(List<Double> ofQueues, List<Double> ofTasks) {
            this.ofQueues = ofQueues;
            this.ofTasks = ofTasks;
            java.util.Arrays.fill(running, -1);
            java.util.Arrays.fill(wakee, -1);
        }

        void line(String line) {
            Matcher parts = LINE.matcher(line);
            if (!parts.find()) {
                return;
            }
            int here = Integer.parseInt(parts.group(1));
            now = Long.parseLong(parts.group(2)) * 1_000_000_000 + Long.parseLong(parts.group(3)) * 1000;
            first = first < 0 ? now : first;
            String fields = parts.group(5);
            switch (parts.group(4)) {
                case "sched_wakeup", "sched_wakeup_new", "sched_migrate_task" -> ofTask(parts.group(4), fields);
                case "sched_switch" -> switched(here, fields);
                case "srq" -> wakee[here] = slots.getOrDefault(number(fields, "pid"), -1);
                case "whp" -> compareTask(here, number(fields, "p_h_load"));
                case "waw" -> compareQueues(here, number(fields, "l" + here));
                default -> {}
            }
        }

        private void ofTask(String event, String fields) {
            Matcher task = TASK.matcher(fields);
            if (!task.find() || Integer.parseInt(task.group(2)) < 100) {
                return;
            }
            int slot = slot(Integer.parseInt(task.group(1)));
            switch (event) {
                case "sched_wakeup" -> enqueue(slot, Integer.parseInt(task.group(3)));
                case "sched_wakeup_new" -> begin(slot, Integer.parseInt(task.group(3)));
                default -> migrate(slot, Integer.parseInt(task.group(4)));
            }
        }

        private int slot(int pid) {
            return slots.computeIfAbsent(pid, unknown -> {
                entities.beginGroup(slots.size());
                return slots.size();
            });
        }

        private void begin(int slot, int target) {
            entities.beginTask(slot, NICE_0);
            begunHere[slot] = true;
            update(target);
            queues.attachNew(target, slot, NICE_0, 1024);
            count(slot, target);
        }

        private void enqueue(int slot, int target) {
            if (queued[slot]) {
                return;
            }
            entities.updateTask(slot, now, NICE_0, false, false);
            update(target);
            if (entities.queue(slot) == EntityLoads.DETACHED) {
                queues.attach(target, slot, NICE_0);
            }
            count(slot, target);
        }

        private void count(int slot, int target) {
            cpu[slot] = target;
            queued[slot] = true;
            tasksOn[target]++;
        }

        private void migrate(int slot, int target) {
            if (queued[slot]) {
                int from = cpu[slot];
                updateWith(slot);
                leave(slot);
                queues.detach(slot, NICE_0);
                running[from] = running[from] == slot ? -1 : running[from];
                enqueue(slot, target);
            } else if (entities.queue(slot) != EntityLoads.DETACHED) {
                queues.remove(slot, NICE_0);
            }
        }

        private void switched(int here, String fields) {
            Matcher tasks = SWITCH.matcher(fields);
            if (!tasks.find()) {
                return;
            }
            if (isFair(tasks.group(1), tasks.group(2))) {
                int prev = slot(Integer.parseInt(tasks.group(1)));
                enqueue(prev, here);
                running[here] = prev;
                updateWith(prev);
                running[here] = -1;
                String state = tasks.group(3);
                if (!state.startsWith("R")) {
                    leave(prev);
                }
                if (state.startsWith("X") || state.startsWith("Z")) {
                    queues.remove(prev, NICE_0);
                }
            }
            if (isFair(tasks.group(4), tasks.group(5))) {
                int next = slot(Integer.parseInt(tasks.group(4)));
                enqueue(next, here);
                updateWith(next);
                running[here] = next;
            }
        }

        private static boolean isFair(String pid, String prio) {
            return !pid.equals("0") && Integer.parseInt(prio) >= 100;
        }

        private void leave(int slot) {
            queued[slot] = false;
            tasksOn[cpu[slot]]--;
        }

        private void updateWith(int slot) {
            entities.updateTask(slot, now, NICE_0, true, running[cpu[slot]] == slot);
            update(cpu[slot]);
        }

        private void update(int queue) {
            queues.update(queue, now, tasksOn[queue] * NICE_0, tasksOn[queue], running[queue] >= 0);
        }

        private void compareTask(int here, int kernels) {
            int slot = wakee[here];
            if (slot >= 0 && begunHere[slot] && now - first > WARM_UP_NS) {
                int queue = cpu[slot];
                hierarchical.root(queue, now / JIFFY_NS, queues.load(queue));
                ofTasks.add(difference(kernels, hierarchical.task(queue, entities.load(slot), queues.load(queue))));
            }
        }

        private void compareQueues(int here, int kernels) {
            if (now - first > WARM_UP_NS) {
                ofQueues.add(difference(kernels, queues.load(here)));
            }
        }

        private static double difference(long kernels, long ours) {
            return Math.abs(kernels - ours) / (double) Math.max(kernels, 100);
        }

        private static int number(String fields, String key) {
            Matcher number = NUMBER.matcher(fields);
            while (number.find()) {
                if (number.group(1).equals(key)) {
                    return Integer.parseInt(number.group(2));
                }
            }
            throw new IllegalStateException(key + " is not in " + fields);
        }
    }
}
