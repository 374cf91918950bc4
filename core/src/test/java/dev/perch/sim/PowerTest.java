package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.sun.management.ThreadMXBean;
import dev.perch.kernel.Kernel;
import dev.perch.kernel.RuleKind;
import dev.perch.model.Cost;
import dev.perch.model.CostItem;
import dev.perch.model.Frequencies;
import dev.perch.model.HardwareModel;
import dev.perch.model.IdleState;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clocks and idle states of whole runs: what the rules of scheduler.md 6 and 7 must come to on a machine. */
class PowerTest {
    private static final int LOWEST = 1_596_000;
    private static final int HIGHEST = 2_394_000;

    /** No noise, no turbo, dynamic ticks. */
    private static final Settings CALM = set(Settings.DEFAULT, "turbo=off", "housekeeping=0", "noise=0");

    private static Settings set(Settings settings, String... assignments) {
        Settings changed = settings;
        for (String assignment : assignments) {
            changed = SettingsText.with(changed, assignment);
        }
        return changed;
    }

    private static SimulationSpec spec(String workload, Settings settings) {
        return Specs.spec("e5620", "v3.4,NO_TTWU_QUEUE", workload, settings, "");
    }

    /** The same run under a kernel with other rules of some kinds, {@code kind=id}. */
    private static SimulationSpec under(SimulationSpec spec, String... rules) {
        Kernel kernel = spec.kernel();
        var changed = kernel.rules();
        for (String rule : rules) {
            String[] parts = rule.split("=", 2);
            RuleKind kind = Arrays.stream(RuleKind.values())
                    .filter(k -> k.toString().equals(parts[0]))
                    .findFirst()
                    .orElseThrow();
            changed = changed.with(kind, parts[1]);
        }
        Kernel other = new Kernel(
                kernel.expression(),
                kernel.name(),
                kernel.version(),
                kernel.patches(),
                changed,
                kernel.features(),
                kernel.tunables(),
                kernel.notes());
        return new SimulationSpec(
                spec.machine(),
                other,
                spec.workload(),
                spec.settings(),
                spec.cpuset(),
                spec.taskset(),
                spec.randomSeed(),
                spec.warmupNs(),
                spec.durationNs());
    }

    private static SimulationSpec on(Machine machine, SimulationSpec spec) {
        return new SimulationSpec(
                machine,
                spec.kernel(),
                spec.workload(),
                spec.settings(),
                spec.cpuset(),
                spec.taskset(),
                spec.randomSeed(),
                spec.warmupNs(),
                spec.durationNs());
    }

    private static double value(SimulationSpec spec) {
        return Simulation.run(spec).instances().getFirst().value();
    }

    /** The requests of CPU 2, in order. */
    private static List<Integer> requests(SimulationSpec spec) {
        List<Integer> requests = new ArrayList<>();
        SchedEvents listener = new SchedEvents() {
            @Override
            public void frequency(long ns, int cpu, int khz) {
                if (cpu == 2) {
                    requests.add(khz);
                }
            }
        };
        Simulation.run(spec, listener, new TaskNames());
        return requests;
    }

    /** How often each idle state was entered. */
    private static long[] idleStates(SimulationSpec spec) {
        long[] entered = new long[10];
        SchedEvents listener = new SchedEvents() {
            @Override
            public void idle(long ns, int cpu, int state) {
                if (state >= 0) {
                    entered[state]++;
                }
            }
        };
        Simulation.run(spec, listener, new TaskNames());
        return entered;
    }

    @Test
    void performancePowersaveAndUserspaceGiveAHogTheirClock() {
        double full = value(spec("hog:pin=2", set(CALM, "governor=performance")));
        double low = value(spec("hog:pin=2", set(CALM, "governor=powersave")));
        double middle = value(spec("hog:pin=2", set(CALM, "governor=userspace", "scaling_setspeed=1900000")));

        assertThat(low / full).isCloseTo(1596.0 / 2394, withinPercentage(1));
        assertThat(middle / full).isCloseTo(1995.0 / 2394, withinPercentage(1));
    }

    @ParameterizedTest
    @CsvSource({"3.2", "3.2-sle", "3.13", "4.9"})
    void everyOndemandTakesAHogToTheHighestClockAtOnce(String form) {
        assertThat(requests(under(spec("hog:pin=2", CALM), "ondemand=" + form))).containsExactly(HIGHEST);
    }

    @Test
    void withAccountingInTicksOndemandSeesAHogToo() {
        assertThat(requests(spec("hog:pin=2", set(CALM, "nohz=off")))).containsExactly(HIGHEST);
    }

    @Test
    void aPairThatAlternatesOnTwoCpusRampsWithTheThresholdOfSuseOnly() {
        SimulationSpec pair = spec("tcp-rr:pin=2/3", CALM);

        assertThat(requests(under(pair, "ondemand=3.2"))).doesNotContain(HIGHEST);
        assertThat(requests(under(pair, "ondemand=3.2-sle"))).last().isEqualTo(HIGHEST);
        assertThat(requests(spec("tcp-rr:pin=2/3", set(CALM, "up_threshold=40"))))
                .last()
                .isEqualTo(HIGHEST);
    }

