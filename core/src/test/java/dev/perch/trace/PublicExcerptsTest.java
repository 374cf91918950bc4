package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Shapes of lines that people have posted when a tool could not read them. The lines are made up; the shapes are theirs. */
class PublicExcerptsTest {
    @Test
    void threadGroupColumnOfDashes() { // perfetto 241
        assertThat(
                        Reads.events(
                                "          <idle>-0     (-----) [003] dnh3 6824711.826810: sched_wakeup: comm=rcuos/0 pid=11 prio=120 target_cpu=003\n"))
                .containsExactly("wakeup ns=6824711826810000 cpu=3 0 1 11 120 3");
    }

    @Test
    void realTimeKernelsHaveMoreFlags() { // perfetto 500
        assertThat(Reads.events("""
                # tracer: nop
                #                                _--------=> irqs-off/BH-disabled
                #                               / _-------=> need-resched
                #                              | / _------=> need-resched-lazy
                #                              || / _-----=> hardirq/softirq
                #                              ||| / _----=> preempt-depth
                #                              |||| / _---=> preempt-lazy-depth
                #                              ||||| / _--=> migrate-disable
                            sshd-812     [001] d..s2.1    10.000001: sched_waking: comm=a pid=5 prio=98 target_cpu=000
                            sshd-812     [001] d..h2.11   10.000002: sched_waking: comm=a pid=5 prio=98 target_cpu=000
                            sshd-812     [001] dn..2.1    10.000003: sched_waking: comm=a pid=5 prio=98 target_cpu=000
                """))
                .containsExactly(
                        "waking ns=10000001000 cpu=1 812 2 5 98 0",
                        "waking ns=10000002000 cpu=1 812 1 5 98 0",
                        "waking ns=10000003000 cpu=1 812 0 5 98 0");
    }

    @Test
    void unknownEventsAreCountedByName() { // perfetto 4634
        RecordingSummary summary = Reads.text(
                "          <idle>-0     (-----) [000] .... 21019.272028: sched_blocked_reason: pid=13 iowait=0 caller=1\n");
        assertThat(summary.skipped()).containsEntry("sched_blocked_reason", 1L);
        assertThat(summary.events()).isZero();
    }

    @Test
    void flagsThatAConverterLeftEmpty() { // perfetto 950
        assertThat(
                        Reads.events(
                                "  surfaceflinger-512   (  480) [002] .... 77.000123: sched_waking: comm=app pid=600 prio=110 target_cpu=001\n"))
                .containsExactly("waking ns=77000123000 cpu=2 512 0 600 110 1");
    }

    @Test
    void noFlagsAndMixedWithMarkers() { // rt-app 41
        RecordingSummary summary = Reads.text("""
                thread0-23345 [003] 115591.580217: sched_switch: prev_comm=thread0 prev_pid=23345 prev_prio=120 prev_state=S ==> next_comm=swapper/3 next_pid=0 next_prio=120
                thread0-23345 [003] 115591.580219: tracing_mark_write: [thread0] end_time=5
                """);
        assertThat(summary.count(EventKind.SWITCH)).isEqualTo(1);
        assertThat(summary.skipped()).containsEntry("tracing_mark_write", 1L);
        assertThat(summary.defects().all()).isEmpty();
    }

    @Test
    void fourFlagsAndSystemCalls() { // curt 3
        RecordingSummary summary = Reads.text("""
                           sshd-15165 [000] d... 4338237.604424: sched_switch: prev_comm=sshd prev_pid=15165 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
                           sshd-15165 [000] .... 4338237.604425: sys_exit: NR 0 = 0
                """);
        assertThat(summary.count(EventKind.SWITCH)).isEqualTo(1);
        assertThat(summary.skipped()).containsEntry("sys_exit", 1L);
    }

    @Test
    void perfWithThePluginsShortForm() { // FlameGraph 150
        assertThat(
                        Reads.events(
                                "   redis-server  4735/4735  921.700317:  sched:sched_switch: redis-server:4735 [120] S ==> swapper/2:0 [120]\n"))
                .containsExactly("switch ns=921700317000 cpu=-1 4735 120 SLEEPING 0 120");
    }

