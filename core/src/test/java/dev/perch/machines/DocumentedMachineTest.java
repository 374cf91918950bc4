package dev.perch.machines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.CostItem;
import dev.perch.model.Distance;
import dev.perch.model.Machine;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/machine-file.md: what it shows works, and what there is it names. */
class DocumentedMachineTest {
    private String text = "";

    @TempDir
    private Path folder;

    @BeforeEach
    void readThePage() throws Exception {
        text = Files.readString(Path.of(System.getProperty("perch.home")).resolve("docs/machine-file.md"));
    }

    @Test
    void theExampleCanBeReadAndMatchesTheSchema() throws Exception {
        int begin = text.indexOf("```yaml\n") + "```yaml\n".length();
        String yaml = text.substring(begin, text.indexOf("```", begin));
        Machine machine = MachineFile.read(Files.writeString(folder.resolve("example.yaml"), yaml));
        assertThat(machine.topology().distance(0, 4)).isEqualTo(Distance.REMOTE);
        assertThat(machine.requireModel()
                        .workloadCost("example", "tcp-rr", "message")
                        .coreNs())
                .isEqualTo(2182);
        assertThat(ShippedMachinesTest.schema().validate(ShippedMachinesTest.json(yaml)))
                .isEmpty();
    }

    @Test
    void everyStepWithACostIsExplained() {
        for (CostItem item : CostItem.all()) {
            assertThat(text).contains("`" + item.key() + "`");
        }
    }
}
