package dev.perch.machines;

import dev.perch.model.HardwareModel;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.yaml.ScalarText;
import dev.perch.yaml.YamlDocument;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a machine as a machine file (docs/machine-file.md), for people to read and to go on with. {@link Machines} reads the same
 * machine again: topology, caches, model, and the origin of every number. Equal machines make equal texts.
 *
 * <p>Which origin a number has, {@link Machine#origins} says under its path in the file, or under the nearest path above it:
 *
 * <table>
 * <caption>Paths of origins</caption>
 * <tr><td>{@code topology}, {@code topology.cores}</td><td>a section, one of its keys</td></tr>
 * <tr><td>{@code caches}, {@code caches.list[0]}, {@code caches.list[0].kib}</td><td>caches, from near to far</td></tr>
 * <tr><td>{@code costs}, {@code costs.enqueue}, {@code costs.enqueue.lines}</td><td>all steps, a step, a part of its cost</td></tr>
 * <tr><td>{@code transfer}, {@code transfer.llc}, {@code transfer.remote}, {@code transfer.remote.21}</td><td>transfers; between nodes
 *     by their distance</td></tr>
 * <tr><td>{@code smt}, {@code smt.busy}</td><td>only where a core has two threads</td></tr>
 * <tr><td>{@code speeds.list}</td><td>speeds that are not what the capacities say</td></tr>
 * <tr><td>{@code idle}, {@code idle.states[0]}, {@code idle.states[0].votes}</td><td>idle states from shallow to deep;
 *     {@code idle.states.0} is understood too, as is {@code caches.list.0}</td></tr>
 * <tr><td>{@code frequencies}, {@code frequencies.turbo}, {@code frequencies.turbo.bins-khz}</td><td>clocks</td></tr>
 * <tr><td>{@code workloads}, {@code workloads.tcp-rr}, {@code workloads.tcp-rr.message}, {@code workloads.tcp-rr.message.core}</td>
 *     <td>workloads, one of them, a cost, a part of it</td></tr>
 * </table>
 *
 * <p>A number of the machine without any origin is refused, as is a machine that {@link Machines} would refuse to read: the text is read
 * once before it is handed out. Limitations: an origin under a path that the machine has no number for is not written, nor are
 * latencies over distances that the machine does not have, nor caches that a file cannot speak of; of these a comment tells.
 */
public final class MachineText {
    private final FileLayout layout = new FileLayout();

    private MachineText() {}

    /**
     * The text of a machine file.
     *
     * @param machine with or without a model
     * @param comments lines for people, put at the top; each gets its {@code #}
     * @return lines, each with its end
     * @throws InputException a number has no origin, or the numbers do not make sense together; one line
     */
    public static String yaml(Machine machine, List<String> comments) {
        MachineText text = new MachineText();
        text.head(machine, comments);
        text.body(machine);
        String yaml = String.join("\n", text.layout.lines()) + "\n";
        readAgain(machine, yaml);
        return yaml;
    }

    private static void readAgain(Machine machine, String yaml) {
        try {
            MachineFile.read(machine.name(), machine.source(), YamlDocument.parse("the file to be", yaml));
        } catch (InputException e) {
            throw new InputException(
                    "machine '" + machine.name()
                            + "' cannot be written as a file, because none that can be read says this: "
                            + e.getMessage(),
                    e);
        }
    }

    private void head(Machine machine, List<String> comments) {
        layout.line("# yaml-language-server: $schema=machine.schema.json");
        layout.line("# docs/machine-file.md says what the keys mean.");
        for (String comment : comments) {
            List.of(comment.split("\\R", -1)).forEach(this::comment);
        }
        layout.line("title: " + ScalarText.sentence(machine.title()));
    }

    private void comment(String text) {
        StringBuilder line = new StringBuilder("# ");
        text.codePoints().map(c -> ScalarText.isPrintable(c) ? c : ' ').forEach(line::appendCodePoint);
        layout.line(line.toString().stripTrailing());
    }

    private void body(Machine machine) {
        OriginPaths origins = new OriginPaths(machine);
        section("topology", TopologyText.section(machine.topology(), origins));
        caches(new CachesText(machine.topology(), machine.caches()), origins);
        HardwareModel model = machine.model();
        if (model != null) {
            model(new ModelText(machine.topology(), model, origins), machine);
        }
    }

    private void caches(CachesText caches, OriginPaths origins) {
        List<String> remarks = new ArrayList<>(caches.leftOut());
        if (!remarks.isEmpty()) {
            remarks.addFirst(
                    "Not said below, because a kind has one size and belongs to whole cores, clusters, LLCs or packages:");
        }
        if (!caches.isEmpty()) {
            section("caches", caches.section(origins), remarks.toArray(String[]::new));
        } else if (!remarks.isEmpty()) {
            layout.line("");
            remarks.forEach(this::comment);
        }
    }

    private void model(ModelText text, Machine machine) {
        section(
                "costs",
                text.costs(),
                "core: ns at nominal-khz. wall: ns whatever the clock. lines: cache lines that another CPU wrote last.");
        section("transfer", text.transfer(), "ns, one way");
        if (machine.topology().hasSmt()) {
            section("smt", text.smt(), "speed of a thread beside a sibling, 1 = alone");
        }
        if (text.saysSpeeds()) {
            section("speeds", text.speeds(), "speed of CPUs beside the fastest, at the nominal clock");
        }
        section("idle", text.idle());
        section("frequencies", text.frequencies());
        if (!machine.requireModel().workloads().isEmpty()) {
            section("workloads", text.workloads());
        }
    }

    private void section(String name, SectionDraft section, String... remarks) {
        layout.line("");
        List.of(remarks).forEach(this::comment);
        layout.field(name, section.fields(null), 0);
    }
}
