package dev.perch.lab.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.lab.results.Contrast.Method;
import dev.perch.lab.results.Contrast.Verdict;
import dev.perch.model.InputException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which rows are compared, and what is said of them. */
class ComparisonTest {
    private static final Metric RATE = Metric.ofWorkload("transactions/s");
    private static final Metric TIME = Metric.ofWorkload("us/op");
    private static final RatioTable.Options OPTIONS = new RatioTable.Options(Method.WELCH, 0.95, 1, false);

    private static Series series(String machine, String kernel, String workload, Metric metric, double... values) {
        return new Series(
                Labels.NONE
                        .with(Labels.MACHINE, machine)
                        .with(Labels.KERNEL, kernel)
                        .with(Labels.WORKLOAD, workload),
                metric,
                values);
    }

    private static ResultSet set(String name, Series... series) {
        return new ResultSet(name, name, List.of(series));
    }

    private static Comparison compare(ResultSet... sets) {
        return Comparison.of(List.of(sets), Set.of());
    }

    @Test
    void comparesRowByRowWhereTheMachinesDifferAsWholes() {
        Comparison comparison = compare(
                set("a", series("e5620", "v3.2", "tcp-rr", RATE, 1, 2), series("e5620", "v3.9", "tcp-rr", RATE, 3, 4)),
                set("b", series("q6600", "v3.2", "tcp-rr", RATE, 5, 6), series("q6600", "v3.9", "tcp-rr", RATE, 7, 8)));
        assertThat(comparison.across()).containsExactly(Labels.MACHINE);
        assertThat(comparison.common().axes()).isEqualTo(Map.of(Labels.WORKLOAD, "tcp-rr"));
        assertThat(comparison.shared())
                .extracting(row -> row.labels().toString())
                .containsExactly("v3.2", "v3.9");
        assertThat(comparison.distinction(comparison.sets().getLast()).toString())
                .isEqualTo("q6600");
    }

    @Test
    void comparesAModelThatNamesItsMachineWithAMeasurementThatDoesNot() {
        Comparison comparison = compare(
                set("model", series("e5620", "v3.2", "tcp-rr", RATE, 1, 2)),
                set("measured", series("", "", "tcp-rr", RATE, 1, 2)));
        assertThat(comparison.shared()).hasSize(1);
    }

    @Test
    void doesNotCompareOtherWorkUnlessAsked() {
        ResultSet first = set("a", series("", "", "tcp-rr", RATE, 1, 2));
        ResultSet second = set("b", series("", "", "oltp", RATE, 1, 2));
        assertThatThrownBy(() -> compare(first, second))
                .isInstanceOf(InputException.class)
                .hasMessage("nothing in common: 'a' has tcp-rr throughput [transactions/s]; 'b' has oltp throughput"
                        + " [transactions/s]");
        assertThat(Comparison.of(List.of(first, second), Set.of(Labels.WORKLOAD))
                        .shared())
                .hasSize(1);
    }

    @Test
    void keepsUnitsApartAndSaysSo() {
        Comparison comparison = compare(
                set("a", series("", "", "tcp-rr", RATE, 1, 2), series("", "", "pipe", TIME, 1, 2)),
                set(
                        "b",
                        series("", "", "tcp-rr", RATE, 1, 2),
                        series("", "", "pipe", new Metric("time", "ns/op", Direction.LOWER), 1000, 2000)));
        assertThat(comparison.shared()).hasSize(1);
        assertThat(RatioTable.lines(comparison, OPTIONS))
                .contains(
                        "not compared: pipe time [us/op] is only in A; others have it as time [ns/op], lower is better");
    }

    @Test
    void refusesTwoRowsThatAreCalledTheSame() {
        assertThatThrownBy(() -> compare(
                        set("a", series("", "", "x", RATE, 1), series("", "", "x", RATE, 2)),
                        set("b", series("", "", "x", RATE, 1))))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("twice");
    }

