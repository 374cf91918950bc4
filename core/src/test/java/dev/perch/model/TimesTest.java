package dev.perch.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimesTest {
    @ParameterizedTest
    @CsvSource({
        "1, 1000000000",
        "1 s, 1000000000",
        "0.3, 300000000",
        "300 ms, 300000000",
        "2.5us, 2500",
        "7 ns, 7",
        "3600, 3600000000000"
    })
    void readsSecondsAndSmallerUnits(String text, long ns) {
        assertThat(Times.parse("duration", text, false)).isEqualTo(ns);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1 m", "one", "1e3", "0", "0.5 ns", "3601", "1s2"})
    void refusesWhatIsNoLengthOfTime(String text) {
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> Times.parse("duration", text, false))
                .withMessageContaining("duration cannot be '" + text + "'");
    }

    @Test
    void takesZeroWhereItMakesSense() {
        assertThat(Times.parse("warmup", "0", true)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1000000000, 1 s", "300000000, 300 ms", "2500, 2500 ns", "7000, 7 us", "0, 0 s"})
    void writesTheLargestUnitThatShowsTheTimeWhole(long ns, String text) {
        assertThat(Times.format(ns)).isEqualTo(text);
    }
}
