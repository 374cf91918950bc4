package dev.perch.kernel.placement;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.RuleKind;
import dev.perch.kernel.RuleSets;
import dev.perch.kernel.TestKernels;
import dev.perch.kernel.TestMachines;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Kernels of every era of placement, put together from the rows of {@code eras.txt}; what else they have is v3.9's. */
final class Eras {
    private static final List<RuleKind> COLUMNS = List.of(
            RuleKind.CALLER,
            RuleKind.WAKE_WIDE,
            RuleKind.WAKE_AFFINE,
            RuleKind.IDLE_SEARCH,
            RuleKind.SLOW_PATH,
            RuleKind.SCHED_DOMAINS,
            RuleKind.IDLE_PREDICATE,
            RuleKind.LOAD_TRACKING);

    private static final Kernel BASE = TestKernels.named("v3.9");

    private Eras() {}

    /** The names, oldest first. */
    static Stream<String> names() {
        return TestMachines.lines("/placement/eras.txt").stream().map(row -> fields(row)[0]);
    }

    /**
     * The kernel of an era.
     *
     * @param features set otherwise than by default: {@code WAKE_ON_CURRENT}, {@code NO_WA_BIAS}
     */
    static Kernel named(String era, String... features) {
        String[] row = TestMachines.lines("/placement/eras.txt").stream()
                .map(Eras::fields)
                .filter(fields -> fields[0].equals(era))
                .findFirst()
                .orElseThrow();
        RuleSets rules = BASE.rules();
        for (int i = 0; i < COLUMNS.size(); i++) {
            rules = rules.with(COLUMNS.get(i), row[i + 1]);
        }
        return kernel(BASE, rules, features);
    }

    /** The same kernel with another rule set of a kind. */
    static Kernel with(Kernel kernel, RuleKind kind, String id) {
        return kernel(kernel, kernel.rules().with(kind, id));
    }

    private static Kernel kernel(Kernel base, RuleSets rules, String... features) {
        boolean utilisation = rules.loadTracking().startsWith("6.");
        Map<String, Boolean> bits = new HashMap<>(base.features());
        List.of("WA_IDLE", "WA_WEIGHT", "WA_BIAS").forEach(bit -> bits.putIfAbsent(bit, true));
        bits.putIfAbsent("SIS_PROP", !utilisation && !List.of("4.9", "4.11").contains(rules.idleSearch()));
        bits.putIfAbsent("SIS_UTIL", utilisation);
        for (String feature : features) {
            boolean off = feature.startsWith("NO_");
            bits.put(off ? feature.substring(3) : feature, !off);
        }
        return new Kernel(
                "test", "test", base.version(), List.of(), rules, bits, base.tunables(), List.of());
    }

    private static String[] fields(String row) {
        return Arrays.stream(row.split("\\|")).map(String::strip).toArray(String[]::new);
    }
}
