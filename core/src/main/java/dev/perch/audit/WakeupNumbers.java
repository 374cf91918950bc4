package dev.perch.audit;

import dev.perch.model.CpuMask;

/** Numbers wakeups from 1 by time, then CPU, then order in the recording: those of one time wait for each other. */
final class WakeupNumbers {
    private final Wakeup[] sameTime = new Wakeup[CpuMask.MAX_CPUS];
    private int sameTimeCount;
    private long sameTimeNs;
    private long numbered;

    /** A wakeup has begun. */
    void begun(Wakeup wakeup) {
        if (sameTimeCount > 0 && (wakeup.ns != sameTimeNs || sameTimeCount == sameTime.length)) {
            assignNumbers();
        }
        sameTimeNs = wakeup.ns;
        int place = sameTimeCount++;
        while (place > 0 && sameTime[place - 1].thisCpu > wakeup.thisCpu) {
            sameTime[place] = sameTime[place - 1];
            place--;
        }
        sameTime[place] = wakeup;
    }

    /** No more wakeups of the last time will come. */
    void assignNumbers() {
        for (int i = 0; i < sameTimeCount; i++) {
            sameTime[i].number = ++numbered;
        }
        sameTimeCount = 0;
    }

    /** What has been numbered so far were no wakeups. */
    void restart() {
        sameTimeCount = 0;
        numbered = 0;
    }
}
