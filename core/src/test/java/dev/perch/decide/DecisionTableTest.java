package dev.perch.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.kernel.TestKernels;
import dev.perch.kernel.TestMachines;
import dev.perch.model.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecisionTableTest {
    private static final String HEADER = "era,machine,busy,allowed,this,prev,target";

    @TempDir
    private Path folder;

    private List<String> answer(String... lines) throws IOException {
        Path file = folder.resolve("table.csv");
        Files.write(file, List.of(lines));
        List<String> out = new ArrayList<>();
        DecisionTable.answer(file, TestMachines.all(), TestKernels::named, out::add);
        return out;
    }

    /** X02 of placement.md 14.1: 2.6.39 takes the idle sibling that it meets first, 3.2 the lowest idle core. */
    @Test
    void addsTheChoiceOfTheNamedEraToEachRow() throws IOException {
        assertThat(answer(
                        HEADER,
                        "2.6.39,E5620,3,all,3,3,3",
                        "3.2,E5620,3,all,3,3,3",
                        "mikie,E5620,3,all,3,3,3",
                        "v3.6-rc1,E5620,3,all,3,3,3"))
                .containsExactly(
                        HEADER + ",perch",
                        "2.6.39,E5620,3,all,3,3,3,7",
                        "3.2,E5620,3,all,3,3,3,0",
                        "mikie,E5620,3,all,3,3,3,0",
                        "v3.6-rc1,E5620,3,all,3,3,3,2");
    }

    @Test
    void keepsColumnsThatItDoesNotKnowAndTakesColumnsInAnyOrder() throws IOException {
        assertThat(answer("remark,target,prev,this,busy,machine,era", "why,3,3,3,3,E5620,2.6.39"))
                .last()
                .isEqualTo("why,3,3,3,3,E5620,2.6.39,7");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2.6.39,E5620,9,all,3,3,3   | --busy names CPU 9, but the machine has only CPUs 0-7",
                "2.6.39,E5620,3,all,8,3,3   | --this names CPU 8, but the machine has only CPUs 0-7",
                "2.6.39,E5620,3,all,3,3,8   | --target names CPU 8, but the machine has only CPUs 0-7",
                "2.6.39,E5620,x,all,3,3,3   | busy: ",
                "2.6.39,E5620,3,all,3,,3    | prev cannot be ''; write a number",
                "2.6.39,E5260,3,all,3,3,3   | names machine 'E5260', which --machines does not have; did you mean 'E5620'",
                "1.0,E5620,3,all,3,3,3      | era '1.0': kernel v1.0 is older than the oldest known",
                "2.6.39,E5620,3,all,3,3     | has 6 fields, but 7 columns are named",
            })
    void saysWhichLineCannotBeUnderstood(String row, String problem) {
        assertThatThrownBy(() -> answer(HEADER, row))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("table.csv:2")
                .hasMessageContaining(problem);
    }

    @Test
    void saysWhatAHeaderLacks() {
        assertThatThrownBy(() -> answer("era,machine,busy,allowed,this,prev,targt"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("table.csv:1 has no column 'target'");
        assertThatThrownBy(() -> answer("")).isInstanceOf(InputException.class).hasMessageContaining("is empty");
        assertThatThrownBy(() -> answer(HEADER + ",perch"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("has a column 'perch' already");
    }

    @Test
    void saysThatAFileIsMissing() {
        assertThatThrownBy(() -> DecisionTable.answer(
                        folder.resolve("none.csv"), TestMachines.all(), TestKernels::named, line -> {}))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("none.csv");
    }
}
