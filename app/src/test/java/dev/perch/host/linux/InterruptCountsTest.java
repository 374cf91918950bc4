package dev.perch.host.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class InterruptCountsTest {
    private static final List<String> X86 = List.of(
            "            CPU0       CPU2       ",
            "   4:         18          0  IO-APIC   4-edge      ttyS0",
            " RES:      97463      80629   Rescheduling interrupts",
            " CAL:    1861171    1991405   Function call interrupts",
            " ERR:          0");

    @Test
    void columnsAreThoseOfTheCpusThatAreOnline() {
        assertThat(InterruptCounts.functionCalls(X86, 0)).hasValue(1_861_171);
        assertThat(InterruptCounts.functionCalls(X86, 2)).hasValue(1_991_405);
        assertThat(InterruptCounts.functionCalls(X86, 1)).isEmpty();
    }

    @Test
    void armNamesThemAlike() {
        List<String> lines = List.of(
                "           CPU0       CPU1       ",
                "IPI0:       521        735       Rescheduling interrupts",
                "IPI1:      9051       8012       Function call interrupts");
        assertThat(InterruptCounts.functionCalls(lines, 1)).hasValue(8_012);
    }

    @Test
    void aKernelThatDoesNotTellIsNoZero() {
        assertThat(InterruptCounts.functionCalls(List.of(), 0)).isEmpty();
        assertThat(InterruptCounts.functionCalls(X86.subList(0, 2), 0)).isEmpty();
    }
}
