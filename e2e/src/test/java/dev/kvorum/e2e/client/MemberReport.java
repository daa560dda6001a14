package dev.kvorum.e2e.client;

import dev.kvorum.e2e.cluster.Node;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a node reports of itself to whoever changes the members, as docs/peer-protocol.md says. */
public record MemberReport(String text) {
    private static final JsonMapper JSON = new JsonMapper();

    /** Asks the node. Blocks. */
    public static MemberReport of(Node node) {
        return new MemberReport(Question.ask(node.management().resolve("/actuator/member")));
    }

    /** Partitions that it has yet to pull, as its disk was lost. */
    public int rebuilding() {
        return number("rebuilding").asInt();
    }

    /** Partitions that it may hold though it need not. */
    public int pendingDrops() {
        return number("former", "pending").asInt();
    }

    private JsonNode number(String... path) {
        JsonNode node = JSON.readTree(text);
        for (String name : path) {
            node = node.path(name);
        }
        if (!node.isNumber()) {
            throw new AssertionError("The report has no number " + String.join(".", path) + ": " + text);
        }
        return node;
    }
}
