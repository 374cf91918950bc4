package dev.perch.workloads;

import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import dev.perch.sim.workload.DescribedTask;
import dev.perch.sim.workload.DescribedWorkload;
import dev.perch.sim.workload.Step;
import dev.perch.sim.workload.WorkloadKind;
import dev.perch.workloads.JsonValue.Member;
import dev.perch.workloads.JsonValue.Members;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads rt-app's JSON files (rt-app 1.0 and the semaphores since) into workloads; what is supported is listed in docs/workload-file.md.
 *
 * <p>Its tasks are threads of one process. The value of a run is the number of activations a second of all tasks together.
 *
 * <p>Limitations: see {@link RtAppEvents}; how fast the CPU of the calibration is makes no difference: the machine's nominal clock counts.
 */
final class RtAppFile {
    private RtAppFile() {}

    /**
     * @param file what messages and the workload are called
     * @throws InputException with the line, if it is not such a file or names something that is not supported
     */
    static DescribedWorkload parse(String file, String text) {
        RtAppObject root = new RtAppObject(file, "the file", JsonText.parse(file, text));
        RtAppGlobal global = RtAppGlobal.read(root.object("global", "global"));
        root.ignore("resources"); // declared for old versions; made here when named
        RtAppObject section = root.object("tasks", "tasks")
                .orElseThrow(() -> root.error(root.line(), "the file has no \"tasks\"; it describes no workload"));
        root.refuseOthers(false);
        RtAppNames names = new RtAppNames(section.object());
        Map<String, DescribedTask> tasks = new LinkedHashMap<>();
        for (Member member : section.members()) {
            RtAppObject object = section.within("task '" + member.key() + "'", member.value());
            DescribedTask task = new RtAppTask(global, names, member.key(), object).read();
            if (tasks.putIfAbsent(member.key(), task) != null) {
                throw section.error(
                        member.line(),
                        "task '" + member.key() + "' stands twice; write \"instance\" : 2, or rename it");
            }
        }
        if (tasks.values().stream().noneMatch(task -> task.copies() > 0)) {
            throw section.error(section.line(), "no task runs: \"tasks\" is empty, or all have \"instance\" : 0");
        }
        checkForks(section, tasks);
        WorkloadKind kind =
                new WorkloadKind(file, "rt-app file", "", WorkloadKind.Measure.RATE, "activations/s", List.of());
        return new DescribedWorkload(
                kind,
                true,
                new ArrayList<>(tasks.values()),
                names.barriers,
                new TreeMap<>(),
                "activations",
                global.durationNs());
    }

    private static void checkForks(RtAppObject section, Map<String, DescribedTask> tasks) {
        for (Member task : section.members()) {
            for (Member event : forks((Members) task.value())) {
                if (event.value() instanceof JsonValue.Text target) {
                    DescribedTask forked = tasks.get(target.value());
                    if (forked == null) {
                        throw section.error(
                                event.line(),
                                "task '" + task.key() + "' forks '" + target.value() + "', which is no task"
                                        + Nearest.hint(target.value(), tasks.keySet()));
                    }
                    if (usesBarrier(forked.steps())) {
                        throw section.error(
                                event.line(),
                                "task '" + task.key() + "' forks '" + target.value()
                                        + "', which uses a barrier; nobody knows how many will come to it");
                    }
                }
            }
        }
    }

    /** The fork events of a task and its phases. */
    private static List<Member> forks(Members object) {
        List<Member> forks = new ArrayList<>();
        for (Member member : object.members()) {
            boolean fork = RtAppEvent.of(member.key()).equals(Optional.of(RtAppEvent.FORK));
            if (fork && member.value() instanceof JsonValue.Text) {
                forks.add(member);
            } else if (member.value() instanceof Members inner) {
                forks.addAll(forks(inner));
            }
        }
        return forks;
    }

    private static boolean usesBarrier(List<Step> steps) {
        return steps.stream()
                .anyMatch(step ->
                        step instanceof Step.Barrier || step instanceof Step.Loop loop && usesBarrier(loop.steps()));
    }
}
