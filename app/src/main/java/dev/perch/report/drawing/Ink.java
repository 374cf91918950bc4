package dev.perch.report.drawing;

import java.util.Locale;

/**
 * The colours there are, each with one value for a light ground and one for a dark one.
 *
 * <p>Sources: the colours of tasks and marks are those of Okabe and Ito, "Color Universal Design" (2008), which people with any of the
 * common colour vision deficiencies can tell apart; the steps of heat maps are seven of the nine of "Blues" of ColorBrewer 2.0 (Harrower
 * and Brewer 2003), in which lightness alone tells the order, so that a print in grey keeps it. On a dark ground their order is turned
 * round: more always stands out more.
 */
public enum Ink {
    GROUND("#ffffff", "#15181c"),
    TEXT("#1b1f24", "#e7e9ec"),
    MUTED("#57606a", "#a3abb5"),
    AXIS("#8c959f", "#6e7681"),
    GRID("#e4e7eb", "#2c3138"),
    /** Area behind marks: a tolerance band. */
    BAND("#dfe5ec", "#333b45"),

    /** The main mark. */
    BLUE("#0072b2", "#56b4e9"),
    /** What must be noticed: a failed prediction, a percentile, a wakeup. */
    VERMILLION("#d55e00", "#e69f00"),

    SKY("#56b4e9", "#56b4e9"),
    ORANGE("#e69f00", "#e69f00"),
    GREEN("#009e73", "#009e73"),
    YELLOW("#f0e442", "#f0e442"),
    PURPLE("#cc79a7", "#cc79a7"),
    RED("#d55e00", "#d55e00"),
    /** All that have no colour of their own. */
    GREY("#b4bac1", "#7d858f"),
    /** Text on any of the seven before. */
    ON_COLOUR("#000000", "#000000"),

    HEAT_1("#c6dbef", "#08519c"),
    HEAT_2("#9ecae1", "#2171b5"),
    HEAT_3("#6baed6", "#4292c6"),
    HEAT_4("#4292c6", "#6baed6"),
    HEAT_5("#2171b5", "#9ecae1"),
    HEAT_6("#08519c", "#c6dbef"),
    HEAT_7("#08306b", "#deebf7"),
    ON_HEAT_LOW("#000000", "#ffffff"),
    ON_HEAT_MIDDLE("#000000", "#000000"),
    ON_HEAT_HIGH("#ffffff", "#000000");

    private static final Ink[] HEAT = {HEAT_1, HEAT_2, HEAT_3, HEAT_4, HEAT_5, HEAT_6, HEAT_7};
    private static final Ink[] ON_HEAT = {
        ON_HEAT_LOW, ON_HEAT_LOW, ON_HEAT_MIDDLE, ON_HEAT_MIDDLE, ON_HEAT_HIGH, ON_HEAT_HIGH, ON_HEAT_HIGH
    };
    /** Neighbours differ in lightness, so that two things can be told apart in a print in grey. */
    private static final Ink[] CATEGORIES = {SKY, RED, YELLOW, GREEN, ORANGE, PURPLE};

    /** How many steps a heat map has. */
    public static final int HEAT_STEPS = HEAT.length;

    /** How many things can have a colour of their own; further ones are {@link #GREY}. */
    public static final int CATEGORY_COUNT = CATEGORIES.length;

    private final String light;
    private final String dark;

    Ink(String light, String dark) {
        this.light = light;
        this.dark = dark;
    }

    /** As {@code #rrggbb}, on a light ground. */
    public String light() {
        return light;
    }

    /** As {@code #rrggbb}, on a dark ground. */
    public String dark() {
        return dark;
    }

    /** The name in style sheets, such as {@code heat-1}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A step of a heat map, 0 (least) … {@link #HEAT_STEPS} − 1. */
    public static Ink heat(int step) {
        return HEAT[step];
    }

    /** Text on {@link #heat} of that step. */
    public static Ink onHeat(int step) {
        return ON_HEAT[step];
    }

    /** The colour of the {@code index}th of several things, from 0. */
    public static Ink category(int index) {
        return index < CATEGORY_COUNT ? CATEGORIES[index] : GREY;
    }
}
