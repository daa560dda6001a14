package dev.kvorum.topology;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The topology file. Reading is strict: an unknown field is more likely a misspelt one than a harmless one.
 *
 * <pre>{@code
 * {"cluster": "demo", "epoch": 1, "replicationFactor": 3, "partitions": 4096,
 *  "members": [{"id": "n1", "api": "http://127.0.0.1:8080", "peer": "http://127.0.0.1:9090", "zone": "a", "state": "ACTIVE"}]}
 * }</pre>
 *
 * <p>{@code epoch} and {@code members} are required, and of a member {@code id}, {@code api} and {@code peer}. A member
 * without a zone is in the zone {@code default}, one without a state is ACTIVE, one without a weight weighs 1. Reads ask the
 * {@code CURRENT} owners unless {@code reads} says {@code NEXT}, or {@code BACK}, which are the current ones after reads asked the next ones.
 */
public final class TopologyJson {
    private static final Set<String> FIELDS =
            Set.of("cluster", "epoch", "replicationFactor", "partitions", "reads", "members");
    private static final Set<String> MEMBER_FIELDS =
            Set.of("id", "api", "peer", "zone", "state", "weight", "incarnation");
    private static final String ZONE_DEFAULT = "default";
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private TopologyJson() {}

    /**
     * Reads a topology.
     *
     * @throws InvalidTopologyException where it can't be used; the message names the field and what it should hold
     */
    public static Topology read(byte[] utf8) {
        Fields file = new Fields("", parse(utf8));
        file.requireKnown(FIELDS);
        return new Topology(
                file.text("cluster", null),
                file.integer("epoch", null, Long.MAX_VALUE),
                (int) file.integer("replicationFactor", (long) Topology.REPLICATION_FACTOR_DEFAULT, Integer.MAX_VALUE),
                (int) file.integer("partitions", (long) Topology.PARTITIONS_DEFAULT, Integer.MAX_VALUE),
                members(file),
                file.choice("reads", Reads.CURRENT, Reads.values()));
    }

    /** Writes a topology so that {@link #read} gives an equal one back. */
    public static byte[] write(Topology topology) {
        ObjectNode file = JSON.createObjectNode();
        if (topology.cluster() != null) {
            file.put("cluster", topology.cluster());
        }
        file.put("epoch", topology.epoch());
        file.put("replicationFactor", topology.replicationFactor());
        file.put("partitions", topology.partitions());
        if (topology.reads() != Reads.CURRENT) {
            file.put("reads", topology.reads().name());
        }
        ArrayNode members = file.putArray("members");
        topology.members().forEach(member -> write(member, members.addObject()));
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(file);
    }

    private static void write(Member member, ObjectNode object) {
        object.put("id", member.id());
        object.put("api", member.api().toString());
        object.put("peer", member.peer().toString());
        object.put("zone", member.zone());
        object.put("state", member.state().name());
        object.put("weight", member.weight());
        member.knownIncarnation().ifPresent(incarnation -> object.put("incarnation", incarnation.toString()));
    }

    private static JsonNode parse(byte[] utf8) {
        try {
            return JSON.readTree(utf8);
        } catch (JacksonException e) {
            throw new InvalidTopologyException("not JSON: " + e.getOriginalMessage() + " (" + where(e) + ")", e);
        }
    }

    private static String where(JacksonException e) {
        return e.getLocation() == null
                ? "no position"
                : "line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }

    private static List<Member> members(Fields file) {
        JsonNode array = file.required("members");
        if (!array.isArray()) {
            throw new InvalidTopologyException("members is not a list");
        }
        List<Member> members = new ArrayList<>();
        for (JsonNode element : array) {
            String path = "members[" + members.size() + "].";
            members.add(member(new Fields(path, element), path));
        }
        return members;
    }

    private static Member member(Fields fields, String path) {
        fields.requireKnown(MEMBER_FIELDS);
        String id = fields.requiredText("id");
        URI api = fields.address("api");
        URI peer = fields.address("peer");
        String zone = fields.text("zone", ZONE_DEFAULT);
        MemberState state = fields.choice("state", MemberState.ACTIVE, MemberState.values());
        double weight = fields.weight();
        UUID incarnation = fields.incarnation();
        try {
            return new Member(id, api, peer, zone == null ? ZONE_DEFAULT : zone, state, weight, incarnation);
        } catch (InvalidTopologyException e) {
            throw new InvalidTopologyException(path + e.getMessage(), e);
        }
    }

    /** The fields of one JSON object; a refusal begins with the path to the field. */
    private record Fields(String path, JsonNode object) {
        Fields {
            if (!object.isObject()) {
                String what = path.isEmpty() ? "the file" : path.substring(0, path.length() - 1);
                throw new InvalidTopologyException(what + " is not a JSON object");
            }
        }

        void requireKnown(Set<String> known) {
            for (String name : object.propertyNames()) {
                if (!known.contains(name)) {
                    throw new InvalidTopologyException(
                            path + name + " is not a field; the fields are " + String.join(", ", sorted(known)));
                }
            }
        }

        JsonNode required(String name) {
            JsonNode value = object.get(name);
            if (value == null || value.isNull()) {
                throw new InvalidTopologyException(path + name + " is missing");
            }
            return value;
        }

        @Nullable
        String text(String name, @Nullable String absent) {
            return present(name) ? requiredText(name) : absent;
        }

        String requiredText(String name) {
            JsonNode value = required(name);
            if (!value.isString()) {
                throw new InvalidTopologyException(path + name + " is " + value + ", but must be a string");
            }
            return value.stringValue();
        }

        long integer(String name, @Nullable Long absent, long max) {
            if (absent != null && !present(name)) {
                return absent;
            }
            JsonNode value = required(name);
            if (!value.isIntegralNumber() || !value.canConvertToLong() || Math.abs(value.longValue()) > max) {
                throw new InvalidTopologyException(path + name + " is " + value + ", but must be a whole number");
            }
            return value.longValue();
        }

        URI address(String name) {
            String text = requiredText(name);
            try {
                return new URI(text);
            } catch (URISyntaxException e) {
                throw new InvalidTopologyException(path + name + " is not a URI: " + e.getMessage(), e);
            }
        }

        <T extends Enum<T>> T choice(String name, T absent, T[] choices) {
            String text = text(name, absent.name());
            return Arrays.stream(choices)
                    .filter(choice -> choice.name().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new InvalidTopologyException(
                            path + name + " is \"" + text + "\", but must be one of " + List.of(choices)));
        }

        double weight() {
            if (!present("weight")) {
                return 1;
            }
            JsonNode value = required("weight");
            if (!value.isNumber()) {
                throw new InvalidTopologyException(path + "weight is " + value + ", but must be a number");
            }
            return value.doubleValue();
        }

        @Nullable
        UUID incarnation() {
            String text = text("incarnation", null);
            try {
                return text == null ? null : UUID.fromString(text);
            } catch (IllegalArgumentException e) {
                throw new InvalidTopologyException(path + "incarnation \"" + text + "\" is not a UUID", e);
            }
        }

        private boolean present(String name) {
            return object.hasNonNull(name);
        }

        private static List<String> sorted(Set<String> names) {
            return names.stream().sorted().toList();
        }
    }
}
