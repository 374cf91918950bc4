package dev.perch.kernel.balance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GroupSumsTest {
    /** Two nodes of 40 cores with two threads each: more CPUs than a word has bits. */
    private static final Topology MACHINE = new Topology(
            160,
            IntStream.range(0, 80)
                    .mapToObj(core -> CpuMask.of(2 * core, 2 * core + 1))
                    .toList(),
            null,
            List.of(CpuMask.range(0, 79), CpuMask.range(80, 159)),
            List.of(CpuMask.range(0, 79), CpuMask.range(80, 159)),
            List.of(CpuMask.range(0, 79), CpuMask.range(80, 159)),
            new int[][] {{10, 20}, {20, 10}});

    private final SplittableRandom random = new SplittableRandom(3);
    private final SchedDomains domains = SchedDomains.build(MACHINE, List.of(MACHINE.cpus()), DomainRules.named("6.9"));
    private final DomainTraits traits = new DomainTraits(domains);
    private final HogMachine host = HogMachine.of("v6.12.0", MACHINE);

    @Test
    void agreeWithWalkingOverTheCpusOfAGroupWhenOnlySomeHaveChanged() {
        Figures figures = new Figures();
        GroupSums sums = new GroupSums(traits, figures);
        for (int round = 0; round < 500; round++) {
            for (int change = random.nextInt(6); change > 0; change--) {
                int cpu = random.nextInt(160);
                figures.draw(cpu);
                sums.changed(cpu);
            }
            sums.refresh(host);
            SchedDomain domain = domains.lowest(random.nextInt(160));
            while (domain != null) {
                for (int group = 0; group < domain.groupCount(); group++) {
                    check(sums, domain, group, figures);
                }
                domain = domain.parent();
            }
        }
    }

    private void check(GroupSums sums, SchedDomain domain, int group, Figures figures) {
        GroupStats stats = new GroupStats();
        int number = traits.groupNumber(domain, group);
        sums.read(number, stats);
        int[] cpus = domain.group(group).toArray();
        assertThat(traits.members(number)).containsExactly(cpus);
        assertThat(stats.load).isEqualTo(sum(cpus, figures.load));
        assertThat(stats.util).isEqualTo(sum(cpus, figures.util));
        assertThat(stats.runnable).isEqualTo(sum(cpus, figures.runnable));
        assertThat(stats.capacity).isEqualTo(sum(cpus, figures.capacity));
        assertThat(stats.nrRunning).isEqualTo((int) sum(cpus, figures.tasks));
        assertThat(stats.nrFair).isEqualTo((int) sum(cpus, figures.fair));
        // all CPUs of the host are idle, so here those without tasks are
        assertThat(stats.idleCpus).isEqualTo((int)
                IntStream.of(cpus).filter(cpu -> figures.tasks[cpu] == 0).count());
        assertThat(sums.isAnyOverloaded(number)).isEqualTo(IntStream.of(cpus).anyMatch(cpu -> figures.tasks[cpu] > 1));
        assertThat(sums.isAnyReduced(number))
                .isEqualTo(IntStream.of(cpus).anyMatch(cpu -> figures.capacity[cpu] < 1024));
    }

    private static long sum(int[] cpus, long[] figure) {
        return IntStream.of(cpus).mapToLong(cpu -> figure[cpu]).sum();
    }

    /** Figures that are drawn, and change only when that is told. */
    private final class Figures implements BalanceLoads {
        final long[] load = new long[160];
        final long[] util = new long[160];
        final long[] runnable = new long[160];
        final long[] capacity = new long[160];
        final long[] tasks = new long[160];
        final long[] fair = new long[160];

        Figures() {
            for (int cpu = 0; cpu < 160; cpu++) {
                draw(cpu);
            }
        }

        private void draw(int cpu) {
            load[cpu] = random.nextLong(1L << 40);
            util[cpu] = random.nextLong(1025);
            runnable[cpu] = random.nextLong(1L << 20);
            capacity[cpu] = random.nextInt(40) == 0 ? random.nextInt(1, 1024) : 1024;
            tasks[cpu] = random.nextInt(30) == 0 ? random.nextInt(2, 5000) : random.nextInt(2);
            fair[cpu] = random.nextLong(tasks[cpu] + 1);
        }

        @Override
        public boolean tellsChanges() {
            return true;
        }

        @Override
        public int nrRunning(int cpu) {
            return (int) tasks[cpu];
        }

        @Override
        public int nrFair(int cpu) {
            return (int) fair[cpu];
        }

        @Override
        public long weight(int cpu) {
            return 0;
        }

        @Override
        public long load(int cpu) {
            return load[cpu];
        }

        @Override
        public long runnable(int cpu) {
            return runnable[cpu];
        }

        @Override
        public long util(int cpu) {
            return util[cpu];
        }

        @Override
        public long boostedUtil(int cpu) {
            return util[cpu];
        }

        @Override
        public int capacity(int cpu) {
            return (int) capacity[cpu];
        }

        @Override
        public int originalCapacity(int cpu) {
            return 1024;
        }

        @Override
        public long taskLoad(int task) {
            return 0;
        }

        @Override
        public long taskUtil(int task) {
            return 0;
        }
    }
}
