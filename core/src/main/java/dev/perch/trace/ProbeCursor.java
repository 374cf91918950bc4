package dev.perch.trace;

import dev.perch.model.CpuMask;
import dev.perch.model.ProbedDecision.Site;

/** The small steps of reading a kprobe event: where it was hit, fields with a name, and fields with a name and a CPU's number. */
class ProbeCursor extends TextCursor {
    private static final byte[] FUNCTION = literal("select_task_rq_fair+0x");
    private static final byte[] CORE_FUNCTION = literal("select_idle_core");
    private static final byte[] HEX = literal("0x");

    /** The idle test that {@link #where} found. */
    Site site = Site.UNKNOWN;
    /** The CPU's number that {@link #numbered} read. */
    int index;

    /** {@code (select_task_rq_fair+0x623/0x1840 <- available_idle_cpu)}: what is before the arrow is where the function returned to. */
    final boolean where() {
        if (!skip('(')) {
            return false;
        }
        site = Site.UNKNOWN;
        if (skip(FUNCTION)) {
            if (!hex()) {
                return false;
            }
            long offset = value;
            if (skip('/') && skip(HEX) && hex()) {
                site = ProbeSites.site(offset, value);
            }
        } else if (skip(CORE_FUNCTION)) {
            site = Site.CORE;
        }
        while (pos < end && bytes[pos] != ')') {
            pos++;
        }
        return skip(')');
    }

    final boolean isInt() {
        return value == (int) value;
    }

    final boolean isCpu() {
        return value >= 0 && value < CpuMask.MAX_CPUS;
    }

    final boolean isPid() {
        return value >= 0 && value <= FieldCursor.MAX_PID;
    }

    final boolean field(byte[] label) {
        skipBlanks();
        return skip(label) && value();
    }

    /** {@code label}, a CPU's number into {@link #index}, {@code =} and a value. */
    final boolean numbered(byte[] label) {
        skipBlanks();
        if (!skip(label) || !number() || !isCpu()) {
            return false;
        }
        index = (int) value;
        return skip('=') && value();
    }

    final boolean indexed(char label, int cpu) {
        skipBlanks();
        return skip(label) && number() && value == cpu && cpu < CpuMask.MAX_CPUS && skip('=') && value();
    }

    private boolean value() {
        return skip(HEX) ? hex() : signed();
    }
}
