package dev.kvorum.load.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvorum.load.figure.Percentiles;
import dev.kvorum.load.generate.Outcome;
import dev.kvorum.load.generate.Slice;
import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.generate.StretchResult.TimedSlice;
import dev.kvorum.load.measure.NodeSample;
import dev.kvorum.load.run.Leg;
import dev.kvorum.load.run.RoundResult;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** One round in JSON: its figures, and what happened second by second. Times are seconds since its first request. */
final class RoundJson {
    private static final long MINUTE_MILLIS = 60_000;

    private RoundJson() {}

    static ObjectNode of(RoundResult round) {
        ObjectNode node = SummaryJson.MAPPER.createObjectNode();
        node.put("round", round.round());
        node.set("figures", SummaryJson.MAPPER.valueToTree(round.figures().byName()));
        node.set("problems", SummaryJson.MAPPER.valueToTree(round.problems()));
        long zero = round.legs().stream()
                .flatMap(leg -> leg.result().slices().stream())
                .mapToLong(TimedSlice::startMillis)
                .min()
                .orElse(round.startMillis());
        round.faultMillis().ifPresent(at -> node.put("fault", (at - zero) / 1000.0));
        ArrayNode legs = node.putArray("legs");
        round.legs().forEach(leg -> legs.add(leg(leg, zero)));
        node.set("tries", SummaryJson.MAPPER.valueToTree(round.tries()));
        node.set("minutes", minutes(round, zero));
        ArrayNode samples = node.putArray("samples");
        for (NodeSample sample : round.samples()) {
            ObjectNode one = samples.addObject();
            one.put("t", (sample.atMillis() - zero) / 1000.0);
            one.put("node", sample.node());
            one.put("rss", SummaryJson.round(sample.rssMiB()));
            one.put("threads", sample.threads());
            one.put("descriptors", sample.descriptors());
            one.put("cpu", sample.cpuMicros() / 1e6);
            told(sample).forEach((name, value) -> one.put(name, SummaryJson.round(value)));
        }
        return node;
    }

    private static ObjectNode leg(Leg leg, long zero) {
        StretchResult result = leg.result();
        Slice total = result.total();
        ObjectNode node = SummaryJson.MAPPER.createObjectNode();
        node.put("name", leg.name());
        node.put("seconds", result.seconds());
        node.put("begun", result.begun());
        node.put("due", result.due());
        node.put("late", result.late());
        node.put("unaccounted", result.unaccounted());
        node.put("histogramCount", total.allDone().getTotalCount());
        ObjectNode outcomes = node.putObject("outcomes");
        for (Outcome outcome : Outcome.values()) {
            outcomes.put(outcome.name().toLowerCase(Locale.ROOT), total.count(outcome));
        }
        node.set("statuses", SummaryJson.MAPPER.valueToTree(total.statuses()));
        node.set("curve", SummaryJson.curve(total.allDone()));
        ArrayNode series = node.putArray("series");
        result.slices().forEach(slice -> series.add(second(slice, zero)));
        return node;
    }

    /** Rates are per second, also of a slice that was a little longer. */
    private static ObjectNode second(TimedSlice timed, long zero) {
        Slice slice = timed.slice();
        double seconds = Math.max(0.001, (timed.endMillis() - timed.startMillis()) / 1000.0);
        ObjectNode node = SummaryJson.MAPPER.createObjectNode();
        node.put("t", (timed.startMillis() - zero) / 1000.0);
        node.put("s", seconds);
        node.put("done", SummaryJson.round(slice.count(Outcome.DONE) / seconds));
        node.put("errors", slice.errors());
        node.put("refused", slice.count(Outcome.REFUSED));
        percentiles(node, slice.allDone());
        return node;
    }

    private static void percentiles(ObjectNode node, Histogram done) {
        if (done.getTotalCount() > 0) {
            node.put("p50", Percentiles.millis(done, 50));
            node.put("p99", Percentiles.millis(done, 99));
            node.put("p99.9", Percentiles.millis(done, 99.9));
            node.put("max", Percentiles.millis(done, 100));
        }
    }

    /** Minute by minute, for runs of two minutes or more. */
    private static ArrayNode minutes(RoundResult round, long zero) {
        ArrayNode minutes = SummaryJson.MAPPER.createArrayNode();
        for (Leg leg : round.legs()) {
            int count = (int) Math.round(leg.result().seconds() / 60);
            for (int minute = 0; minute < count && count > 1; minute++) {
                long from = zero + minute * MINUTE_MILLIS;
                minutes.add(minute(round, leg, minute, from));
            }
        }
        return minutes;
    }

    private static ObjectNode minute(RoundResult round, Leg leg, int minute, long from) {
        Slice slice = Slice.empty();
        leg.result().slices().stream()
                .filter(timed -> timed.startMillis() >= from && timed.startMillis() < from + MINUTE_MILLIS)
                .forEach(timed -> slice.add(timed.slice()));
        ObjectNode node = SummaryJson.MAPPER.createObjectNode();
        node.put("minute", minute + 1);
        node.put("requests", slice.count(Outcome.DONE));
        node.put("errors", slice.errors());
        percentiles(node, slice.allDone());
        var held = round.samples().stream()
                .filter(sample -> sample.atMillis() >= from && sample.atMillis() < from + MINUTE_MILLIS)
                .toList();
        held.stream().mapToDouble(NodeSample::rssMiB).max().ifPresent(max -> node.put("rss", SummaryJson.round(max)));
        held.stream().mapToInt(NodeSample::threads).max().ifPresent(max -> node.put("threads", max));
        held.stream().mapToInt(NodeSample::descriptors).max().ifPresent(max -> node.put("descriptors", max));
        Map<String, Double> told = new TreeMap<>();
        held.forEach(sample -> told(sample).forEach((name, value) -> told.merge(name, value, Math::max)));
        told.forEach((name, value) -> node.put(name, SummaryJson.round(value)));
        return node;
    }

    /** What a node told of its memory, in MiB; empty where it was not asked. */
    private static Map<String, Double> told(NodeSample sample) {
        Map<String, Double> values = new TreeMap<>();
        NodeSample.Told told = sample.told();
        if (told != null) {
            values.put("heap", told.heapMiB());
            sample.nativeMiB().ifPresent(value -> values.put("native", value));
            if (told.rocksdbMiB() != null) {
                values.put("rocksdb", told.rocksdbMiB());
            }
        }
        return values;
    }
}
