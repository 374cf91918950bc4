package dev.perch.kernel.cpufreq;

/** The governor that always requests the highest frequency ({@code cpufreq_performance}). */
public final class Performance implements Governor {
    private final int highest;

    public Performance(FrequencyTable table) {
        highest = table.highest();
    }

    @Override
    public int requestKhz() {
        return highest;
    }
}
