package dev.perch.trace;

import java.nio.charset.StandardCharsets;

/**
 * A place in a line of bytes, and the small steps of reading one: literals, numbers, blanks. Nothing is allocated.
 *
 * <p>The byte at {@code end} must exist and be no digit (a line's newline), so that numbers need no second check.
 */
class TextCursor {
    private static final long MAX_TENTH = Long.MAX_VALUE / 10 - 1;

    byte[] bytes = {'\n'};
    /** Where reading goes on. */
    int pos;
    /** After the last byte of the line. */
    int end;
    /** What {@link #number}, {@link #signed} and {@link #hex} read. */
    long value;
    /** How many digits it had. */
    int digits;

    static byte[] literal(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Stands before {@code from} of a line that ends before {@code to}. */
    void set(byte[] line, int from, int to) {
        bytes = line;
        pos = from;
        end = to;
    }

    boolean atEnd() {
        return pos >= end;
    }

    /** Passes {@code expected} if it comes next. */
    boolean skip(byte[] expected) {
        int length = expected.length;
        if (!matches(pos, expected)) {
            return false;
        }
        pos += length;
        return true;
    }

    /** Passes one byte if it is {@code expected}. */
    boolean skip(char expected) {
        if (pos < end && bytes[pos] == expected) {
            pos++;
            return true;
        }
        return false;
    }

    boolean matches(int at, byte[] expected) {
        int length = expected.length;
        if (end - at < length) {
            return false;
        }
        byte[] line = bytes;
        for (int i = 0; i < length; i++) {
            if (line[at + i] != expected[i]) {
                return false;
            }
        }
        return true;
    }

    void skipBlanks() {
        byte[] line = bytes;
        int at = pos;
        int stop = end;
        while (at < stop && line[at] == ' ') {
            at++;
        }
        pos = at;
    }

    /** Where {@code wanted} begins, from {@code from} on and at {@code last} at the latest; −1 if nowhere. */
    int find(byte[] wanted, int from, int last) {
        byte[] line = bytes;
        byte first = wanted[0];
        int stop = Math.min(last, end - wanted.length);
        for (int at = from; at <= stop; at++) {
            if (line[at] == first && matches(at, wanted)) {
                return at;
            }
        }
        return -1;
    }

    /** Where {@code wanted} begins last, at {@code from} or later; −1 if nowhere. */
    int findLast(byte[] wanted, int from) {
        for (int at = end - wanted.length; at >= from; at--) {
            if (bytes[at] == wanted[0] && matches(at, wanted)) {
                return at;
            }
        }
        return -1;
    }

    /** Reads a number without a sign into {@link #value}; false, and nothing is passed, if there is none or it exceeds 63 bits. */
    boolean number() {
        byte[] line = bytes;
        int start = pos;
        int at = start;
        long sum = 0;
        int digit = line[at] - '0';
        while (digit >= 0 && digit <= 9 && at < end) {
            if (sum > MAX_TENTH) {
                return false;
            }
            sum = sum * 10 + digit;
            digit = line[++at] - '0';
        }
        digits = at - start;
        value = sum;
        pos = at;
        return digits > 0;
    }

    /** Reads a number that may have a minus. */
    boolean signed() {
        int start = pos;
        if (bytes[pos] != '-') {
            return number();
        }
        pos++;
        if (number()) {
            value = -value;
            return true;
        }
        pos = start;
        return false;
    }

    /** Reads a hexadecimal number of at most 16 digits, without 0x. */
    boolean hex() {
        long sum = 0;
        int start = pos;
        while (pos < end) {
            int digit = Character.digit(bytes[pos], 16);
            if (digit < 0) {
                break;
            }
            sum = sum << 4 | digit;
            pos++;
        }
        digits = pos - start;
        value = sum;
        if (digits < 1 || digits > 16) {
            pos = start;
            return false;
        }
        return true;
    }
}
