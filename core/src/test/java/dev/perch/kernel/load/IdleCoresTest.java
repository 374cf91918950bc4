package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TestMachines;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of placement.md 5.9; cores of E5620 are {c, c+4}, of 2xNHM {c, c+8}. */
class IdleCoresTest {
    private final boolean[] busy = new boolean[16];

    private static IdleCores cores(String machine) {
        Topology topology = TestMachines.named(machine);
        return new IdleCores(
                topology, SchedDomains.build(topology, List.of(topology.cpus()), DomainRules.named("3.12")));
    }

    @Test
    void aCpuThatGoesIdleOnAnIdleCoreMakesItsCacheBelieve() {
        IdleCores cores = cores("2xNHM");
        busy[1] = true;
        assertThat(cores.of(1)).isFalse();

        cores.pickedIdle(1, this::idle);

        assertThat(cores.of(1)).isTrue();
        assertThat(cores.of(11)).isTrue();
        assertThat(cores.of(4)).isFalse();
    }

    @Test
    void aBusySiblingSaysNothing() {
        IdleCores cores = cores("E5620");
        busy[7] = true;
        cores.pickedIdle(3, this::idle);
        assertThat(cores.of(3)).isFalse();
    }

    @Test
    void theBeliefOutlivesTheIdleCoreUntilASearchFails() {
        IdleCores cores = cores("E5620");
        cores.pickedIdle(3, this::idle);
        java.util.Arrays.fill(busy, true);
        cores.pickedIdle(3, this::idle);
        assertThat(cores.of(0)).isTrue();

        cores.noneFound(6);
        assertThat(cores.of(0)).isFalse();
        busy[7] = false;
        cores.pickedIdle(3, this::idle);
        assertThat(cores.of(0)).isTrue();
    }

    @Test
    void withoutThreadsThereIsNothingToBelieve() {
        IdleCores cores = cores("FLAT8");
        cores.pickedIdle(3, this::idle);
        assertThat(cores.of(3)).isFalse();
    }

    private boolean idle(int cpu) {
        return !busy[cpu];
    }
}
