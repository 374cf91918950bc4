package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.InputException;
import dev.perch.model.ProbedDecision;
import dev.perch.model.ProbedDecision.Site;
import dev.perch.model.ProbedDecisions;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines that a 6.1.192 and a 6.12.117 wrote, whole and damaged. */
class ProbeRecordingsTest {
    /** A wakeup by load between two LLCs of two CPUs. */
    private static final String BY_LOAD = """
               hackbench-872     [002] d..3.    30.256483: srq: (select_task_rq_fair+0x0/0x1840) pid=859 comm="hackbench" prev=1 flags=0x18 nr_allowed=4 mask=0xf recent=3 flips=7
               hackbench-872     [002] d.Z2.    30.256490: ww: (select_task_rq_fair+0xde/0x1840) waker_flips=108 wakee_flips=7 factor=2
               hackbench-872     [002] d..3.    30.256494: want: (select_task_rq_fair+0x103/0x1840) want_affine=1 sync=1
               hackbench-872     [002] d..3.    30.256498: aic: (select_task_rq_fair+0xce5/0x1840 <- available_idle_cpu) cpu=2 ret=0
               hackbench-872     [002] d..3.    30.256501: aic: (select_task_rq_fair+0xd25/0x1840 <- available_idle_cpu) cpu=1 ret=0
               hackbench-872     [002] d..3.    30.256502: wai: (select_task_rq_fair+0xd43/0x1840) res=4
               hackbench-872     [002] d.Z2.    30.256505: whc: (select_task_rq_fair+0x16b5/0x1840) cur_h_load=657 this_load=2223
               hackbench-872     [002] d..3.    30.256507: whp: (select_task_rq_fair+0x16e2/0x1840) p_h_load=39 this_load=1566
               hackbench-872     [002] d.Z2.    30.256510: waw: (select_task_rq_fair+0x1754/0x1840) this_eff=164352000 prev_eff=244629505 l0=2109 l1=2251 l2=2223 l3=2195
               hackbench-872     [002] d..3.    30.256513: war: (select_task_rq_fair+0xd58/0x1840) res=2
               hackbench-872     [002] d..3.    30.256515: sis2: (select_task_rq_fair+0x616/0x1840) t0=0 i0=0 t1=1 i1=0 t2=0 i2=2 t3=0 i3=0
               hackbench-872     [002] d..3.    30.256517: sis: (select_task_rq_fair+0x616/0x1840) pid=859 prev=1 target=2 busy0=2 hic0=0 nis0=0 busy2=2 hic2=1 nis2=5 c0=850 n0=3 c1=871 n1=1 c2=872 n2=2 c3=0 n3=0
               hackbench-872     [002] d..3.    30.256524: aic: (select_task_rq_fair+0x623/0x1840 <- available_idle_cpu) cpu=2 ret=0
               hackbench-872     [002] d..3.    30.256527: scan: (select_task_rq_fair+0x86c/0x1840) nr=1 has_idle_core=0
               hackbench-872     [002] d..3.    30.256528: srq_ret: (try_to_wake_up+0x11b/0x540 <- select_task_rq_fair) ret=2
            """;

    private static final String FORK = """
                    bash-126     [001] d..1.    29.646993: srq: (select_task_rq_fair+0x0/0x1840) pid=840 comm="bash" prev=2 flags=0x4 nr_allowed=4 mask=0xf recent=2 flips=0
                    bash-126     [001] d..1.    29.647008: want: (select_task_rq_fair+0x103/0x1840) want_affine=0 sync=0
                    bash-126     [001] d..1.    29.647030: aic: (select_task_rq_fair+0x10ee/0x1840 <- available_idle_cpu) cpu=0 ret=1
                    bash-126     [001] d..1.    29.647041: srq_ret: (wake_up_new_task+0x2bc/0x370 <- select_task_rq_fair) ret=1
            """;

    private static ProbeSummary read(String text, ProbedDecisions sink) {
        return ProbeRecordings.read(
                new ByteArrayInputStream(("# tracer: nop\n#\n" + text).getBytes(StandardCharsets.UTF_8)),
                "trace.txt",
                new TaskNames(),
                sink);
    }

