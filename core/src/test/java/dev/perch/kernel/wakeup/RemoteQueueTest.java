package dev.perch.kernel.wakeup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.RuleKind;
import dev.perch.kernel.RuleSets;
import dev.perch.kernel.TestKernels;
import dev.perch.kernel.TestMachines;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The queueing condition against Q1 – Q4 and Q8 of placement.md 14.3, columns 3.2 and 3.3 – 3.15. */
class RemoteQueueTest {
    private static RemoteQueue queue(Kernel kernel, String machine) {
        Topology topology = TestMachines.named(machine);
        return RemoteQueue.of(
                kernel,
                SchedDomains.build(
                        topology,
                        List.of(topology.cpus()),
                        DomainRules.named(kernel.rules().schedDomains())));
    }

    private static Kernel with(Kernel kernel, RuleSets rules, boolean queue) {
        return new Kernel(
                "x", "x", kernel.version(), List.of(), rules, Map.of("TTWU_QUEUE", queue), Map.of(), List.of());
    }

    @Test
    void until32EveryRemoteWakeupIsQueued() {
        RemoteQueue queue = queue(TestKernels.policy("3.2"), "E5620");
        assertThat(queue.useWakeList(3, 7)).isTrue();
        assertThat(queue.useWakeList(3, 1)).isTrue();
        assertThat(queue.useWakeList(3, 3)).isFalse();
        assertThat(queue(TestKernels.policy("V"), "2xNHM").useWakeList(4, 1)).isTrue();
    }

    @Test
    void from33OnlyWakeupsAcrossCachesAreQueued() {
        RemoteQueue oneSocket = queue(TestKernels.policy("3.3"), "E5620");
        assertThat(oneSocket.useWakeList(3, 7)).isFalse();
        assertThat(oneSocket.useWakeList(3, 1)).isFalse();
        RemoteQueue twoSockets = queue(TestKernels.policy("3.9"), "2xNHM");
        assertThat(twoSockets.useWakeList(4, 1)).isTrue();
        assertThat(twoSockets.useWakeList(4, 13)).isFalse();
    }

    @Test
    void withoutTheFeatureNothingIsQueued() {
        for (String policy : List.of("3.2", "3.3")) {
            Kernel kernel = TestKernels.policy(policy);
            RemoteQueue queue = queue(with(kernel, kernel.rules(), false), "2xNHM");
            assertThat(queue.useWakeList(4, 1)).isFalse();
            assertThat(queue.useWakeList(4, 5)).isFalse();
        }
    }

    @Test
    void aRuleThatIsNotKnownIsNamed() {
        Kernel kernel = TestKernels.policy("3.2");
        RuleSets rules =
                kernel.rules().with(RuleKind.REMOTE_QUEUE, "sometimes");
        assertThatThrownBy(() -> queue(with(kernel, rules, true), "E5620"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'sometimes'");
    }
}
