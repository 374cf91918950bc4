package dev.perch.sim.workload;

import dev.perch.model.Cost;
import dev.perch.sim.workload.WorkloadKind.Measure;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients of a file server over TCP loopback, each with a server process of its own: requests and responses of many sizes in the mix of
 * dbench's load file (spec scheduler.md 9.3).
 *
 * <p>Limitations: each operation is drawn independently, while the load file has phases; a message wakes once, however long it is.
 */
final class Tbench implements Recipe {
    private static final WorkloadKind KIND = new WorkloadKind(
            "tbench",
            "file server clients and their server processes over TCP loopback, with dbench's mix of operations",
            "dbench 4 (tbench), as run on linux-kernel in 2012 and by mmtests in 2021",
            Measure.AMOUNT_RATE,
            "MB/s",
            List.of("clients=N clients, each with a server (1)"));

    /** Mean length of a path name in the load file, characters; it follows from the mean size of a request. */
    private static final int PATH = 38;

    /** Mean number of entries that a search returns; it follows from the mean size of a response. */
    private static final int ENTRIES = 5;

    /** One kind of operation: how often, bytes of request and response, bytes that count. */
    record Operation(String name, int count, int request, int response, int counted) {}

    /**
     * What one pass of the load file holds. Reads and writes are split by size: the common sizes as they are, the others at their mean.
     */
    static final List<Operation> MIX = List.of(
            read(83_172, 4096),
            read(16_641, 61_440),
            read(24_386, 4471),
            path("NTCreateX", 79_230, 74, 87),
            path("query path info", 71_814, 55, 71),
            plain("Close", 58_200, 47, 39),
            write(12_658, 65_536),
            write(9942, 4096),
            write(7424, 1),
            write(9478, 15_373),
            path("find first", 27_765, 59, 39 + 90 * ENTRIES),
            path("Unlink", 16_000, 43, 39),
            plain("query fs info", 13_168, 59, 71),
            plain("query file info", 12_585, 59, 71),
            plain("set file info", 6454, 71, 47),
            plain("Flush", 5553, 41, 39),
            plain("Rename", 3355, 47 + 4 * PATH, 39),
            plain("Lock", 258, 51, 39),
            plain("Unlock", 258, 51, 39),
            path("Mkdir", 1, 43, 39));

    private static Operation read(int count, int bytes) {
        return new Operation("ReadX", count, 59, 59 + bytes, bytes);
    }

    private static Operation write(int count, int bytes) {
        return new Operation("WriteX", count, 59 + bytes, 55, bytes);
    }

    private static Operation path(String name, int count, int request, int response) {
        return new Operation(name, count, request + 2 * PATH, response, 0);
    }

    private static Operation plain(String name, int count, int request, int response) {
        return new Operation(name, count, request, response, 0);
    }

    @Override
    public WorkloadKind kind() {
        return KIND;
    }

    @Override
    public void add(Workload.Builder builder, Options options, Site site) {
        int clients = options.number("clients", 1, 4096);
        int instance = builder.addInstance(KIND);
        int latency = builder.addSeries(instance, "operation latency");
        Messages request = Messages.of(site, true);
        Messages response = Messages.of(site, false);
        Cost handling = site.cost("tbench", "handling");
        Cost tail = site.cost("tbench", "tail");
        for (int client = 0; client < clients; client++) {
            int to = builder.addChannel();
            int from = builder.addChannel();
            Program.Builder asks =
                    new Program.Builder().draw(request.cost).mark().user(handling);
            asks.kernelOfRow(request.cost).send(to).returnToUser().kernel(tail).receive(from, response.crossing);
            asks.measure(latency).countRow(request.cost).jump(0);
            Program.Builder answers = new Program.Builder()
                    .receive(to, request.crossing)
                    .user(handling)
                    .kernelOfRow(response.cost)
                    .send(from)
                    .returnToUser()
                    .kernel(tail)
                    .jump(0);
            builder.addTask("tbench", asks.build(), site.free(), instance);
            builder.addTask("tbench_srv", answers.build(), site.free(), instance);
        }
    }

    /** What messages of each kind cost to send, and to take from another CPU. */
    private record Messages(RowTable cost, RowTable crossing) {
        static Messages of(Site site, boolean requests) {
            Cost message = site.cost("tbench", "message");
            Cost kib = site.cost("tbench", "kib");
            Cost crossing = site.cost("tbench", "crossing");
            Cost crossingKib = site.cost("tbench", "crossing-kib");
            List<RowTable.Row> costs = new ArrayList<>();
            List<RowTable.Row> crossings = new ArrayList<>();
            for (Operation operation : MIX) {
                int bytes = requests ? operation.request() : operation.response();
                costs.add(new RowTable.Row(
                        operation.count(), message.plus(Site.scaled(kib, bytes)), operation.counted()));
                crossings.add(new RowTable.Row(operation.count(), crossing.plus(Site.scaled(crossingKib, bytes)), 0));
            }
            return new Messages(new RowTable(costs), new RowTable(crossings));
        }
    }
}
