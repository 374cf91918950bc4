package dev.perch.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.Kernels;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.load.LoadTracking;
import dev.perch.kernel.placement.CpuView;
import dev.perch.kernel.placement.Placement;
import dev.perch.model.TaskState;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Expected values: placement.md 5.6, 5.9 and 7.2, scheduler.md 3.4. */
class RuleInputsTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));
    private static final long MS = 1_000_000;

    private final Story story = new Story();
    private final CpuView view;
    private final RuleInputs inputs;

    RuleInputsTest() {
        Kernel kernel = Kernels.resolve("v6.1.192", HOME);
        SchedDomains domains = SchedDomains.build(
                Story.TWO_LLCS,
                List.of(Story.TWO_LLCS.cpus()),
                DomainRules.named(kernel.rules().schedDomains()));
        view = Placement.view(kernel, domains);
        inputs = new RuleInputs(story.audit.tasks(), story.audit.cpus(), kernel, Story.TWO_LLCS, domains, view);
        story.audit.listenWith(inputs);
    }

    @Test
    void aCacheIsMarkedWhenACoreOfItGoesIdleAndUnmarkedByAVainSearch() {
        inputs.fill(0);
        assertThat(view.hasIdleCores[0]).isFalse();
        story.blocks(0, 0, 900, 0);
        inputs.fill(1);
        assertThat(view.hasIdleCores[0])
                .as("nothing is known of the sibling, CPU 1")
                .isFalse();
        story.blocks(2, 1, 901, 0);
        inputs.fill(3);
        assertThat(view.hasIdleCores[0]).isTrue();
        assertThat(view.hasIdleCores[4]).as("the other cache").isFalse();
        story.runs(4, 0, 10);
        inputs.fill(5);
        assertThat(view.hasIdleCores[0]).as("stale until a search fails").isTrue();
        inputs.noIdleCore(0);
        inputs.fill(6);
        assertThat(view.hasIdleCores[0]).isFalse();
        story.blocks(7, 0, 10, 0);
        inputs.fill(8);
        assertThat(view.hasIdleCores[0]).isTrue();
    }

    @Test
    void aChildsRecentlyUsedCpuIsItsParentsCpu() {
        story.runs(0, 5, 10);
        story.events.forked(1, 5, 10, 11);
        assertThat(inputs.recent(story.audit.tasks().slot(11))).isEqualTo(5);
        inputs.setRecent(story.audit.tasks().slot(11), 2);
        assertThat(inputs.recent(story.audit.tasks().slot(11))).isEqualTo(2);
    }

    @Test
    void aNewTasksLoadIsItsWeightAndHalvesInThirtyTwoPeriodsOfSleep() {
        story.runs(0, 2, 10);
        story.events.forked(1, 2, 10, 11);
        story.events.wakeupNew(2, 2, 10, 0, 11, Story.PRIO, 2);
        story.events.switched(3, 2, 10, Story.PRIO, TaskState.SLEEPING, 11, Story.PRIO);
        inputs.fill(4);
        AuditLoads loads = new AuditLoads(story.audit.tasks(), Kernels.resolve("v6.1.192", HOME), LoadTracking.V6_0, 8);
        int slot = story.audit.tasks().slot(11);
        loads.forked(slot);
        loads.moved(slot, 5);
        assertThat(loads.load(2)).isEqualTo(1024);
        story.events.switched(40 * MS, 2, 11, Story.PRIO, TaskState.SLEEPING, 0, Story.PRIO);
        loads.moved(slot, 40 * MS);
        assertThat(loads.load(2)).as("never without work").isBetween(1010L, 1024L);
        loads.balance(2, 40 * MS + 32 * 1_048_576L);
        assertThat(loads.load(2)).isBetween(500L, 524L);
    }

    @Test
    void aSearchMayLookAtAllCpusOfAnIdleCache() {
        story.allIdle();
        inputs.fill(1_000 * MS);
        assertThat(view.nrIdleScan[0]).isEqualTo(4);
        assertThat(view.nrIdleScan[4]).isEqualTo(4);
    }
}
