package dev.perch.lab.elsewhere;

import dev.perch.lab.results.Labels;
import dev.perch.lab.results.Metric;
import dev.perch.model.InputException;
import java.util.ArrayList;
import java.util.List;

/**
 * Nothing but numbers, one a line: {@code perf bench --format=simple} prints seconds so, {@code netperf -P 0 -v 0} transactions a second.
 * What they are, only the user can say.
 *
 * @param unit what the user says; empty if nothing
 */
record BareNumbers(String unit) implements ResultFormat {
    @Override
    public boolean recognises(ResultText text) {
        return text.lines().stream()
                .allMatch(line -> line.isBlank() || line.strip().matches("[-+0-9.eE]+|(?i)nan|-?(?i)inf(inity)?"));
    }

    @Override
    public List<Measurement> read(ResultText text) {
        if (unit.isEmpty()) {
            throw new InputException(
                    text.name() + " holds numbers without a unit; say which with --unit: 's' for perf bench"
                            + " --format=simple, 'transactions/s' for netperf -v 0");
        }
        List<Measurement> measurements = new ArrayList<>();
        for (int line = 0; line < text.lines().size(); line++) {
            String number = text.lines().get(line).strip();
            if (!number.isEmpty()) {
                measurements.add(new Measurement(Labels.NONE, Metric.ofWorkload(unit), text.number(number, line + 1)));
            }
        }
        return measurements;
    }
}
