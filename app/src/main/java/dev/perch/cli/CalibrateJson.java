package dev.perch.cli;

import dev.perch.host.calibrate.HostCalibration;
import dev.perch.host.calibrate.HostCheck;
import dev.perch.host.calibrate.HostReadings;
import dev.perch.host.calibrate.Probe;
import dev.perch.host.probe.Reading;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a calibration measured and what a check found, as JSON; times in ns, pairs of tasks in µs an operation, errors as fractions. */
final class CalibrateJson {
    private CalibrateJson() {}

    static String document(CalibrateReport report) {
        ObjectNode document = JsonText.document();
        document.putObject("host")
                .put("title", report.host().title())
                .put("kernel", report.kernel().release())
                .put("cpus", report.host().cpus().toString());
        ObjectNode simulated = document.putObject("simulated");
        simulated.put("kernel", report.kernel().kernel().expression());
        ArrayNode settings = simulated.putArray("settings");
        report.boot().assignments().forEach(settings::add);
        report.outcome().ifPresent(outcome -> measured(document, outcome, report.nearest()));
        if (!report.rows().isEmpty()) {
            document.put("aim", HostCheck.AIM);
            ArrayNode rows = document.putArray("check");
            report.rows().forEach(row -> check(rows.addObject(), row));
        }
        ArrayNode notes = document.putArray("notes");
        report.notes().forEach(notes::add);
        return JsonText.write(document);
    }

    private static void measured(ObjectNode document, HostCalibration.Outcome outcome, String nearest) {
        HostReadings readings = outcome.readings();
        document.put("filledFrom", outcome.nearest().name()).put("nearest", nearest);
        ArrayNode array = document.putArray("readings");
        String cpu = Integer.toString(readings.cpu());
        readings(array, cpu, "cpu", readings.here());
        for (HostReadings.Pair pair : readings.pairs()) {
            readings(array, pair.text(), pair.distance().word(), pair.readings());
        }
        ArrayNode hops = document.putArray("hops");
        for (HostReadings.PinnedRow row : readings.pinned()) {
            reading(
                    hops.addObject()
                            .put("workload", row.workload())
                            .put("distanceClass", row.distance().word()),
                    row.hopNs());
        }
        ArrayNode states = document.putArray("idleStates");
        for (HostReadings.IdleReading state : readings.idleStates()) {
            ObjectNode node = states.addObject()
                    .put("name", state.facts().name())
                    .put("exitUs", state.facts().exitUs())
                    .put("residencyUs", state.facts().residencyUs());
            state.latency().ifPresent(latency -> reading(node, latency));
        }
        ArrayNode fitted = document.putArray("fitted");
        for (HostCalibration.Fitted row : outcome.fitted()) {
            fitted.addObject()
                    .put("what", row.what())
                    .put("value", row.value())
                    .put("workload", row.row().workload())
                    .put("measured", row.row().microseconds().median())
                    .put("simulated", row.simulated())
                    .put("hit", row.hit());
        }
    }

    private static void readings(ArrayNode array, String cpus, String distance, Map<Probe, Reading> readings) {
        readings.forEach((probe, reading) -> reading(
                array.addObject()
                        .put("probe", probe.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                        .put("cpus", cpus)
                        .put("distanceClass", distance),
                reading));
    }

    private static void reading(ObjectNode node, Reading reading) {
        node.put("median", reading.median())
                .put("lowerQuartile", reading.lowerQuartile())
                .put("upperQuartile", reading.upperQuartile())
                .put("values", reading.values());
    }

    private static void check(ObjectNode node, HostCheck.Row row) {
        node.put("workload", row.workload());
        if (row.pins().isEmpty()) {
            node.putNull("pin");
        } else {
            node.put("pin", row.pins()).put("distanceClass", row.distance());
        }
        node.put("role", row.role() == HostCheck.Role.CALIBRATED ? "calibrated" : "prediction");
        numbers(node.putArray("measured"), row.measured().values());
        numbers(node.putArray("simulated"), row.simulated().values());
        node.put("error", row.error());
    }

    private static void numbers(ArrayNode array, double[] values) {
        for (double value : values) {
            array.add(value);
        }
    }
}