    @Test
    void refusesAnAxisThatThereIsNot() {
        ResultSet set = set("a", series("", "", "x", RATE, 1));
        assertThatThrownBy(() -> Comparison.of(List.of(set, set), Set.of("colour")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("no input has this axis");
    }

    @Test
    void splitsOneSetByAnAxis() {
        ResultSet set = set("run", series("", "v3.2", "tcp-rr", RATE, 1, 2), series("", "v3.9", "tcp-rr", RATE, 2, 3));
        assertThat(set.split(Labels.KERNEL)).extracting(ResultSet::name).containsExactly("v3.2", "v3.9");
        assertThatThrownBy(() -> set.split(Labels.WORKLOAD))
                .isInstanceOf(InputException.class)
                .hasMessage("'run' has only one workload, 'tcp-rr'; there is nothing to compare it with");
    }

    @Test
    void ignoresAKeyOfWorkloads() {
        ResultSet set = set("a", series("", "", "hackbench:groups=4,loops=10", TIME, 1));
        assertThat(set.ignoring("loops").series().getFirst().labels().toString())
                .isEqualTo("hackbench:groups=4");
        assertThat(set.ignoring("loops")
                        .ignoring("groups")
                        .series()
                        .getFirst()
                        .labels()
                        .toString())
                .isEqualTo("hackbench");
    }

    private static Contrast contrast(Metric metric, double[] first, double[] second) {
        return Contrast.of(
                new Series(Labels.NONE, metric, first), new Series(Labels.NONE, metric, second), Method.WELCH, 0.95, 1);
    }

    @Test
    void callsMoreBetterOrWorseByTheMetric() {
        double[] low = {10, 11, 10};
        double[] high = {20, 21, 20};
        Metric fact = new Metric("wakeups", "1/s", Direction.NEITHER);
        assertThat(contrast(RATE, low, high).verdict()).isEqualTo(Verdict.BETTER);
        assertThat(contrast(RATE, high, low).verdict()).isEqualTo(Verdict.WORSE);
        assertThat(contrast(TIME, low, high).verdict()).isEqualTo(Verdict.WORSE);
        assertThat(contrast(TIME, high, low).verdict()).isEqualTo(Verdict.BETTER);
        assertThat(contrast(fact, low, high).verdict()).isEqualTo(Verdict.MORE);
        assertThat(contrast(fact, high, low).verdict()).isEqualTo(Verdict.LESS);
    }

    @Test
    void showsNoDifferenceWithinTheSpread() {
        assertThat(contrast(RATE, new double[] {10, 12, 11}, new double[] {11, 12, 10})
                        .verdict())
                .isEqualTo(Verdict.NOT_SHOWN);
    }

    @Test
    void saysWhyThereIsNoInterval() {
        Contrast single = contrast(RATE, new double[] {10}, new double[] {11, 12});
        assertThat(single.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(single.reason()).isEqualTo("one repeat only");
        assertThat(single.ratio()).hasValue(1.15);
        Contrast zero = contrast(RATE, new double[] {0, 0}, new double[] {1, 2});
        assertThat(zero.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(zero.reason()).isEqualTo("a mean that is not above 0");
        assertThat(zero.ratio()).isEmpty();
    }

    @Test
    void knowsEqualityOnlyWhereNothingVaries() {
        double[] fives = {5, 5, 5};
        assertThat(contrast(RATE, fives, fives).verdict()).isEqualTo(Verdict.EQUAL);
        assertThat(contrast(RATE, new double[] {0, 0}, new double[] {0, 0}).verdict())
                .isEqualTo(Verdict.EQUAL);
        assertThat(contrast(RATE, fives, new double[] {6, 6}).verdict()).isEqualTo(Verdict.BETTER);
    }

    /** Means and the interval: scipy, see statistics/expected.py, case hackbench. */
    @Test
    void printsIntervalsOfMeansAndRatios() {
        Metric seconds = Metric.ofWorkload("s");
        Comparison comparison = compare(
                set("a", series("", "", "hackbench", seconds, 1.00, 1.05, 0.95, 1.02, 0.98)),
                set("b", series("", "", "hackbench", seconds, 0.97, 1.01, 0.93, 0.99, 0.96)));
        assertThat(RatioTable.lines(comparison, OPTIONS))
                .anySatisfy(line -> assertThat(line).matches(" +A +5 +1\\.0000 +±4\\.7%"))
                .anySatisfy(line -> assertThat(line)
                        .matches(" +B +5 +0\\.9720 +±3\\.9% +0\\.972 +0\\.924 … 1\\.023 +no difference shown"));
    }
}
