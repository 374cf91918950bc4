package dev.perch.lab.elsewhere;

import dev.perch.model.InputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What netperf prints of request/response tests: the classic table, with more verbosity or CPU utilisation or without, and the omni
 * forms (columns that end in {@code Trans/s}, {@code KEY=VALUE} lines, CSV).
 *
 * <p>Source: Care and Feeding of Netperf (2.5 and later), and outputs found in public.
 */
final class Netperf implements ResultFormat {
    private static final Pattern BANNER =
            Pattern.compile("(?:MIGRATED )?(TCP|UDP|SCTP)( CONNECT/)? ?REQUEST/RESPONSE TEST\\b.*");
    private static final Pattern OMNI = Pattern.compile("OMNI \\S+ TEST\\b.*");
    private static final Pattern OTHER =
            Pattern.compile("(?:MIGRATED )?(\\w+(?: \\w+)* (?:STREAM|MAERTS|SENDFILE)) TEST\\b.*");
    private static final Pattern TRANSACTIONS = Pattern.compile(".*?(\\S+)\\s+Trans/s\\b.*");
    private static final Pattern KEY_VALUE = Pattern.compile("([A-Z0-9_]+)=(.*)");

    private static final int CLASSIC_COLUMNS = 6;

    /** What one run tells, as far as read. */
    private static final class Run {
        final int line;
        final String protocol;
        String request = "";
        String response = "";
        String rate = "";
        int rateLine;

        Run(int line, String protocol) {
            this.line = line;
            this.protocol = protocol;
        }
    }

    @Override
    public boolean recognises(ResultText text) {
        return text.lines().stream()
                .anyMatch(line -> BANNER.matcher(line).matches()
                        || OMNI.matcher(line).matches()
                        || OTHER.matcher(line).matches());
    }

    @Override
    public List<Measurement> read(ResultText text) {
        List<Measurement> measurements = new ArrayList<>();
        Run run = null;
        List<String> heading = List.of();
        for (int line = 0; line < text.lines().size(); line++) {
            String words = text.lines().get(line).strip();
            Run next = begin(text, words, line);
            if (next != null) {
                if (run != null) {
                    measurements.add(measurement(text, run));
                }
                run = next;
                heading = List.of();
            } else if (run != null) {
                if (isHeading(words)) {
                    heading = cells(words);
                } else if (!heading.isEmpty() && !words.isEmpty()) {
                    readCsv(run, heading, cells(words), text, line);
                    heading = List.of();
                } else {
                    readLine(run, words, line);
                }
            }
        }
        if (run != null) {
            measurements.add(measurement(text, run));
        }
        return measurements;
    }

    private static @org.jspecify.annotations.Nullable Run begin(ResultText text, String words, int line) {
        Matcher banner = BANNER.matcher(words);
        if (banner.matches()) {
            String kind = banner.group(2) == null ? "-rr" : "-crr";
            return new Run(line, banner.group(1).toLowerCase(Locale.ROOT) + kind);
        }
        if (OMNI.matcher(words).matches()) {
            return new Run(line, "tcp-rr");
        }
        Matcher other = OTHER.matcher(words);
        if (other.matches()) {
            throw new InputException(text.place(line + 1) + ": netperf's " + other.group(1)
                    + " test is not read; only request/response tests are");
        }
        return null;
    }

    /** The line of column names of omni's CSV. */
    private static boolean isHeading(String words) {
        List<String> cells = cells(words);
        return cells.size() > 1
                && (cells.contains("throughput")
                        || cells.contains("transaction rate tran/s")
                        || cells.contains("transaction_rate"));
    }

    private static List<String> cells(String words) {
        return Arrays.stream(words.split(","))
                .map(cell -> cell.strip().toLowerCase(Locale.ROOT))
                .toList();
    }

    private static void readCsv(Run run, List<String> heading, List<String> cells, ResultText text, int line) {
        if (cells.size() != heading.size()) {
            throw new InputException(text.place(line + 1) + ": " + cells.size() + " values for " + heading.size()
                    + " columns; this output of netperf is cut off");
        }
        for (int column = 0; column < heading.size(); column++) {
            take(run, heading.get(column), cells.get(column), line);
        }
    }

    private static void take(Run run, String key, String value, int line) {
        switch (key) {
            case "throughput", "transaction_rate", "transaction rate tran/s" -> {
                if (run.rate.isEmpty()) {
                    run.rate = value;
                    run.rateLine = line;
                }
            }
            case "throughput_units", "throughput units" -> {
                if (!value.equalsIgnoreCase("Trans/s")) {
                    run.rate = "in " + value;
                }
            }
            case "request_size", "request size bytes" -> run.request = value;
            case "response_size", "response size bytes" -> run.response = value;
            default -> {}
        }
    }

    private static void readLine(Run run, String words, int line) {
        Matcher keyValue = KEY_VALUE.matcher(words);
        Matcher transactions = TRANSACTIONS.matcher(words);
        if (keyValue.matches()) {
            take(
                    run,
                    keyValue.group(1).toLowerCase(Locale.ROOT),
                    keyValue.group(2).strip(),
                    line);
        } else if (transactions.matches()) {
            String[] columns = words.split("\\s+");
            run.rate = transactions.group(1);
            run.rateLine = line;
            if (columns.length >= CLASSIC_COLUMNS + 1) {
                run.request = columns[2];
                run.response = columns[3];
            }
        } else if (run.rate.isEmpty()) {
            String[] columns = words.split("\\s+");
            boolean numbers = Arrays.stream(columns).allMatch(column -> column.matches("-?[0-9.]+"));
            if (numbers && columns.length >= CLASSIC_COLUMNS) {
                run.request = columns[2];
                run.response = columns[3];
                run.rate = columns[CLASSIC_COLUMNS - 1];
                run.rateLine = line;
            }
        }
    }

    private static Measurement measurement(ResultText text, Run run) {
        if (run.rate.isEmpty()) {
            throw new InputException(
                    text.place(run.line + 1)
                            + ": this run of netperf has no transaction rate; it is cut off, or run it with its default output");
        }
        if (run.rate.startsWith("in ")) {
            throw new InputException(text.place(run.line + 1) + ": netperf's throughput is " + run.rate
                    + "; only transactions a second are read, run it without -f");
        }
        String workload = run.protocol;
        if (!run.request.isEmpty() && !run.request.equals("1")
                || !run.response.isEmpty() && !run.response.equals("1")) {
            workload += run.request.equals(run.response)
                    ? ":size=" + run.request
                    : ":request=" + run.request + ",response=" + run.response;
        }
        return Measurement.ofWorkload(workload, "transactions/s", text.number(run.rate, run.rateLine + 1));
    }
}