    @Test
    void perfSamplesThatAreNoTracepoints() { // FlameGraph 78, 57, 66, 31, 162
        RecordingSummary summary = Reads.text("""
                HDMI polling ta   333 [001] 55595.541375: cpu-clock:
                CUPSManager cup 11320 186448.846888: 1008373 cycles:
                java main 25607 4794564.109216: cycles:
                foobar [worker]  4711 [000] 10.000000:          1 sched:sched_waking: comm=[ET_NET 0] pid=12 prio=120 target_cpu=000
                \t    7f0a3c0b1234 read ([unknown])

                """);
        assertThat(summary.format()).isEqualTo(RecordingFormat.PERF_SCRIPT);
        assertThat(summary.skipped())
                .containsEntry("cpu-clock", 1L)
                .containsEntry("cycles", 2L)
                .containsEntry("(stack trace line)", 1L);
        assertThat(summary.count(EventKind.WAKING)).isEqualTo(1);
    }

    @Test
    void perfWithItsHeader() {
        RecordingSummary summary = Reads.text("""
                # ========
                # captured on    : Mon Nov 30 14:54:40 2026
                # os release : 6.18.44
                # event : name = sched:sched_waking, , id = { 5, 6 }, type = 2, size = 136, config = 316
                # contains samples with 12 [001] 1.5: remarks: of its own
                # ========
                #
                            perf 26694 [000]  3614.162182: sched:sched_waking:                         comm=x pid=11 prio=0 target_cpu=000
                """);
        assertThat(summary.format()).isEqualTo(RecordingFormat.PERF_SCRIPT);
        assertThat(summary.kernelRelease()).isEqualTo("6.18.44");
        assertThat(summary.count(EventKind.WAKING)).isEqualTo(1);
        assertThat(summary.skipped()).isEmpty();
        assertThat(summary.firstNs()).isEqualTo(3614_162_182_000L);
    }

    @Test
    void perfWithProcessAndThread() { // tikv 3347
        assertThat(
                        Reads.events(
                                "    apply worker 79618/79969 [010] 11994704.718048:       sched:sched_waking: comm=raftstore pid=79970 prio=120 target_cpu=011\n"))
                .containsExactly("waking ns=11994704718048000 cpu=10 79969 4 79970 120 11");
    }

    @Test
    void namesWithADashAndPreemptCounts() { // scx 2128
        RecordingSummary summary = Reads.text("""
                  kworker/u130:2-28086   [012] d..41 216538.437603: bpf_trace_printk: SELECT [3758][tmux: server] 3->3 idle 1
                  kworker/u130:2-28086   [012] d.h31 216538.437604: sched_waking: comm=tmux: server pid=3758 prio=120 target_cpu=003
                """);
        assertThat(summary.skipped()).containsEntry("bpf_trace_printk", 1L);
        assertThat(summary.count(EventKind.WAKING)).isEqualTo(1);
        assertThat(summary.defects().all())
                .extracting(Defects.Defect::kind)
                .containsExactly(DefectKind.NO_SCHED_SWITCH);
    }

    @Test
    void bothFormsOfSwitchInOneFile() { // workload-automation 125, 443
        assertThat(Reads.events("""
                          a [b] c-10    [000]     1.000001: sched_switch:         a [b] c:10 [120] S ==> d [120] e:11 [120]
                          a [b] c-10    [000]     1.000002: sched_switch:         prev_comm=d [120] e prev_pid=11 prev_prio=120 prev_state=S ==> next_comm=a [b] c next_pid=10 next_prio=120
                """))
                .containsExactly(
                        "switch ns=1000001000 cpu=0 10 120 SLEEPING 11 120",
                        "switch ns=1000002000 cpu=0 11 120 SLEEPING 10 120");
    }

