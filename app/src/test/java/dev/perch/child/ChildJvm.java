package dev.perch.child;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.perch.cli.Main;
import dev.perch.model.Machine;
import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.apache.commons.numbers.arrays.Selection;
import org.apache.commons.numbers.core.DD;
import org.apache.commons.numbers.fraction.ContinuedFraction;
import org.apache.commons.numbers.gamma.RegularizedBeta;
import org.apache.commons.numbers.rootfinder.BrentSolver;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.distribution.TDistribution;
import org.duckdb.DuckDBDriver;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import picocli.CommandLine;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/**
 * Starts a class in a JVM of its own, which can be killed. The class path is put together from where the classes of this one came from: what
 * {@code java.class.path} says depends on who runs the tests.
 */
public final class ChildJvm {
    private static final List<Class<?>> EACH_FROM_A_JAR = List.of(
            Main.class,
            Machine.class,
            CommandLine.class,
            JsonMapper.class,
            JsonGenerator.class,
            JsonInclude.class,
            DuckDBDriver.class,
            Histogram.class,
            Load.class,
            ZstdInputStream.class,
            Mean.class,
            TDistribution.class,
            Selection.class,
            DD.class,
            ContinuedFraction.class,
            RegularizedBeta.class,
            BrentSolver.class,
            UniformRandomProvider.class,
            SharedStateContinuousSampler.class,
            Nullable.class);

    private ChildJvm() {}

    /**
     * The command line that runs a class.
     *
     * @param main may be a class of the tests
     */
    public static List<String> command(Class<?> main, String... arguments) {
        Set<String> classPath = new LinkedHashSet<>();
        classPath.add(place(main));
        EACH_FROM_A_JAR.forEach(each -> classPath.add(place(each)));
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Dperch.home=" + System.getProperty("perch.home"),
                "-cp",
                String.join(":", classPath),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts it; what it prints waits in pipes. */
    public static Process start(Class<?> main, String... arguments) throws IOException {
        return new ProcessBuilder(command(main, arguments)).start();
    }
}
