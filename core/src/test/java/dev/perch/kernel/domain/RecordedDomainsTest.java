package dev.perch.kernel.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.machines.Machines;
import dev.perch.model.Topology;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Domains built from a recorded machine against those that its own kernel built: {@code domains.txt} is what it shows in debugfs,
 * {@code dmesg-domains.txt} what it printed at boot.
 */
class RecordedDomainsTest {
    private static final String BOOTS = """
            6.1-A-8cpu-1s4c2t,          5.18, 16
            6.1-B-4cpu-2s2c1t,          5.18, 8
            6.1-C-16cpu-2n4c2t-numa,    5.18, 48
            6.1-D-32cpu-1s32c1t,        5.18, 32
            6.1-F-8cpu-1s4c2t-features, 5.18, 16
            6.1-T-8cpu-tools,           5.18, 16
            6.12-A-8cpu-1s4c2t,         6.9,  16
            6.12-B-4cpu-2s2c1t,         6.9,  8
            6.12-T-4cpu-tools,          6.9,  8
            """;

    private static Path machine(String boot) throws Exception {
        URL url = RecordedDomainsTest.class.getResource("/recordings/" + boot + "/machine/topology.txt");
        return Objects.requireNonNull(Path.of(Objects.requireNonNull(url, boot).toURI()).getParent());
    }

    private static SchedDomains build(String boot, String rules) throws Exception {
        Path home = Path.of(System.getProperty("perch.home"));
        Topology topology = Machines.find(machine(boot).toString(), home).topology();
        return SchedDomains.build(topology, List.of(topology.cpus()), DomainRules.named(rules));
    }

    @ParameterizedTest
    @CsvSource(textBlock = BOOTS)
    void levelsFlagsAndNumbersAreThoseThatTheKernelShows(String boot, String rules, int count) throws Exception {
        List<String> ours = new ArrayList<>();
        SchedDomains domains = build(boot, rules);
        for (int cpu = 0; cpu < domains.cpuCount(); cpu++) {
            int position = 0;
            for (SchedDomain d = domains.lowest(cpu); d != null; d = d.parent()) {
                DomainParameters numbers = d.parameters();
                // 6.1 has the file "level" too, but the recordings of it left it empty.
                ours.add("cpu" + cpu + "/domain" + position++ + " name=" + d.name() + " flags="
                        + DomainFlags.names(d.flags(), domains.rules()) + ", imbalance_pct="
                        + numbers.imbalancePercent() + " busy_factor=" + numbers.busyFactor() + " min_interval="
                        + numbers.minIntervalMs() + " max_interval=" + numbers.maxIntervalMs() + " level="
                        + (boot.startsWith("6.1-") ? "" : Integer.toString(d.levelIndex())));
            }
        }
        assertThat(ours).hasSize(count);
        assertThat(ours)
                .containsExactlyInAnyOrderElementsOf(Files.readAllLines(machine(boot).resolve("domains.txt")));
    }

    @ParameterizedTest
    @CsvSource(textBlock = BOOTS)
    void spansAndRingsOfGroupsAreThoseThatTheKernelPrinted(String boot, String rules, int count) throws Exception {
        SchedDomains domains = build(boot, rules);
        TreeMap<String, String> ours = new TreeMap<>();
        for (int cpu = 0; cpu < domains.cpuCount(); cpu++) {
            int position = 0;
            for (SchedDomain d = domains.lowest(cpu); d != null; d = d.parent()) {
                List<String> groups = new ArrayList<>();
                for (int i = 0; i < d.groupCount(); i++) {
                    groups.add(d.group(i).first() + ":{ span=" + d.group(i) + " }");
                }
                ours.put(
                        "CPU" + cpu + " domain-" + position++,
                        "span=" + d.span() + " level=" + d.name() + " groups: " + String.join(", ", groups));
            }
        }
        assertThat(ours).hasSize(count).isEqualTo(printed(machine(boot).resolve("dmesg-domains.txt")));
    }

    /** What the kernel printed, without the capacities, which are of the moment. */
    private static TreeMap<String, String> printed(Path file) throws Exception {
        TreeMap<String, String> printed = new TreeMap<>();
        String cpu = "";
        String domain = "";
        for (String line : Files.readAllLines(file)) {
            String text = line.replaceFirst("^\\[ *[0-9.]+\\] *", "").replaceAll(" cap=[0-9]+", "");
            if (text.endsWith(" attaching sched-domain(s):")) {
                cpu = text.substring(0, text.indexOf(' '));
            } else if (text.startsWith("domain-")) {
                domain = text;
            } else if (text.startsWith("groups: ")) {
                int colon = domain.indexOf(": ");
                printed.put(cpu + " " + domain.substring(0, colon), domain.substring(colon + 2) + " " + text);
            }
        }
        return printed;
    }
}
