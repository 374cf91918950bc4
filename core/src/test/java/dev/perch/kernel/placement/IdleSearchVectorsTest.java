package dev.perch.kernel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.TestKernels;
import dev.perch.kernel.TestMachines;
import dev.perch.model.CpuMask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The idle search of each era against 600 random machine states, whose results come from a model that was compared with the real kernels
 * ({@code mikie}, {@code 3.6-rc1} and {@code 5.16-rc1+clear-target}: with the published patches).
 */
class IdleSearchVectorsTest {
    private static final List<String> COLUMNS = List.of(
            "era",
            "machine",
            "busy",
            "sched_idle",
            "allowed",
            "this",
            "prev",
            "target",
            "recent",
            "waker_is_percpu_kthread",
            "has_idle_cores",
            "sis_prop_nr",
            "nr_idle_scan",
            "result");

    /** No limit: more CPUs than any of the machines has. */
    private static final int MANY = 1000;

    @ParameterizedTest
    @CsvSource({
        "2.6.39,v2.6.39",
        "mikie,v3.2-rc1+mikie",
        "3.2,v3.2",
        "3.3,v3.3",
        "3.6-rc1,v3.6-rc1",
        "3.9,v3.9",
        "4.9,v4.9",
        "4.13,v4.13",
        "4.16,v4.16",
        "5.4,v5.4",
        "5.6,v5.6",
        "5.13,v5.13",
        "5.16-rc1,v5.16-rc1",
        "5.16-rc1+clear-target,v5.16-rc1+clear-target",
        "6.1.0,v6.1.0",
        "6.12,v6.12"
    })
    void everyVectorOfTheEraGivesTheSameCpu(String era, String kernel) {
        check(era, TestKernels.named(kernel));
    }

    private static void check(String era, Kernel kernel) {
        List<String> wrong = new ArrayList<>();
        int count = 0;
        for (String line : TestMachines.lines("/placement/idle-search.csv")) {
            String[] field = line.split(",", -1);
            if (field[0].equals(era)) {
                count++;
                int result = search(field, kernel);
                if (result != number(field, "result")) {
                    wrong.add(line + " but " + result);
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(count).isEqualTo(600);
    }

    private static int search(String[] field, Kernel kernel) {
        Bench bench = new Bench(kernel, text(field, "machine"));
        CpuMask schedIdle = cpus(text(field, "sched_idle"));
        for (int cpu : cpus(text(field, "busy")).toArray()) {
            bench.run(cpu, 1, 1024);
            bench.view.schedIdle[cpu] = schedIdle.contains(cpu) ? 1 : 0;
        }
        if (!text(field, "allowed").equals("all")) {
            bench.request.allow(cpus(text(field, "allowed")));
        }
        bench.ask(WakeKind.WAKE, number(field, "this"), number(field, "prev"), false);
        bench.request.recentCpu = number(field, "recent");
        bench.request.wakerIsPerCpuKthread = number(field, "waker_is_percpu_kthread") == 1;
        Arrays.fill(bench.view.hasIdleCores, number(field, "has_idle_cores") == 1);
        if (kernel.has("SIS_PROP")) {
            allowByIdleTime(bench, text(field, "sis_prop_nr"));
        }
        if (kernel.has("SIS_UTIL")) {
            Arrays.fill(bench.view.nrIdleScan, cpuCount(text(field, "nr_idle_scan")));
        }
        return bench.rules.selectIdleSibling(bench.request, number(field, "target"), bench.view);
    }

    /**
     * Sets averages from which SIS_PROP makes the wanted number, never less than 4. With a cost of one less than the CPUs of the cache,
     * and one added by the rule, the number is the idle time in the unit that the era takes it in.
     */
    private static void allowByIdleTime(Bench bench, String limit) {
        for (int cpu = 0; cpu < bench.topology.cpuCount(); cpu++) {
            bench.view.avgScanCost[cpu] = bench.domains.llcSize(cpu) - 1L;
            bench.view.avgIdle[cpu] = 512L * cpuCount(limit);
            bench.view.wakeAvgIdle[cpu] = cpuCount(limit);
        }
    }

    private static int cpuCount(String limit) {
        return limit.equals("inf") ? MANY : Integer.parseInt(limit);
    }

    private static String text(String[] field, String column) {
        return field[COLUMNS.indexOf(column)];
    }

    private static int number(String[] field, String column) {
        return Integer.parseInt(text(field, column));
    }

    private static CpuMask cpus(String list) {
        return CpuMask.parse(list.replace(' ', ','));
    }
}
