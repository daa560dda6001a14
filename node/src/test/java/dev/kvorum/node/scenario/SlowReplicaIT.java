package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.Fault;
import dev.kvorum.node.cluster.NodeClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hedged reads through the first of three nodes while the third is slow, frozen or dead. Time-outs are longer than the client waits: nothing
 * here passes because of one.
 */
@Timeout(120)
@Tag("check")
class SlowReplicaIT {
    private static final int READS = 200;

    @TempDir
    static Path directory;

    static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(
                directory,
                3,
                "--kvorum.peer.timeout=60s",
                "--kvorum.quorum.deadline=60s",
                "--kvorum.read.fan-out=hedged",
                "--kvorum.read.hedge-delay-min=100ms", // No healthy replica takes as long, on the slowest of machines.
                "--kvorum.read.hedge-delay-max=100ms");
        client().put("cart-7", "apples", "3/3");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void startAgainAndTrustAll() {
        if (!third().isRunning()) {
            third().start();
        }
        eventually("all replicas are trusted", () -> {
            read(1);
            return breaker("n2") == 0 && breaker("n3") == 0;
        });
    }

    private static NodeClient client() {
        return cluster.node(0).client();
    }

    private static TestNode third() {
        return cluster.node(2);
    }

    private static void read(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(client().get("cart-7", "2/3").statusCode()).isEqualTo(200);
        }
    }

    private static double breaker(String member) {
        return cluster.node(0)
                .meters()
                .get("kvorum.replica.breaker")
                .tag("member", member)
                .gauge()
                .value();
    }

    private static double counted(String name) {
        return cluster.node(0).counted(name);
    }

    @Test
    void healthyReplicasAreAskedAsManyAsMustAnswer() {
        double unasked = counted("kvorum.read.unasked");

        read(READS);

        assertThat(counted("kvorum.read.unasked") - unasked).isGreaterThan(READS * 0.8);
    }

    @Test
    void slowReplicaIsNoticedAndNotAskedFirst() {
        try (Fault slow = third().proxy().delay(Duration.ofMillis(200))) {
            read(READS); // The first of these notice it.
            double unasked = counted("kvorum.read.unasked");
            double hedges = counted("kvorum.read.hedges.sent");

            read(READS);

            assertThat(counted("kvorum.read.unasked") - unasked).isGreaterThan(READS * 0.8);
            assertThat(counted("kvorum.read.hedges.sent") - hedges).isLessThan(READS * 0.1);
        }
    }

    @Test
    void frozenReplicaDelaysNoReadForLongAndIsAskedAgainWhenItThaws() {
        try (Fault frozen = third().proxy().freeze()) {
            eventually("the frozen replica is avoided", () -> {
                read(1);
                client().put("cart-8", "pears", "2/3");
                return breaker("n3") > 0;
            });
            double hedges = counted("kvorum.read.hedges.sent");

            read(READS);

            assertThat(counted("kvorum.read.hedges.sent") - hedges).isLessThan(READS * 0.1);
            assertThat(breaker("n3")).isPositive();
        }

        eventually("the thawed replica is trusted", () -> {
            read(1);
            return breaker("n3") == 0;
        });
    }

    @Test
    void deadReplicaIsReplacedAtOnceAndAvoided() {
        third().stop();

        eventually("the dead replica is avoided", () -> {
            read(1);
            client().put("cart-8", "pears", "2/3");
            return breaker("n3") > 0;
        });
        double replaced = counted("kvorum.read.replaced");
        read(READS);

        assertThat(counted("kvorum.read.replaced") - replaced).isLessThan(READS * 0.1);
        assertThat(breaker("n2")).isZero();
    }
}
