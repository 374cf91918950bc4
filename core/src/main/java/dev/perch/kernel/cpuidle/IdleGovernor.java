package dev.perch.kernel.cpuidle;

import dev.perch.model.InputException;

/** What chooses the idle state of one CPU ({@code struct cpuidle_governor}). Allocates nothing after construction. */
public sealed interface IdleGovernor permits DefaultIdle, EarlyMenu, Menu, Teo, Ladder {
    /** The governors that there are; which one runs is a choice of the build or of the boot. */
    enum Kind {
        MENU,
        TEO,
        LADDER
    }

    /**
     * Chooses a state for a CPU that goes idle, and says in {@code entry} what is to become of its tick.
     *
     * @return index in the {@link IdleStates}
     */
    int select(IdleEntry entry);

    /**
     * The state chosen last was entered and has been left.
     *
     * @param now the present time, ns
     * @param residencyNs time in the state, the way out included
     * @param wokenByTick the tick ended it
     * @param pollLimit it was the polling state, and its time was up
     */
    void reflect(long now, long residencyNs, boolean wokenByTick, boolean pollLimit);

    /**
     * The governor of a kernel.
     *
     * @param form the rules that a kernel file names under {@code idle-governor}: {@code 3.2}, {@code 3.4}, {@code 5.16}, {@code 6.12}
     * @param kind which of the kernel's governors
     * @param states what it chooses from
     * @param tickNs a tick period, ns
     * @throws InputException if the kernel does not have it
     */
    static IdleGovernor named(String form, Kind kind, IdleStates states, long tickNs) {
        return switch (kind) {
            case LADDER -> new Ladder(states);
            case MENU ->
                switch (form) {
                    case "3.2" -> new EarlyMenu(states, false);
                    case "3.4" -> new EarlyMenu(states, true);
                    case "5.16" -> new Menu(Menu.Form.V5_16, states, tickNs);
                    case "6.12" -> new Menu(Menu.Form.V6_12, states, tickNs);
                    default ->
                        throw new InputException(
                                "there are no idle-governor rules '" + form + "'; known are 3.2, 3.4, 5.16, 6.12");
                };
            case TEO -> {
                if (!form.equals("6.12")) {
                    throw new InputException(
                            "idle_governor=teo is modelled as of 6.12 only, and this kernel has the idle governors of "
                                    + form + "; choose menu or ladder, or kernel v6.12");
                }
                yield new Teo(states, tickNs);
            }
        };
    }

    /**
     * The governor that runs unless another is chosen: menu, but from 6.12 on ladder without dynamic ticks, where it is rated higher.
     *
     * @param form as in {@link #named}
     */
    static Kind standard(String form, boolean dynamicTicks) {
        return form.equals("6.12") && !dynamicTicks ? Kind.LADDER : Kind.MENU;
    }
}