    @Test
    void fieldsThatTraceCmdFailedToFormat() { // trappy 265
        assertThat(
                        Reads.events(
                                "            bash-10    [000]     1.000001: sched_waking:         [FAILED TO PARSE] comm=x pid=11 prio=120 target_cpu=1\n"))
                .containsExactly("waking ns=1000001000 cpu=0 10 4 11 120 1");
    }

    @Test
    void threadGroupColumnOfNumbers() { // trappy 258
        assertThat(
                        Reads.events(
                                "            bash-10    (   10) [000] d..2     1.000001: sched_waking: comm=x pid=11 prio=120 target_cpu=001\n"))
                .containsExactly("waking ns=1000001000 cpu=0 10 0 11 120 1");
    }

    @Test
    void idleStateOfKernelThreads() { // catapult 4624
        assertThat(
                        Reads.events(
                                "     rcu_preempt-15    [000] d..2     1.000001: sched_switch: prev_comm=rcu_preempt prev_pid=15 prev_prio=120 prev_state=I ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"))
                .containsExactly("switch ns=1000001000 cpu=0 15 120 IDLE 0 120");
    }

    @Test
    void lostEvents() { // bcc 189, perf-tools 83
        String text = """
                            bash-10    [000] d..2     1.000001: sched_waking: comm=x pid=11 prio=120 target_cpu=001
                CPU:0 [LOST 1142 EVENTS]
                            bash-10    [000] d..2     1.000009: sched_waking: comm=x pid=11 prio=120 target_cpu=001
                CPU:1 [LOST EVENTS]
                CPU:0 [7 EVENTS DROPPED]
                            bash-10    [000] d..2     1.000010: sched_waking: comm=x pid=11 prio=120 target_cpu=001
                """;
        assertThat(Reads.events(text))
                .contains("lost ns=1000009000 cpu=0 1142", "lost ns=1000009000 cpu=1 -1", "lost ns=1000010000 cpu=0 7");
        RecordingSummary summary = Reads.text(text);
        assertThat(summary.lost()).isEqualTo(1142 + 1 + 7);
        assertThat(summary.defects().count(DefectKind.EVENTS_LOST)).isEqualTo(1142 + 1 + 7);
    }

    @Test
    void wakeupsWithAndWithoutSuccess() { // ftrace 3
        String line = "            bash-10    [000] d..2     1.000001: sched_wakeup: comm=x pid=11 prio=120 ";
        RecordingSummary summary = Reads.text(
                line + "target_cpu=001\n" + line + "success=1 target_cpu=001\n" + line + "success=0 target_cpu=001\n");
        assertThat(summary.count(EventKind.WAKEUP)).isEqualTo(2);
        assertThat(summary.skipped()).containsEntry("sched_wakeup", 1L);
    }

    @Test
    void overwrittenRing() { // schedviz 13, 29
        RecordingSummary summary =
                Reads.text("# tracer: nop\n#\n# entries-in-buffer/entries-written: 406/175037   #P:2\n#\n");
        assertThat(summary.defects().count(DefectKind.OVERWRITTEN)).isEqualTo(175037 - 406);
    }

    @Test
    void statesAsNumbers() { // bcc 3456
        String before =
                "            bash-10    [000]     1.000001: sched_switch:          prev_comm=a prev_pid=1 prev_prio=120 prev_state=";
        String after = " next_comm=b next_pid=2 next_prio=120\n";
        assertThat(Reads.events(before + "256" + after + before + "0x80" + after + before + "1" + after))
                .extracting(line -> line.split(" ")[5])
                .containsExactly("RUNNABLE", "IDLE", "SLEEPING");
        RecordingSummary unknown = Reads.text(before + "512" + after);
        assertThat(unknown.defects().count(DefectKind.UNKNOWN_STATE)).isEqualTo(1);
        assertThat(unknown.defects().count(DefectKind.ASSUMED_STATE_NUMBERS)).isEqualTo(1);
    }

