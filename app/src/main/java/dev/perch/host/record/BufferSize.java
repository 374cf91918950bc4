package dev.perch.host.record;

import dev.perch.host.linux.OpenFiles;
import dev.perch.model.InputException;

/**
 * How much memory the kernel gets for each CPU's events that wait to be written: what a writer that is kept waiting for some hundred
 * milliseconds needs on a busy CPU, but on many CPUs together no more than a machine has to spare.
 */
final class BufferSize {
    private static final int USUAL = 16 << 20;
    private static final int SMALLEST = 1 << 16;
    private static final long ALL_AT_MOST = 512L << 20;
    private static final long LARGEST = 1 << 30;
    private static final int SHARE_OF_MEMORY = 16;
    private static final int PAGE = 4096;

    private BufferSize() {}

    /**
     * @param wanted bytes that the user wants, 0 for the usual
     * @param memoryKb of the machine, 0 if it is not known
     * @return bytes, a power of two
     * @throws InputException wanted is more than can be had
     */
    static int of(long wanted, int cpus, long memoryKb) {
        if (wanted > LARGEST) {
            throw new InputException("-m: a buffer of more than 1G for each CPU cannot be had; take a smaller one");
        }
        if (wanted > 0) {
            int size = Math.max(OpenFiles.pageSize(), Math.max(PAGE, (int) wanted));
            return Integer.highestOneBit(2 * size - 1);
        }
        long all = memoryKb == 0 ? ALL_AT_MOST : Math.min(ALL_AT_MOST, (memoryKb << 10) / SHARE_OF_MEMORY);
        int size = USUAL;
        while (size > SMALLEST && (long) size * cpus > all) {
            size /= 2;
        }
        return size;
    }
}
