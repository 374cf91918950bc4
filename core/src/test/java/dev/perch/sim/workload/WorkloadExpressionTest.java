package dev.perch.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.perch.model.InputException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadExpressionTest {
    @Test
    void readsTheExamplesOfTheGrammar() {
        assertThat(WorkloadExpression.parse("tcp-rr")).containsExactly(new WorkloadItem("tcp-rr", Map.of(), 1));
        assertThat(WorkloadExpression.parse("tcp-rr:size=1,pin=3/1"))
                .containsExactly(new WorkloadItem("tcp-rr", Map.of("size", "1", "pin", "3/1"), 1));
        assertThat(WorkloadExpression.parse("tcp-rr*3")).containsExactly(new WorkloadItem("tcp-rr", Map.of(), 3));
        assertThat(WorkloadExpression.parse("tcp-rr+hog*2"))
                .containsExactly(new WorkloadItem("tcp-rr", Map.of(), 1), new WorkloadItem("hog", Map.of(), 2));
        assertThat(WorkloadExpression.parse("hackbench:groups=64"))
                .containsExactly(new WorkloadItem("hackbench", Map.of("groups", "64"), 1));
    }

    @Test
    void readsOptionsAndACountTogether() {
        WorkloadItem item = WorkloadExpression.parse("pipe:pin=0/4*12").getFirst();
        assertThat(item.options()).containsExactly(Map.entry("pin", "0/4"));
        assertThat(item.count()).isEqualTo(12);
    }

    @Test
    void keepsTheOrderOfOptions() {
        assertThat(WorkloadExpression.parse("x:b=1,a=2").getFirst().options().keySet())
                .containsExactly("b", "a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp-rr", "tcp-rr:size=1,pin=3/1*2+hog*2", "a+b+c*3"})
    void writesWhatItReads(String expression) {
        List<WorkloadItem> items = WorkloadExpression.parse(expression);
        assertThat(WorkloadExpression.format(items)).isEqualTo(expression);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\" \"        | workload is empty",
                "tcp-rr+      | workload '' in 'tcp-rr+' has no name",
                "*3           | '*3' has no name",
                "Hog          | 'Hog' begins with 'Hog', which is not a workload's name",
                "tcp_rr       | which is not a workload's name",
                "hog*0        | has the count '0'",
                "hog*         | has the count ''",
                "hog*-1       | has the count '-1'",
                "hog*2*3      | has the count '2*3'",
                "hog*9999999  | has the count '9999999'",
                "a+pipe:pin*2 | workload 'pipe:pin*2' in 'a+pipe:pin*2' has the option 'pin'",
                "pipe:        | has the option ''",
                "pipe:=3      | has the option '=3'",
                "pipe:pin=    | has the option 'pin='",
                "x:a=1,a=2    | gives 'a' twice",
            })
    void refusesWithOneLineThatNamesTheItem(String expression, String message) {
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> WorkloadExpression.parse(expression))
                .withMessageContaining(message)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }
}
