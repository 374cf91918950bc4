package dev.perch.kernel.placement;

import dev.perch.model.InputException;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A {@code .java} file with a {@link Policy} in it. Compiled in memory, once for each text however many runs use it; every run gets an
 * object of its own.
 *
 * <p>The class runs inside this program with all its rights: give it only files that you trust.
 */
final class PolicySource {
    private static final Map<PolicySource.Text, Constructor<? extends Policy>> COMPILED = new ConcurrentHashMap<>();

    private record Text(String file, String source) {}

    private PolicySource() {}

    /**
     * A new policy from a file.
     *
     * @param file as the user wrote it
     * @throws InputException if the file cannot be read or compiled, does not hold exactly one class that is a policy and can be made
     *     without arguments, or its constructor throws
     */
    static Policy load(String file) {
        String source;
        try {
            source = Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new InputException("policy " + file + " cannot be read: " + e.getMessage(), e);
        }
        Constructor<? extends Policy> constructor =
                COMPILED.computeIfAbsent(new Text(file, source), text -> constructor(text.file, text.source));
        try {
            return constructor.newInstance();
        } catch (InvocationTargetException e) {
            throw GuardedPolicy.thrown(file, constructor.getDeclaringClass(), e.getCause() == null ? e : e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new InputException("policy " + file + " cannot be made: " + e.getMessage(), e);
        }
    }

    private static Constructor<? extends Policy> constructor(String file, String source) {
        List<Class<? extends Policy>> policies = new MemoryCompiler(file, source)
                .classes().stream()
                        .filter(Policy.class::isAssignableFrom)
                        .filter(type -> !Modifier.isAbstract(type.getModifiers()))
                        .<Class<? extends Policy>>map(type -> type.asSubclass(Policy.class))
                        .toList();
        if (policies.size() != 1) {
            throw new InputException("policy " + file + " holds "
                    + (policies.isEmpty() ? "no class" : policies.size() + " classes") + " that implement"
                    + (policies.isEmpty() ? "s " : " ") + Policy.class.getName() + "; write one");
        }
        Class<? extends Policy> policy = policies.getFirst();
        try {
            Constructor<? extends Policy> constructor = policy.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor;
        } catch (NoSuchMethodException e) {
            throw new InputException(
                    "policy " + file + ": class " + policy.getSimpleName()
                            + " has no constructor without arguments; give it one",
                    e);
        }
    }
}
