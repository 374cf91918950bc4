package dev.perch.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.InputException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunningKernelTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));

    @ParameterizedTest
    @CsvSource({
        "6.1.0-18-amd64, v6.1",
        "6.12.30, v6.12",
        "5.15.0-91-generic, v5.15",
        "3.10.0-1160.el7.x86_64, v3.10",
        "6.18.44-fc-v782, v6.18"
    })
    void theSeriesOfTheReleaseIsTaken(String release, String expression) {
        RunningKernel kernel = RunningKernel.find(release, HOME);
        assertThat(kernel.kernel().expression()).isEqualTo(expression);
        assertThat(kernel.notes()).singleElement().asString().contains(release);
    }

    @Test
    void aKernelThatIsTooNewMustBeNamed() {
        assertThatThrownBy(() -> RunningKernel.find("9.9.1", HOME))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("this host runs 9.9.1")
                .hasMessageContaining("--kernel");
    }

    @Test
    void aReleaseWithoutAVersionMustBeNamed() {
        assertThatThrownBy(() -> RunningKernel.find("custom", HOME))
                .isInstanceOf(InputException.class)
                .hasMessage("this host runs 'custom', which tells no version; name one, as in --kernel v6.12");
    }
}
