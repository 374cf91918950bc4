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
        Policy policy = policy(object, global.defaultPolicy());
        int loop = object.integer("loop", Integer.MIN_VALUE, Integer.MAX_VALUE, -1);
        refuseGroup(object);
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
        return new DescribedTask(name, instances, policy, cpus, delay, steps);
    }

    /** A phase with its own properties, into {@code steps}. */
    private void phase(RtAppObject phases, Member member, CpuMask cpus, Policy policy, List<Step> steps) {
        RtAppObject phase = phases.within("phase '" + member.key() + "' of " + object.what(), member.value());
        int loop = phase.integer("loop", Integer.MIN_VALUE, Integer.MAX_VALUE, 1);
        CpuMask own = phase.cpus("cpus");
        refuseGroup(phase);
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
        phase.refuseOthers(true);
        if (own.isEmpty() ? hasPhaseCpus() : !own.equals(cpus) || hasPhaseCpus()) {
            steps.add(new Step.Allow(own.isEmpty() ? cpus : own));
        }
        if (nice && policy.policy() != TaskTable.POLICY_IDLE) {
            steps.add(new Step.Renice(niceValue));
        }
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

    private static void refuseGroup(RtAppObject properties) {
        for (Member member : properties.members()) {
            if (member.key().equals("taskgroup")
                    && properties.stringOr(member, "/").equals("/")) {
                properties.ignore("taskgroup"); // the root group, where all tasks are
            }
        }
    }
}
