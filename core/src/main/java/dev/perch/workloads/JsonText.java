package dev.perch.workloads;

import dev.perch.model.InputException;
import dev.perch.workloads.JsonValue.Absent;
import dev.perch.workloads.JsonValue.Array;
import dev.perch.workloads.JsonValue.Member;
import dev.perch.workloads.JsonValue.Members;
import dev.perch.workloads.JsonValue.Numeral;
import dev.perch.workloads.JsonValue.Text;
import dev.perch.workloads.JsonValue.Truth;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads JSON as rt-app's tools take it: with comments, commas too many or too few between members and elements, keys that come more than
 * once, keys without a value, truth values in any case.
 */
final class JsonText {
    private static final int MAX_DEPTH = 64;
    private static final char END = '\0';

    private final String file;
    private final String text;
    private int at;
    private int line = 1;

    private JsonText(String file, String text) {
        this.file = file;
        this.text = text;
    }

    /**
     * The object that is the whole of a text.
     *
     * @param file what messages call it
     * @throws InputException with the line, if it is not such a text
     */
    static Members parse(String file, String text) {
        JsonText reader = new JsonText(file, text);
        reader.skip(false);
        if (reader.peek() != '{') {
            throw reader.error("a file of rt-app begins with '{', not " + reader.next());
        }
        Members members = reader.members(0);
        reader.skip(true);
        if (reader.peek() != END) {
            throw reader.error("the file's object has ended, but " + reader.next() + " follows");
        }
        return members;
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : END;
    }

    private boolean isNext(String wanted) {
        return text.startsWith(wanted, at);
    }

    private void step() {
        if (peek() == '\n') {
            line++;
        }
        at++;
    }

    private InputException error(String problem) {
        return new InputException("broken JSON: " + problem + " (" + file + ":" + line + ")");
    }

    /** What comes next, for messages. */
    private String next() {
        if (at >= text.length()) {
            return "the end of the file";
        }
        return peek() < ' ' ? "a control character" : "'" + peek() + "'";
    }

    /** Skips white space and comments, and commas too if {@code commas}. */
    private void skip(boolean commas) {
        while (at < text.length()) {
            if (Character.isWhitespace(peek()) || commas && peek() == ',' || peek() == '\uFEFF' && at == 0) {
                step();
            } else if (isNext("//")) {
                while (at < text.length() && peek() != '\n') {
                    step();
                }
            } else if (isNext("/*")) {
                comment();
            } else {
                return;
            }
        }
    }

    private void comment() {
        InputException unfinished = error("a comment begins here and does not end");
        while (!isNext("*/")) {
            if (at >= text.length()) {
                throw unfinished;
            }
            step();
        }
        at += 2;
    }

    private JsonValue value(int depth) {
        if (depth > MAX_DEPTH) {
            throw error("nested deeper than " + MAX_DEPTH + " levels");
        }
        char first = peek();
        int start = line;
        if (first == '{') {
            return members(depth);
        }
        if (first == '[') {
            return array(depth);
        }
        if (first == '"') {
            return new Text(string(), start);
        }
        if (first == '-' || first >= '0' && first <= '9') {
            return new Numeral(word(), start);
        }
        String word = word();
        return switch (word.toLowerCase(java.util.Locale.ROOT)) {
            case "true" -> new Truth(true, start);
            case "false" -> new Truth(false, start);
            case "null" -> new Absent(start);
            case "" -> throw error("a value is missing before " + next());
            default -> throw error("'" + word + "' is no value; write a string in quotes");
        };
    }

    private String word() {
        int start = at;
        while (at < text.length() && (Character.isLetterOrDigit(peek()) || "+-._".indexOf(peek()) >= 0)) {
            at++;
        }
        return text.substring(start, at);
    }

    private Members members(int depth) {
        int start = line;
        List<Member> members = new ArrayList<>();
        step();
        skip(true);
        while (peek() != '}') {
            if (peek() != '"') {
                throw error(
                        at >= text.length()
                                ? "the object of line " + start + " does not end"
                                : "a key in quotes must stand here, not " + next());
            }
            int keyLine = line;
            String key = string();
            skip(false);
            if (peek() == ':') {
                step();
                skip(false);
                members.add(new Member(key, value(depth + 1), keyLine));
            } else {
                members.add(new Member(key, new Absent(keyLine), keyLine));
            }
            skip(true);
        }
        step();
        return new Members(List.copyOf(members), start);
    }

    private Array array(int depth) {
        int start = line;
        List<JsonValue> values = new ArrayList<>();
        step();
        skip(true);
        while (peek() != ']') {
            if (at >= text.length()) {
                throw error("the array of line " + start + " does not end");
            }
            values.add(value(depth + 1));
            skip(true);
        }
        step();
        return new Array(List.copyOf(values), start);
    }

    private String string() {
        StringBuilder result = new StringBuilder();
        InputException unfinished = error("a string begins here and does not end in its line");
        step();
        while (peek() != '"') {
            if (at >= text.length() || peek() == '\n') {
                throw unfinished;
            }
            if (peek() == '\\') {
                step();
                escape(result);
            } else {
                result.append(peek());
                step();
            }
        }
        step();
        return result.toString();
    }

    private void escape(StringBuilder result) {
        char letter = peek();
        int known = "\"\\/bfnrt".indexOf(letter);
        if (known >= 0) {
            result.append("\"\\/\b\f\n\r\t".charAt(known));
            step();
        } else if (letter == 'u'
                && at + 5 <= text.length()
                && text.substring(at + 1, at + 5).matches("[0-9a-fA-F]{4}")) {
            result.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
            at += 5;
        } else {
            throw error("unknown escape '\\" + letter + "' in a string");
        }
    }
}
