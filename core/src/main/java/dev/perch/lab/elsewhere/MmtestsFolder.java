package dev.perch.lab.elsewhere;

import dev.perch.lab.results.Labels;
import dev.perch.model.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder in which mmtests keeps one test series, {@code NAME/iter-N/BENCHMARK/logs}, of hackbench, tbench, netperf request/response and
 * perfpipe; also one of its {@code logs} folders alone, if BENCHMARK is its parent's name.
 *
 * <p>Source: the files that mmtests' benchmark scripts write, of November 2021 (a file a run) and of 2026 (a file an operation, {@code benchlog}
 * files, xz).
 *
 * @param everySecond whether tbench's samples are its reports of every second after the fourth, each since the beginning of the run: that is what
 *     mmtests compares, but such samples are not independent. If not, a run gives one value
 */
record MmtestsFolder(boolean everySecond) {
    private static final Pattern ITERATION = Pattern.compile("iter-\\d+");
    private static final Pattern HACKBENCH = Pattern.compile("hackbench-(process|thread)-(pipes|sockets)");
    private static final Pattern HACKBENCH_FILE = Pattern.compile("hackbench-(\\d+)(?:-\\d+)?");
    private static final Pattern TBENCH_FILE = Pattern.compile("[td]bench-(\\d+)\\.log(?:\\.gz|\\.xz)?");
    private static final Pattern TBENCH_REPORTS = Pattern.compile("benchlog-tput-(\\d+)(?:\\.xz)?");
    private static final Pattern PERFPIPE_FILE = Pattern.compile("pipe-\\d+\\.log|benchlog-_-_-\\d+");
    private static final Pattern NETPERF_FILE = Pattern.compile("(TCP_RR|UDP_RR)-(\\d+)\\.\\d+");

    /** Reports that mmtests leaves out at the beginning. */
    private static final int SKIPPED_REPORTS = 4;

    /** Whether a folder is a test series or a folder {@code logs} of mmtests. */
    static boolean isOne(Path folder) {
        return !iterations(folder).isEmpty() || folder.endsWith("logs");
    }

    /**
     * All measurements of the benchmarks that are known; others are left out.
     *
     * @throws InputException there are none
     */
    List<Measurement> read(Path folder) {
        List<Measurement> measurements = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (Path logs : logFolders(folder)) {
            Path parent = logs.toAbsolutePath().normalize().getParent();
            String benchmark = parent == null ? "" : String.valueOf(parent.getFileName());
            List<Measurement> some = read(benchmark, logs);
            if (some.isEmpty() && !others.contains(benchmark)) {
                others.add(benchmark);
            }
            measurements.addAll(some);
        }
        if (measurements.isEmpty()) {
            throw new InputException(folder + ": no results of hackbench, tbench, netperf request/response or perfpipe"
                    + (others.isEmpty() ? "" : ", only of " + String.join(", ", others)));
        }
        return measurements;
    }

    private static List<Path> iterations(Path folder) {
        return folders(folder).stream()
                .filter(each -> ITERATION.matcher(each.getFileName().toString()).matches())
                .toList();
    }

    private static List<Path> logFolders(Path folder) {
        List<Path> iterations = iterations(folder);
        if (iterations.isEmpty()) {
            return List.of(folder);
        }
        List<Path> logs = new ArrayList<>();
        for (Path iteration : iterations) {
            for (Path benchmark : folders(iteration)) {
                if (Files.isDirectory(benchmark.resolve("logs"))) {
                    logs.add(benchmark.resolve("logs"));
                }
            }
        }
        return logs;
    }

