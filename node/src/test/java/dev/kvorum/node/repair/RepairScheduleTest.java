package dev.kvorum.node.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.repair.RepairCluster.Node;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RepairScheduleTest {
    private static final Duration INTERVAL = RepairCluster.INTERVAL;
    private static final int PARTITIONS = 32;

    private final RepairCluster cluster = new RepairCluster(1, 3, PARTITIONS, INTERVAL);

    private double runs() {
        return cluster.counted("kvorum.repair.runs", "outcome", "verified")
                + cluster.counted("kvorum.repair.runs", "outcome", "incomplete");
    }

    @Test
    void everyPartitionIsVerifiedOncePerIntervalByOneOfItsOwners() {
        cluster.pass(INTERVAL);
        double before = runs();

        cluster.pass(INTERVAL.multipliedBy(10));

        assertThat(runs() - before).isBetween(9.0 * PARTITIONS, 10.0 * PARTITIONS);
        assertThat(cluster.nodes())
                .allSatisfy(node -> assertThat(IntStream.range(0, PARTITIONS))
                        .allMatch(p -> node.repair().verifiedAt(p) > cluster.now() - INTERVAL.toMillis() * 3 / 2));
    }

    @Test
    void partitionsAreSpreadOverTheInterval() {
        cluster.pass(INTERVAL.multipliedBy(3));
        Set<Long> times = new TreeSet<>();
        IntStream.range(0, PARTITIONS)
                .forEach(p -> times.add(cluster.node("n1").repair().verifiedAt(p)));

        long before = cluster.now() - INTERVAL.toMillis() * 5 / 4;
        long gapMax = 0;
        for (long time : times) {
            gapMax = Math.max(gapMax, time - before);
            before = time;
        }
        assertThat(Duration.ofMillis(gapMax)).isLessThan(INTERVAL.dividedBy(2));
        assertThat(times).hasSizeGreaterThan(PARTITIONS / 2);
    }

    @Test
    void secondOwnerTakesOverWhereTheFirstIsDown() {
        Node first = cluster.order(3).get(0);
        Node second = cluster.order(3).get(1);
        cluster.pass(INTERVAL.multipliedBy(2));
        first.stop();
        Key key = cluster.key(3, "cart");
        cluster.order(3).get(2).store.put(key, cluster.value(key, "v", 3));

        cluster.pass(INTERVAL.multipliedBy(2));

        assertThat(second.store.get(key)).isPresent();
    }

    /** What it has noted says when it is due: a node that is often restarted neither begins anew nor never ends. */
    @Test
    void restartChangesNothing() {
        cluster.pass(INTERVAL.multipliedBy(2));
        double before = runs();

        for (int i = 0; i < 24; i++) {
            cluster.nodes().forEach(node -> {
                node.stop();
                node.start(INTERVAL);
            });
            cluster.pass(INTERVAL.dividedBy(12));
        }

        assertThat(runs() - before).isBetween(1.5 * PARTITIONS, 2.5 * PARTITIONS);
    }

    @Test
    void oldestVerificationCanBeWatched() {
        assertThat(ageSeconds()).isZero();

        cluster.pass(INTERVAL.multipliedBy(4));
        assertThat(ageSeconds()).isBetween(60.0, INTERVAL.toSeconds() * 1.5);

        cluster.nodes().forEach(cluster::cut);
        cluster.pass(INTERVAL.multipliedBy(4));
        assertThat(ageSeconds()).isGreaterThan((double) (INTERVAL.toSeconds() * 4));
    }

    /** Of one of the nodes: they share the registry, which keeps the first. */
    private double ageSeconds() {
        return cluster.meters.get("kvorum.repair.verified.age.max").gauge().value();
    }
}
