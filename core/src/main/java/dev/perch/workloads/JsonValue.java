package dev.perch.workloads;

import java.util.List;

/** A value of a JSON text, with the line at which it begins, from 1. */
sealed interface JsonValue {
    int line();

    /** What this is, in words. */
    default String kind() {
        return switch (this) {
            case Text text -> "the string \"" + text.value() + "\"";
            case Numeral numeral -> "the number " + numeral.digits();
            case Truth truth -> String.valueOf(truth.value());
            case Absent _ -> "nothing";
            case Array _ -> "an array";
            case Members _ -> "an object";
        };
    }

    record Text(String value, int line) implements JsonValue {}

    /** {@code digits} as written. */
    record Numeral(String digits, int line) implements JsonValue {}

    record Truth(boolean value, int line) implements JsonValue {}

    /** {@code null}, or a key behind which nothing stands. */
    record Absent(int line) implements JsonValue {}

    record Array(List<JsonValue> values, int line) implements JsonValue {}

    /** An object: its members in order of the text; a key may come more than once. */
    record Members(List<Member> members, int line) implements JsonValue {}

    /** {@code line} is the key's. */
    record Member(String key, JsonValue value, int line) {}
}
