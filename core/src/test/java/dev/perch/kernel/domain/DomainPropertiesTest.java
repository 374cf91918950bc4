package dev.perch.kernel.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for the domains of any machine, on 150 random machines for each era. */
class DomainPropertiesTest {
    private static final int MACHINES = 150;

    private static List<CpuMask> runs(int cpus, int length) {
        List<CpuMask> runs = new ArrayList<>();
        for (int from = 0; from < cpus; from += length) {
            runs.add(CpuMask.range(from, from + length - 1));
        }
        return runs;
    }

    private static Topology machine(Random random) {
        int threads = 1 + random.nextInt(2);
        int cluster = threads * (1 + random.nextInt(3));
        int llc = cluster * (1 + random.nextInt(4));
        int node = llc * (1 + random.nextInt(2));
        int nodes = 1 + random.nextInt(5);
        int cpus = node * nodes;
        int[][] distances = new int[nodes][nodes];
        for (int a = 0; a < nodes; a++) {
            distances[a][a] = 10;
            for (int b = 0; b < a; b++) {
                distances[a][b] = distances[b][a] = 15 + 5 * random.nextInt(5);
            }
        }
        int pkg = random.nextBoolean() ? node : cpus;
        int[] capacities = new int[cpus];
        int small = random.nextBoolean() ? 1024 : 500;
        for (int cpu = 0; cpu < cpus; cpu++) {
            capacities[cpu] = cpu / llc % 2 == 0 ? 1024 : small;
        }
        return new Topology(
                        cpus,
                        runs(cpus, threads),
                        random.nextBoolean() ? runs(cpus, cluster) : null,
                        runs(cpus, llc),
                        runs(cpus, pkg),
                        runs(cpus, node),
                        distances)
                .withCapacities(capacities);
    }

    private static CpuMask partition(Topology topology, Random random) {
        if (random.nextInt(3) > 0) {
            return topology.cpus();
        }
        CpuMask some = CpuMask.of(random.nextInt(topology.cpuCount()));
        for (int cpu = 0; cpu < topology.cpuCount(); cpu++) {
            if (random.nextBoolean()) {
                some = some.or(CpuMask.of(cpu));
            }
        }
        return some;
    }

    @ParameterizedTest
    @EnumSource(DomainRules.class)
    void chainsGrowAndGroupsCoverThem(DomainRules rules) {
        Random random = new Random(4);
        for (int i = 0; i < MACHINES; i++) {
            Topology topology = machine(random);
            CpuMask partition = partition(topology, random);
            SchedDomains domains = SchedDomains.build(topology, List.of(partition), rules);
            for (int cpu = 0; cpu < topology.cpuCount(); cpu++) {
                if (!partition.contains(cpu)) {
                    assertThat(domains.lowest(cpu)).isNull();
                }
                for (SchedDomain d = domains.lowest(cpu); d != null; d = d.parent()) {
                    check(domains, d, partition);
                }
                checkCached(domains, cpu);
            }
        }
    }

    private static void check(SchedDomains domains, SchedDomain d, CpuMask partition) {
        DomainRules rules = domains.rules();
        assertThat(d.span().contains(d.cpu())).isTrue();
        assertThat(partition.containsAll(d.span())).isTrue();
        assertThat(d.weight()).isEqualTo(d.span().count()).isGreaterThan(1);
        SchedDomain child = d.child();
        if (child != null) {
            assertThat(d.span().containsAll(child.span())).isTrue();
            assertThat(d.levelIndex()).isGreaterThan(child.levelIndex());
            if (rules.since(DomainRules.FROM_5_10)) {
                assertThat(d.span()).isNotEqualTo(child.span());
            }
        }
        checkGroups(d, rules);
        assertThat(d.has(DomainFlags.LOAD_BALANCE)).isEqualTo(!rules.since(DomainRules.FROM_5_8));
        assertThat(d.has(DomainFlags.NUMA))
                .isEqualTo(rules.since(DomainRules.FROM_3_16) && d.level() == DomainLevel.NUMA);
        assertThat(d.has(DomainFlags.SHARE_CAPACITY)).isEqualTo(d.level() == DomainLevel.SMT);
        boolean aboveTheCache = !d.has(DomainFlags.SHARE_CACHE);
        assertThat(d.imbNuma() > 0).isEqualTo(rules.since(DomainRules.FROM_5_18) && aboveTheCache);
    }

    private static void checkGroups(SchedDomain d, DomainRules rules) {
        assertThat(d.group(0).contains(d.cpu())).isTrue();
        CpuMask covered = CpuMask.empty();
        int total = 0;
        for (int i = 0; i < d.groupCount(); i++) {
            covered = covered.or(d.group(i));
            total += d.group(i).count();
        }
        assertThat(covered.containsAll(d.span())).isTrue();
        boolean mayOverlap = d.level() == DomainLevel.NUMA || d.level() == DomainLevel.NODE;
        if (!mayOverlap) {
            assertThat(total).isEqualTo(d.weight());
        }
        if (!mayOverlap || !rules.since(DomainRules.FROM_3_5) || rules.since(DomainRules.FROM_5_13)) {
            assertThat(covered).isEqualTo(d.span());
        }
    }

    private static void checkCached(SchedDomains domains, int cpu) {
        SchedDomain llc = domains.llc(cpu);
        assertThat(domains.llcSize(cpu)).isEqualTo(llc == null ? 1 : llc.weight());
        assertThat(domains.llcId(cpu)).isEqualTo(llc == null ? cpu : llc.span().first());
        for (int other = 0; other < domains.cpuCount(); other++) {
            boolean together = other == cpu || llc != null && llc.span().contains(other);
            assertThat(domains.shareCache(cpu, other)).isEqualTo(together);
        }
        if (domains.clustersActive()) {
            assertThat(domains.rules().since(DomainRules.FROM_6_7)).isTrue();
            assertThat(domains.llcId(domains.clusterId(cpu))).isEqualTo(domains.llcId(cpu));
        }
    }
}
