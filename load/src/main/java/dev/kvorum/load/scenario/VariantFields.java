package dev.kvorum.load.scenario;

import dev.kvorum.load.cluster.JvmOptions;
import dev.kvorum.load.crowd.CrowdedPort;
import dev.kvorum.load.crowd.Habit;
import dev.kvorum.load.generate.Operation;
import dev.kvorum.load.generate.Traffic.Weight;
import dev.kvorum.load.generate.ValueSizes;
import dev.kvorum.load.scenario.LoadPlan.Coordinators;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads one variant: the scenario's own fields with the variant's put over them. */
final class VariantFields {
    private static final List<String> JVM_DEFAULT = List.of("-Xmx256m");
    private static final Set<String> AIMS = Set.of("rate", "closed", "search", "overload");
    private static final int NODES_MAX = 32;
    private static final int KEYS_MAX = 10_000_000;
    private static final int VALUE_SIZE_MAX = 1 << 20;
    private static final double RATE_MAX = 1_000_000;
    private static final int CONNECTIONS_MAX = 20_000;

    /** What a variant may say, and a scenario for all of them. */
    static final Set<String> COMMON =
            Set.of("nodes", "replication-factor", "build", "jvm", "settings", "load", "fault");

    private VariantFields() {}

    static Variant read(Fields scenario, Fields own) {
        own.allow(COMMON, "name", "what");
        Fields load = scenario.fields("load").orElseGet(() -> Fields.of("", Map.of()));
        Optional<Fields> ownLoad = own.fields("load");
        // Another aim replaces the scenario's, it doesn't join it; and need not settle as that does.
        if (ownLoad.isPresent() && ownLoad.get().names().stream().anyMatch(AIMS::contains)) {
            load = load.without(AIMS).without(Set.of("settling"));
        }
        // So do other sizes of values.
        if (ownLoad.isPresent() && ownLoad.get().has("value-size")) {
            load = load.without(Set.of("value-size"));
        }
        Fields all = scenario.with(own);
        Fields allLoad = ownLoad.isPresent() ? load.with(ownLoad.get()) : load;
        ClusterPlan cluster = cluster(all);
        Optional<FaultPlan> fault = all.fields("fault").map(fields -> fault(fields, cluster.nodes()));
        if (fault.isPresent() && allLoad.has("overload")) {
            throw all.wrong("fault", "left out with an overload, which is a fault of its own");
        }
        if (fault.orElse(null) instanceof FaultPlan.Strangers && allLoad.has("search")) {
            throw all.wrong("fault", "another than strangers with a search: they come to a rate or a closed loop");
        }
        return new Variant(
                own.requiredString("name"),
                own.string("what").orElse("").strip(),
                cluster,
                load(allLoad, cluster),
                fault);
    }

    private static ClusterPlan cluster(Fields all) {
        int nodes = all.integer("nodes", 1, NODES_MAX, 3);
        Map<String, String> settings = new LinkedHashMap<>();
        all.fields("settings")
                .ifPresent(fields -> fields.names()
                        .forEach(name -> settings.put(name, fields.string(name).orElseThrow())));
        int replicationFactor = all.integer("replication-factor", 1, nodes, Math.min(3, nodes));
        return new ClusterPlan(
                nodes,
                replicationFactor,
                build(all),
                JvmOptions.with(all.has("jvm") ? all.strings("jvm") : JVM_DEFAULT),
                settings);
    }

    private static Optional<String> build(Fields all) {
        Optional<String> build = all.string("build");
        if (build.isPresent() && !build.get().matches("[a-z0-9-]+")) {
            throw all.wrong("build", "the name of a patch in load/experiments, without its ending");
        }
        return build;
    }

    private static LoadPlan load(Fields load, ClusterPlan cluster) {
        load.allow(
                "mix",
                "ack",
                "from",
                "keys",
                "value-size",
                "distribution",
                "exponent",
                "rate",
                "closed",
                "search",
                "overload",
                "connections",
                "in-flight",
                "duration",
                "warm-up",
                "settling",
                "timeout",
                "coordinators",
                "consistency");
        int from = load.integer("from", 1, cluster.nodes(), cluster.replicationFactor());
        int ack = load.integer("ack", 1, from, from / 2 + 1);
        return new LoadPlan(
                new LoadPlan.Requests(mix(load), ack, from, isLinearizable(load)),
                new LoadPlan.Data(load.integer("keys", 1, KEYS_MAX, 20_000), values(load), exponent(load)),
                aim(load),
                new LoadPlan.Senders(
                        load.integer("connections", 1, CONNECTIONS_MAX, 64),
                        load.integer("in-flight", 1, 100_000, 4000),
                        coordinators(load)),
                new LoadPlan.Lengths(
                        positive(load, "duration", Duration.ofSeconds(10)),
                        load.duration("warm-up", Duration.ofSeconds(5)),
                        settling(load),
                        positive(load, "timeout", Duration.ofSeconds(5))));
    }

    /** Searches and overloads choose their own pace. */
    private static Duration settling(Fields load) {
        if (load.has("settling") && !load.has("rate") && !load.has("closed")) {
            throw load.wrong("settling", "left out, but for a rate or a closed loop");
        }
        return load.duration("settling", Duration.ZERO);
    }

    private static boolean isLinearizable(Fields load) {
        return switch (load.string("consistency").orElse("quorum")) {
            case "quorum" -> false;
            case "linearizable" -> true;
            default -> throw load.wrong("consistency", "quorum or linearizable");
        };
    }

