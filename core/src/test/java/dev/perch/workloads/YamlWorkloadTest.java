package dev.perch.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.perch.model.InputException;
import dev.perch.sim.Simulation;
import dev.perch.sim.workload.DescribedWorkload;
import dev.perch.sim.workload.WorkloadExpression;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlWorkloadTest {
    private static final Path EXAMPLES = Observed.HOME.resolve("examples");

    private static Schema schema() throws IOException {
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(EXAMPLES.resolve("workload.schema.json")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"request-reply.yaml", "pipeline.yaml", "groups.yaml"})
    void readsTheExamplesAsTheSchemaDoes(String name) throws IOException {
        String text = Files.readString(EXAMPLES.resolve(name));
        assertThat(schema().validate(text, InputFormat.YAML)).isEmpty();
        assertThatCode(() -> WorkloadFiles.parse(name, text)).doesNotThrowAnyException();
    }

    @Test
    void schemaRefusesWhatTheReaderRefuses() throws IOException {
        String text = Files.readString(EXAMPLES.resolve("request-reply.yaml"));
        assertThat(schema().validate(text.replace("copies: 4", "copies: many"), InputFormat.YAML))
                .isNotEmpty();
        assertThat(schema().validate(text.replace("lock: cache", "luck: cache"), InputFormat.YAML))
                .isNotEmpty();
        assertThat(schema().validate(text.replace("title:", "titel:"), InputFormat.YAML))
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"request-reply.yaml", "pipeline.yaml", "groups.yaml", "audio.json"})
    void runsTheExamplesOnOldAndNewKernelsTheSameEveryTime(String name) throws IOException {
        String text = Files.readString(EXAMPLES.resolve(name));
        for (String kernel : new String[] {"v3.2", "v3.9"}) {
            var spec = Observed.spec("./" + name, text, kernel, 200);
            var first = Simulation.run(spec);
            assertThat(first.instances().getFirst().operations()).isGreaterThan(10);
            assertThat(Simulation.run(spec).digest()).isEqualTo(first.digest());
        }
    }

    private static Observed run(String tasks, int ms) {
        return Observed.of("./x.yaml", "title: x\ntasks:\n" + tasks.indent(2), "v3.9", ms);
    }

    @Test
    void aTaskDoesItsPhasesOneByOneAndCountsOperations() {
        Observed seen = run("""
                t:
                  phases:
                    - compute: 2 ms
                    - sleep: 3 ms
                    - count
                """, 100);
        assertThat(seen.startsMs(1)).startsWith(0L, 5L, 10L, 15L);
        assertThat(seen.result.instances().getFirst().metric()).isEqualTo("operations/s");
        assertThat(seen.result.instances().getFirst().value()).isCloseTo(200, within(11.0));
        assertThat(seen.figure("t operations")).isCloseTo(200, within(11.0));
    }

    @Test
    void whatIsPostedWakesWhoWaits() {
        Observed seen = run("""
                early: {times: 3, phases: [{futex: {wait: f}}, {compute: 1 ms}]}
                late: {times: 1, phases: [{sleep: 5 ms}, {futex: {post: f, count: 3}}, count]}
                """, 50);
        assertThat(seen.exits).hasSize(2);
        assertThat(seen.exits.getLast()).isCloseTo(8_000_000L, within(200_000L));
    }

    @Test
    void aPipeHoldsSixteenPages() {
        // 100 kB do not fit in 64 KiB, so the writer waits for the reader, who begins late
        Observed seen = run("""
                writer: {times: 1, phases: [{pipe: {write: p, bytes: 100000}}, count]}
                reader: {times: 1, phases: [{sleep: 5 ms}, {pipe: {read: p, bytes: 100000}}]}
                """, 50);
        assertThat(seen.exits).hasSize(2).allMatch(exit -> exit > 5_000_000);
    }

    @Test
    void joinsWhatItForked() {
        Observed seen = run("""
                main: {times: 1, phases: [{fork: child}, {fork: child}, join, {compute: 1 ms}, count]}
                child: {copies: 0, times: 1, phases: [{sleep: 4 ms}]}
                """, 50);
        assertThat(seen.exits).hasSize(3);
        assertThat(seen.exits.getLast()).isCloseTo(5_000_000L, within(300_000L));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{a: {weight: 0}} | groups.a.weight is 0, but must be at least 1 (x.yaml:2)",
                "{a: {quota: 1 us}} | groups.a.quota must be at least 1 ms (x.yaml:2)",
                "{a: {quota: 5 ms, period: 2 s}} | groups.a.period must be at most 1000 ms (x.yaml:2)",
                "{a: {quota: 5 ms, burst: 6 ms}} | groups.a.burst must be at most 5 ms (x.yaml:2)",
                "{a: {period: 5 ms}} | unknown key 'period' in groups.a (x.yaml:2)",
                "{a: {}, /a: {}} | group '/a' stands twice (x.yaml:2)",
                "{/: {weight: 5}} | '/' is the root group, where tasks without a group are (x.yaml:2)",
            })
    void namesWhatIsWrongWithGroups(String groups, String message) {
        String tasks = "tasks: {t: {phases: [{compute: 1 us}, count]}}";
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> WorkloadFiles.parse("x.yaml", "title: x\ngroups: " + groups + "\n" + tasks + "\n"))
                .withMessageContaining(message);
    }

    @Test
    void refusesToForkWithoutEnd() {
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> run("""
                        main: {phases: [{fork: child}, {sleep: 1 ms}, count]}
                        child: {copies: 0, phases: [{sleep: 1 s}]}
                        """, 500))
                .withMessageContaining("64 live already");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{t: {phases: [{compute: 1 us}]}} | no phase counts anything (x.yaml:2); write - count",
                "{t: {phases: [{pipe: {read: p}}, count]}} | nothing ever comes out of pipe 'p': no task puts anything into it (x.yaml:2)",
                "{t: {phases: [{compte: 1 us}, count]}} | unknown phase 'compte' of task 't' (x.yaml:2); did you mean 'compute'?",
                "{t: {phases: [cuont]}} | unknown phase 'cuont' of task 't' (x.yaml:2); did you mean 'count'?",
                "{t: {phases: [compute, count]}} | phase 'compute' of task 't' needs a value (x.yaml:2); write - compute: VALUE",
                "{t: {phases: [{compute: 1 us, sleep: 1 us}, count]}} | a phase has one key, not 2 (x.yaml:2)",
                "{t: {phases: [{compute: fast}, count]}} | cannot be 'fast'; write a time, as in 1 s or 300 ms (x.yaml:2)",
                "{t: {phases: [{compute: {from: 2 us, to: 1 us}}, count]}} | 'from' is more than 'to' (x.yaml:2)",
                "{t: {phases: [count]}} | task 't' loops forever without taking time (x.yaml:2)",
                "{t: {phases: []}} | tasks.t.phases is empty (x.yaml:2)",
                "{t: {copies: 0, phases: [{compute: 1 us}, count]}} | no task runs from the start (x.yaml:2)",
                "{t: {phases: [{fork: u}, count]}} | 'u' is no task of this file (x.yaml:2)",
                "{t: {nice: 20, phases: [{compute: 1 us}, count]}} | tasks.t.nice is 20, but must be at most 19 (x.yaml:2)",
                "{t: {policy: idle, nice: 1, phases: [{compute: 1 us}, count]}} | unknown key 'nice' in tasks.t (x.yaml:2)",
                "{t: {phases: [{timer: {period: 1 ms, missed: maybe}}, count]}} | cannot be 'maybe' (x.yaml:2)",
                "{t: {phases: [{fork: t}, {barrier: b}, count]}} | task 't' is forked and cannot use a barrier",
                "{t: {slice: soon, phases: [{compute: 1 us}, count]}} | tasks.t.slice cannot be 'soon'; write a time",
                "{t: {policy: fifo, slice: 1 ms, phases: [{compute: 1 us}, count]}} | unknown key 'slice' in tasks.t (x.yaml:2)",
                "{t: {group: a//b, phases: [{compute: 1 us}, count]}} | 'a//b' is no path of a group; write names with / between them, as in db/log (x.yaml:2)",
                "{t: {phases: [{enter: /}, {compute: 1 us}, count]}} | '/' is the root group, where tasks without a group are (x.yaml:2)",
                "{t: {cpus: x, phases: [{compute: 1 us}, count]}} | tasks.t.cpus: CPU list 'x'",
            })
    void namesWhatIsWrongWithFileAndLine(String tasks, String message) {
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> WorkloadFiles.parse("x.yaml", "title: x\ntasks: " + tasks + "\n"))
                .withMessageContaining(message)
                .withMessageNotContaining("\n");
    }

    @Test
    void saysWhichFileIsMissing() {
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> WorkloadFiles.read(WorkloadExpression.parse("hog+./nowhere.json")))
                .withMessage("there is no workload file ./nowhere.json");
    }

    @Test
    void allCopiesOfATaskMustComeToItsBarrier() {
        DescribedWorkload workload = WorkloadFiles.parse("x.yaml", """
                title: x
                tasks:
                  a: {copies: 3, phases: [{barrier: b}, {compute: 1 us}, {barrier: b}, count]}
                  c: {phases: [{barrier: b}, {compute: 1 us}]}
                """);
        assertThat(workload.barriers()).containsEntry("b", 4);
    }
}