    @Test
    void readsEveryFieldOfADecision() {
        List<Integer> heard = new ArrayList<>();
        ProbeSummary summary = read(BY_LOAD, d -> {
            heard.add(d.chosenCpu);
            assertThat(d.line).isEqualTo(3);
            assertThat(d.ns).isEqualTo(30_256_483_000L);
            assertThat(d.thisCpu).isEqualTo(2);
            assertThat(d.current).isEqualTo(872);
            assertThat(d.context).isEqualTo(SchedEvents.IN_TASK);
            assertThat(d.wakee).isEqualTo(859);
            assertThat(d.prevCpu).isEqualTo(1);
            assertThat(d.isWakeup()).isTrue();
            assertThat(d.flags & ProbedDecision.WF_SYNC).isNotZero();
            assertThat(d.allowedCount).isEqualTo(4);
            assertThat(d.allowed).isEqualTo(0xf);
            assertThat(d.recentCpu).isEqualTo(3);
            assertThat(d.wakerFlips).isEqualTo(108);
            assertThat(d.wakeeFlips).isEqualTo(7);
            assertThat(d.llcSize).isEqualTo(2);
            assertThat(d.wantAffine).isTrue();
            assertThat(d.sync).isTrue();
            assertThat(d.wakerLoad).isEqualTo(657);
            assertThat(d.thisLoadBefore).isEqualTo(2223);
            assertThat(d.wakeeLoad).isEqualTo(39);
            assertThat(d.thisLoad).isEqualTo(1566);
            assertThat(d.thisEffective).isEqualTo(164_352_000L);
            assertThat(d.prevEffective).isEqualTo(244_629_505L);
            assertThat(d.load).startsWith(2109, 2251, 2223, 2195);
            assertThat(d.wakeAffine).isEqualTo(2);
            assertThat(d.target).isEqualTo(2);
            assertThat(d.cpus).isEqualTo(4);
            assertThat(d.hasSnapshot()).isTrue();
            assertThat(d.running).startsWith(850, 871, 872, 0);
            assertThat(d.nrRunning).startsWith(3, 1, 2, 0);
            assertThat(d.wakePending).startsWith(0, 1, 0, 0);
            assertThat(d.schedIdle).startsWith(0, 0, 2, 0);
            assertThat(d.hasIdleCores).startsWith(0, -1, 1, -1);
            assertThat(d.nrIdleScan).startsWith(0, 0, 5, 0);
            assertThat(d.idle(3)).isTrue();
            assertThat(d.idle(2)).isFalse();
            assertThat(d.scanBudget).isEqualTo(1);
            assertThat(d.testCount).isEqualTo(3);
            assertThat(d.testsBeforeSearch).isEqualTo(2);
            assertThat(d.testSite(0)).isEqualTo(Site.WAKE_AFFINE_THIS);
            assertThat(d.testSite(1)).isEqualTo(Site.WAKE_AFFINE_PREV);
            assertThat(d.testSite(2)).isEqualTo(Site.TARGET);
            assertThat(d.testedCpu[1]).isEqualTo(1);
        });
        assertThat(heard).containsExactly(2);
        assertThat(summary.defects().all()).isEmpty();
        assertThat(summary.incomplete()).isZero();
    }

    @Test
    void tellsDecisionsOfDifferentCpusApart() {
        String[] one = BY_LOAD.split("\n");
        String[] other = FORK.split("\n");
        StringBuilder mixed = new StringBuilder();
        for (int i = 0; i < one.length; i++) {
            mixed.append(one[i]).append('\n');
            if (i < other.length) {
                mixed.append(other[i]).append('\n');
            }
        }
        List<String> heard = new ArrayList<>();
        read(mixed.toString(), d -> heard.add(d.wakee + " on " + d.chosenCpu + " after " + d.testCount + " tests"));
        assertThat(heard).containsExactly("840 on 1 after 1 tests", "859 on 2 after 3 tests");
    }

    @Test
    void readsTheRunnableTasksOf6_12() {
        String snapshot = BY_LOAD.replace("0x1840)", "0x17d0)")
                .replaceFirst(
                        "(?m)^(.*): sis: ",
                        "               hackbench-872     [002] d..3.    30.256517: sis3: (select_task_rq_fair+0x33e/0x17d0) q0=3 r0=2 q1=1 r1=1 q2=2 r2=2 q3=0 r3=0\n$1: sis: ");
        List<Integer> delayed = new ArrayList<>();
        ProbeSummary summary = read(snapshot, d -> {
            assertThat(d.runnableCpus).isEqualTo(4);
            delayed.add(d.fairQueued[0] - d.fairRunnable[0]);
        });
        assertThat(summary.defects().all()).isEmpty();
        assertThat(delayed).containsExactly(1);
    }

