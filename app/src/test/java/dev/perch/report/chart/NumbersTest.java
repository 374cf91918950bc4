package dev.perch.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.lab.Experiment.Role;
import dev.perch.lab.statistics.Sample;
import dev.perch.report.chart.ReportRow.PublishedValue;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How numbers are written, and how they are put into bins and steps. */
class NumbersTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 ns",
        "999, 999 ns",
        "1500, 1.5 µs",
        "999949, 999.9 µs",
        "999951, 1.0 ms",
        "12345678, 12.3 ms",
        "3000000000, 3.00 s",
        "-1500, −1.5 µs"
    })
    void timesAreInTheUnitThatReadsBest(long ns, String text) {
        assertThat(Numbers.time(ns).replace('\u00A0', ' ')).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0, 0.0 %", "0.0001, < 0.1 %", "0.1234, 12.3 %", "1, 100.0 %"})
    void smallSharesAreNotNothing(double fraction, String text) {
        assertThat(Numbers.percent(fraction).replace('\u00A0', ' ')).isEqualTo(text);
    }

    @Test
    void valuesHaveTheDigitsOfTheirMetric() {
        assertThat(Numbers.value(139961.98, "transactions/s")).isEqualTo("139,961.98");
        assertThat(Numbers.value(4.56789, "us/op")).isEqualTo("4.568");
        assertThat(Numbers.signedPercent(-0.168).replace('\u00A0', ' ')).isEqualTo("−16.8 %");
    }

    @Test
    void stepsOfAHeatMapAreAboutThreeTimesTheOneBelow() {
        HeatSteps steps = HeatSteps.upTo(0.52);
        assertThat(steps.top()).isEqualTo(1);
        assertThat(steps.bounds()).containsExactly(0.001, 0.003, 0.01, 0.03, 0.1, 0.3);
        assertThat(steps.of(0.52)).isEqualTo(6);
        assertThat(steps.of(0.3)).isEqualTo(6);
        assertThat(steps.of(0.29)).isEqualTo(5);
        assertThat(steps.of(0.00001)).isZero();
        assertThat(HeatSteps.upTo(0.02).top()).isEqualTo(0.03);
        assertThat(HeatSteps.upTo(0.03).top()).isEqualTo(0.03);
    }

    @Test
    void latenciesLieInBinsOfEqualRatio() {
        Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(1_000, 3);
        histogram.recordValueWithCount(1_110, 1);
        histogram.recordValueWithCount(1_000_000, 4);
        LatencyBins bins = LatencyBins.of(histogram);
        assertThat(bins.first()).isEqualTo(60);
        assertThat(bins.last()).isEqualTo(120);
        assertThat(LatencyBins.edge(60)).isEqualTo(1_000);
        assertThat(bins.share(60)).isEqualTo(0.5);
        assertThat(bins.share(120)).isEqualTo(0.5);
        assertThat(bins.share(61)).isZero();
        assertThat(bins.largestShare()).isEqualTo(0.5);
    }

    @Test
    void theRepresentativeRepeatIsTheOneNearestToTheMedian() {
        assertThat(ReportRow.representative(new Sample(5, 1, 3, 9, 2))).isEqualTo(2);
        assertThat(ReportRow.representative(new Sample(1, 9, 4, 6))).isEqualTo(2);
        assertThat(ReportRow.representative(new Sample(7))).isZero();
    }

    @Test
    void predictionsAreJudgedInWords() {
        assertThat(row(109.9, Role.PREDICTION, 0.1).judgement()).isEqualTo("passed");
        assertThat(row(111, Role.PREDICTION, 0.1).judgement()).isEqualTo("failed");
        assertThat(row(150, Role.CALIBRATION, 0).judgement()).isEqualTo("calibration input");
        assertThat(row(150, null, 0).judgement()).isEqualTo("not judged");
    }

    private static ReportRow row(double value, @org.jspecify.annotations.Nullable Role role, double tolerance) {
        return new ReportRow(
                "row",
                new Sample(value),
                Optional.empty(),
                1,
                new PublishedValue(100, role, tolerance),
                0,
                new double[7],
                "",
                null);
    }
}
