package dev.kvorum.e2e.scaling;

import dev.kvorum.e2e.cluster.Cluster;
import dev.kvorum.e2e.cluster.Node;
import java.util.ArrayList;
import java.util.List;

/** A change of the members as docs/operations.md tells it: new nodes are started, one command does the rest, and those that left are ended. */
record MemberChange(Cluster cluster, Node present, List<Node> joining, List<Node> leaving) {
    /** Blocks until it is final and former owners have dropped what they gave. Answers with what the command said. */
    String carryOut() {
        joining.parallelStream().forEach(Node::create);
        joining.forEach(Node::awaitControl);
        List<String> options = new ArrayList<>();
        joining.forEach(node -> options.add(cluster.optionToAdd(node)));
        leaving.forEach(node -> options.add("--remove=" + node.id()));
        String said = cluster.command("start", present, options);
        joining.forEach(Node::awaitReady);
        leaving.forEach(node -> {
            node.stop();
            node.remove();
        });
        return said;
    }
}
