package dev.perch.sim.workload;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadsTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));

    private static WorkloadSetup spec(String workload, String cpuset) {
        return new WorkloadSetup(
                Machines.find("e5620", HOME),
                WorkloadExpression.parse(workload),
                CpuMask.parse(cpuset),
                CpuMask.empty(),
                false,
                200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tcp-rr",
                "tcp-rr:pin=3/7",
                "pipe*4",
                "tcp-rr+hog*2",
                "hog:pin=5",
                "oltp:threads=3",
                "socketpair:pin=0/1",
                "hackbench:tasks=threads"
            })
    void acceptsWhatThereIs(String workload) {
        assertThatCode(() -> Workloads.check(spec(workload, ""))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tcp-r | unknown workload 'tcp-r'; did you mean 'tcp-rr'?",
                "pipe:pin=9/1 | workload 'pipe': pin=9/1: CPU 9 is not among CPUs 0-7, where the workload may run",
                "pipe:pin=1 | workload 'pipe': pin=1 names 1 CPUs, but it has 2 tasks; write pin=A/B",
                "hog:pin=1/2 | workload 'hog': pin=1/2 names 2 CPUs, but it has 1 task; write pin=A",
                "hog:pin=x | CPU list 'x': 'x' is not a CPU number; write numbers and ranges, as in 0-3",
                "pipe:pni=1/2 | workload 'pipe' has no option 'pni'; did you mean 'pin'?",
                "tcp-rr:size=0 | workload 'tcp-rr': size=0 is not a number from 1 to 65535",
                "hackbench:tasks=fibres | workload 'hackbench': tasks=fibres is none of process, threads",
                "hackbench:groups=0 | workload 'hackbench': groups=0 is not a number from 1 to 256",
                "socketpair:pin=9/1 | workload 'socketpair': pin=9/1: CPU 9 is not among CPUs 0-7, where the workload may run",
                "socketpair:size=8 | workload 'socketpair' has no option 'size'",
                "tbench:client=3 | workload 'tbench' has no option 'client'; did you mean 'clients'?",
                "periodic:pin=0/1 | workload 'periodic': pin=0/1 names 2 CPUs, but it has 1 task; write pin=A",
            })
    void refusesWhatThereIsNotInOneLine(String workload, String message) {
        assertThatThrownBy(() -> Workloads.check(spec(workload, "")))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(message)
                .message()
                .doesNotContain("\n");
    }

    static Stream<String> shippedMachines() {
        return Machines.list(HOME).stream().map(Machines.Entry::name).filter(name -> !name.equals("host"));
    }

    @ParameterizedTest
    @MethodSource("shippedMachines")
    void everyShippedMachineCanRunEveryWorkload(String machine) {
        for (WorkloadKind kind : Workloads.list()) {
            WorkloadSetup setup = new WorkloadSetup(
                    Machines.find(machine, HOME),
                    WorkloadExpression.parse(kind.name()),
                    CpuMask.empty(),
                    CpuMask.empty(),
                    false,
                    0);
            assertThatCode(() -> Workloads.check(setup)).as(kind.name()).doesNotThrowAnyException();
        }
    }

    @Test
    void refusesAPinOutsideOfTheCpuset() {
        assertThatThrownBy(() -> Workloads.check(spec("pipe:pin=0/1", "1-3")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("CPU 0 is not among CPUs 1-3");
    }

    @Test
    void refusesACpusetThatTheMachineDoesNotHave() {
        assertThatThrownBy(() -> Workloads.check(spec("pipe", "6-9")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("cpuset 6-9")
                .hasMessageContaining("it has 0-7");
    }

    @Test
    void refusesATasksetOutsideOfTheCpuset() {
        WorkloadSetup setup = spec("pipe", "1-3");
        WorkloadSetup outside =
                new WorkloadSetup(setup.machine(), setup.items(), setup.cpuset(), CpuMask.of(0, 1), false, 0);
        assertThatThrownBy(() -> Workloads.check(outside))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("taskset 0-1");
    }
}
