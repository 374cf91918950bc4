package dev.perch.model;

/**
 * Where a number of a machine file comes from.
 *
 * @param kind how it is known
 * @param text the source: the publication, the experiment rows it was calibrated on, why it was assumed
 */
public record Origin(Kind kind, String text) {
    public enum Kind {
        MEASURED,
        PUBLISHED,
        CALIBRATED,
        ASSUMED
    }

    @Override
    public String toString() {
        String word = kind.name().toLowerCase(java.util.Locale.ROOT);
        return text.isEmpty() ? word : word + ": " + text;
    }
}