    private static List<Path> folders(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(Files::isDirectory)
                    .sorted(NaturalOrder.OF_FILE_NAMES)
                    .toList();
        } catch (IOException e) {
            throw new InputException(folder + " cannot be read: " + e.getMessage(), e);
        }
    }

    private List<Measurement> read(String benchmark, Path logs) {
        Matcher hackbench = HACKBENCH.matcher(benchmark);
        if (hackbench.matches()) {
            String options = (hackbench.group(1).equals("thread") ? ",tasks=threads" : "")
                    + (hackbench.group(2).equals("sockets") ? ",channel=socket" : "");
            return hackbench(logs, options);
        }
        if (benchmark.startsWith("tbench")) {
            return tbench(logs);
        }
        if (benchmark.startsWith("netperf")) {
            return netperf(logs);
        }
        return benchmark.startsWith("perfpipe") ? perfpipe(logs) : List.of();
    }

    private static List<Measurement> hackbench(Path logs, String options) {
        Map<Integer, List<Measurement>> byGroups = new TreeMap<>();
        for (Path file : ForeignResults.files(logs)) {
            Matcher name = HACKBENCH_FILE.matcher(file.getFileName().toString());
            if (name.matches()) {
                String workload = "hackbench:groups=" + name.group(1) + options;
                for (Measurement each : new PerfBench().read(recognised(file, new PerfBench()))) {
                    byGroups.computeIfAbsent(Integer.valueOf(name.group(1)), key -> new ArrayList<>())
                            .add(Measurement.ofWorkload(workload, each.metric().unit(), each.value()));
                }
            }
        }
        return inOrder(byGroups.values());
    }

    private List<Measurement> tbench(Path logs) {
        Map<Integer, List<Measurement>> byClients = new TreeMap<>();
        for (Path file : ForeignResults.files(logs)) {
            String fileName = file.getFileName().toString();
            Matcher whole = TBENCH_FILE.matcher(fileName);
            Matcher reports = TBENCH_REPORTS.matcher(fileName);
            if (whole.matches()) {
                Integer clients = Integer.valueOf(whole.group(1));
                byClients.put(clients, tbench(recognised(file, new Tbench()), clients, SKIPPED_REPORTS));
            } else if (reports.matches()) {
                // the reports of a run whose whole output may lie beside
                Integer clients = Integer.valueOf(reports.group(1));
                ResultText text = recognised(file, new Tbench());
                byClients.computeIfAbsent(clients, key -> tbench(text, clients, 0));
            }
        }
        return inOrder(byClients.values());
    }

    private List<Measurement> tbench(ResultText text, int clients, int skipped) {
        List<Double> reports = Tbench.reports(text);
        String workload = "tbench:clients=" + clients;
        if (everySecond) {
            List<Double> samples = reports.subList(Math.min(skipped, reports.size()), reports.size());
            if (samples.isEmpty()) {
                throw new InputException(text.name() + ": only " + reports.size()
                        + " reports of a second; mmtests leaves out the first " + skipped);
            }
            return samples.stream()
                    .map(value -> Measurement.ofWorkload(workload, "MB/s", value))
                    .toList();
        }
        if (text.mentions("Throughput ")) {
            return List.of(Measurement.ofWorkload(
                    workload, "MB/s", new Tbench().read(text).getLast().value()));
        }
        if (skipped > 0 || reports.isEmpty()) {
            throw new InputException(text.name() + ": no line 'Throughput … MB/sec'; this output of tbench is cut off");
        }
        return List.of(Measurement.ofWorkload(workload, "MB/s", reports.getLast()));
    }

    private static List<Measurement> netperf(Path logs) {
        List<Measurement> measurements = new ArrayList<>();
        for (Path file : ForeignResults.files(logs)) {
            Matcher name = NETPERF_FILE.matcher(file.getFileName().toString());
            if (name.matches()) {
                for (Measurement each : new Netperf().read(recognised(file, new Netperf()))) {
                    String protocol = name.group(1).toLowerCase(Locale.ROOT).replace('_', '-');
                    Labels labels = Labels.NONE.with(Labels.WORKLOAD, protocol).with("buffer", name.group(2));
                    measurements.add(new Measurement(labels, each.metric(), each.value()));
                }
            }
        }
        return measurements;
    }

    private static List<Measurement> perfpipe(Path logs) {
        List<Measurement> measurements = new ArrayList<>();
        for (Path file : ForeignResults.files(logs)) {
            if (PERFPIPE_FILE.matcher(file.getFileName().toString()).matches()) {
                measurements.addAll(new PerfBench().read(recognised(file, new PerfBench())));
            }
        }
        return measurements;
    }

    private static ResultText recognised(Path file, ResultFormat format) {
        ResultText text = ResultText.read(file);
        if (!format.recognises(text)) {
            throw new InputException(file + " is not what mmtests' file of this name holds; is the run complete?");
        }
        return text;
    }

    private static List<Measurement> inOrder(Collection<List<Measurement>> parts) {
        return parts.stream().flatMap(List::stream).toList();
    }
}
