package dev.perch.kernel.domain;

import dev.perch.model.CpuMask;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Scheduling domains as text: each level with its flags, and under it every span with its groups.
 *
 * <pre>
 * SMT      load-balance newidle exec fork wake-affine share-capacity share-cache
 *          0,4: 0 | 4
 * MC       load-balance newidle exec fork wake-affine share-cache prefer-sibling
 *          0-7: 0,4 | 1,5 | 2,6 | 3,7
 * </pre>
 *
 * Groups stand in ring order as the lowest CPU of the span sees them; every other CPU enters the ring at its own group.
 */
public final class DomainDrawing {
    /** Longer lists of spans or groups are cut, with a count of what was left out. */
    private static final int LONGEST_LIST = 16;

    private DomainDrawing() {}

    /** The drawing, with a line break after every line. */
    public static String draw(SchedDomains domains) {
        StringBuilder text = new StringBuilder();
        for (CpuMask partition : domains.partitions()) {
            if (domains.partitions().size() > 1) {
                text.append("partition ").append(partition).append('\n');
            }
            drawPartition(domains, partition, text);
        }
        CpuMask isolated = isolated(domains);
        if (!isolated.isEmpty()) {
            text.append("no domains: CPUs ").append(isolated).append('\n');
        }
        return text.toString();
    }

    private static void drawPartition(SchedDomains domains, CpuMask partition, StringBuilder text) {
        Map<String, Map<CpuMask, SchedDomain>> levels = new LinkedHashMap<>();
        for (SchedDomain domain : inLevelOrder(domains, partition)) {
            levels.computeIfAbsent(heading(domain), heading -> new LinkedHashMap<>())
                    .putIfAbsent(domain.span(), domain);
        }
        levels.forEach((heading, spans) -> {
            text.append(heading).append('\n');
            List<SchedDomain> shown = List.copyOf(spans.values());
            shown.stream()
                    .limit(LONGEST_LIST)
                    .forEach(domain -> text.append("         ")
                            .append(domain.span())
                            .append(": ")
                            .append(groups(domain))
                            .append('\n'));
            if (shown.size() > LONGEST_LIST) {
                text.append("         … ").append(shown.size() - LONGEST_LIST).append(" more\n");
            }
        });
    }

    private static List<SchedDomain> inLevelOrder(SchedDomains domains, CpuMask partition) {
        List<SchedDomain> ordered = new ArrayList<>(domains.all());
        ordered.removeIf(domain -> !partition.contains(domain.cpu()));
        ordered.sort(java.util.Comparator.comparing(SchedDomain::level).thenComparingInt(SchedDomain::distance));
        return ordered;
    }

    private static String heading(SchedDomain domain) {
        String name = domain.level() == DomainLevel.NUMA
                ? "NUMA " + domain.distance()
                : domain.name();
        return "%-8s %s".formatted(name, DomainFlags.words(domain.flags()));
    }

    private static String groups(SchedDomain domain) {
        List<String> groups = new ArrayList<>();
        for (int i = 0; i < domain.groupCount(); i++) {
            groups.add(domain.group(i).toString());
        }
        String text = groups.stream().limit(LONGEST_LIST).collect(Collectors.joining(" | "));
        return groups.size() > LONGEST_LIST ? text + " | … " + (groups.size() - LONGEST_LIST) + " more" : text;
    }

    private static CpuMask isolated(SchedDomains domains) {
        CpuMask rest = CpuMask.range(0, domains.cpuCount() - 1);
        for (CpuMask partition : domains.partitions()) {
            rest = rest.minus(partition);
        }
        return rest;
    }
}
