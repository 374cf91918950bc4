package dev.perch.sim.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.InputException;
import dev.perch.sim.Simulation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Whatever runs on whatever machine under whatever kernel: no run breaks an invariant. */
class RandomRunsTest {
    private static final int FEW = 300;
    private static final int MANY = 5_000;

    @Test
    void noRunBreaksAnInvariant() {
        assertThat(failures(1, FEW)).isEmpty();
    }

    @Test
    @Tag("slow")
    void noneOfThousandsDoes() {
        assertThat(failures(FEW + 1, MANY)).isEmpty();
    }

    /** {@code mvn -pl core test -Dtest=RandomRunsTest#oneRun -Dperch.seed=SEED} */
    @Test
    @EnabledIfSystemProperty(named = "perch.seed", matches = "\\d+")
    void oneRun() {
        run(Long.getLong("perch.seed"));
    }

    /** As many as asked for, from a seed on: {@code -Dperch.seeds=FROM-TO}; for a search. */
    @Test
    @EnabledIfSystemProperty(named = "perch.seeds", matches = "\\d+-\\d+")
    void someRuns() {
        String[] ends = System.getProperty("perch.seeds").split("-");
        List<String> failures = failures(Long.parseLong(ends[0]), Long.parseLong(ends[1]));
        failures.forEach(System.out::println);
        assertThat(failures).isEmpty();
    }

    private static List<String> failures(long from, long to) {
        List<String> failures = Collections.synchronizedList(new ArrayList<>());
        LongStream.rangeClosed(from, to).parallel().forEach(seed -> {
            try {
                run(seed);
            } catch (RuntimeException failure) {
                failures.add(failure + "\n    reproduce: mvn -pl core test -Dtest=RandomRunsTest#oneRun -Dperch.seed="
                        + seed + "\n    " + RandomRun.describe(seed));
            }
        });
        Collections.sort(failures);
        return failures;
    }

    private static void run(long seed) {
        try {
            Simulation.runChecked(RandomRun.of(seed));
        } catch (InputException unfinished) {
            // a workload that ends, but not soon enough, or one that forks too many
            if (!unfinished.getMessage().contains("has not ended")
                    && !unfinished.getMessage().contains("live already")) {
                throw unfinished;
            }
        }
    }
}
