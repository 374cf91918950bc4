package dev.perch.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.placement.Placement;
import dev.perch.kernel.wakeup.RemoteQueue;
import dev.perch.model.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files under {@code kernels}: against the schema, and that all they name can be run. */
class ShippedKernelsTest {
    static Stream<String> versions() {
        return Kernels.list(TestKernels.HOME).stream().map(KernelDescription::name);
    }

    static Stream<String> versionsAndPatches() {
        return Kernels.list(TestKernels.HOME).stream()
                .flatMap(description -> Stream.concat(Stream.of(""), description.patches().keySet().stream())
                        .map(patch -> description.name() + (patch.isEmpty() ? "" : "+" + patch)));
    }

    private static Schema schema() throws IOException {
        String text = Files.readString(TestKernels.HOME.resolve("kernels/kernel.schema.json"));
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(text);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void everyFileMatchesTheSchema(String version) throws IOException {
        String text = Files.readString(TestKernels.HOME.resolve("kernels/" + version + ".yaml"));
        assertThat(schema().validate(text, InputFormat.YAML)).isEmpty();
    }

    @Test
    void schemaKnowsTheSameRuleSetsAsTheReader() throws IOException {
        for (RuleKind kind : RuleKind.values()) {
            for (String name : RuleCatalogue.ids(kind)) {
                assertThat(schema().validate(document(kind.key(), name), InputFormat.YAML))
                        .isEmpty();
            }
            assertThat(schema().validate(document(kind.key(), "dreamy"), InputFormat.YAML))
                    .isNotEmpty();
        }
        assertThat(schema().validate(document("idle-serch", "3.2"), InputFormat.YAML))
                .isNotEmpty();
    }

    private static String document(String kind, String name) {
        return "version: v3.0\ntitle: a\nsource: b\nrules: {" + kind + ": \"" + name + "\"}\n";
    }

    @ParameterizedTest
    @MethodSource("versionsAndPatches")
    void everyKernelCanPlaceTasks(String expression) {
        Kernel kernel = TestKernels.named(expression);
        Topology topology = TestMachines.named("2xNHM");
        assertThatCode(() -> {
                    SchedDomains domains = SchedDomains.build(
                            topology,
                            List.of(topology.cpus()),
                            DomainRules.named(kernel.rules().schedDomains()));
                    Placement.rules(kernel, topology, domains);
                    Placement.view(kernel, domains);
                    RemoteQueue.of(kernel, domains);
                })
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("versionsAndPatches")
    void everyKernelCanBeShown(String expression) {
        assertThat(Kernels.show(expression, TestKernels.HOME)).startsWith(expression + ": ");
    }
}
