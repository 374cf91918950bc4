package dev.perch.host;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.InputException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostSystemTest {
    @ParameterizedTest
    @ValueSource(strings = {"Mac OS X", "Windows 11"})
    void otherSystemsAreRefused(String system) {
        assertThatThrownBy(() -> HostSystem.requireLinux(system))
                .isInstanceOf(InputException.class)
                .hasMessage("Perch measures on Linux only, and this is " + system);
    }
}
