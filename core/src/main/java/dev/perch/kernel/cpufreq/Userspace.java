package dev.perch.kernel.cpufreq;

/** The governor that requests what it is told, the lowest entry that is not below it ({@code cpufreq_userspace}, relation L). */
public final class Userspace implements Governor {
    private final int request;

    /**
     * @param speedKhz {@code scaling_setspeed}; above the table it means the highest entry
     */
    public Userspace(FrequencyTable table, int speedKhz) {
        request = table.find(speedKhz, Relation.L);
    }

    @Override
    public int requestKhz() {
        return request;
    }
}
