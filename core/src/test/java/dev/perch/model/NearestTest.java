package dev.perch.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NearestTest {
    private static final List<String> MACHINES = List.of("e5620", "kunpeng-920", "nehalem-ex-8s", "q6600");

    @Test
    void suggestsTheNameThatOneSlipOfTheFingerMade() {
        assertThat(Nearest.hint("e5602", MACHINES)).isEqualTo("; did you mean 'e5620'?");
        assertThat(Nearest.hint("Q660", MACHINES)).isEqualTo("; did you mean 'q6600'?");
        assertThat(Nearest.hint("kunpen-92", MACHINES)).isEqualTo("; did you mean 'kunpeng-920'?");
    }

    @Test
    void suggestsTheNameOfWhichOnlyTheBeginningWasGiven() {
        assertThat(Nearest.hint("nehalem", MACHINES)).isEqualTo("; did you mean 'nehalem-ex-8s'?");
    }

    @Test
    void listsWhatThereIsWhenNothingIsNear() {
        assertThat(Nearest.hint("zen4", MACHINES)).isEqualTo("; known are e5620, kunpeng-920, nehalem-ex-8s, q6600");
    }

    @Test
    void saysNothingWhenThereIsNothing() {
        assertThat(Nearest.hint("zen4", List.of())).isEmpty();
    }

    @Test
    void cutsALongList() {
        List<String> many = IntStream.range(0, 40).mapToObj(i -> "machine" + i).toList();
        assertThat(Nearest.hint("?", many)).endsWith("machine14, machine15, … (40 in all)");
    }

    @Test
    void takesTheFirstOfTwoThatAreEquallyNear() {
        assertThat(Nearest.of("abx", List.of("aba", "abc"))).isEqualTo("aba");
    }
}
