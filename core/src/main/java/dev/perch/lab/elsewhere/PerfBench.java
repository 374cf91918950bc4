package dev.perch.lab.elsewhere;

import dev.perch.model.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code perf bench sched pipe} and {@code perf bench sched messaging} print in their default format, any number of runs in one file.
 *
 * <p>Limitations: the output does not tell the channel of messaging, nor how many messages were sent.
 */
final class PerfBench implements ResultFormat {
    private static final Pattern BEGIN = Pattern.compile("# Running '?(sched/\\w+|\\w+/\\S+?)'? benchmark.*");
    private static final Pattern GROUPS = Pattern.compile("# (\\d+) groups == \\d+ (process|thread)(?:e?s)? run.*");
    private static final Pattern TOTAL = Pattern.compile("\\s*Total time:\\s*(\\S+) \\[sec].*");
    private static final Pattern PER_OPERATION = Pattern.compile("\\s*(\\S+) usecs/op.*");

    @Override
    public boolean recognises(ResultText text) {
        return text.lines().stream().anyMatch(line -> BEGIN.matcher(line).matches());
    }

    @Override
    public List<Measurement> read(ResultText text) {
        List<Measurement> measurements = new ArrayList<>();
        int begin = -1;
        for (int line = 0; line < text.lines().size(); line++) {
            if (BEGIN.matcher(text.lines().get(line)).matches()) {
                if (begin >= 0) {
                    measurements.add(run(text, begin, line));
                }
                begin = line;
            }
        }
        measurements.add(run(text, begin, text.lines().size()));
        return measurements;
    }

    private static Measurement run(ResultText text, int begin, int end) {
        Matcher head = BEGIN.matcher(text.lines().get(begin));
        if (!head.matches()) {
            throw new IllegalStateException("line " + begin);
        }
        return switch (head.group(1)) {
            case "sched/pipe" -> {
                int line = find(text, begin, end, PER_OPERATION, "usecs/op");
                yield Measurement.ofWorkload("pipe", "us/op", number(text, line, PER_OPERATION));
            }
            case "sched/messaging" -> {
                Matcher groups = GROUPS.matcher(text.lines().get(find(text, begin, end, GROUPS, "groups")));
                if (!groups.matches()) {
                    throw new IllegalStateException("groups");
                }
                int line = find(text, begin, end, TOTAL, "Total time");
                yield Measurement.ofWorkload(
                        "messaging:groups=" + groups.group(1)
                                + (groups.group(2).equals("thread") ? ",tasks=threads" : ""),
                        "s",
                        number(text, line, TOTAL));
            }
            default ->
                throw new InputException(text.place(begin + 1) + ": perf bench " + head.group(1)
                        + " is not read; sched/pipe and sched/messaging are");
        };
    }

    private static int find(ResultText text, int begin, int end, Pattern pattern, String what) {
        for (int line = begin; line < end; line++) {
            if (pattern.matcher(text.lines().get(line)).matches()) {
                return line;
            }
        }
        throw new InputException(text.place(begin + 1) + ": this run of perf bench has no line with '" + what
                + "'; it is cut off or was interrupted");
    }

    private static double number(ResultText text, int line, Pattern pattern) {
        Matcher matcher = pattern.matcher(text.lines().get(line));
        if (!matcher.matches()) {
            throw new IllegalStateException("line " + line);
        }
        return text.number(matcher.group(1), line + 1);
    }
}
