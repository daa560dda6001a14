import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code java Compare.java WARM_UP_SECONDS ROUNDS SECONDS (NAME KIND SERVERS PIDS)...}: puts the same closed loop on stores that run,
 * in turn, and prints a table. {@code SERVERS} and {@code PIDS} are separated by commas.
 */
final class Compare {
    private static final int CALLERS = 32;
    private static final int FIELDS = 4;
    private static final double PERCENT = 100;
    private static final double OTHERS_MAX = 0.1;

    private Compare() {}

    private record Rival(String name, ClosedLoop loop, List<Stretch> writes, List<Stretch> reads) {}

    public static void main(String[] arguments) throws Exception {
        Duration warmUp = Duration.ofSeconds(Long.parseLong(arguments[0]));
        int rounds = Integer.parseInt(arguments[1]);
        Duration duration = Duration.ofSeconds(Long.parseLong(arguments[2]));
        Map<String, Store> stores = new LinkedHashMap<>();
        try {
            List<Rival> rivals = new ArrayList<>();
            List<String> failed = new ArrayList<>();
            for (int i = 3; i < arguments.length; i += FIELDS) {
                String name = arguments[i];
                Store store = store(arguments[i + 1], List.of(arguments[i + 2].split(",", -1)));
                stores.put(name, store);
                Servers servers = new Servers(
                        Arrays.stream(arguments[i + 3].split(",", -1)).map(Long::valueOf).toList());
                ClosedLoop loop = new ClosedLoop(store, servers, CALLERS);
                try {
                    store.prepare();
                    loop.fill();
                    say(name + ", warm-up", loop.writes(warmUp.dividedBy(2)), loop.reads(warmUp.dividedBy(2)));
                    rivals.add(new Rival(name, loop, new ArrayList<>(), new ArrayList<>()));
                } catch (IllegalStateException | ExecutionException e) {
                    failed.add(name);
                    System.out.println(name + " is left out: it failed before the first round, as the log of the client says");
                    e.printStackTrace();
                }
            }
            for (int round = 1; round <= rounds; round++) {
                for (Rival rival : rivals) {
                    rival.writes.add(rival.loop.writes(duration));
                    rival.reads.add(rival.loop.reads(duration));
                    say(rival.name + ", round " + round, rival.writes.getLast(), rival.reads.getLast());
                }
            }
            System.out.println("\n| | requests/s (all rounds) | p50 | p99 | CPU of the servers (all rounds) | CPU of the client | others' share (all rounds) |");
            System.out.println("|---|---|---|---|---|---|---|");
            rivals.forEach(rival -> row("write, " + rival.name, rival.writes));
            rivals.forEach(rival -> row("read, " + rival.name, rival.reads));
            double others = rivals.stream()
                    .flatMap(rival -> Stream.concat(rival.writes.stream(), rival.reads.stream()))
                    .mapToDouble(Stretch::othersShare)
                    .max()
                    .orElse(0);
            if (others > OTHERS_MAX) {
                System.out.printf(
                        Locale.ROOT,
                        "%nThe machine was not quiet: in one stretch other processes, idle stores among them, had %.0f %% of the processors.%n",
                        PERCENT * others);
            }
            if (!failed.isEmpty()) {
                throw new IllegalStateException("Not measured: " + failed);
            }
        } finally {
            for (Store store : stores.values()) {
                store.close();
            }
        }
    }

    private static Store store(String kind, List<String> servers) {
        return switch (kind) {
            case "kvorum" -> new KvorumStore(servers, CALLERS);
            case "etcd" -> new EtcdStore(servers);
            case "cassandra" -> new CassandraStore(servers);
            case "infinispan" -> new InfinispanStore(servers);
            default -> throw new IllegalArgumentException("There is no store \"" + kind + "\"");
        };
    }

    private static void say(String what, Stretch write, Stretch read) {
        System.out.printf(
                Locale.ROOT,
                "%s: %,.0f writes/s at %.0f us, %,.0f reads/s at %.0f us; others had %.0f and %.0f %% of the processors%n",
                what,
                write.rate(),
                write.serversCpu(),
                read.rate(),
                read.serversCpu(),
                PERCENT * write.othersShare(),
                PERCENT * read.othersShare());
    }

    private static void row(String what, List<Stretch> rounds) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %,.0f (%s) | %.2f ms | %.1f ms | %.0f us (%s) | %.0f us | %.0f %% (%s) |%n",
                what,
                median(rounds, Stretch::rate),
                all(rounds, Stretch::rate),
                median(rounds, Stretch::p50Millis),
                median(rounds, Stretch::p99Millis),
                median(rounds, Stretch::serversCpu),
                all(rounds, Stretch::serversCpu),
                median(rounds, Stretch::clientCpu),
                PERCENT * median(rounds, Stretch::othersShare),
                all(rounds, stretch -> PERCENT * stretch.othersShare()));
    }

    private static double median(List<Stretch> rounds, ToDoubleFunction<Stretch> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private static String all(List<Stretch> rounds, ToDoubleFunction<Stretch> figure) {
        return rounds.stream()
                .mapToDouble(figure)
                .sorted()
                .mapToObj(value -> String.format(Locale.ROOT, "%,.0f", value))
                .collect(Collectors.joining(", "));
    }
}
