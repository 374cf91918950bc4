package dev.perch.workloads;

import dev.perch.kernel.TaskTable;
import dev.perch.model.CpuMask;
import dev.perch.sim.workload.DescribedTask;
import dev.perch.sim.workload.Step;
import dev.perch.sim.workload.Workload.Policy;
import dev.perch.workloads.JsonValue.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One task of an rt-app file: its properties and phases.
 *
 * <p>As in rt-app: a task without phases is one phase; it loops without end unless {@code loop} says otherwise; the affinity and the nice
 * value of a phase are set when it begins. An activation is one pass through a phase.
 */
final class RtAppTask {
    private static final int MAX_TASKS = 65_536;
    private static final int DEFAULT_RT_PRIORITY = 10;

    private final RtAppGlobal global;
    private final String name;
    private final RtAppObject object;
    private final RtAppEvents events;

    RtAppTask(RtAppGlobal global, RtAppNames names, String name, RtAppObject object) {
        this.global = global;
        this.name = name;
        this.object = object;
        events = new RtAppEvents(global, names, name, object.integer("instance", 0, MAX_TASKS, 1));
    }

    DescribedTask read() {
        int instances = object.integer("instance", 0, MAX_TASKS, 1);
        long delay = object.integer("delay", 0, Integer.MAX_VALUE, 0) * 1000L;
        CpuMask cpus = object.cpus("cpus");
        Policy policy = withSlice(policy(object, global.defaultPolicy()));
        int loop = object.integer("loop", Integer.MIN_VALUE, Integer.MAX_VALUE, -1);
        String group = group(object, policy).orElse("");
        List<Step> steps = new ArrayList<>();
        Optional<RtAppObject> phases = object.object("phases", "'phases' of " + object.what());
        object.refuseOthers(phases.isEmpty());
        if (phases.isEmpty()) {
            steps.add(phase(object, object.has("loop") ? loop : -1));
        } else {
            List<Step> body = new ArrayList<>();
            for (Member member : phases.get().members()) {
                phase(phases.get(), member, cpus, policy, body);
            }
            if (body.isEmpty()) {
                throw object.error(phases.get().line(), object.what() + " has no phases; write at least one");
            }
            steps.add(new Step.Loop(loop < 0 ? Step.Loop.FOREVER : loop, body));
        }
        return new DescribedTask(name, instances, policy, cpus, group, delay, steps);
    }

    /** A phase with its own properties, into {@code steps}. */
    private void phase(RtAppObject phases, Member member, CpuMask cpus, Policy policy, List<Step> steps) {
        RtAppObject phase = phases.within("phase '" + member.key() + "' of " + object.what(), member.value());
        int loop = phase.integer("loop", Integer.MIN_VALUE, Integer.MAX_VALUE, 1);
        CpuMask own = phase.cpus("cpus");
        if (phase.has("policy") && policy(phase, policy.policy()).policy() != policy.policy()) {
            throw phase.error(
                    phase.lineOf("policy"),
                    "'policy' of " + phase.what() + " differs from its task's; a change of policy is not supported");
        }
        boolean nice = phase.has("priority");
        if (nice && policy.rtPriority() > 0) {
            throw phase.error(
                    phase.lineOf("priority"),
                    "'priority' of " + phase.what() + " is not supported: only nice values can change in a phase");
        }
        int niceValue = phase.integer("priority", -20, 19, 0);
        Optional<String> group = group(phase, policy);
        phase.refuseOthers(true);
        if (own.isEmpty() ? hasPhaseCpus() : !own.equals(cpus) || hasPhaseCpus()) {
            steps.add(new Step.Allow(own.isEmpty() ? cpus : own));
        }
        if (nice && policy.policy() != TaskTable.POLICY_IDLE) {
            steps.add(new Step.Renice(niceValue));
        }
        group.ifPresent(path -> steps.add(new Step.Enter(path)));
        steps.add(phase(phase, loop));
    }

    private boolean hasPhaseCpus() {
        for (Member phase : object.object("phases", "").orElse(object).members()) {
            if (phase.value() instanceof JsonValue.Members members
                    && members.members().stream()
                            .anyMatch(member -> member.key().equals("cpus"))) {
                return true;
            }
        }
        return false;
    }

    /** The events of a phase; a loop of 0 never ends, as in rt-app. */
    private Step phase(RtAppObject phase, int loop) {
        List<Step> steps = new ArrayList<>();
        for (Member member : phase.members()) {
            RtAppEvent.of(member.key()).ifPresent(event -> events.add(event, member, phase, steps));
        }
        if (steps.isEmpty()) {
            throw phase.error(
                    phase.line(), phase.what() + " has no events; write at least one, such as \"run\" : 1000");
        }
        steps.add(new Step.Count());
        return new Step.Loop(loop <= 0 ? Step.Loop.FOREVER : loop, steps);
    }

    /** A fair task's runtime is the length of its requests ({@code sched_attr.sched_runtime}), not a deadline task's budget. */
    private Policy withSlice(Policy policy) {
        return policy.rtPriority() > 0
                ? policy
                : policy.withSlice(object.integer("dl-runtime", 0, Integer.MAX_VALUE, 0) * 1000L);
    }

    private Policy policy(RtAppObject properties, byte otherwise) {
        byte policy = properties.has("policy")
                ? RtAppGlobal.policy(properties, "policy", properties.string("policy", ""))
                : otherwise;
        return switch (policy) {
            case TaskTable.POLICY_FIFO, TaskTable.POLICY_RR ->
                new Policy(policy, 0, properties.integer("priority", 1, 99, DEFAULT_RT_PRIORITY));
            case TaskTable.POLICY_IDLE -> {
                properties.ignore("priority");
                yield new Policy(policy, 0, 0);
            }
            default -> new Policy(policy, properties.integer("priority", -20, 19, 0), 0);
        };
    }

    /**
     * The path of the task group that a task or phase names, if it names one; a phase that names none is in the group of the one before it.
     *
     * @throws dev.perch.model.InputException for policies other than SCHED_OTHER, as in rt-app
     */
    private static Optional<String> group(RtAppObject properties, Policy policy) {
        for (Member member : properties.members()) {
            if (member.key().equals("taskgroup")) {
                properties.ignore("taskgroup");
                String path = properties.stringOr(member, "");
                if (!path.isEmpty() && policy.policy() != TaskTable.POLICY_NORMAL) {
                    throw properties.error(
                            member.line(),
                            "'taskgroup' of " + properties.what() + " is only for policy SCHED_OTHER, as in rt-app");
                }
                return path.isEmpty() ? Optional.empty() : Optional.of(properties.groupPath(member, path));
            }
        }
        return Optional.empty();
    }
}
