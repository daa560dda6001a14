package dev.kvorum.control;

import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import dev.kvorum.topology.change.MemberReportJson;
import dev.kvorum.topology.change.PartitionSizes;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What goes over the control interface, as JSON. Fields that are not known are ignored: a newer node may say more. */
public final class ControlJson {
    private static final JsonMapper JSON = new JsonMapper();

    private ControlJson() {}

    public static byte[] write(ClusterReport report) {
        ObjectNode json = JSON.createObjectNode();
        json.set("topology", tree(TopologyJson.write(report.topology())));
        ObjectNode reports = json.putObject("reports");
        report.reports().forEach((id, one) -> reports.set(id, tree(MemberReportJson.write(one))));
        ObjectNode silent = json.putObject("silent");
        report.silent().forEach(silent::put);
        return bytes(json);
    }

    /** @throws IllegalArgumentException if it is none */
    public static ClusterReport readClusterReport(byte[] json) {
        JsonNode report = tree(json);
        try {
            Topology topology = TopologyJson.read(bytes(report.path("topology")));
            return new ClusterReport(
                    topology, byId(report.path("reports"), MemberReportJson::readReport), words(report.path("silent")));
        } catch (InvalidTopologyException e) {
            throw new IllegalArgumentException("not the report of a cluster: " + e.getMessage(), e);
        }
    }

    /** @param sizes by the id of the member */
    public static byte[] writeSizes(Map<String, PartitionSizes> sizes) {
        ObjectNode json = JSON.createObjectNode();
        sizes.forEach((id, one) -> json.set(id, tree(MemberReportJson.write(one))));
        return bytes(json);
    }

    /** @throws IllegalArgumentException if these are none */
    public static Map<String, PartitionSizes> readSizes(byte[] json) {
        return byId(tree(json), MemberReportJson::readSizes);
    }

    public static byte[] write(Settled settled) {
        ObjectNode json = JSON.createObjectNode().put("epoch", settled.epoch());
        ArrayNode gone = json.putArray("gone");
        settled.gone().forEach(gone::add);
        return bytes(json);
    }

    /** @throws IllegalArgumentException if it is none */
    public static Settled readSettled(byte[] json) {
        JsonNode settled = tree(json);
        JsonNode epoch = settled.path("epoch");
        JsonNode gone = settled.path("gone");
        if (!epoch.canConvertToLong() || !gone.isArray()) {
            throw new IllegalArgumentException("it must be like {\"epoch\": 7, \"gone\": [\"n3\"]}");
        }
        Set<String> ids = new HashSet<>();
        for (JsonNode id : gone) {
            ids.add(id.asString(""));
        }
        return new Settled(epoch.longValue(), ids);
    }

    /** Why a node refused: the detail of the problem that it answered, or those words if there is none. */
    static String detail(byte[] problem, String otherwise) {
        try {
            return JSON.readTree(problem).path("detail").asString(otherwise);
        } catch (JacksonException e) {
            return otherwise; // Not from a node, or from one without memory for words.
        }
    }

    /** The parameters of a request. */
    static byte[] parameters(Map<String, String> parameters) {
        return JSON.writeValueAsBytes(parameters);
    }

    static String text(Topology topology) {
        return new String(TopologyJson.write(topology), StandardCharsets.UTF_8);
    }

    /** By id; none where a node of an earlier version says none. */
    private static Map<String, String> words(JsonNode object) {
        Map<String, String> words = new LinkedHashMap<>();
        object.properties()
                .forEach(property ->
                        words.put(property.getKey(), property.getValue().asString("")));
        return words;
    }

    private static <T> Map<String, T> byId(JsonNode object, Function<byte[], T> read) {
        if (!object.isObject()) {
            throw new IllegalArgumentException("not a JSON object by the ids of members");
        }
        Map<String, T> values = new LinkedHashMap<>();
        object.properties().forEach(property -> values.put(property.getKey(), read.apply(bytes(property.getValue()))));
        return values;
    }

    private static JsonNode tree(byte[] json) {
        try {
            return JSON.readTree(json);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static byte[] bytes(JsonNode json) {
        return JSON.writeValueAsBytes(json);
    }
}
