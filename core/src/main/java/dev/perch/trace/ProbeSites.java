package dev.perch.trace;

import dev.perch.model.ProbedDecision.Site;

/**
 * Which idle test of the placement code an instruction belongs to: return addresses of {@code available_idle_cpu} in the images that were
 * disassembled, Debian's 6.1.192-2 and 6.12.117-1~deb12u1 for x86-64. Offset and size of the function, as the kernel prints them, tell the image.
 */
final class ProbeSites {
    /** Size of {@code select_task_rq_fair} in the two images, bytes. */
    private static final long SIZE_6_1_192 = 0x1840;

    private static final long SIZE_6_12_117 = 0x17d0;

    private ProbeSites() {}

    /** The test that returns to {@code offset} in a {@code select_task_rq_fair} of {@code size} bytes. */
    static Site site(long offset, long size) {
        if (size == SIZE_6_1_192) {
            return in6_1_192((int) offset);
        }
        return size == SIZE_6_12_117 ? in6_12_117((int) offset) : Site.UNKNOWN;
    }

    private static Site in6_1_192(int offset) {
        return switch (offset) {
            case 0xce5 -> Site.WAKE_AFFINE_THIS;
            case 0x1637 -> Site.WAKE_AFFINE_PREV_SHARED;
            case 0xd25 -> Site.WAKE_AFFINE_PREV;
            case 0x623 -> Site.TARGET;
            case 0x1449 -> Site.PREV;
            case 0x1330 -> Site.RECENT;
            case 0x14f2 -> Site.SMT;
            case 0xa0b -> Site.CORE;
            case 0x8f2 -> Site.CPU;
            case 0x10ee -> Site.IDLEST_CPU;
            default -> Site.UNKNOWN;
        };
    }

    private static Site in6_12_117(int offset) {
        return switch (offset) {
            case 0x7c4 -> Site.WAKE_AFFINE_THIS;
            case 0x16a0 -> Site.WAKE_AFFINE_PREV_SHARED;
            case 0x807 -> Site.WAKE_AFFINE_PREV;
            case 0x34a -> Site.TARGET;
            case 0x15a5 -> Site.PREV;
            case 0x12bf -> Site.RECENT;
            case 0x151f -> Site.SMT;
            case 0x68b -> Site.CPU;
            case 0xc05 -> Site.IDLEST_CPU;
            default -> Site.UNKNOWN;
        };
    }
}
