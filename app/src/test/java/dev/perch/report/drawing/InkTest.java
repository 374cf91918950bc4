package dev.perch.report.drawing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Contrast as WCAG 2.2 defines it: 4.5 for text, 3 for marks that carry meaning, on both grounds. */
class InkTest {
    private static final double TEXT = 4.5;
    private static final double MARK = 3;

    static Stream<Arguments> pairs() {
        Stream<Arguments> plain = Stream.of(
                Arguments.of(Ink.TEXT, Ink.GROUND, TEXT),
                Arguments.of(Ink.MUTED, Ink.GROUND, TEXT),
                Arguments.of(Ink.BLUE, Ink.GROUND, TEXT),
                Arguments.of(Ink.BLUE, Ink.BAND, MARK),
                Arguments.of(Ink.VERMILLION, Ink.BAND, MARK),
                Arguments.of(Ink.VERMILLION, Ink.GROUND, MARK),
                Arguments.of(Ink.AXIS, Ink.GROUND, MARK));
        Stream<Arguments> heat = IntStream.range(0, Ink.HEAT_STEPS)
                .mapToObj(step -> Arguments.of(Ink.onHeat(step), Ink.heat(step), TEXT));
        Stream<Arguments> categories = IntStream.rangeClosed(0, Ink.CATEGORY_COUNT)
                .mapToObj(index -> Arguments.of(Ink.ON_COLOUR, Ink.category(index), TEXT));
        return Stream.of(plain, heat, categories).flatMap(Function.identity());
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void canBeReadOnBothGrounds(Ink front, Ink back, double least) {
        assertThat(contrast(front.light(), back.light())).isGreaterThanOrEqualTo(least);
        assertThat(contrast(front.dark(), back.dark())).isGreaterThanOrEqualTo(least);
    }

    @ParameterizedTest
    @MethodSource("grounds")
    void stepsOfAHeatMapGoAwayFromTheGroundInOrder(Function<Ink, String> ground) {
        double[] contrasts = IntStream.range(0, Ink.HEAT_STEPS)
                .mapToDouble(step -> contrast(ground.apply(Ink.heat(step)), ground.apply(Ink.GROUND)))
                .toArray();
        assertThat(contrasts).isSorted();
    }

    static Stream<Function<Ink, String>> grounds() {
        return Stream.of(Ink::light, Ink::dark);
    }

    private static double contrast(String a, String b) {
        double first = luminance(Integer.decode(a));
        double second = luminance(Integer.decode(b));
        return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
    }

    private static double luminance(int rgb) {
        return 0.2126 * linear(rgb >> 16 & 255) + 0.7152 * linear(rgb >> 8 & 255) + 0.0722 * linear(rgb & 255);
    }

    private static double linear(int channel) {
        double value = channel / 255.0;
        return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    }
}
