package dev.kvorum.e2e.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.MemberReport;
import dev.kvorum.e2e.client.Metrics;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.client.Reply;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Eventually;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.fault.Cut;
import dev.kvorum.e2e.fault.Fault;
import dev.kvorum.e2e.fault.Kill;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A replica that missed writes has them in the end. It is asked alone, with the others cut off: it answers with what it holds itself. */
class MissedWritesE2E {
    private static final int KEYS = 200;
    private static final int DELETED_KEYS = 50;
    private static final Duration BROUGHT_MAX = Duration.ofSeconds(60);
    private static final Duration REBUILT_MAX = Duration.ofMinutes(5);

    @RegisterExtension
    static final TestCluster cluster = TestCluster.of(
            ClusterSpec.ofNodes(3).with("kvorum.repair.load-max=100")); // The scenarios keep all processors busy.

    private EntityClient client;

    @BeforeEach
    void connect() {
        client = new EntityClient(cluster.get());
    }

    @Test
    void hintsBringWhatAKilledReplicaMissed() {
        double broughtBefore = broughtByN1();
        try (Fault killed = Kill.of(cluster.node(3))) {
            write("hint-");
        }

        Eventually.await(
                "n1 has no hint left for n3, and has brought " + KEYS,
                BROUGHT_MAX,
                () -> waitingForN3(cluster.node(1)) == 0 && broughtByN1() - broughtBefore >= KEYS);
        assertHeldByN3Alone("hint-");
    }

    /** The one that missed it still has the value. Whoever asks meets it in every other quorum of two, until it has been told. */
    @Test
    void whatWasDeletedStaysDeletedWhenAReplicaComesBackThatMissedIt() {
        for (int i = 0; i < DELETED_KEYS; i++) {
            client.put(cluster.node(1), "deleted-" + i, client.fresh("deleted-" + i), Quorum.ALL_OF_3)
                    .expect(201);
        }
        double broughtBefore = broughtByN1();
        try (Fault killed = Kill.of(cluster.node(3))) {
            for (int i = 0; i < DELETED_KEYS; i++) {
                client.delete(cluster.node(1), "deleted-" + i, Quorum.MAJORITY_OF_3)
                        .expect(202);
            }
        }

        for (int i = 0; i < DELETED_KEYS; i++) {
            for (Node node : cluster.get().nodes()) {
                client.get(node, "deleted-" + i, Quorum.MAJORITY_OF_3).expect(404);
            }
        }
        Eventually.await(
                "n1 has no hint left for n3, and has brought " + DELETED_KEYS,
                BROUGHT_MAX,
                () -> waitingForN3(cluster.node(1)) == 0 && broughtByN1() - broughtBefore >= DELETED_KEYS);
        try (Fault alone = Cut.around(cluster.node(3), cluster.get().nodes())) {
            for (int i = 0; i < DELETED_KEYS; i++) {
                client.get(cluster.node(3), "deleted-" + i, Quorum.ONE_OF_3).expect(404);
            }
        }
    }

    /**
     * What n3 has lost it can't be told of by n1, from which nothing arrives at first. So it must not count as one of two who have not found a key,
     * though what is written it takes.
     */
    @Test
    void nodeThatLostItsDiskCountsForWritesOnlyUntilItHasBeenRebuiltFromTheOthers() {
        cluster.get().command("record", cluster.node(1), List.of());
        write("lost-");
        Kill lost = Kill.withDisk(cluster.get(), cluster.node(3));
        assertServed(client.get(cluster.node(1), "lost-0", Quorum.MAJORITY_OF_3), client.fresh("lost-0"));

        try (Fault deaf = Cut.oneWay(cluster.node(1), cluster.node(3))) {
            lost.close();
            assertThat(MemberReport.of(cluster.node(3)).rebuilding()).isPositive();
            for (int i = 0; i < KEYS; i += 20) {
                client.get(cluster.node(3), "lost-" + i, Quorum.MAJORITY_OF_3).expect(504);
            }
            // Not before kvorum.clock.ahead-max is over: it has forgotten which writes are the newest.
            Eventually.await(
                    "writes count on n3 again",
                    REBUILT_MAX,
                    () -> client.put(cluster.node(3), "taken", client.fresh("taken"), Quorum.MAJORITY_OF_3)
                                    instanceof Reply.Answered answered
                            && answered.status() == 201);
        }

        Eventually.await(
                () -> "n3 is rebuilt: " + MemberReport.of(cluster.node(3)).text(),
                REBUILT_MAX,
                () -> MemberReport.of(cluster.node(3)).rebuilding() == 0);
        cluster.get().command("record", cluster.node(1), List.of());
        assertHeldByN3Alone("lost-");
    }

    private void write(String prefix) {
        for (int i = 0; i < KEYS; i++) {
            client.put(cluster.node(1), prefix + i, client.fresh(prefix + i), Quorum.MAJORITY_OF_3)
                    .expect(201);
        }
    }

    private static double broughtByN1() {
        return Metrics.of(cluster.node(1)).sumOrZero("kvorum_hints_replayed_total");
    }

    private static double waitingForN3(Node node) {
        return Metrics.of(node).sum("kvorum_hints_waiting", "member=\"n3\"");
    }

    private void assertHeldByN3Alone(String prefix) {
        try (Fault alone = Cut.around(cluster.node(3), cluster.get().nodes())) {
            for (int i = 0; i < KEYS; i++) {
                assertServed(client.get(cluster.node(3), prefix + i, Quorum.ONE_OF_3), client.fresh(prefix + i));
            }
        }
    }

    private static void assertServed(Reply read, String value) {
        assertThat(read.answered().body()).as("%s", read).isEqualTo(value);
    }
}
