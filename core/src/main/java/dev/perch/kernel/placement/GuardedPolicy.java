package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.InputException;
import dev.perch.model.Topology;

/**
 * A person's own policy in the place of a kernel's caller and idle search; turns what it does wrong into errors that name its file.
 */
final class GuardedPolicy {
    private final String file;
    private final Policy policy;
    private final int cpuCount;

    /**
     * @param file as the user wrote it
     * @throws InputException if the policy throws as it begins
     */
    GuardedPolicy(String file, Policy policy, Topology topology, SchedDomains domains) {
        this.file = file;
        this.policy = policy;
        cpuCount = topology.cpuCount();
        try {
            policy.begin(topology, domains);
        } catch (RuntimeException e) {
            throw thrown(file, policy.getClass(), e);
        }
    }

    /** The policy's caller over a kernel's. */
    Caller caller(Caller base) {
        return (request, view) -> {
            try {
                return checked(policy.select(request, view, base));
            } catch (RuntimeException e) {
                throw thrown(file, policy.getClass(), e);
            }
        };
    }

    /** The policy's idle search over a kernel's. */
    IdleSearch search(IdleSearch base) {
        return (request, target, view) -> {
            try {
                return checked(policy.selectIdleSibling(request, target, view, base));
            } catch (RuntimeException e) {
                throw thrown(file, policy.getClass(), e);
            }
        };
    }

    private int checked(int cpu) {
        if (cpu < 0 || cpu >= cpuCount) {
            throw new InputException(
                    "policy " + file + " chose CPU " + cpu + ", but the machine has CPUs 0 to " + (cpuCount - 1));
        }
        return cpu;
    }

    /** What a policy threw, with the line of its file that was at work; what is said for the user already is left as it is. */
    static InputException thrown(String file, Class<?> policy, Throwable cause) {
        if (cause instanceof InputException said) {
            return said;
        }
        String line = "";
        for (StackTraceElement frame : cause.getStackTrace()) {
            String name = frame.getClassName();
            if (line.isEmpty() && (name.equals(policy.getName()) || name.startsWith(policy.getName() + "$"))) {
                line = ":" + frame.getLineNumber();
            }
        }
        String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        return new InputException(
                "policy " + file + line + " threw " + cause.getClass().getSimpleName()
                        + (cause.getMessage() == null ? "" : ": " + message),
                cause);
    }
}
