package dev.perch.host.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.host.linux.ThisThread;
import dev.perch.model.CpuMask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
@Timeout(60)
class ProcessGroupsTest {
    private static final CpuMask ALL = CpuMask.empty();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allMessagesArriveAndAllProcessesEnd(boolean pipes) throws InterruptedException {
        CpuMask before = ThisThread.affinity();
        CpuMask last = CpuMask.of(before.last());
        Messaging.Run run = new ProcessGroups(new Messaging.Spec(2, 5, pipes, last, last), () -> false).run();
        assertThat(run.ns()).isPositive();
        // each process sleeps at least once, for the start; on one CPU nobody is moved
        assertThat(run.use().voluntarySwitches()).isGreaterThanOrEqualTo(2 * 40);
        assertThat(run.use().migrations()).isLessThanOrEqualTo(0);
        assertThat(ThisThread.affinity()).isEqualTo(before);
        assertThat(ProcessPairTest.tasks()).isEmpty();
    }

    @Test
    void aCpuThatIsNotThereFails() {
        CpuMask none = CpuMask.of(CpuMask.MAX_CPUS - 1);
        ProcessGroups groups = new ProcessGroups(new Messaging.Spec(1, 5, true, none, ALL), () -> false);
        assertThatThrownBy(groups::run).hasMessage("sched_setaffinity: EINVAL");
        assertThat(ProcessPairTest.tasks()).isEmpty();
    }

    @Test
    void stopsWhenItIsToldTo() {
        AtomicBoolean stop = new AtomicBoolean();
        ProcessGroups groups = new ProcessGroups(new Messaging.Spec(1, 1_000_000, true, ALL, ALL), stop::get);
        CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS).execute(() -> stop.set(true));
        assertThatThrownBy(groups::run).isInstanceOf(StoppedException.class);
        assertThat(ProcessPairTest.tasks()).isEmpty();
    }
}
