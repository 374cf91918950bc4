package dev.perch.audit;

import java.util.Arrays;

/**
 * Numbers pairs of a waker and a wakee from 0, in the order in which they appear, so that what is known of each can lie in arrays: an
 * open-addressed table. Allocates only to grow.
 */
public final class PairIndex {
    private static final int INITIAL = 256;
    private static final int SLOTS_PER_PAIR = 4;

    private final int limit;
    private int[] table = new int[SLOTS_PER_PAIR * INITIAL];
    private int size;
    private int[] waker = new int[INITIAL];
    private int[] wakee = new int[INITIAL];

    /** @param limit most pairs that are numbered */
    public PairIndex(int limit) {
        this.limit = limit;
    }

    /** How many pairs there are. */
    public int size() {
        return size;
    }

    /** How many pairs there may be before the table grows: arrays beside it need this length. */
    public int capacity() {
        return waker.length;
    }

    public int waker(int pair) {
        return waker[pair];
    }

    public int wakee(int pair) {
        return wakee[pair];
    }

    /** The number of a pair, a new one if it was not seen before; −1 if there are too many. May change {@link #capacity}. */
    public int of(int from, int to) {
        int mask = table.length - 1;
        int index = hash(from, to) & mask;
        while (table[index] != 0) {
            int pair = table[index] - 1;
            if (waker[pair] == from && wakee[pair] == to) {
                return pair;
            }
            index = index + 1 & mask;
        }
        if (size == limit) {
            return -1;
        }
        if (size == waker.length) {
            grow();
            return of(from, to);
        }
        int pair = size++;
        waker[pair] = from;
        wakee[pair] = to;
        table[index] = pair + 1;
        return pair;
    }

    private static int hash(int from, int to) {
        int hash = from * 0x9E3779B9 + to * 0x85EBCA6B;
        return hash ^ hash >>> 15;
    }

    private void grow() {
        int capacity = 2 * size;
        waker = Arrays.copyOf(waker, capacity);
        wakee = Arrays.copyOf(wakee, capacity);
        table = new int[SLOTS_PER_PAIR * capacity];
        int mask = table.length - 1;
        for (int pair = 0; pair < size; pair++) {
            int index = hash(waker[pair], wakee[pair]) & mask;
            while (table[index] != 0) {
                index = index + 1 & mask;
            }
            table[index] = pair + 1;
        }
    }
}
