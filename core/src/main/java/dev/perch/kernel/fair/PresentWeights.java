package dev.perch.kernel.fair;

/** {@link GroupWeights} without memory: a group's load is what is queued now. */
final class PresentWeights implements GroupWeights {
    private static final long LEAST = 2;

    private final long[] total;
    private final long[][] contribution;

    PresentWeights(int groups, int cpus) {
        total = new long[groups + 1];
        contribution = new long[groups + 1][cpus];
    }

    @Override
    public void beforeChange(int group, int cpu, long clock, long weight, boolean balances) {
        // nothing is averaged over the time that ends here
    }

    @Override
    public long elsewhere(int group, int cpu) {
        return total[group] - contribution[group][cpu];
    }

    @Override
    public long weight(int group, int cpu, long shares, long weight) {
        total[group] += weight - contribution[group][cpu];
        contribution[group][cpu] = weight;
        return total[group] == 0 ? shares : Math.clamp(shares * weight / total[group], LEAST, shares);
    }
}
