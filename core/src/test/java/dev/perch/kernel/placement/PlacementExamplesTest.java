package dev.perch.kernel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TestKernels;
import dev.perch.kernel.TestMachines;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The worked examples X01 – X44 of placement.md 14.1, whole decisions with the affinity check. */
class PlacementExamplesTest {
    private static final List<String> POLICIES = List.of("V", "MK", "P1", "3.2", "3.3", "M2", "M2S", "BUD", "3.9");
    private static final int FIRST_POLICY = 8;

    @ParameterizedTest
    @ValueSource(strings = {"V", "MK", "P1", "3.2", "3.3", "M2", "M2S", "BUD", "3.9"})
    void everyExampleGivesTheSameCpu(String policy) {
        List<String> wrong = new ArrayList<>();
        List<String> examples = TestMachines.lines("/placement/examples.txt");
        for (String example : examples) {
            String[] field =
                    Arrays.stream(example.split("\\|")).map(String::strip).toArray(String[]::new);
            String expected = field[FIRST_POLICY + POLICIES.indexOf(policy)];
            String result = decide(field, policy, expected.contains(">"));
            if (!result.equals(expected)) {
                wrong.add(example + " but " + policy + " gives " + result);
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(examples).hasSize(44);
    }

    /** The CPU; as {@code 3 > 5} with what the rules chose before the fallback, if asked for and different. */
    private static String decide(String[] field, String policy, boolean showFallback) {
        Bench bench = bench(field[1], policy);
        bench.run(CpuMask.parse(field[2]));
        if (!field[3].equals("all")) {
            bench.request.allow(CpuMask.parse(field[3]));
        }
        if (!field[7].equals("-")) {
            String[] running = field[7].split("[:*]");
            bench.run(Integer.parseInt(running[0]), Integer.parseInt(running[1]), Integer.parseInt(running[2]));
        }
        List<String> chosen = new ArrayList<>();
        bench.view.listenWith((step, cpu, taken) -> {
            if (step == PlacementStep.VALIDITY && !taken) {
                chosen.add(cpu + " > ");
            }
        });
        int result = bench.wake(Integer.parseInt(field[4]), Integer.parseInt(field[5]), field[6].equals("sync"));
        return (showFallback ? String.join("", chosen) : "") + result;
    }

    private static Bench bench(String machine, String policy) {
        if (machine.equals("E5620-shield")) {
            Topology topology = TestMachines.named("E5620");
            return new Bench(TestKernels.policy(policy), topology, CpuMask.parse("1-3,5-7"));
        }
        return new Bench(TestKernels.policy(policy), machine);
    }
}
