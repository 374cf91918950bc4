package dev.perch.cli;

import dev.perch.host.HostBoot;
import dev.perch.host.HostSystem;
import dev.perch.host.RunningKernel;
import dev.perch.host.calibrate.HostCalibration;
import dev.perch.host.calibrate.HostCheck;
import dev.perch.host.calibrate.HostReadings;
import dev.perch.host.calibrate.Probe;
import dev.perch.host.probe.Reading;
import dev.perch.lab.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a calibration measured and what a check found, for people. */
final class CalibrateReport {
    private static final String NOTHING = "–";
    /** Bound pairs that are off by more than this say that the host has changed. */
    private static final double MOST_CHANGE = 0.1;

    private final HostSystem host;
    private final RunningKernel kernel;
    private final HostBoot boot;
    private HostCalibration.@Nullable Outcome outcome;
    private String nearest = "";
    private List<HostCheck.Row> rows = List.of();

    CalibrateReport(HostSystem host, RunningKernel kernel, HostBoot boot) {
        this.host = host;
        this.kernel = kernel;
        this.boot = boot;
    }

    void measured(HostCalibration.Outcome outcome, String nearest) {
        this.outcome = outcome;
        this.nearest = nearest;
    }

    void checked(List<HostCheck.Row> rows) {
        this.rows = List.copyOf(rows);
    }

    boolean isMeasured() {
        return outcome != null;
    }

    HostSystem host() {
        return host;
    }

    RunningKernel kernel() {
        return kernel;
    }

    HostBoot boot() {
        return boot;
    }

    Optional<HostCalibration.Outcome> outcome() {
        return Optional.ofNullable(outcome);
    }

    List<HostCheck.Row> rows() {
        return rows;
    }

    String nearest() {
        return nearest;
    }

    /** Lines for the top of the machine file. */
    List<String> comments() {
        List<String> lines = new ArrayList<>();
        lines.add("Measured by perch calibrate on " + host.title() + ", kernel " + kernel.release() + ".");
        lines.add("As this host was booted: --kernel " + kernel.kernel().expression() + " " + boot.options());
        lines.add("What could not be measured is marked as assumed: " + nearest + ".");
        missed().forEach(lines::add);
        return lines;
    }

    private List<String> missed() {
        List<String> lines = new ArrayList<>();
        outcome().ifPresent(found -> {
            for (HostCalibration.Fitted row : found.fitted()) {
                if (!row.hit()) {
                    lines.add(String.format(
                            Locale.ROOT,
                            "%s takes %.3f us/op here and %.3f in simulations: %s (%s) cannot bring it there.",
                            row.row().workload(),
                            row.row().microseconds().median(),
                            row.simulated(),
                            row.what(),
                            row.value()));
                }
            }
        });
        return lines;
    }

    /** All of it. */
    String text() {
        List<String> lines = new ArrayList<>();
        lines.add("host: " + host.title() + ", kernel " + kernel.release() + ", CPUs " + host.cpus());
        lines.add("simulated as: --kernel " + kernel.kernel().expression() + " " + boot.options());
        outcome().ifPresent(found -> measured(found, lines));
        if (!rows.isEmpty()) {
            lines.add("");
            checkLines(lines);
        }
        List<String> notes = notes();
        if (!notes.isEmpty()) {
            lines.add("");
            notes.forEach(note -> lines.add("note: " + note));
        }
        return String.join("\n", lines) + "\n";
    }

    /** What the reader must know. */
    List<String> notes() {
        List<String> notes = new ArrayList<>(kernel.notes());
        notes.addAll(boot.notes());
        if (outcome != null) {
            notes.add("what could not be measured: " + nearest);
            if (outcome.readings().pairs().isEmpty()) {
                notes.add("this process may run on one CPU only, so nothing between CPUs was measured");
            }
        }
        notes.addAll(missed());
        double change = rows.stream()
                .filter(row -> row.role() == HostCheck.Role.CALIBRATED)
                .mapToDouble(row -> Math.abs(row.error()))
                .max()
                .orElse(0);
        if (change > MOST_CHANGE) {
            notes.add(String.format(
                    Locale.ROOT,
                    "pairs that the machine was calibrated with are off by up to %.0f %% now: the host is not as it was, or a row was not reached;"
                            + " predictions can hardly be better than that",
                    100 * change));
        }
        return notes;
    }

    private static void measured(HostCalibration.Outcome found, List<String> lines) {
        HostReadings readings = found.readings();
        TextTable table = new TextTable(List.of("measured [ns]", "CPUs", "distance", "median", "quartiles"), false);
        rows(table, Integer.toString(readings.cpu()), NOTHING, readings.here());
        for (HostReadings.Pair pair : readings.pairs()) {
            rows(table, pair.text(), pair.distance().word(), pair.readings());
        }
        for (HostReadings.PinnedRow row : readings.pinned()) {
            table.add(cells(
                    row.benchmark().word() + " hop", row.pins(), row.distance().word(), row.hopNs()));
        }
        for (HostReadings.IdleReading state : readings.idleStates()) {
            state.latency()
                    .ifPresent(latency ->
                            table.add(cells("wakeup from " + state.facts().name(), NOTHING, NOTHING, latency)));
        }
        lines.add("");
        lines.addAll(table.lines());
        TextTable fitted =
                new TextTable(List.of("found by simulation", "value", "from", "measured [us/op]", "simulated"), false);
        for (HostCalibration.Fitted row : found.fitted()) {
            fitted.add(List.of(
                    row.what(),
                    row.value(),
                    row.row().workload(),
                    micros(row.row().microseconds().median()),
                    micros(row.simulated())));
        }
        lines.add("");
        lines.addAll(fitted.lines());
    }

    private static void rows(TextTable table, String cpus, String distance, Map<Probe, Reading> readings) {
        readings.forEach((probe, reading) -> table.add(cells(probe.title(), cpus, distance, reading)));
    }

    private static List<String> cells(String what, String cpus, String distance, Reading reading) {
        return List.of(
                what,
                cpus,
                distance,
                number(reading.median()),
                number(reading.lowerQuartile()) + " … " + number(reading.upperQuartile()));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%.0f" : "%.2f", value);
    }

    private static String micros(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    private void checkLines(List<String> lines) {
        TextTable table = new TextTable(
                List.of("pair", "CPUs", "distance", "measured [us/op]", "min … max", "simulated", "error", "is"),
                false);
        for (HostCheck.Row row : rows) {
            boolean free = row.pins().isEmpty();
            table.add(List.of(
                    row.benchmark().word(),
                    free ? "free" : row.pins(),
                    free ? NOTHING : row.distance(),
                    micros(row.measured().median()),
                    micros(row.measured().min()) + " … " + micros(row.measured().max()),
                    micros(row.simulated().median()),
                    String.format(Locale.ROOT, "%+.1f%%", 100 * row.error()),
                    row.role() == HostCheck.Role.CALIBRATED ? "calibrated" : "prediction"));
        }
        lines.addAll(table.lines());
        List<HostCheck.Row> predicted = rows.stream()
                .filter(row -> row.role() == HostCheck.Role.PREDICTED)
                .toList();
        long near = predicted.stream()
                .filter(row -> Math.abs(row.error()) <= HostCheck.AIM)
                .count();
        lines.add("");
        lines.add(String.format(
                Locale.ROOT, "%d of %d predictions are within %.0f %%.", near, predicted.size(), 100 * HostCheck.AIM));
    }
}
