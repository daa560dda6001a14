package dev.kvorum.load.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.figure.Percentiles;
import dev.kvorum.load.generate.Slice;
import dev.kvorum.load.generate.ValueSizes;
import dev.kvorum.load.run.RoundResult;
import dev.kvorum.load.scenario.FaultPlan;
import dev.kvorum.load.scenario.LoadPlan;
import dev.kvorum.load.scenario.Scenario;
import dev.kvorum.load.scenario.Variant;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Everything about a run in one JSON document: for scripts, and for the page that shows it. */
public final class SummaryJson {
    static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    /** Raised when a field changes its meaning, so that a comparison refuses what it would misread. */
    static final int SCHEMA = 1;

    private SummaryJson() {}

    public static ObjectNode of(Scenario scenario, List<RoundResult> rounds, Conclusion conclusion, RunNote note) {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("schema", SCHEMA);
        root.put("scenario", scenario.about().name());
        root.put("title", scenario.about().title());
        root.put("why", scenario.about().why());
        root.put("rounds", scenario.rules().rounds());
        root.put("yaml", scenario.about().yaml());
        root.set("run", MAPPER.valueToTree(note));
        root.put("passed", conclusion.passed());
        root.set("verdicts", MAPPER.valueToTree(conclusion.verdicts()));
        root.set("failures", MAPPER.valueToTree(conclusion.failures()));
        root.set("metrics", metrics());
        root.set(
                "order",
                MAPPER.valueToTree(rounds.stream()
                        .map(round -> round.variant() + " " + round.round())
                        .toList()));
        ArrayNode variants = root.putArray("variants");
        for (Variant variant : scenario.variants()) {
            List<RoundResult> own = rounds.stream()
                    .filter(round -> round.variant().equals(variant.name()))
                    .toList();
            variants.add(variant(variant, own, conclusion));
        }
        return root;
    }

    private static ObjectNode metrics() {
        ObjectNode units = MAPPER.createObjectNode();
        for (Metric metric : Metric.values()) {
            units.put(metric.label(), metric.unit());
        }
        return units;
    }

    private static ObjectNode variant(Variant variant, List<RoundResult> rounds, Conclusion conclusion) {
        ObjectNode node = MAPPER.createObjectNode();
        node.put("name", variant.name());
        node.put("what", variant.what());
        node.set("configuration", configuration(variant));
        node.set("medians", MAPPER.valueToTree(conclusion.mediansOf(variant).byName()));
        Slice all = Slice.empty();
        rounds.forEach(round -> all.add(round.counted()));
        node.set("curve", curve(all.allDone()));
        ObjectNode operations = node.putObject("operations");
        all.done().forEach((operation, histogram) -> operations.set(operation.name(), latencies(histogram)));
        ObjectNode sizes = node.putObject("sizes");
        all.sizes().forEach((bytes, histogram) -> sizes.set(ValueSizes.name(bytes), latencies(histogram)));
        ArrayNode list = node.putArray("rounds");
        rounds.forEach(round -> list.add(RoundJson.of(round)));
        return node;
    }

    private static ObjectNode latencies(Histogram histogram) {
        ObjectNode node = MAPPER.createObjectNode();
        node.put("count", histogram.getTotalCount());
        node.set("percentiles", MAPPER.valueToTree(Percentiles.table(histogram)));
        node.set("curve", curve(histogram));
        return node;
    }

    static ArrayNode curve(Histogram histogram) {
        ArrayNode points = MAPPER.createArrayNode();
        Percentiles.curve(histogram)
                .forEach(point -> points.addArray().add(round(point[0])).add(round(point[1])));
        return points;
    }

    /** Four significant digits are more than the measurement has. */
    static double round(double value) {
        return value == 0 ? 0 : new BigDecimal(value).round(new MathContext(4)).doubleValue();
    }

    private static ObjectNode configuration(Variant variant) {
        ObjectNode node = MAPPER.createObjectNode();
        LoadPlan load = variant.load();
        node.put("nodes", variant.cluster().nodes());
        node.put("replication-factor", variant.cluster().replicationFactor());
        node.put("build", variant.cluster().build().orElse("as delivered"));
        node.put("jvm", String.join(" ", variant.cluster().jvm()));
        node.set("settings", MAPPER.valueToTree(variant.cluster().settings()));
        node.put("quorum", load.requests().ack() + "/" + load.requests().from());
        node.put("load", Described.aim(load.aim()));
        node.put("mix", Described.mix(load.requests().mix()));
        node.put(
                "keys",
                load.data().keys()
                        + (load.data().zipfExponent() > 0
                                ? ", zipf " + load.data().zipfExponent()
                                : ", uniform"));
        node.put("value-size", Described.sizes(load.data().values()));
        node.put("connections", load.senders().connections());
        node.put("in-flight", load.senders().inFlight());
        node.put("duration", Described.duration(load.lengths().measured()));
        node.put("warm-up", Described.duration(load.lengths().warmUp()));
        node.put("settling", Described.duration(load.lengths().settling()));
        node.put(
                "coordinators",
                load.senders().coordinators() == LoadPlan.Coordinators.FIRST ? "the first node" : "all healthy nodes");
        node.put("fault", variant.fault().map(Described::fault).orElse("none"));
        node.put(
                "fault-at",
                variant.fault().map(FaultPlan::at).map(Described::duration).orElse(""));
        return node;
    }
}
