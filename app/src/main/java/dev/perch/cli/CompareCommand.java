package dev.perch.cli;

import dev.perch.lab.elsewhere.ForeignResults;
import dev.perch.lab.results.Comparison;
import dev.perch.lab.results.ComparisonJson;
import dev.perch.lab.results.Labels;
import dev.perch.lab.results.RatioTable;
import dev.perch.lab.results.ResultSet;
import dev.perch.model.InputException;
import dev.perch.report.ChartKind;
import dev.perch.report.ComparisonPage;
import dev.perch.store.Store;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perch compare}: stored runs, result files of real machines or two recordings, side by side with what can be said of the difference. */
@Command(
        name = "compare",
        description = {
            "Compare results with the first of them: stored runs, result files and folders of real machines, in any mixture;"
                    + " or two recordings."
        },
        mixinStandardHelpOptions = true,
        versionProvider = PerchCommand.Version.class,
        sortOptions = false,
        footer = {
            "",
            "Result files are known by their content: perf bench sched, hackbench, tbench, netperf request/response tests, CSV,",
            "folders of such files, and result folders of mmtests. What is measured more than once is repeats.",
            "",
            "Examples: perch compare @2 @1",
            "          perch compare before.txt after.txt --details --report compared.html",
            "          perch compare v5.16=old1.txt,old2.txt v6.1=new1.txt,new2.txt --table mmtests",
            "          perch compare model=last machine=./mmtests/work/log/6.1.0 --ignore loops",
            "          perch compare before.data after.data --machine e5620"
        })
final class CompareCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(
            arity = "1..*",
            paramLabel = "[NAME=]RUN|FILE[,FILE...]",
            description = "Two or more; the first is the baseline. One alone is split by --by.")
    private List<String> inputs = new ArrayList<>();

    @Mixin
    private StoreOption storeOption = new StoreOption();

    @Mixin
    private ComparisonOptions comparisonOptions = new ComparisonOptions();

    @Option(
            names = "--table",
            paramLabel = "FORM",
            description = "ratio (the default), mmtests (its table of means) or mmtests-full.")
    private String table = "ratio";

    @Option(names = "--all", description = "All metrics of stored runs, not only their results.")
    private boolean all;

    @Option(
            names = "--by",
            paramLabel = "AXIS",
            description = "With one input: compare its labels on this axis with each other (kernel).")
    private String by = Labels.KERNEL;

    @Option(
            names = "--only",
            paramLabel = "AXIS=LABEL",
            description = "Only rows with this label, where rows have labels on the axis. May be given again.")
    private List<String> only = new ArrayList<>();

    @Option(
            names = "--across",
            paramLabel = "AXIS",
            description =
                    "Compare although the labels on this axis differ, as in --across workload. May be given again.")
    private List<String> across = new ArrayList<>();

    @Option(
            names = "--ignore",
            paramLabel = "KEY",
            description =
                    "Take workloads for the same that differ in this key, as in --ignore loops. May be given again.")
    private List<String> ignore = new ArrayList<>();

    @Option(
            names = "--unit",
            paramLabel = "UNIT",
            description = "What files are in that hold nothing but numbers: s, us/op, transactions/s …")
    private String unit = "";

    @Mixin
    private RecordingComparisonOptions recordingOptions = new RecordingComparisonOptions();

    @Option(names = "--random-seed", paramLabel = "N", description = "Of the bootstrap (1).")
    private long randomSeed = 1;

    @Mixin
    private PictureOptions pictures = new PictureOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    CompareCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        TableForm form = TableForm.parse(table);
        RatioTable.Options options = comparisonOptions.options(randomSeed);
        PictureOptions.Wanted wanted = pictures.wanted(ChartKind.OF_COMPARISON);
        Store store = storeOption.open(surroundings);
        List<ResultInput> sides = ResultInput.toldApart(
                inputs.stream().map(input -> ResultInput.parse(input, store)).toList());
        List<ResultInput> recordings =
                sides.stream().filter(ResultInput::isRecording).toList();
        if (!recordings.isEmpty()) {
            if (recordings.size() < sides.size()) {
                ResultInput other = sides.stream()
                        .filter(side -> !recordings.contains(side))
                        .findFirst()
                        .orElseThrow();
                throw new InputException("'" + recordings.getFirst().name() + "' is a recording and '" + other.name()
                        + "' is none; compare two recordings, or results with results");
            }
            if (!wanted.isNothing()) {
                throw new InputException("--report and --plot draw results, not recordings; perch audit --report draws each of them");
            }
            new RecordingComparisonRun(surroundings, recordingOptions, options).print(recordings, json);
            return 0;
        }
        recordingOptions.refuse();
        Comparison comparison = comparison(sides, store, form);
        if (json) {
            surroundings.out().print(JsonText.write(ComparisonJson.of(comparison, options)));
        } else {
            form.lines(comparison, options).forEach(surroundings.out()::println);
        }
        if (wanted.page() != null) {
            wanted.page().write(ComparisonPage.html(comparison, options, "perch " + PerchCommand.Version.text()));
        }
        if (wanted.picture() != null) {
            wanted.picture().write(wanted.chart().of(comparison, options));
        }
        return 0;
    }

    private Comparison comparison(List<ResultInput> sides, Store store, TableForm form) {
        ForeignResults foreign = new ForeignResults(unit, form != TableForm.RATIO);
        List<ResultSet> sets = new ArrayList<>();
        for (ResultInput side : sides) {
            sets.add(narrowed(side.read(store, foreign)));
        }
        if (sets.size() == 1) {
            sets = sets.getFirst().split(by);
        }
        return Comparison.of(sets, new LinkedHashSet<>(across));
    }

    private ResultSet narrowed(ResultSet whole) {
        ResultSet set = whole.main(all);
        for (String one : only) {
            int equals = one.indexOf('=');
            if (equals < 1) {
                throw new InputException("--only cannot be '" + one + "'; write AXIS=LABEL, as in kernel=v3.9");
            }
            set = set.only(one.substring(0, equals), one.substring(equals + 1));
            if (set.series().isEmpty()) {
                throw new InputException("--only " + one + ": '" + set.name() + "' has no such row");
            }
        }
        for (String key : ignore) {
            set = set.ignoring(key);
        }
        return set;
    }
}
