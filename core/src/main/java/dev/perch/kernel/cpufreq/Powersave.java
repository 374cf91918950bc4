package dev.perch.kernel.cpufreq;

/** The governor that always requests the lowest frequency ({@code cpufreq_powersave}). */
public final class Powersave implements Governor {
    private final int lowest;

    public Powersave(FrequencyTable table) {
        lowest = table.lowest();
    }

    @Override
    public int requestKhz() {
        return lowest;
    }
}
