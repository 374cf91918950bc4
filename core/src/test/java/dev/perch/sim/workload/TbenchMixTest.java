package dev.perch.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.ToIntFunction;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Expected: the totals of dbench's load file, spec scheduler.md 9.3. */
class TbenchMixTest {
    private static double mean(ToIntFunction<Tbench.Operation> bytes) {
        double sum = 0;
        for (Tbench.Operation operation : Tbench.MIX) {
            sum += (double) operation.count() * bytes.applyAsInt(operation);
        }
        return sum / operations();
    }

    private static int operations() {
        return Tbench.MIX.stream().mapToInt(Tbench.Operation::count).sum();
    }

    @Test
    void hasAsManyOperationsAsTheLoadFileSends() {
        // 458 344 lines, two of which (Deltree) the network client does not send
        assertThat(operations()).isEqualTo(458_342);
    }

    @Test
    void countsAsManyBytes() {
        assertThat(mean(Tbench.Operation::counted)).isCloseTo(5428, Percentage.withPercentage(0.01));
        assertThat(1e6 / mean(Tbench.Operation::counted)).isCloseTo(184.2, Percentage.withPercentage(0.05));
    }

    @Test
    void sendsMessagesOfTheMeanSizes() {
        assertThat(mean(Tbench.Operation::request)).isCloseTo(2309, Percentage.withPercentage(0.1));
        assertThat(mean(Tbench.Operation::response)).isCloseTo(3302, Percentage.withPercentage(0.1));
    }
}
