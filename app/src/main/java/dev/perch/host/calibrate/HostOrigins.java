package dev.perch.host.calibrate;

import dev.perch.host.probe.Reading;
import dev.perch.model.Origin;
import java.util.Locale;

/** Where the numbers of a measured machine come from, in words. */
final class HostOrigins {
    private HostOrigins() {}

    /** Measured so, with its spread. */
    static Origin measured(String how, Reading reading) {
        return new Origin(
                Origin.Kind.MEASURED,
                String.format(
                        Locale.ROOT,
                        "%s; median %s, quartiles %s to %s",
                        how,
                        number(reading.median()),
                        number(reading.lowerQuartile()),
                        number(reading.upperQuartile())));
    }

    /** Whole numbers as they are, others with three digits or more. */
    static String number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e9) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f", value);
    }

    static Origin assumed(String text) {
        return new Origin(Origin.Kind.ASSUMED, text);
    }

    static Origin calibrated(String text) {
        return new Origin(Origin.Kind.CALIBRATED, text);
    }
}