    @Test
    void aNameMayLookLikeFields() {
        String odd = FORK.replace("comm=\"bash\"", "comm=\"a\" prev=9 x\"");
        List<Integer> prev = new ArrayList<>();
        read(odd, d -> prev.add(d.prevCpu));
        assertThat(prev).containsExactly(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " nr_allowed=4",
                " c3=0 n3=0",
                " l3=2195",
                " t3=0 i3=0",
                " waker_flips=108",
                "sync=1",
                " l3=2195 | l3=",
                "ret=2 | ret=99999",
                "i3=0 | i3=0 t5=0 i5=0",
                "target=2 | target=4",
                "cpu=1 ret=0 | cpu=7 ret=0",
                "pid=859 prev=1 target | pid=860 prev=1 target"
            })
    void aDamagedLineIsCountedAndItsDecisionLeftOut(String change) {
        String[] fromTo = change.split(" \\| ", -1);
        String damaged = BY_LOAD.replace(fromTo[0], fromTo.length > 1 ? fromTo[1] : "");
        assertThat(damaged).isNotEqualTo(BY_LOAD);
        ProbeSummary summary = read(damaged + FORK, d -> assertThat(d.wakee).isEqualTo(840));
        assertThat(summary.decisions()).isEqualTo(1);
        assertThat(summary.incomplete()).isEqualTo(1);
        assertThat(summary.defects().all()).hasSize(1);
    }

    @Test
    void aLineThatIsNoRecordIsCounted() {
        ProbeSummary summary = read(FORK + "what is this\n" + BY_LOAD, d -> {});
        assertThat(summary.decisions()).isEqualTo(2);
        assertThat(summary.defects().count(DefectKind.UNPARSED_LINE)).isEqualTo(1);
    }

    @Test
    void lostEventsTakeTheDecisionOfTheirCpuOnly() {
        String lost = BY_LOAD.replaceFirst("(?m)^.*: scan: ", "CPU:2 [LOST 17 EVENTS]\n$0");
        ProbeSummary summary =
                read(FORK + lost + FORK, d -> assertThat(d.isWakeup()).isFalse());
        assertThat(summary.decisions()).isEqualTo(2);
        assertThat(summary.incomplete()).isEqualTo(1);
        assertThat(summary.defects().count(DefectKind.EVENTS_LOST)).isEqualTo(17);
    }

    @Test
    void aRecordingThatEndsWithinADecisionIsCutOff() {
        int end = BY_LOAD.indexOf("ret=2");
        ProbeSummary summary = read(FORK + BY_LOAD.substring(0, end), d -> {});
        assertThat(summary.decisions()).isEqualTo(1);
        assertThat(summary.incomplete()).isEqualTo(1);
        assertThat(summary.defects().count(DefectKind.TRUNCATED)).isEqualTo(1);
    }

    @Test
    void aRecordingWithoutProbesSaysWhatIsMissing() {
        String ordinary =
                "          <idle>-0       [001] dNh2.    29.648811: sched_wakeup: comm=rcu_preempt pid=15 prio=120 target_cpu=000\n";
        assertThatThrownBy(() -> read(ordinary, d -> {}))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "trace.txt has no placement probes (events srq … srq_ret); docs/probes.md says which those are");
    }

    @Test
    void aRecordingWithoutReturnsSaysSo() {
        String noReturns = FORK.replaceFirst("(?m)^.*srq_ret.*\n", "");
        assertThatThrownBy(() -> read(noReturns, d -> {}))
                .isInstanceOf(InputException.class)
                .hasMessage("trace.txt has no complete placement decision: of 1 that begin (srq) none ends (srq_ret);"
                        + " record both probes");
    }

    @Test
    void whatIsNoTextIsRefused() {
        byte[] binary = "PERFILE2\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() ->
                        ProbeRecordings.read(new ByteArrayInputStream(binary), "perf.data", new TaskNames(), d -> {}))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("perf.data: ")
                .hasMessageEndingWith("the placement probes are read from ftrace text only");
    }
}