    @Test
    void aPowersaveBiasAlternatesBetweenTwoClocks() {
        List<Integer> requests =
                requests(Specs.lasting(spec("hog:pin=2", set(CALM, "powersave_bias=100")), 200_000_000));
        assertThat(requests).contains(2_128_000, 2_261_000).doesNotContain(HIGHEST);
    }

    @ParameterizedTest
    @CsvSource({"3.4", "6.12"})
    void conservativeTakesAHogUpStepByStep(String form) {
        SimulationSpec spec = under(spec("hog:pin=2", set(CALM, "governor=conservative")), "conservative=" + form);
        List<Integer> requests = requests(Specs.lasting(spec, 1_500_000_000));

        assertThat(requests).isSorted().last().isEqualTo(HIGHEST);
        assertThat(requests).startsWith(1_729_000, 1_862_000);
    }

    @ParameterizedTest
    @CsvSource({"5.16", "6.12"})
    void schedutilFollowsAHogUpAsItsUtilisationGrows(String form) {
        Settings schedutil = set(CALM, "governor=schedutil", "rate_limit_us=1000");
        SimulationSpec hog = under(spec("hog:pin=2", schedutil), "schedutil=" + form);
        List<Integer> requests = requests(Specs.lasting(hog, 300_000_000));

        assertThat(requests).isSorted().last().isEqualTo(HIGHEST);
        assertThat(requests).hasSizeGreaterThan(1);
    }

    @Test
    void schedutilGivesTasksThatShareACpuAllThereIsAndALightOneLess() {
        Settings schedutil = set(CALM, "governor=schedutil", "rate_limit_us=1000");
        SimulationSpec same = under(spec("tcp-rr:pin=2/2", schedutil), "schedutil=5.16");
        assertThat(requests(Specs.lasting(same, 500_000_000))).last().isEqualTo(HIGHEST);

        // the lowest clock carries a utilisation of 0.8 x 1596/2394, and two ends of a pair use about half of their
        // CPUs each
        SimulationSpec apart = under(spec("tcp-rr:pin=2/3", schedutil), "schedutil=5.16");
        assertThat(requests(Specs.lasting(apart, 500_000_000))).doesNotContain(HIGHEST);
    }

    @Test
    void cpusOfASharedPolicyAskTogether() {
        Machine shared = withClocks(Frequencies.Domain.LLC, Frequencies.Policy.DOMAIN);
        List<Integer> requests = requests(on(shared, spec("hog:pin=5", CALM)));
        assertThat(requests).containsExactly(HIGHEST);

        Machine own = withClocks(Frequencies.Domain.CORE, Frequencies.Policy.CPU);
        assertThat(requests(on(own, spec("hog:pin=5", CALM)))).isEmpty();
    }

    @Test
    void threadsOfACoreRunAtTheHigherOfTheirRequestsAndOtherCoresDoNot() {
        Machine cores = withClocks(Frequencies.Domain.CORE, Frequencies.Policy.CPU);
        Settings settings = set(CALM, "max_cstate=1");
        SimulationSpec hog = on(cores, spec("hog:pin=2", settings));
        Run run = new Run(hog, Simulation.NO_LISTENER);
        run.begin();
        run.advance(100_000_000);

        assertThat(run.clocks.requestKhz(6)).isEqualTo(LOWEST);
        assertThat(run.clocks.effectiveKhz(6)).isEqualTo(HIGHEST);
        assertThat(run.clocks.effectiveKhz(3)).isEqualTo(LOWEST);
    }

    @Test
    void withoutDynamicTicksTheMenuOf34PollsAndWithoutADriverTheCpuSleepsInC1() {
        long[] driver = idleStates(spec("tcp-rr:pin=2/3", set(CALM, "nohz=off")));
        assertThat(driver[0]).isPositive();
        assertThat(driver[1] + driver[2] + driver[3]).isZero();

        long[] none = idleStates(spec("tcp-rr:pin=2/3", set(CALM, "nohz=off", "max_cstate=0")));
        assertThat(none[0]).isZero();
        assertThat(none[1]).isPositive();
        assertThat(none[2] + none[3]).isZero();
    }

    @Test
    void idleCpusSleepAsDeepAsTheyMay() {
        Settings quietBox = set(CALM, "housekeeping=200");
        assertThat(idleStates(spec("hog:pin=2", quietBox))[3]).isPositive();

        long[] limited = idleStates(spec("hog:pin=2", set(quietBox, "max_cstate=1")));
        assertThat(limited[1]).isPositive();
        assertThat(limited[2] + limited[3]).isZero();

        long[] polling = idleStates(spec("hog:pin=2", set(quietBox, "idle=poll")));
        assertThat(polling[0]).isPositive();
        assertThat(polling[1] + polling[2] + polling[3]).isZero();
    }