    @Test
    void namesThatTraceCmdPrintsAsBytes() {
        EventLog log = new EventLog();
        dev.perch.model.TaskNames names = new dev.perch.model.TaskNames();
        Reads.bytes(
                ("           <...>-7787  [000]     1.000001: sched_switch:          prev_comm=ARRAY[e6, 97, a5, e6, 9c, ac, 00, 00] prev_pid=7787"
                                + " prev_prio=120 prev_state=1 next_comm=ARRAY[6a, 61, 76, 61, 00, 0] next_pid=8 next_prio=120\n")
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8),
                log,
                names);
        assertThat(log.lines()).containsExactly("switch ns=1000001000 cpu=0 7787 120 SLEEPING 8 120");
        assertThat(names.nameOf(7787)).isEqualTo("日本");
        assertThat(names.nameOf(8)).isEqualTo("java");
    }

    @Test
    void clocksThatDoNotCountTime() {
        String form = "            bash-10    [000] d..2. %s: sched_waking: comm=x pid=11 prio=120 target_cpu=001%n";
        RecordingSummary cycles =
                Reads.text(String.format(form, "3039948656834") + String.format(form, "3039948656999"));
        assertThat(cycles.clock().unit()).isEqualTo(Clock.Unit.TICKS);
        assertThat(cycles.lastNs() - cycles.firstNs()).isEqualTo(165);
        assertThat(cycles.defects().count(DefectKind.UNKNOWN_CLOCK_UNIT)).isEqualTo(1);

        RecordingSummary mixed = Reads.text(String.format(form, "4") + String.format(form, "1170.282966"));
        assertThat(mixed.count(EventKind.WAKING)).isEqualTo(1);
        assertThat(mixed.defects().count(DefectKind.MIXED_CLOCKS)).isEqualTo(1);
    }

    @Test
    void latencyFormatTellsTheKernel() {
        String text = """
                # tracer: nop
                #
                # nop latency trace v1.1.5 on 4.9.337-rt
                # --------------------------------------------------------------------
                    bash-7832      0dN.2. 16649us+: sched_wakeup_new: comm=bash pid=7833 prio=120 target_cpu=001
                  <idle>-0         1d.h2. 16651us : sched_waking: comm=bash pid=7833 prio=120 target_cpu=001
                  <idle>-0         1d..2. 16652us!: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=4096 ==> next_comm=bash next_pid=7833 next_prio=120
                """;
        assertThat(Reads.events(text))
                .containsExactly(
                        "wakeup_new ns=16649000 cpu=0 7832 0 7833 120 1",
                        "waking ns=16651000 cpu=1 0 1 7833 120 1",
                        "switch ns=16652000 cpu=1 0 120 RUNNABLE 7833 120");
        RecordingSummary summary = Reads.text(text);
        assertThat(summary.kernelRelease()).isEqualTo("4.9.337-rt");
        assertThat(summary.defects().all()).isEmpty();
    }

    @Test
    void interruptsOfArm() {
        assertThat(Reads.events("""
                            bash-10    [000] d..2     1.000001: ipi_raise: target_mask=00000001,80000004 (Function call interrupts)
                          <idle>-0     [002] d.h2     1.000002: ipi_entry: (Rescheduling interrupts)
                          <idle>-0     [002] d.h2     1.000003: ipi_entry: (Function call interrupts)
                            bash-10    [000] d..2     1.000004: ipi_send_cpumask: cpumask=1,4-5 callsite=x callback=y
                """))
                .containsExactly(
                        "ipi_send ns=1000001000 cpu=0 32",
                        "ipi_send ns=1000001000 cpu=0 2",
                        "ipi_send ns=1000001000 cpu=0 31",
                        "reschedule_ipi ns=1000002000 cpu=2",
                        "call_function_ipi ns=1000003000 cpu=2",
                        "ipi_send ns=1000004000 cpu=0 1",
                        "ipi_send ns=1000004000 cpu=0 4",
                        "ipi_send ns=1000004000 cpu=0 5");
    }
}
