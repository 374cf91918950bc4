package dev.perch.kernel.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.TestKernels;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies of a person's own, from one {@code .java} file. */
class PolicyTest {
    private static final String STAY_HOME =
            TestKernels.HOME.resolve("examples/StayHome.java").toAbsolutePath().toString();

    @TempDir
    Path folder;

    private String file(String name, String... lines) throws IOException {
        return Files.writeString(folder.resolve(name), String.join("\n", lines) + "\n")
                .toString();
    }

    /** A policy whose idle search has {@code body}, on line 4. */
    private String search(String body) throws IOException {
        return file(
                "Mine.java",
                "import dev.perch.kernel.placement.*;",
                "public class Mine implements Policy {",
                "    @Override public int selectIdleSibling(WakeRequest request, int target, CpuView view, IdleSearch base) {",
                "        " + body,
                "    }",
                "}");
    }

    private static Bench bench(String policy) {
        return new Bench(TestKernels.named("v3.9+" + policy), "E5620");
    }

    @Test
    void theShippedOneStaysOnAnIdlePrev() {
        Bench base = new Bench(TestKernels.named("v3.9"), "2xNHM");
        Bench home = new Bench(TestKernels.named("v3.9+" + STAY_HOME), "2xNHM");
        base.run(CpuMask.of(4));
        home.run(CpuMask.of(4));
        // 3.9 pulls a sync wakeup to the waker's node, whose next idle core after {4,12} is {5,13}
        assertThat(base.wake(4, 0, true)).isEqualTo(5);
        assertThat(home.wake(4, 0, true)).isZero();
        home.run(CpuMask.of(0));
        assertThat(home.wake(4, 0, true)).isEqualTo(5);
    }

    @Test
    void itsNameStandsInTheKernels() {
        Kernel kernel = TestKernels.named("v3.9+" + STAY_HOME + ",NO_TTWU_QUEUE");
        assertThat(kernel.name()).isEqualTo("v3.9+" + STAY_HOME + ",NO_TTWU_QUEUE");
        assertThat(kernel.policy()).contains(STAY_HOME);
        assertThat(kernel.release()).isEqualTo("v3.9");
        assertThat(TestKernels.named("v3.8+balance-map+" + STAY_HOME).patches())
                .containsExactly("balance-map", STAY_HOME);
        assertThat(TestKernels.named("v3.9").policy()).isEmpty();
    }

    @Test
    void itMayChooseWithoutAskingTheKernel() throws IOException {
        String policy = file(
                "Waker.java",
                "package mine;",
                "import dev.perch.kernel.placement.*;",
                "class Waker implements Policy {",
                "    public int select(WakeRequest request, CpuView view, Caller base) {",
                "        return request.sync ? request.thisCpu : base.select(request, view);",
                "    }",
                "}");
        Bench bench = bench(policy);
        bench.run(CpuMask.of(3));
        assertThat(bench.wake(3, 1, true)).isEqualTo(3);
        assertThat(bench.wake(3, 1, false)).isEqualTo(1);
    }

    @Test
    void itLearnsTheMachineFirst() throws IOException {
        String policy = file(
                "Last.java",
                "import dev.perch.kernel.domain.SchedDomains;",
                "import dev.perch.kernel.placement.*;",
                "import dev.perch.model.Topology;",
                "public class Last implements Policy {",
                "    private int last;",
                "    @Override public void begin(Topology topology, SchedDomains domains) { last = topology.cpuCount() - 1; }",
                "    @Override public int select(WakeRequest request, CpuView view, Caller base) { return last; }",
                "}");
        assertThat(bench(policy).wake(3, 1, false)).isEqualTo(7);
    }

    @Test
    void whatItLooksAtIsCounted() {
        Bench bench = bench(STAY_HOME);
        bench.run(CpuMask.of(3));
        bench.wake(3, 1, true);
        assertThat(bench.view.probeCount).isPositive();
    }

