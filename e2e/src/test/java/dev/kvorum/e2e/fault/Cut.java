package dev.kvorum.e2e.fault;

import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.cluster.Sidecar;
import java.util.ArrayList;
import java.util.List;

/** Packets between nodes that do not arrive: dropped where they leave, and nobody is told. */
public final class Cut implements Fault {
    private record Rule(Node from, Node to) {
        void change(String action) {
            Sidecar.inNetworkOf(from, "iptables", action, "OUTPUT", "-d", to.address(), "-j", "DROP");
        }
    }

    private final List<Rule> rules = new ArrayList<>();

    private Cut() {}

    /** What the first sends does not reach the second; the other way it does. */
    public static Cut oneWay(Node from, Node to) {
        Cut cut = new Cut();
        cut.add(from, to);
        return cut;
    }

    public static Cut between(Node one, Node other) {
        Cut cut = oneWay(one, other);
        cut.add(other, one);
        return cut;
    }

    /** The node reaches none of the others, nor they it. Clients reach all. */
    public static Cut around(Node node, List<Node> all) {
        Cut cut = new Cut();
        for (Node other : all) {
            if (other != node) {
                cut.add(node, other);
                cut.add(other, node);
            }
        }
        return cut;
    }

    private void add(Node from, Node to) {
        Rule rule = new Rule(from, to);
        try {
            rule.change("-I");
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
        rules.add(rule);
    }

    /** Lifts all, also where one can't be lifted; then it fails. */
    @Override
    public void close() {
        List<RuntimeException> failures = new ArrayList<>();
        for (Rule rule : rules.reversed()) {
            try {
                rule.change("-D");
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        rules.clear();
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
    }
}
