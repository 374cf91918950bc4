package dev.perch.trace.binary;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How the records of one tracepoint are laid out: the content of its tracefs file {@code format}, which every binary recording carries.
 *
 * @param id number in the field {@code common_type} of its records
 * @param fields common fields first, in the order of the description
 * @param printFormat what follows {@code print fmt:}, empty if nothing does
 */
public record EventFormat(String name, int id, List<EventField> fields, String printFormat) {
    private static final int MAX_OFFSET = 0xffff;
    private static final Pattern FIELD = Pattern.compile(
            "field:\\s*(?<declaration>[^;]*);\\s*offset:\\s*(?<offset>\\d{1,6});\\s*size:\\s*(?<size>\\d{1,6});"
                    + "(?:\\s*signed:\\s*(?<signed>\\d+);)?");
    private static final Pattern NAME = Pattern.compile("(\\w+)\\s*(?:\\[[^]]*])*\\s*$");

    public EventFormat {
        fields = List.copyOf(fields);
    }

    /** Reads a description; null if it has no name or no number. Fields that lie nowhere sensible are left out. */
    public static @Nullable EventFormat parse(String text) {
        String name = "";
        int id = -1;
        String printFormat = "";
        List<EventField> fields = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            String trimmed = line.strip();
            if (trimmed.startsWith("name:")) {
                name = trimmed.substring("name:".length()).strip();
            } else if (trimmed.startsWith("ID:")) {
                id = number(trimmed.substring("ID:".length()).strip());
            } else if (trimmed.startsWith("print fmt:")) {
                printFormat = trimmed.substring("print fmt:".length()).strip();
            } else if (trimmed.startsWith("field:")) {
                EventField field = field(trimmed);
                if (field != null) {
                    fields.add(field);
                }
            }
        }
        return name.isEmpty() || id < 0 || id > MAX_OFFSET ? null : new EventFormat(name, id, fields, printFormat);
    }

    /** The fields of a page header or another description without a name. */
    public static List<EventField> parseFields(String text) {
        List<EventField> fields = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            EventField field = field(line.strip());
            if (field != null) {
                fields.add(field);
            }
        }
        return fields;
    }

    private static @Nullable EventField field(String line) {
        Matcher match = FIELD.matcher(line);
        if (!match.find()) {
            return null;
        }
        String declaration = match.group("declaration").strip();
        Matcher name = NAME.matcher(declaration);
        int offset = number(match.group("offset"));
        int size = number(match.group("size"));
        if (!name.find() || offset < 0 || offset + size > MAX_OFFSET) {
            return null;
        }
        String signed = match.group("signed");
        EventField.Where where = declaration.startsWith("__data_loc")
                ? EventField.Where.DATA_LOC
                : declaration.startsWith("__rel_loc") ? EventField.Where.REL_LOC : EventField.Where.HERE;
        // Kernels before 2.6.32 do not write "signed:".
        boolean isSigned = signed == null ? !declaration.startsWith("unsigned") : !signed.equals("0");
        return new EventField(name.group(1), offset, size, isSigned, where);
    }

    private static int number(String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    /** The field called {@code name}, or null. */
    public @Nullable EventField fieldCalled(String name) {
        for (EventField field : fields) {
            if (field.name().equals(name)) {
                return field;
            }
        }
        return null;
    }
}
