package dev.perch.machines;

import dev.perch.model.Cache;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.Topology;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.StringTokenizer;
import java.util.TreeMap;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads an hwloc topology file ({@code lstopo machine.xml}), of hwloc 1.x and of 2 and later.
 *
 * <p>Read are the objects PU, Core, Package (Socket), NUMANode and the caches with their {@code cpuset}, and the latency matrix of the
 * NUMA nodes: {@code distances} with a base in version 1, {@code distances2} in version 2. Where an object stands in the tree does not
 * matter. No document type and no external entity is loaded.
 */
final class HwlocXml {
    private static final int MEANS_LATENCY = 4;

    private final Path file;
    private final XMLStreamReader xml;
    private final List<CpuMask> cores = new ArrayList<>();
    private final List<CpuMask> packages = new ArrayList<>();
    private final List<Cache> caches = new ArrayList<>();
    private final List<Integer> cpus = new ArrayList<>();
    private final List<Integer> nodeNumbers = new ArrayList<>();
    private final SortedMap<Integer, CpuMask> nodes = new TreeMap<>();
    private final Matrix matrix = new Matrix();
    private CpuMask online = CpuMask.empty();

    private HwlocXml(Path file, XMLStreamReader xml) {
        this.file = file;
        this.xml = xml;
    }

    /** The latency matrix while it is read. */
    private static final class Matrix {
        private int size;
        private double base = 1;
        /** Node numbers of the columns; empty: the nodes in file order (version 1). */
        private final List<Integer> indexes = new ArrayList<>();

        private final List<Integer> values = new ArrayList<>();
    }

