package dev.perch.sim;

import dev.perch.kernel.cpuidle.IdleGovernor;
import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The text form of {@link Settings}: the keys and values of {@code --set KEY=VALUE} and of experiment files. */
public final class SettingsText {
    /** The keys, in the order in which they are shown. */
    public static final List<String> KEYS = keys();

    /** So many of them are always shown, the others if they differ from the default. */
    private static final int ALWAYS_SHOWN = 4;

    private static final String STANDARD = "default";

    /** Clock interrupts a second that a kernel of the time can be built with. */
    private static final List<String> HZ = List.of("100", "250", "300", "1000");

    private static final List<String> SWITCH = List.of("on", "off");

    private SettingsText() {}

    private static List<String> keys() {
        List<String> keys = new ArrayList<>(List.of(
                "governor",
                "turbo",
                "nohz",
                "idle",
                "idle_governor",
                "max_cstate",
                "hz",
                "autogroup",
                "housekeeping",
                "noise"));
        for (GovernorTunable tunable : GovernorTunable.values()) {
            keys.add(tunable.key());
        }
        return List.copyOf(keys);
    }

    /**
     * {@code settings} with one of them changed.
     *
     * @param assignment {@code KEY=VALUE}
     * @throws InputException an unknown key or value, with the nearest known one
     */
    public static Settings with(Settings settings, String assignment) {
        int equals = assignment.indexOf('=');
        if (equals < 0) {
            throw new InputException(
                    "setting '" + assignment + "' has no value; write KEY=VALUE, as in governor=performance");
        }
        return with(
                settings,
                assignment.substring(0, equals).strip(),
                assignment.substring(equals + 1).strip());
    }

    /**
     * {@code settings} with {@code key} changed to {@code value}.
     *
     * @throws InputException an unknown key or value, with the nearest known one
     */
    public static Settings with(Settings settings, String key, String value) {
        if (!KEYS.contains(key)) {
            throw new InputException("unknown setting '" + key + "'" + Nearest.hint(key, KEYS));
        }
        Settings.Governor governor = settings.governor();
        boolean turbo = settings.turbo();
        boolean nohz = settings.nohz();
        Settings.IdleRoutine idle = settings.idle();
        Map<GovernorTunable, Integer> tunables = new EnumMap<>(GovernorTunable.class);
        tunables.putAll(settings.tunables());
        Optional<IdleGovernor.Kind> idleGovernor = settings.idleGovernor();
        int maxCstate = settings.maxCstate();
        int hz = settings.hz();
        boolean autogroup = settings.autogroup();
        int housekeeping = settings.housekeepingPerSecond();
        int noise = settings.noisePerMille();
        switch (key) {
            case "governor" ->
                governor = Settings.Governor.values()[choice(key, value, words(Settings.Governor.values()))];
            case "turbo" -> turbo = choice(key, value, SWITCH) == 0;
            case "nohz" -> nohz = choice(key, value, SWITCH) == 0;
            case "idle" ->
                idle = Settings.IdleRoutine.values()[choice(key, value, words(Settings.IdleRoutine.values()))];
            case "idle_governor" -> idleGovernor = idleGovernor(key, value);
            case "max_cstate" -> maxCstate = value.equals("none") ? Integer.MAX_VALUE : number(key, value, 0, 9);
            case "hz" -> hz = Integer.parseInt(HZ.get(choice(key, value, HZ)));
            case "autogroup" -> autogroup = choice(key, value, SWITCH) == 0;
            case "housekeeping" -> housekeeping = number(key, value, 0, 100_000);
            case "noise" -> noise = number(key, value, 0, 200);
            default ->
                GovernorTunable.of(key)
                        .ifPresent(
                                tunable -> tunables.put(tunable, number(key, value, tunable.least(), tunable.most())));
        }
        return new Settings(
                governor, tunables, turbo, nohz, idle, idleGovernor, maxCstate, hz, autogroup, housekeeping, noise);
    }

    private static Optional<IdleGovernor.Kind> idleGovernor(String key, String value) {
        List<String> known = new ArrayList<>(List.of(STANDARD));
        known.addAll(words(IdleGovernor.Kind.values()));
        int index = choice(key, value, known);
        return index == 0 ? Optional.empty() : Optional.of(IdleGovernor.Kind.values()[index - 1]);
    }

    /** Every setting with its value as it would be written, in the order of {@link #KEYS}; tunables of the governor only if given. */
    public static Map<String, String> toMap(Settings settings) {
        Map<String, String> map = new LinkedHashMap<>();
        map.put("governor", word(settings.governor()));
        map.put("turbo", settings.turbo() ? "on" : "off");
        map.put("nohz", settings.nohz() ? "on" : "off");
        map.put("idle", word(settings.idle()));
        map.put("idle_governor", settings.idleGovernor().map(SettingsText::word).orElse(STANDARD));
        map.put(
                "max_cstate",
                settings.maxCstate() == Integer.MAX_VALUE ? "none" : Integer.toString(settings.maxCstate()));
        map.put("hz", Integer.toString(settings.hz()));
        map.put("autogroup", settings.autogroup() ? "on" : "off");
        map.put("housekeeping", Integer.toString(settings.housekeepingPerSecond()));
        map.put("noise", Integer.toString(settings.noisePerMille()));
        settings.tunables().forEach((tunable, value) -> map.put(tunable.key(), Integer.toString(value)));
        return map;
    }

    /** {@code governor=ondemand turbo=on …}: the first four settings, and of the others those that differ from the default. */
    public static String describe(Settings settings) {
        Map<String, String> defaults = toMap(Settings.DEFAULT);
        StringBuilder text = new StringBuilder();
        toMap(settings).forEach((key, value) -> {
            if (KEYS.indexOf(key) < ALWAYS_SHOWN || !value.equals(defaults.get(key))) {
                text.append(text.isEmpty() ? "" : " ").append(key).append('=').append(value);
            }
        });
        return text.toString();
    }

    private static int choice(String key, String value, List<String> known) {
        int index = known.indexOf(value);
        if (index < 0) {
            throw new InputException("setting " + key + " cannot be '" + value + "'" + Nearest.hint(value, known));
        }
        return index;
    }

    private static int number(String key, String value, int low, int high) {
        boolean digits =
                !value.isEmpty() && value.length() <= 7 && value.chars().allMatch(c -> c >= '0' && c <= '9');
        int number = digits ? Integer.parseInt(value) : -1;
        if (number < low || number > high) {
            throw new InputException(
                    "setting " + key + " cannot be '" + value + "'; write a whole number from " + low + " to " + high);
        }
        return number;
    }

    private static List<String> words(Enum<?>[] values) {
        List<String> words = new ArrayList<>();
        for (Enum<?> value : values) {
            words.add(word(value));
        }
        return words;
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
