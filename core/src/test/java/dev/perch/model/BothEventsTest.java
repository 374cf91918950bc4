package dev.perch.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two listeners of one stream. */
class BothEventsTest {
    static List<Method> kinds() {
        return Arrays.stream(SchedEvents.class.getDeclaredMethods())
                .filter(method -> !method.isSynthetic() && !java.lang.reflect.Modifier.isStatic(method.getModifiers()))
                .toList();
    }

    private static SchedEvents recorder(List<String> heard) {
        return (SchedEvents) Proxy.newProxyInstance(
                BothEventsTest.class.getClassLoader(),
                new Class<?>[] {SchedEvents.class},
                (proxy, method, arguments) -> {
                    heard.add(method.getName() + Arrays.toString(arguments));
                    return null;
                });
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyKindOfEventReachesBothUnchanged(Method kind) throws Exception {
        Object[] arguments = new Object[kind.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            Class<?> type = kind.getParameterTypes()[i];
            arguments[i] = type == long.class
                    ? (Object) (100L + i)
                    : type == int.class ? (Object) (10 + i) : TaskState.SLEEPING;
        }
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        kind.invoke(new BothEvents(recorder(first), recorder(second)), arguments);
        assertThat(first).containsExactly(kind.getName() + Arrays.toString(arguments));
        assertThat(second).isEqualTo(first);
    }
}
