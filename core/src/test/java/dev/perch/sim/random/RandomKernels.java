package dev.perch.sim.random;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.KernelDescription;
import dev.perch.kernel.Kernels;
import dev.perch.model.InputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Kernels of every file, now and then with a patch that fits, with feature bits turned over and tunables set. */
final class RandomKernels {
    private final Path home;
    private final List<KernelDescription> known;
    private final Map<String, Kernel> resolved = new HashMap<>();

    RandomKernels(Path home) {
        this.home = home;
        known = Kernels.list(home);
    }

    synchronized Kernel draw(Draws draws) {
        KernelDescription description = draws.of(known);
        StringBuilder expression = new StringBuilder(description.name());
        if (!description.patches().isEmpty() && draws.once(3)) {
            expression
                    .append('+')
                    .append(draws.of(new ArrayList<>(description.patches().keySet())));
        }
        if (draws.once(2)) {
            List<String> features = new ArrayList<>(description.features().keySet());
            for (int flips = draws.between(1, 3); flips > 0 && !features.isEmpty(); flips--) {
                String feature = features.remove(draws.below(features.size()));
                boolean on = description.features().getOrDefault(feature, false);
                expression.append(on ? ",NO_" : ",").append(feature);
            }
        }
        if (draws.once(4) && !description.tunables().isEmpty()) {
            Map.Entry<String, KernelDescription.Tunable> drawn =
                    draws.of(new ArrayList<>(description.tunables().entrySet()));
            String name = drawn.getKey();
            KernelDescription.Tunable tunable = drawn.getValue();
            long least = Math.max(tunable.min(), name.endsWith("_ns") ? 100_000 : 0);
            long most = Math.min(tunable.max(), name.endsWith("_ns") ? 50_000_000 : 64);
            if (least <= most) {
                long value = least <= 0 ? draws.between(0, (int) most) : draws.logBetween(least, most);
                expression.append(',').append(name).append('=').append(value);
            }
        }
        String text = expression.toString();
        return resolved.computeIfAbsent(text, wanted -> resolve(wanted, description.name()));
    }

    private Kernel resolve(String text, String plain) {
        try {
            return Kernels.resolve(text, home);
        } catch (InputException refused) {
            return Kernels.resolve(plain, home);
        }
    }
}
