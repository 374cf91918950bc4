package dev.perch.lab.elsewhere;

import dev.perch.model.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What hackbench of rt-tests prints, and its older form: the lines before {@code Time:} tell groups, messages and kind of tasks.
 *
 * <p>Limitation: the output does not tell whether messages went through pipes or sockets.
 */
final class Hackbench implements ResultFormat {
    private static final Pattern TIME = Pattern.compile("Time: *(\\S+)\\s*");
    private static final Pattern GROUPS = Pattern.compile(
            "Running in (process|threaded) mode with (\\d+) groups using (\\d+) file descriptors each.*");
    private static final Pattern OLD_GROUPS = Pattern.compile("Running with (\\d+)\\*40 \\(== \\d+\\) tasks.*");
    private static final Pattern LOOPS = Pattern.compile("Each sender will pass (\\d+) messages of (\\d+) bytes.*");

    private static final int DEFAULT_FAN = 20;

    @Override
    public boolean recognises(ResultText text) {
        return text.lines().stream()
                .anyMatch(line -> TIME.matcher(line).matches()
                        || GROUPS.matcher(line).matches()
                        || OLD_GROUPS.matcher(line).matches());
    }

    @Override
    public List<Measurement> read(ResultText text) {
        List<Measurement> measurements = new ArrayList<>();
        List<String> options = new ArrayList<>();
        int begun = -1;
        for (int line = 0; line < text.lines().size(); line++) {
            String words = text.lines().get(line);
            Matcher groups = GROUPS.matcher(words);
            Matcher oldGroups = OLD_GROUPS.matcher(words);
            Matcher loops = LOOPS.matcher(words);
            Matcher time = TIME.matcher(words);
            if (groups.matches()) {
                refuseUnfinished(text, begun);
                begun = line;
                options.clear();
                options.add("groups=" + groups.group(2));
                if (groups.group(1).equals("threaded")) {
                    options.add("tasks=threads");
                }
                int fan = Integer.parseInt(groups.group(3)) / 2;
                if (fan != DEFAULT_FAN) {
                    options.add("fan=" + fan);
                }
            } else if (oldGroups.matches()) {
                refuseUnfinished(text, begun);
                begun = line;
                options.clear();
                options.add("groups=" + oldGroups.group(1));
            } else if (loops.matches()) {
                options.add("loops=" + loops.group(1));
            } else if (time.matches()) {
                measurements.add(Measurement.ofWorkload(
                        options.isEmpty() ? "hackbench" : "hackbench:" + String.join(",", options),
                        "s",
                        text.number(time.group(1), line + 1)));
                options.clear();
                begun = -1;
            }
        }
        refuseUnfinished(text, begun);
        return measurements;
    }

    private static void refuseUnfinished(ResultText text, int begun) {
        if (begun >= 0) {
            throw new InputException(text.place(begun + 1)
                    + ": this run of hackbench has no line 'Time:'; it is cut off or was interrupted");
        }
    }
}
