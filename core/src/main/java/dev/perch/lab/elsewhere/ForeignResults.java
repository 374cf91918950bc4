package dev.perch.lab.elsewhere;

import dev.perch.lab.results.Labels;
import dev.perch.lab.results.Metric;
import dev.perch.lab.results.ResultSet;
import dev.perch.lab.results.Series;
import dev.perch.model.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads the results of other tools: files, folders of files, and folders that mmtests made. What a file is, its content tells. */
public final class ForeignResults {
    static final String KNOWN =
            "what is read is the output of perf bench sched, hackbench, tbench and netperf request/response"
                    + " tests, CSV, and folders of mmtests (docs/compare.md)";

    private final List<ResultFormat> formats;
    private final MmtestsFolder mmtests;

    /**
     * @param unit of files that hold nothing but numbers; empty if there are none
     * @param mmtestsSamples whether tbench's samples are the reports of every second, as mmtests takes them, and not whole runs
     */
    public ForeignResults(String unit, boolean mmtestsSamples) {
        formats = List.of(
                new PerfBench(), new Netperf(), new Tbench(), new Hackbench(), new CsvResults(), new BareNumbers(unit));
        mmtests = new MmtestsFolder(mmtestsSamples);
    }

    /**
     * Reads files or folders into one set; what several of them measured alike are repeats.
     *
     * @param paths one or more
     * @throws InputException a path that cannot be read or is not known
     */
    public ResultSet read(String name, List<Path> paths) {
        List<Measurement> measurements = new ArrayList<>();
        for (Path path : paths) {
            measurements.addAll(measurements(path));
        }
        Map<Key, List<Double>> series = new LinkedHashMap<>();
        for (Measurement each : measurements) {
            series.computeIfAbsent(new Key(each.labels(), each.metric()), key -> new ArrayList<>())
                    .add(each.value());
        }
        List<Series> all = new ArrayList<>();
        series.forEach((key, values) -> all.add(new Series(
                key.labels(),
                key.metric(),
                values.stream().mapToDouble(Double::doubleValue).toArray())));
        return new ResultSet(
                name, String.join(", ", paths.stream().map(Path::toString).toList()), all);
    }

    private record Key(Labels labels, Metric metric) {}

    private List<Measurement> measurements(Path path) {
        if (!Files.isDirectory(path)) {
            return read(ResultText.read(path));
        }
        if (MmtestsFolder.isOne(path)) {
            return mmtests.read(path);
        }
        List<Measurement> measurements = new ArrayList<>();
        for (Path file : files(path)) {
            measurements.addAll(read(ResultText.read(file)));
        }
        if (measurements.isEmpty()) {
            throw new InputException(path + " holds no result files; " + KNOWN);
        }
        return measurements;
    }

    /** The measurements of one file. */
    private List<Measurement> read(ResultText text) {
        for (ResultFormat format : formats) {
            if (format.recognises(text)) {
                return format.read(text);
            }
        }
        throw new InputException(text.name() + " is not a result file that is known; " + KNOWN);
    }

    /** The files of a folder, hidden ones left out, by name. */
    static List<Path> files(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted(NaturalOrder.OF_FILE_NAMES)
                    .toList();
        } catch (IOException e) {
            throw new InputException(folder + " cannot be read: " + e.getMessage(), e);
        }
    }
}
