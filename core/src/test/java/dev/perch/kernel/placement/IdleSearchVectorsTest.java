package dev.perch.kernel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TestKernels;
import dev.perch.kernel.TestMachines;
import dev.perch.model.CpuMask;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The idle search of each era against 600 random machine states, whose results come from a model that was compared with the real kernels
 * ({@code mikie} and {@code 3.6-rc1}: with the published patches).
 */
class IdleSearchVectorsTest {
    @ParameterizedTest
    @CsvSource({"2.6.39,V", "mikie,MK", "3.2,3.2", "3.3,3.3", "3.6-rc1,BUD", "3.9,3.9"})
    void everyVectorOfTheEraGivesTheSameCpu(String era, String policy) {
        List<String> wrong = new ArrayList<>();
        int count = 0;
        for (String line : TestMachines.lines("/placement/idle-search.csv")) {
            String[] field = line.split(",", -1);
            if (field[0].equals(era)) {
                count++;
                int result = search(field, policy);
                if (result != Integer.parseInt(field[7])) {
                    wrong.add(line + " but " + result);
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(count).isEqualTo(600);
    }

    private static int search(String[] field, String policy) {
        Bench bench = new Bench(TestKernels.policy(policy), field[1]);
        bench.run(cpus(field[2]));
        if (!field[3].equals("all")) {
            bench.request.allow(cpus(field[3]));
        }
        bench.ask(WakeKind.WAKE, Integer.parseInt(field[4]), Integer.parseInt(field[5]), false);
        return bench.rules.selectIdleSibling(bench.request, Integer.parseInt(field[6]), bench.view);
    }

    private static CpuMask cpus(String list) {
        return CpuMask.parse(list.replace(' ', ','));
    }
}
