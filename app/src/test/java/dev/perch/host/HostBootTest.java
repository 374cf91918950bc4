package dev.perch.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.sim.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostBootTest {
    @TempDir
    private Path root;

    @Test
    void aServerWithAnIdleDriverWaitsByMwait() throws IOException {
        proc("cmdline", "BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro quiet");
        proc("cpuinfo", "processor\t: 0\nflags\t\t: fpu sse2 monitor ht\n");
        cpu("cpuidle/current_driver", "intel_idle");
        cpu("cpuidle/current_governor", "menu");
        cpu("cpu0/cpufreq/scaling_governor", "schedutil");
        assertThat(read(250).assignments())
                .containsExactly(
                        "governor=schedutil", "turbo=off", "nohz=on", "idle=mwait", "idle_governor=menu", "hz=250");
    }

    @Test
    void aVirtualMachineWithoutDriversHalts() throws IOException {
        proc("cmdline", "console=ttyS0");
        proc("cpuinfo", "flags\t\t: fpu sse2 hypervisor\n");
        proc("sys/kernel/sched_autogroup_enabled", "1");
        cpu("cpuidle/current_driver", "none");
        assertThat(read(1000).assignments())
                .containsExactly(
                        "governor=performance",
                        "turbo=off",
                        "nohz=on",
                        "idle=halt",
                        "max_cstate=0",
                        "hz=1000",
                        "autogroup=on");
        assertThat(read(1000).settings().idle()).isEqualTo(Settings.IdleRoutine.HALT);
    }

    @Test
    void bootOptionsAreSeen() throws IOException {
        proc("cmdline", "nohz=off idle=poll");
        proc("cpuinfo", "flags\t\t: monitor\n");
        assertThat(read(300).assignments()).contains("nohz=off", "idle=poll", "hz=300");
        proc("cmdline", "idle=halt");
        assertThat(read(300).assignments()).contains("nohz=on", "idle=halt");
    }

    @Test
    void theListOfTimersTellsOfTicksThatDoNotStop() throws IOException {
        proc("cmdline", "quiet");
        proc("timer_list", "cpu: 0\n  .nohz_mode      : 0\ncpu: 1\n  .nohz_mode      : 0\n");
        assertThat(read(250).assignments()).contains("nohz=off");
        proc("timer_list", "cpu: 0\n  .nohz           : 1\n");
        assertThat(read(250).assignments()).contains("nohz=on");
    }

    @Test
    void whatTheSimulatorDoesNotHaveIsSaid() throws IOException {
        proc("cmdline", "quiet");
        cpu("cpuidle/current_driver", "haltpoll");
        cpu("cpuidle/current_governor", "haltpoll");
        cpu("cpu0/cpufreq/scaling_governor", "interactive");
        HostBoot boot = read(200);
        assertThat(boot.assignments())
                .contains("governor=performance", "idle=halt")
                .doesNotContain("hz=200");
        assertThat(boot.notes())
                .containsExactly(
                        "the frequency governor 'interactive' is not modelled; performance is taken",
                        "the idle governor 'haltpoll' is not modelled; the kernel's usual one is taken",
                        "this kernel ticks 200 times a second, which the simulator does not offer; it takes 250");
    }

    @Test
    void aContainerThatHidesAllOfItGivesTheDefaults() {
        assertThat(read(250).settings().hz()).isEqualTo(250);
    }

    private HostBoot read(int hz) {
        return HostBoot.read(root.resolve("proc"), root.resolve("cpu"), hz);
    }

    private void proc(String name, String text) throws IOException {
        write(root.resolve("proc").resolve(name), text);
    }

    private void cpu(String name, String text) throws IOException {
        write(root.resolve("cpu").resolve(name), text);
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