    private static ValueSizes values(Fields load) {
        if (!load.isMapping("value-size")) {
            return ValueSizes.of(bytes(load, "value-size", load.size("value-size", 100)));
        }
        Fields sizes = load.fields("value-size").orElseThrow();
        List<ValueSizes.Weight> weights = new ArrayList<>();
        for (String name : sizes.names()) {
            int size = Fields.bytesOf(name)
                    .orElseThrow(() -> load.wrong("value-size", "weights of sizes such as 100B or 64KiB"));
            weights.add(new ValueSizes.Weight(bytes(load, "value-size", size), sizes.integer(name, 1, 1000, 1)));
        }
        if (weights.stream().map(ValueSizes.Weight::bytes).distinct().count() != weights.size() || weights.isEmpty()) {
            throw load.wrong("value-size", "weights of sizes that differ");
        }
        return new ValueSizes(weights);
    }

    private static int bytes(Fields load, String name, int size) {
        if (size < 1 || size > VALUE_SIZE_MAX) {
            throw load.wrong(name, "from 1B to 1MiB");
        }
        return size;
    }

    private static Duration positive(Fields fields, String name, Duration otherwise) {
        Duration duration = fields.duration(name, otherwise);
        if (duration.isZero()) {
            throw fields.wrong(name, "longer than nothing");
        }
        return duration;
    }

    private static List<Weight> mix(Fields load) {
        Fields mix = load.fields("mix").orElseThrow(() -> load.wrong("mix", "the weights of GET, PUT and DELETE"));
        mix.allow("GET", "PUT", "DELETE");
        List<Weight> weights = new ArrayList<>();
        for (Operation operation : Operation.values()) {
            int share = mix.integer(operation.name(), 0, 1000, 0);
            if (share > 0) {
                weights.add(new Weight(operation, share));
            }
        }
        if (weights.isEmpty()) {
            throw load.wrong("mix", "at least one weight above 0");
        }
        return weights;
    }

    private static double exponent(Fields load) {
        return switch (load.string("distribution").orElse("uniform")) {
            case "uniform" -> 0;
            case "zipf" -> load.number("exponent", 0.01, 5, 0.99);
            default -> throw load.wrong("distribution", "uniform or zipf");
        };
    }

    private static Aim aim(Fields load) {
        List<String> stated = load.names().stream().filter(AIMS::contains).toList();
        if (stated.size() != 1) {
            throw load.wrong("rate", "the only one of rate, closed, search and overload (stated: " + stated + ")");
        }
        return switch (stated.getFirst()) {
            case "rate" -> new Aim.Rate(load.number("rate", 1, RATE_MAX, 0));
            case "closed" -> new Aim.Closed(load.integer("closed", 1, CONNECTIONS_MAX, 0));
            case "search" -> search(load.fields("search").orElseThrow());
            default -> overload(load.fields("overload").orElseThrow());
        };
    }

    private static Aim search(Fields search) {
        search.allow("low", "high", "step", "p99");
        double low = search.number("low", 1, RATE_MAX, 1000);
        return new Aim.Search(
                low,
                search.number("high", low, RATE_MAX, Math.max(low, 64_000)),
                positive(search, "step", Duration.ofSeconds(4)),
                positive(search, "p99", Duration.ofMillis(10)).toNanos() / 1e6);
    }

    private static Aim overload(Fields overload) {
        overload.allow("clients", "factor", "normal");
        return new Aim.Overload(
                overload.integer("clients", 1, CONNECTIONS_MAX, 64),
                overload.number("factor", 1, 100, 10),
                overload.number("normal", 0.05, 0.95, 0.5));
    }

    private static Coordinators coordinators(Fields load) {
        return switch (load.string("coordinators").orElse("first")) {
            case "first" -> Coordinators.FIRST;
            case "healthy" -> Coordinators.HEALTHY;
            default -> throw load.wrong("coordinators", "first or healthy");
        };
    }

    private static FaultPlan fault(Fields fault, int nodes) {
        fault.allow("slow", "frozen", "dead", "scaled", "strangers");
        if (fault.names().size() != 1) {
            throw fault.wrong("slow", "the only one of slow, frozen, dead, scaled and strangers");
        }
        String kind = fault.names().iterator().next();
        Fields of = fault.fields(kind).orElseThrow();
        if (kind.equals("scaled")) {
            of.allow("more", "cancelled", "at");
            return new FaultPlan.Scaled(
                    of.integer("more", 1, 8, 2), of.flag("cancelled", false), of.duration("at", Duration.ZERO));
        }
        if (kind.equals("strangers")) {
            return strangers(of, nodes);
        }
        of.allow("node", "delay", "at");
        int node = of.integer("node", 2, Math.max(2, nodes), nodes);
        Duration at = of.duration("at", Duration.ZERO);
        return switch (kind) {
            case "slow" -> new FaultPlan.Slow(node, of.duration("delay", Duration.ofMillis(5)), at);
            case "frozen" -> new FaultPlan.Frozen(node, at);
            default -> new FaultPlan.Dead(node, at);
        };
    }

    private static FaultPlan strangers(Fields of, int nodes) {
        of.allow("node", "port", "habit", "connections");
        return new FaultPlan.Strangers(
                of.integer("node", 1, nodes, 1),
                named(of, "port", CrowdedPort.values(), CrowdedPort::label),
                named(of, "habit", Habit.values(), Habit::label),
                of.integer("connections", 1, CONNECTIONS_MAX, 2000));
    }

    private static <T> T named(Fields fields, String name, T[] all, Function<T, String> label) {
        String text = fields.requiredString(name);
        return Arrays.stream(all)
                .filter(one -> label.apply(one).equals(text))
                .findFirst()
                .orElseThrow(() -> fields.wrong(
                        name, "one of " + Arrays.stream(all).map(label).collect(Collectors.joining(", "))));
    }
}
