package dev.perch.audit;

/** Pid to task slot: open addressing over primitive arrays, nothing allocated unless it grows. */
final class PidTable {
    private static final int INITIAL = 1024;

    private int[] pids = new int[INITIAL];
    /** Slot + 1; 0 is free. */
    private int[] slots = new int[INITIAL];

    private int size;

    /** The slot of {@code pid}, or −1. */
    int get(int pid) {
        return slots[index(pid)] - 1;
    }

    /** {@code pid} has {@code slot} from now on. */
    void put(int pid, int slot) {
        int index = index(pid);
        if (slots[index] == 0) {
            pids[index] = pid;
            if (++size * 2 > pids.length) {
                grow();
                index = index(pid);
                pids[index] = pid;
            }
        }
        slots[index] = slot + 1;
    }

    private int index(int pid) {
        int mask = pids.length - 1;
        int index = (pid * 0x9E3779B9 >>> 8) & mask;
        while (slots[index] != 0 && pids[index] != pid) {
            index = index + 1 & mask;
        }
        return index;
    }

    private void grow() {
        int[] oldPids = pids;
        int[] oldSlots = slots;
        pids = new int[oldPids.length * 2];
        slots = new int[pids.length];
        for (int i = 0; i < oldPids.length; i++) {
            if (oldSlots[i] != 0) {
                int index = index(oldPids[i]);
                pids[index] = oldPids[i];
                slots[index] = oldSlots[i];
            }
        }
    }
}