    /**
     * Reads a file.
     *
     * @param name as the user gave it
     * @throws InputException not XML, not of hwloc, or without what a machine needs; one line with the position
     */
    static Machine read(String name, Path file) {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        try (InputStream in = Files.newInputStream(file)) {
            HwlocXml reader = new HwlocXml(file, factory.createXMLStreamReader(in));
            reader.read();
            return reader.machine(name);
        } catch (XMLStreamException e) {
            String what = String.valueOf(e.getMessage())
                    .replaceFirst("(?s)^.*Message: ", "")
                    .replaceAll("\\s+", " ");
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNumber();
            throw new InputException("broken XML: " + what + " (" + file + ":" + line + ")", e);
        } catch (IOException e) {
            throw new InputException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private void read() throws XMLStreamException {
        boolean root = true;
        while (xml.hasNext()) {
            if (xml.next() != XMLStreamConstants.START_ELEMENT) {
                continue;
            }
            String element = xml.getLocalName();
            if (root && !element.equals("topology")) {
                throw error("the root element is <" + element + ">, but hwloc writes <topology>");
            }
            root = false;
            switch (element) {
                case "object" -> object();
                case "distances" -> beginVersion1();
                case "latency" -> addVersion1();
                case "distances2" -> beginVersion2();
                default -> {}
            }
        }
    }

    private void object() {
        String type = attribute("type").orElse("");
        switch (type) {
            case "Machine" ->
                online = attribute("online_cpuset").map(this::cpuset).orElse(CpuMask.empty());
            case "PU" -> cpus.add(osIndex());
            case "Core" -> cores.add(cpuset());
            case "Package", "Socket" -> packages.add(cpuset());
            case "NUMANode" -> {
                nodeNumbers.add(osIndex());
                nodes.put(osIndex(), cpuset());
            }
            default -> {
                if (type.equals("Cache") || type.matches("L[1-9]i?Cache")) {
                    cache();
                }
            }
        }
    }

    private void cache() {
        int level = number("depth", required("depth"));
        String type = switch (attribute("cache_type").orElse("0")) {
            case "1" -> "data";
            case "2" -> "instruction";
            default -> "unified";
        };
        long kib = attribute("cache_size")
                .map(size -> longNumber("cache_size", size) / 1024)
                .orElse(0L);
        caches.add(new Cache(level, type, (int) Math.min(Integer.MAX_VALUE, kib), cpuset()));
    }

    private void beginVersion1() {
        int size = number("nbobjs", required("nbobjs"));
        if (matrix.values.isEmpty()) {
            matrix.size = size;
            matrix.base = decimal(required("latency_base"));
        }
    }

    private void addVersion1() {
        matrix.values.add((int) Math.round(decimal(required("value")) * matrix.base));
    }

    private void beginVersion2() throws XMLStreamException {
        boolean nodesMeant = attribute("type").orElse("").equals("NUMANode");
        int kind = number("kind", attribute("kind").orElse("0"));
        if (!nodesMeant || (kind & MEANS_LATENCY) == 0 || !matrix.values.isEmpty()) {
            return;
        }
        matrix.size = number("nbobjs", required("nbobjs"));
        while (xml.hasNext()) {
            int event = xml.next();
            if (event == XMLStreamConstants.END_ELEMENT && xml.getLocalName().equals("distances2")) {
                return;
            }
            if (event == XMLStreamConstants.START_ELEMENT) {
                switch (xml.getLocalName()) {
                    case "indexes" -> addWords(matrix.indexes);
                    case "u64values" -> addWords(matrix.values);
                    default -> {}
                }
            }
        }
    }

    private void addWords(List<Integer> numbers) throws XMLStreamException {
        StringTokenizer words = new StringTokenizer(xml.getElementText());
        while (words.hasMoreTokens()) {
            numbers.add(number("distances2", words.nextToken()));
        }
    }

    private Machine machine(String name) {
        SortedMap<Integer, DiscoveredMachine.CpuFacts> facts = new TreeMap<>();
        for (int cpu : cpus) {
            if (online.isEmpty() || online.contains(cpu)) {
                List<Cache> seen = caches.stream()
                        .filter(cache -> cache.shared().contains(cpu))
                        .toList();
                facts.put(
                        cpu,
                        new DiscoveredMachine.CpuFacts(
                                holder(cores, cpu),
                                CpuMask.empty(),
                                holder(packages, cpu),
                                seen,
                                Topology.FULL_CAPACITY));
            }
        }
        SortedMap<Integer, DiscoveredMachine.NodeFacts> nodeFacts = new TreeMap<>();
        for (Map.Entry<Integer, CpuMask> node : nodes.entrySet()) {
            nodeFacts.put(
                    node.getKey(), new DiscoveredMachine.NodeFacts(node.getValue(), distancesFrom(node.getKey())));
        }
        return DiscoveredMachine.make(name, file.toString(), facts, nodeFacts);
    }

    private static CpuMask holder(List<CpuMask> sets, int cpu) {
        return sets.stream().filter(set -> set.contains(cpu)).findFirst().orElse(CpuMask.empty());
    }

    /** To the nodes in number order; empty if the file has no matrix over exactly the nodes. */
    private List<Integer> distancesFrom(int node) {
        List<Integer> columns = matrix.indexes.isEmpty() ? nodeNumbers : matrix.indexes;
        int size = nodes.size();
        if (matrix.size != size
                || columns.size() != size
                || matrix.values.size() != size * size
                || !columns.containsAll(nodes.keySet())) {
            return List.of();
        }
        int row = columns.indexOf(node);
        return nodes.keySet().stream()
                .map(to -> matrix.values.get(row * size + columns.indexOf(to)))
                .toList();
    }

    private CpuMask cpuset() {
        return cpuset(required("cpuset"));
    }

    /** hwloc's form: words of 32 bits, the highest first, in hexadecimal, separated by commas; an empty word is 0. */
    private CpuMask cpuset(String text) {
        String[] words = text.split(",", -1);
        if (words.length * 32 > CpuMask.MAX_CPUS) {
            throw error("cpuset of " + words.length * 32 + " CPUs, but at most " + CpuMask.MAX_CPUS + " are supported");
        }
        List<Integer> members = new ArrayList<>();
        for (int i = words.length - 1; i >= 0; i--) {
            String digits = words[i].replaceFirst("^0x", "");
            if (!digits.matches("[0-9a-fA-F]{0,8}")) {
                throw error("cpuset '" + text + "' is not a list of hexadecimal words");
            }
            long bits = digits.isEmpty() ? 0 : Long.parseLong(digits, 16);
            for (int bit = 0; bit < 32; bit++) {
                if ((bits >>> bit & 1) != 0) {
                    members.add((words.length - 1 - i) * 32 + bit);
                }
            }
        }
        return CpuMask.of(members.stream().mapToInt(Integer::intValue).toArray());
    }

    private int osIndex() {
        int index = number("os_index", required("os_index"));
        if (index >= CpuMask.MAX_CPUS) {
            throw error("os_index " + index + ", but at most " + CpuMask.MAX_CPUS + " CPUs are supported");
        }
        return index;
    }

    private Optional<String> attribute(String name) {
        return Optional.ofNullable(xml.getAttributeValue(null, name));
    }

    private String required(String name) {
        return attribute(name).orElseThrow(() -> error("<" + xml.getLocalName() + "> lacks the attribute " + name));
    }

    private int number(String what, String text) {
        return (int) Math.min(Integer.MAX_VALUE, longNumber(what, text));
    }

    private long longNumber(String what, String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw error(what + " '" + text + "' is not a number");
        }
        return Long.parseLong(text);
    }

    private double decimal(String text) {
        if (!text.matches("[0-9]{1,9}(\\.[0-9]{1,15})?")) {
            throw error("'" + text + "' is not a latency");
        }
        return Double.parseDouble(text);
    }

    private InputException error(String problem) {
        return new InputException(
                problem + " (" + file + ":" + xml.getLocation().getLineNumber() + ")");
    }
}