    @Test
    void aCompilersErrorIsGivenWithItsLine() throws IOException {
        String policy = search("return view.sleepy(target);");
        assertThatThrownBy(() -> bench(policy))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("policy " + policy + ":4: cannot find symbol; ")
                .hasMessageContaining("sleepy")
                .hasMessageNotContaining("\n");
        String two = search("int a = true; return view.sleepy(target);");
        assertThatThrownBy(() -> bench(two)).hasMessageEndingWith(" (and 1 more error)");
    }

    @Test
    void aPublicClassIsNamedAsItsFile() throws IOException {
        String policy = file("Other.java", "public class Mine implements dev.perch.kernel.placement.Policy {}");
        assertThatThrownBy(() -> bench(policy))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(
                        "policy " + policy + ":1: class Mine is public, should be declared in a file named Mine.java");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "class A {} | holds no class that implements dev.perch.kernel.placement.Policy; write one",
                "abstract class A implements dev.perch.kernel.placement.Policy {} | holds no class that implements "
                        + "dev.perch.kernel.placement.Policy; write one",
                "class A implements dev.perch.kernel.placement.Policy {} class B extends A {} | holds 2 classes that implement "
                        + "dev.perch.kernel.placement.Policy; write one"
            })
    void aFileHoldsOnePolicy(String source, String message) throws IOException {
        String policy = file("A.java", source);
        assertThatThrownBy(() -> bench(policy))
                .isInstanceOf(InputException.class)
                .hasMessage("policy " + policy + " " + message);
    }

    @Test
    void itIsMadeWithoutArguments() throws IOException {
        String policy = file("A.java", "class A implements dev.perch.kernel.placement.Policy { A(int depth) {} }");
        assertThatThrownBy(() -> bench(policy))
                .isInstanceOf(InputException.class)
                .hasMessage("policy " + policy + ": class A has no constructor without arguments; give it one");
    }

    @Test
    void whatItThrowsIsSaidWithItsLine() throws IOException {
        String policy = search("return new int[4][target].length / 0;");
        Bench bench = bench(policy);
        bench.run(CpuMask.of(3));
        assertThatThrownBy(() -> bench.wake(3, 1, true))
                .isInstanceOf(InputException.class)
                .hasMessage("policy " + policy + ":4 threw ArithmeticException: / by zero");
        String early = file(
                "B.java",
                "class B implements dev.perch.kernel.placement.Policy {",
                "    B() {",
                "        throw new IllegalStateException(\"no\");",
                "    }",
                "}");
        assertThatThrownBy(() -> bench(early))
                .isInstanceOf(InputException.class)
                .hasMessage("policy " + early + ":3 threw IllegalStateException: no");
    }

    @Test
    void aCpuThatTheMachineLacksIsRefused() throws IOException {
        String policy = search("return 8;");
        Bench bench = bench(policy);
        bench.run(CpuMask.of(3));
        assertThatThrownBy(() -> bench.wake(3, 1, true))
                .isInstanceOf(InputException.class)
                .hasMessage("policy " + policy + " chose CPU 8, but the machine has CPUs 0 to 7");
    }

    @Test
    void aCpuThatTheTaskMayNotUseIsRepairedAsTheKernelDoes() throws IOException {
        String policy = file(
                "Zero.java",
                "import dev.perch.kernel.placement.*;",
                "public class Zero implements Policy {",
                "    @Override public int select(WakeRequest request, CpuView view, Caller base) { return 0; }",
                "}");
        Bench bench = bench(policy);
        bench.request.allow(CpuMask.of(5, 6));
        assertThat(bench.wake(3, 6, false)).isEqualTo(5);
    }

    @Test
    void aChangedFileIsCompiledAgain() throws IOException {
        Bench first = bench(search("return 5;"));
        Bench second = bench(search("return 6;"));
        assertThat(first.wake(3, 1, true)).isEqualTo(5);
        assertThat(second.wake(3, 1, true)).isEqualTo(6);
    }
}