    @ParameterizedTest
    @CsvSource({"3.4, menu", "5.16, menu", "6.12, menu", "6.12, teo"})
    void deepStatesThatSeemToPaySlowAPingPongAndMaxCstateHelps(String form, String governor) {
        // a table that promises too much: a state for pauses of 2 us that takes 40 us to leave
        HardwareModel model = machine().requireModel();
        Machine hasty = with(
                model.frequencies(),
                List.of(new IdleState("C1", 1, 1, 750, true), new IdleState("C2", 2, 2, 40_000, true)));
        Settings settings = set(CALM, "governor=performance", "idle_governor=" + governor);
        String tick = form.equals("3.4") ? "every-entry" : "governor";
        SimulationSpec deep =
                on(hasty, under(spec("tcp-rr:pin=2/3", settings), "idle-governor=" + form, "tick-stop=" + tick));
        SimulationSpec shallow = on(
                hasty,
                under(
                        spec("tcp-rr:pin=2/3", set(settings, "max_cstate=1")),
                        "idle-governor=" + form,
                        "tick-stop=" + tick));

        assertThat(value(deep)).isLessThan(1e6 / (2 * 40));
        assertThat(value(shallow)).isGreaterThan(1e6 / (2 * 10));
    }

    @Test
    void aTickThatIsKeptNeedNotBeRestarted() {
        Settings settings = set(CALM, "governor=performance", "max_cstate=1");
        double every = value(under(spec("tcp-rr:pin=2/3", settings), "tick-stop=every-entry"));
        double throttled = value(under(spec("tcp-rr:pin=2/3", settings), "tick-stop=throttled"));
        double never = value(spec("tcp-rr:pin=2/3", set(settings, "nohz=off", "max_cstate=0")));
        double asked = value(under(spec("tcp-rr:pin=2/3", settings), "tick-stop=governor", "idle-governor=5.16"));
        int restart = machine().requireModel().cost(CostItem.TICK_RESTART).coreNs();

        // two hops a transaction
        assertThat(1e9 / every - 1e9 / throttled).isCloseTo(2 * restart, withinPercentage(5));
        assertThat(throttled).isCloseTo(never, withinPercentage(0.5));
        assertThat(asked).isGreaterThan(every);
    }

    @ParameterizedTest
    @CsvSource({"schedutil, menu, 6.12", "conservative, teo, 6.12", "ondemand, menu, 5.16", "ondemand, ladder, 3.4"})
    void noGovernorAllocatesAnythingOnceARunIsUnderWay(String governor, String idleGovernor, String form) {
        Settings settings = set(Settings.DEFAULT, "governor=" + governor, "idle_governor=" + idleGovernor);
        SimulationSpec spec = under(
                spec("tcp-rr*3+hog", settings),
                "schedutil=6.12",
                "ondemand=4.9",
                "conservative=6.12",
                "idle-governor=" + form,
                "tick-stop=" + (form.startsWith("3") ? "every-entry" : "governor"));
        Run run = new Run(spec, Simulation.NO_LISTENER);
        run.begin();
        run.advance(300_000_000);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        run.advance(800_000_000);

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000);
    }

    @Test
    void tunablesOfAnotherGovernorAndGovernorsOfOtherKernelsAreRefused() {
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> value(spec("hog", set(CALM, "governor=performance", "freq_step=10"))))
                .withMessage("setting freq_step has no meaning with governor=performance; it belongs to "
                        + "governor=conservative");
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> value(spec("hog", set(CALM, "governor=schedutil"))))
                .withMessageContaining("has no schedutil governor, 4.7 was the first");
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() ->
                        value(spec("hog", set(CALM, "governor=conservative", "up_threshold=30", "down_threshold=40"))))
                .withMessageContaining("down_threshold=40 is not below up_threshold=30");
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> value(spec("hog", set(CALM, "idle_governor=teo"))))
                .withMessageContaining("idle_governor=teo is modelled as of 6.12 only");
    }

    private static Machine machine() {
        return spec("hog", CALM).machine();
    }

    private static Machine withClocks(Frequencies.Domain domain, Frequencies.Policy policy) {
        HardwareModel model = machine().requireModel();
        Frequencies own = model.frequencies();
        return with(
                new Frequencies(
                        own.nominalKhz(),
                        own.pStatesKhz(),
                        own.turboEntryKhz(),
                        own.turboBinsKhz(),
                        own.transitionLatencyUs(),
                        domain,
                        policy),
                model.idleStates());
    }

    private static Machine with(Frequencies frequencies, List<IdleState> idleStates) {
        Machine machine = machine();
        HardwareModel model = machine.requireModel();
        Cost[] costs = Arrays.stream(CostItem.all()).map(model::cost).toArray(Cost[]::new);
        return machine.with(
                new HardwareModel(costs, model.transfer(), model.smt(), idleStates, frequencies, model.workloads()));
    }
}
