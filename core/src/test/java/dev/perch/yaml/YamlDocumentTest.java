package dev.perch.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.CpuMask;
import dev.perch.model.Frequencies;
import dev.perch.model.InputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YamlDocumentTest {
    private static final String TEXT = """
            # a comment
            name: box
            cpus: 4
            share: 0.25
            turbo: true
            version: 3.10
            set: 0-2,8
            domain: package
            costs:
              enqueue: {core: 100, lines: 4}
              empty:
            nodes:
              - 0-1
              - 2-3
            """;

    @TempDir
    private Path folder;

    private static YamlMap text() {
        return YamlDocument.parse("box.yaml", TEXT);
    }

    private static void refuses(String text, String message) {
        assertThatThrownBy(() -> YamlDocument.parse("box.yaml", text))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    @Test
    void readsEachValueAsTheTypeThatIsAskedFor() {
        YamlMap root = text();
        assertThat(root.string("name")).isEqualTo("box");
        assertThat(root.integer("cpus")).isEqualTo(4);
        assertThat(root.decimal("share")).isEqualTo(0.25);
        assertThat(root.decimal("cpus")).isEqualTo(4.0);
        assertThat(root.bool("turbo")).isTrue();
        assertThat(root.cpuMask("set")).isEqualTo(CpuMask.of(0, 1, 2, 8));
        assertThat(root.choice("domain", Frequencies.Domain.class)).isEqualTo(Frequencies.Domain.PACKAGE);
        assertThat(root.map("costs").map("enqueue").integer("lines")).isEqualTo(4);
        assertThat(root.list("nodes").cpuMasks()).containsExactly(CpuMask.range(0, 1), CpuMask.range(2, 3));
    }

    @Test
    void keepsAVersionAsItWasWritten() {
        assertThat(text().string("version")).isEqualTo("3.10");
    }

    @Test
    void knowsWhereAValueStands() {
        YamlNode lines = text().map("costs").map("enqueue").value("lines");
        assertThat(lines.path()).isEqualTo("costs.enqueue.lines");
        assertThat(lines.where()).isEqualTo("box.yaml:10");
        assertThat(text().list("nodes").get(1).path()).isEqualTo("nodes[1]");
        assertThat(text().list("nodes").get(1).line()).isEqualTo(14);
        assertThat(text().map("costs").line()).isEqualTo(9);
    }

    @Test
    void anOptionalKeyMayBeMissingOrEmpty() {
        YamlMap root = text();
        assertThat(root.optionalString("title")).isEmpty();
        assertThat(root.optionalInteger("cpus")).hasValue(4);
        assertThat(root.optionalInteger("packages")).isEmpty();
        assertThat(root.optionalDecimal("share")).hasValue(0.25);
        assertThat(root.optionalMap("smt")).isEmpty();
        assertThat(root.map("costs").optionalMap("empty")).isEmpty();
    }

    @Test
    void refusesAMissingKey() {
        assertThatThrownBy(() -> text().string("title"))
                .isInstanceOf(InputException.class)
                .hasMessage("missing key 'title' (box.yaml:2)");
        assertThatThrownBy(() -> text().map("costs").map("pick"))
                .isInstanceOf(InputException.class)
                .hasMessage("missing key 'pick' in costs (box.yaml:9)");
        assertThatThrownBy(() -> text().map("costs").map("empty"))
                .isInstanceOf(InputException.class)
                .hasMessage("nothing stands behind costs.empty (box.yaml:11)");
    }

    @Test
    void refusesAValueOfAnotherType() {
        assertThatThrownBy(() -> text().integer("name"))
                .hasMessage("name must be a whole number, not 'box' (box.yaml:2)");
        assertThatThrownBy(() -> text().integer("share"))
                .hasMessage("share must be a whole number, not '0.25' (box.yaml:4)");
        assertThatThrownBy(() -> text().integer("cpus", 8, 16))
                .hasMessage("cpus is 4, but must be at least 8 (box.yaml:3)");
        assertThatThrownBy(() -> text().decimal("turbo")).hasMessage("turbo must be a number, not 'true' (box.yaml:5)");
        assertThatThrownBy(() -> text().bool("name")).hasMessage("name must be true or false, not 'box' (box.yaml:2)");
        assertThatThrownBy(() -> text().string("costs"))
                .hasMessage("costs must be a single value, not a map (box.yaml:9)");
        assertThatThrownBy(() -> text().map("cpus"))
                .hasMessage("cpus must be a map of keys and values, not '4' (box.yaml:3)");
        assertThatThrownBy(() -> text().list("cpus"))
                .hasMessage("cpus must be a list, not '4' (box.yaml:3); write [a, b] or one '- item' a line");
        assertThatThrownBy(() -> text().choice("name", Frequencies.Domain.class))
                .hasMessage("name cannot be 'box' (box.yaml:2); known are core, cluster, llc, package");
        assertThatThrownBy(() -> text().cpuMask("name"))
                .hasMessage(
                        "name: CPU list 'box': 'box' is not a CPU number; write numbers and ranges, as in 0-3,8 (box.yaml:2)");
    }

    @Test
    void refusesKeysThatNobodyAskedFor() {
        YamlMap enqueue =
                YamlDocument.parse("box.yaml", "enqueue:\n  corr: 100\n").map("enqueue");
        enqueue.optionalInteger("core");
        enqueue.optionalInteger("wall");
        assertThatThrownBy(enqueue::refuseOthers)
                .isInstanceOf(InputException.class)
                .hasMessage("unknown key 'corr' in enqueue (box.yaml:2); did you mean 'core'?");
        enqueue.optional("corr");
        enqueue.refuseOthers();
    }

    @Test
    void listsTheKnownKeysWhenNoneIsNear() {
        YamlMap root = YamlDocument.parse("box.yaml", "name: x\ncolour: red\n");
        root.string("name");
        root.optionalString("title");
        assertThatThrownBy(root::refuseOthers).hasMessage("unknown key 'colour' (box.yaml:2); known are name, title");
    }

    @Test
    void refusesAKeyThatStandsTwice() {
        refuses("a: 1\nb: 2\na: 3\n", "key 'a' twice (box.yaml:3); it stands in line 1 already");
        refuses("x: {a: 1, a: 2}\n", "key 'a' twice (box.yaml:1); it stands in line 1 already");
    }

    @Test
    void namesThePlaceWhereTheYamlIsBroken() {
        assertThatThrownBy(() -> YamlDocument.parse("box.yaml", "a: 1\nb: [1, 2\nc: 3\n"))
                .isInstanceOf(InputException.class)
                .hasMessageMatching("broken YAML: [^\n]* \\(box.yaml:3, column [0-9]+\\)");
        assertThatThrownBy(() -> YamlDocument.parse("box.yaml", "a:\n  b: 1\n c: 2\n"))
                .isInstanceOf(InputException.class)
                .hasMessageMatching("broken YAML: [^\n]* \\(box.yaml:3, column 2\\)");
        assertThatThrownBy(() -> YamlDocument.parse("box.yaml", "a: 1\nb: \tx\u0007\n"))
                .isInstanceOf(InputException.class)
                .hasMessage("broken YAML: character U+0007 is not allowed (box.yaml:2)");
    }

    @Test
    void refusesWhatTheFormsOfOurFilesDoNotNeed() {
        refuses("", "box.yaml is empty");
        refuses("- a\n", "the document must be a map of keys and values, not a list (box.yaml:1)");
        refuses("a: 1\n---\nb: 2\n", "a second document begins (box.yaml:2); write one a file");
        refuses("a: &x 1\nb: *x\n", "anchors and aliases ('x') are not supported (box.yaml:1); write the value out");
        refuses(
                "a: 1\nb: !!str 2\n",
                "tags ('tag:yaml.org,2002:str') are not supported (box.yaml:2); write the plain value");
        refuses("? [a, b]\n: 1\n", "a key must be a single value (box.yaml:1)");
        refuses("a: " + "[".repeat(5000), "nested deeper than 64 levels (box.yaml:1)");
    }

    @Test
    void readsAFile() throws Exception {
        Path file = Files.writeString(folder.resolve("box.yaml"), TEXT);
        assertThat(YamlDocument.read(file).string("name")).isEqualTo("box");
    }

    @Test
    void refusesAFileThatIsNotThereOrNotText() throws Exception {
        Path missing = folder.resolve("missing.yaml");
        assertThatThrownBy(() -> YamlDocument.read(missing))
                .isInstanceOf(InputException.class)
                .hasMessage("there is no file " + missing);
        Path binary = Files.write(folder.resolve("binary.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        assertThatThrownBy(() -> YamlDocument.read(binary))
                .isInstanceOf(InputException.class)
                .hasMessage(binary + " is not UTF-8 text");
        Path latin = Files.write(folder.resolve("latin.yaml"), "a: \u00fc\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> YamlDocument.read(latin)).hasMessage(latin + " is not UTF-8 text");
        assertThatThrownBy(() -> YamlDocument.read(folder)).isInstanceOf(InputException.class);
    }
}
