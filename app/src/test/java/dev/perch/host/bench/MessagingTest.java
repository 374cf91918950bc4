package dev.perch.host.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.host.linux.ThisThread;
import dev.perch.model.CpuMask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
@Timeout(60)
class MessagingTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allMessagesArriveAndAllThreadsEnd(boolean pipes) throws InterruptedException {
        CpuMask before = ThisThread.affinity();
        CpuMask last = CpuMask.of(before.last());
        Messaging.Run run = new Messaging(new Messaging.Spec(2, 5, pipes, last, last), () -> false).run();
        assertThat(run.ns()).isPositive();
        // each thread sleeps at least once, for the start; on one CPU nobody is moved
        assertThat(run.use().voluntarySwitches()).isGreaterThanOrEqualTo(2 * 40);
        assertThat(run.use().migrations()).isLessThanOrEqualTo(0);
        assertThat(ThisThread.affinity()).isEqualTo(before);
        for (int i = 0; i < 100 && threads() > 0; i++) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        assertThat(threads()).isZero();
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("messaging-"))
                .count();
    }

    @Test
    void aCpuThatIsNotThereFails() {
        CpuMask none = CpuMask.of(CpuMask.MAX_CPUS - 1);
        Messaging messaging = new Messaging(new Messaging.Spec(1, 5, true, none, CpuMask.empty()), () -> false);
        assertThatThrownBy(messaging::run).hasMessage("sched_setaffinity: EINVAL");
    }

    @Test
    void stopsWhenItIsToldTo() {
        Messaging messaging =
                new Messaging(new Messaging.Spec(1, 1000, true, CpuMask.empty(), CpuMask.empty()), () -> true);
        assertThatThrownBy(messaging::run).isInstanceOf(StoppedException.class);
    }
}
