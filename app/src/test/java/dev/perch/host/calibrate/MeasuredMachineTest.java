package dev.perch.host.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.host.calibrate.HostReadings.IdleReading;
import dev.perch.host.calibrate.HostReadings.Pair;
import dev.perch.host.probe.IdleStateFacts;
import dev.perch.host.probe.Reading;
import dev.perch.machines.MachineText;
import dev.perch.machines.Machines;
import dev.perch.model.Cost;
import dev.perch.model.CostItem;
import dev.perch.model.Distance;
import dev.perch.model.HardwareModel;
import dev.perch.model.IdleState;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeasuredMachineTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));
    private static final Machine E5620 = Machines.find("e5620", HOME);
    private static final Machine Q6600 = Machines.find("q6600", HOME);

    private final Map<Probe, Reading> here = new EnumMap<>(Probe.class);
    private final Map<Probe, Reading> across = new EnumMap<>(Probe.class);

    @Test
    void whatProbesShowStandsInTheFileWithItsSpread() {
        here.put(Probe.SWITCH_PROCESS, new Reading(1234, 1200, 1300, 30));
        here.put(Probe.TICK, reading(2345));
        across.put(Probe.MIGRATION_REFILL, reading(876));
        Machine machine = MeasuredMachine.of(readings(Q6600, List.of(pair(3, 2, Distance.LLC))), E5620);
        HardwareModel model = machine.requireModel();
        assertThat(model.cost(CostItem.SWITCH_PROCESS)).isEqualTo(Cost.core(1234));
        assertThat(model.cost(CostItem.TICK)).isEqualTo(Cost.core(2345));
        assertThat(model.cost(CostItem.MIGRATION_REFILL).wallNs()).isEqualTo(876);
        assertThat(machine.origins())
                .hasEntrySatisfying(
                        "costs.switch-process",
                        origin -> assertThat(origin.toString())
                                .startsWith("measured: ")
                                .endsWith("median 1234, quartiles 1200 to 1300"));
    }

    @Test
    void anInterruptIsWhatIsLeftOfItsRoundTrip() {
        // the kernel's work takes as long as on the e5620, whose handler takes what its file says
        here.put(Probe.PIPE_WRITE, reading(call("pipe-write")));
        here.put(Probe.PIPE_READ, reading(call("pipe-read")));
        here.put(Probe.FUTEX_WAKE, reading(200));
        int probe = E5620.requireModel().cost(CostItem.PROBE).coreNs();
        int lock = E5620.requireModel().cost(CostItem.RUNQUEUE_LOCK).coreNs();
        int handler = E5620.requireModel().cost(CostItem.IPI_HANDLER).coreNs();
        across.put(Probe.WAKE_CALL, reading(200 + 2 * probe + lock + 333));
        across.put(Probe.INTERRUPT, reading(333 + 777 + handler));
        HardwareModel model = MeasuredMachine.of(readings(Q6600, List.of(pair(3, 2, Distance.LLC))), E5620)
                .requireModel();
        assertThat(model.cost(CostItem.IPI_SEND)).isEqualTo(Cost.core(333));
        assertThat(model.cost(CostItem.IPI_DELIVERY).wallNs()).isEqualTo(777);
    }

    @Test
    void anInterruptThatTakesLongerThanAWakeupSaysNothingOfWakeups() {
        across.put(Probe.INTERRUPT, reading(52_000));
        across.put(Probe.WAKE_LATENCY, reading(9_000));
        Machine machine = MeasuredMachine.of(readings(Q6600, List.of(pair(3, 2, Distance.LLC))), E5620);
        assertThat(machine.requireModel().cost(CostItem.IPI_DELIVERY))
                .isEqualTo(E5620.requireModel().cost(CostItem.IPI_DELIVERY));
        assertThat(machine.origins())
                .hasEntrySatisfying(
                        "costs.ipi-delivery",
                        origin -> assertThat(origin.toString())
                                .isEqualTo(
                                        "assumed: e5620's; here a busy CPU is interrupted and answers in 52000 ns, which is"
                                                + " more than waking an idle one takes"));
    }

    @Test
    void aTickThatTakesTooLongWasSomebodyElsesTurn() {
        here.put(Probe.TICK, reading(1_800_000));
        Machine machine = MeasuredMachine.of(readings(Q6600, List.of()), E5620);
        assertThat(machine.requireModel().cost(CostItem.TICK))
                .isEqualTo(E5620.requireModel().cost(CostItem.TICK));
        assertThat(machine.origins())
                .hasEntrySatisfying(
                        "costs.tick", origin -> assertThat(origin.kind()).isEqualTo(Origin.Kind.ASSUMED));
    }

    @Test
    void whatNobodyMeasuredIsTheNearestMachinesTimesTheRatioOfTheKernelsWork() {
        here.put(Probe.PIPE_WRITE, reading(2 * call("pipe-write")));
        here.put(Probe.PIPE_READ, reading(2 * call("pipe-read")));
        Machine machine = MeasuredMachine.of(readings(Q6600, List.of()), E5620);
        assertThat(machine.requireModel().cost(CostItem.BALANCE_MOVE).coreNs())
                .isEqualTo(2 * E5620.requireModel().cost(CostItem.BALANCE_MOVE).coreNs());
        assertThat(machine.origins().get("costs.balance-move"))
                .isEqualTo(
                        new Origin(Origin.Kind.ASSUMED, "e5620's x 2.00, the ratio of a write and a read of a pipe"));
    }

    @Test
    void deeperIdleStatesKeepWhatTheyTakeLonger() {
        List<IdleReading> states = List.of(
                new IdleReading(new IdleStateFacts("C1", 2, 2), Optional.of(reading(3000))),
                new IdleReading(new IdleStateFacts("C1E", 10, 20), Optional.of(reading(11_500))),
                new IdleReading(new IdleStateFacts("C6", 133, 600), Optional.empty()));
        Machine machine = MeasuredMachine.of(readings(Q6600, List.of(pair(3, 2, Distance.LLC)), states), E5620);
        assertThat(machine.requireModel().idleStates())
                .extracting(IdleState::name, IdleState::exitUs, IdleState::residencyUs, IdleState::realExitNs)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("C1", 2, 2, 0),
                        org.assertj.core.groups.Tuple.tuple("C1E", 10, 20, 8500),
                        org.assertj.core.groups.Tuple.tuple("C6", 133, 600, 133_000));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "e5620",
                "q6600",
                "nehalem-ex-8s",
                "kunpeng-920",
                "westmere-ex-4s",
                "epyc-7r13",
                "xeon-8275cl",
                "alder-lake-12900k",
                "rk3588"
            })
    void aHostOfAnyShapeOfWhichNothingWasMeasuredCanBeWrittenAndReadAgain(String shape, @TempDir Path folder)
            throws IOException {
        Machine machine = MeasuredMachine.of(readings(Machines.find(shape, HOME), List.of()), E5620);
        Path file = folder.resolve("my.yaml");
        Files.writeString(file, MachineText.yaml(machine, List.of()));
        Machine again = Machines.find(file.toString(), HOME);
        assertThat(again.topology().cpuCount()).isEqualTo(machine.topology().cpuCount());
        for (CostItem item : CostItem.all()) {
            assertThat(again.requireModel().cost(item))
                    .as(item.key())
                    .isEqualTo(machine.requireModel().cost(item));
        }
    }

    @Test
    void aLineBetweenCpusThatWereMeasuredIsThatAndElsewhereNoNearer() {
        across.put(Probe.LINE_TRANSFER, reading(123.4));
        Machine machine = MeasuredMachine.of(
                readings(Machines.find("epyc-7r13", HOME), List.of(pair(191, 5, Distance.LLC))), Q6600);
        assertThat(machine.requireModel().transfer().latencyPs(Distance.LLC)).isEqualTo(123_400);
        assertThat(machine.requireModel().transfer().hiddenPs()).isEqualTo(123_400);
        assertThat(machine.requireModel().transfer().latencyPs(Distance.PACKAGE))
                .isGreaterThanOrEqualTo(123_400);
    }

    private static int call(String name) {
        return E5620.requireModel().workloadCost("e5620", "system-calls", name).coreNs();
    }

    private Pair pair(int from, int to, Distance distance) {
        return new Pair(from, to, distance, 10, across);
    }

    private HostReadings readings(Machine shape, List<Pair> pairs) {
        return readings(shape, pairs, List.of());
    }

    private HostReadings readings(Machine shape, List<Pair> pairs, List<IdleReading> states) {
        Machine host = new Machine("host", "host", "test", shape.topology(), shape.caches(), null, shape.origins());
        return new HostReadings(
                host,
                "Some Processor",
                host.topology().cpuCount() - 1,
                here,
                pairs,
                states,
                Optional.empty(),
                List.of());
    }

    private static Reading reading(double value) {
        return Reading.of(new double[] {value});
    }
}
