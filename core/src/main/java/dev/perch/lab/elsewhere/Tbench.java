package dev.perch.lab.elsewhere;

import dev.perch.model.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What tbench prints, of dbench 3 and 4: the throughput of the whole run.
 *
 * <p>Limitation: dbench, which works on files, prints the same; nothing tells the two apart.
 */
final class Tbench implements ResultFormat {
    private static final Pattern THROUGHPUT =
            Pattern.compile("Throughput (\\S+) MB/sec\\b(?:.*?\\s(\\d+) (?:clients|procs)\\b)?.*");

    /** A second's report: how many clients, operations so far, and MB/s since the beginning. */
    private static final Pattern EXECUTE = Pattern.compile("\\s*(\\d+)\\s+\\d+\\s+(\\S+) MB/sec\\s+execute\\b.*");

    @Override
    public boolean recognises(ResultText text) {
        return text.lines().stream()
                .anyMatch(line -> line.startsWith("dbench version")
                        || line.startsWith("tbench version")
                        || THROUGHPUT.matcher(line).matches()
                        || EXECUTE.matcher(line).matches());
    }

    @Override
    public List<Measurement> read(ResultText text) {
        List<Measurement> measurements = new ArrayList<>();
        String clients = "";
        for (int line = 0; line < text.lines().size(); line++) {
            Matcher execute = EXECUTE.matcher(text.lines().get(line));
            if (execute.matches()) {
                clients = execute.group(1);
            }
            Matcher throughput = THROUGHPUT.matcher(text.lines().get(line));
            if (throughput.matches()) {
                String count = throughput.group(2);
                measurements.add(Measurement.ofWorkload(
                        workload(count == null ? clients : count), "MB/s", text.number(throughput.group(1), line + 1)));
            }
        }
        if (measurements.isEmpty()) {
            throw new InputException(text.name() + ": no line 'Throughput … MB/sec'; this output of tbench is cut off");
        }
        return measurements;
    }

    private static String workload(String clients) {
        return clients.isEmpty() ? "tbench" : "tbench:clients=" + clients;
    }

    /** MB/s of each second's report, each since the beginning of the run; the form in which mmtests takes samples. */
    static List<Double> reports(ResultText text) {
        List<Double> reports = new ArrayList<>();
        for (int line = 0; line < text.lines().size(); line++) {
            Matcher execute = EXECUTE.matcher(text.lines().get(line));
            if (execute.matches()) {
                reports.add(text.number(execute.group(2), line + 1));
            }
        }
        return reports;
    }
}
