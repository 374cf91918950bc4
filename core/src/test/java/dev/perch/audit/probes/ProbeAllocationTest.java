package dev.perch.audit.probes;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.perch.kernel.Kernels;
import dev.perch.machines.Machines;
import dev.perch.model.Machine;
import dev.perch.model.TaskNames;
import dev.perch.trace.ProbeRecordings;
import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Memory does not grow with the recording: reading and checking twenty times as many decisions allocates no more. */
class ProbeAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** As in the other allocation tests; one object a decision would be 16 bytes for each of 19,000. */
    private static final long TOLERANCE = 64 * 1024;

    private static final String DECISION = """
               hackbench-872     [002] d..3.    30.256483: srq: (select_task_rq_fair+0x0/0x1840) pid=859 comm="hackbench" prev=1 flags=0x18 nr_allowed=4 mask=0xf recent=1 flips=0
               hackbench-872     [002] d.Z2.    30.256490: ww: (select_task_rq_fair+0xde/0x1840) waker_flips=108 wakee_flips=0 factor=2
               hackbench-872     [002] d..3.    30.256494: want: (select_task_rq_fair+0x103/0x1840) want_affine=1 sync=1
               hackbench-872     [002] d..3.    30.256505: whc: (select_task_rq_fair+0x16b5/0x1840) cur_h_load=657 this_load=2223
               hackbench-872     [002] d..3.    30.256507: whp: (select_task_rq_fair+0x16e2/0x1840) p_h_load=39 this_load=1566
               hackbench-872     [002] d.Z2.    30.256510: waw: (select_task_rq_fair+0x1754/0x1840) this_eff=164352000 prev_eff=244629505 l0=2109 l1=2251 l2=2223 l3=2195
               hackbench-872     [002] d..3.    30.256513: war: (select_task_rq_fair+0xd58/0x1840) res=2
               hackbench-872     [002] d..3.    30.256515: sis2: (select_task_rq_fair+0x616/0x1840) t0=0 i0=0 t1=0 i1=0 t2=0 i2=0 t3=0 i3=0
               hackbench-872     [002] d..3.    30.256517: sis: (select_task_rq_fair+0x616/0x1840) pid=859 prev=1 target=2 busy0=2 hic0=0 nis0=0 busy2=2 hic2=0 nis2=0 c0=850 n0=3 c1=871 n1=1 c2=872 n2=2 c3=851 n3=1
               hackbench-872     [002] d..3.    30.256524: aic: (select_task_rq_fair+0x623/0x1840 <- available_idle_cpu) cpu=2 ret=0
               hackbench-872     [002] d..3.    30.256528: srq_ret: (try_to_wake_up+0x11b/0x540 <- select_task_rq_fair) ret=2
            """;

    @Test
    void checkingAllocatesNothingADecision() throws URISyntaxException {
        Path home = Path.of(System.getProperty("perch.home", "."));
        Path machine = Path.of(Objects.requireNonNull(
                        ProbeAllocationTest.class.getResource("/recordings/6.1-B-4cpu-2s2c1t/machine/topology.txt"))
                .toURI());
        Machine recorded = Machines.find(machine.toString(), home);
        TaskNames names = new TaskNames();
        ProbeCheck check = new ProbeCheck(
                Kernels.resolve("v6.1.192", home),
                recorded,
                List.of(recorded.topology().cpus()),
                names);
        byte[] few = DECISION.repeat(1_000).getBytes(StandardCharsets.UTF_8);
        byte[] many = DECISION.repeat(20_000).getBytes(StandardCharsets.UTF_8);
        allocated(many, names, check);
        long forFew = allocated(few, names, check);
        assertThat(allocated(many, names, check)).isLessThan(forFew + TOLERANCE);
        assertThat(check.result().tally(Question.PLACEMENT).agree()).isEqualTo(41_000);
    }

    private static long allocated(byte[] text, TaskNames names, ProbeCheck check) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        ProbeRecordings.read(new ByteArrayInputStream(text), "trace.txt", names, check);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
