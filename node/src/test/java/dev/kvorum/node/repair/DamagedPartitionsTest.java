package dev.kvorum.node.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.repair.RepairCluster.Node;
import dev.kvorum.node.storage.StoreOverloadedException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** A cell of the first owner is damaged, and its store has too much to do to remove it. */
class DamagedPartitionsTest {
    private static final int P = 3;
    private static final int FOREVER = Integer.MAX_VALUE;
    private static final int SWALLOWED =
            2 * RepairRun.ROUNDS_MAX; // In one run: two others give the cell in each round.

    private final RepairCluster cluster = new RepairCluster(1, 3, 16);
    private final Node node = cluster.order(P).getFirst();
    private final Key key = cluster.key(P, "cart");
    private final Cell value = cluster.value(key, "v", 3);
    private final DamagedPartitions damaged = new DamagedPartitions(
            node.membership, node.verifications(), cluster::now, node.repair(), cluster.deadlines());
    private int refusals;
    private int tries;
    private int swallowed;

    @BeforeEach
    void damage() {
        cluster.nodes().forEach(each -> each.store.put(key, value));
        node.store.damage(key, this::meet, () -> swallowed++);
    }

    /** As a read or a scan does. */
    private void meet() {
        assertThat(damaged.damaged(P, key, removal())).isTrue();
    }

    private Mono<Boolean> removal() {
        return Mono.defer(() -> {
            tries++;
            if (refusals > 0 && node.store.isDamaged()) {
                refusals--;
                return Mono.error(new StoreOverloadedException());
            }
            return Mono.just(node.store.removeDamage());
        });
    }

    private boolean isServed() {
        return !node.verifications().isRebuilding(P);
    }

    @Test
    void removalThatIsRefusedIsTriedAgainAndThePartitionIsServedSoon() {
        refusals = 12; // Those of the walks that meet the cell again, too.

        meet();
        assertThat(isServed()).isFalse();
        cluster.pass(Duration.ofSeconds(20));

        assertThat(refusals).isZero();
        assertThat(isServed()).isTrue();
        assertThat(node.store.get(key)).contains(value);
    }

    @Test
    void allElseIsPulledWhileTheCellCanNotBeRemovedAndThePartitionIsNotServed() {
        refusals = FOREVER;
        Key other = cluster.key(P, "other");
        Cell ofOther = cluster.value(other, "v", 3);
        cluster.order(P).get(1).store.put(other, ofOther);

        meet();
        cluster.pass(Duration.ofMinutes(1));

        assertThat(node.store.get(other)).contains(ofOther);
        assertThat(isServed()).isFalse();
        assertThat(tries).isLessThan(100);
    }

    /** What the others give is swallowed in each round; then the cell is removed, as the last that happens in the run. */
    @Test
    void runWhosePullsTheDamagedCellSwallowedDoesNotCount() {
        refusals = FOREVER;
        node.store.damage(key, this::meet, () -> {
            swallowed++;
            if (swallowed == SWALLOWED) {
                boolean _ = node.store.removeDamage();
            }
        });

        meet();
        for (int i = 0; i < 10_000; i++) {
            cluster.pass(Duration.ofMillis(1));
            assertThat(isServed() && node.store.get(key).isEmpty())
                    .as("served without it, after %d ms", i)
                    .isFalse();
        }

        assertThat(swallowed).isEqualTo(SWALLOWED);
        assertThat(isServed()).isTrue();
    }

    @Test
    void removalIsTriedOnceAtATimeForEachPartition() {
        refusals = FOREVER;
        for (int i = 0; i < 50; i++) {
            meet();
        }
        int before = tries;

        cluster.pass(Duration.ofMillis(150));

        assertThat(tries - before).isLessThan(50);
    }
}
