package dev.perch.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BothEventsTest {
    private final List<String> heard = new ArrayList<>();

    static Stream<Method> everyKindOfEvent() {
        return Arrays.stream(SchedEvents.class.getMethods());
    }

    private SchedEvents listener(String name) {
        return (SchedEvents) Proxy.newProxyInstance(
                SchedEvents.class.getClassLoader(), new Class<?>[] {SchedEvents.class}, (_, method, arguments) -> {
                    heard.add(name + ' ' + method.getName() + ' ' + Arrays.toString(arguments));
                    return null;
                });
    }

    private static Object argument(Class<?> type, int place) {
        if (type == long.class) {
            return 1000L + place;
        }
        return type == int.class ? (Object) (10 + place) : TaskState.DISK_SLEEP;
    }

    @ParameterizedTest
    @MethodSource("everyKindOfEvent")
    void bothHearEveryEventAsItWas(Method event) throws IllegalAccessException, InvocationTargetException {
        Object[] arguments = new Object[event.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = argument(event.getParameterTypes()[i], i);
        }
        event.invoke(new BothEvents(listener("first"), listener("second")), arguments);
        String said = event.getName() + ' ' + Arrays.toString(arguments);
        assertThat(heard).containsExactly("first " + said, "second " + said);
    }
}
