package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.config.ReadSettings.Placement;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.Replica;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** n1 is this node, in zone a. */
class ReadOrderTest {
    private static final Key KEY = Key.of("cart-7");

    private final Map<String, ManualReplica> origins = new HashMap<>();
    private long now = 1;

    private ObservedReplica replica(String id, String zone) {
        return ObservedReplicas.of(origin(id), zone, () -> now);
    }

    private ManualReplica origin(String id) {
        return origins.computeIfAbsent(id, ManualReplica::new);
    }

    private void answersIn(ObservedReplica replica, Duration time) {
        ManualReplica origin = origin(replica.member());
        var _ = replica.read(KEY, 1).subscribe();
        now += time.toNanos();
        origin.findsNothing();
        origin.again();
    }

    private void distrust(ObservedReplica replica) {
        ManualReplica origin = origin(replica.member());
        for (int i = 0; i < 5; i++) {
            var _ = replica.read(KEY, 1).subscribe();
            origin.fails(Reason.UNREACHABLE);
            origin.again();
        }
    }

    private static ClusterView view() {
        URI address = URI.create("http://n1:8080");
        Member self = new Member("n1", address, address, "a", MemberState.ACTIVE, 1, null);
        return ClusterView.of("n1", Topologies.of(1, List.of(self)));
    }

    private List<String> arranged(Placement placement, int choice, ObservedReplica... replicas) {
        List<ObservedReplica> order = new ArrayList<>(Arrays.asList(replicas));
        new ReadOrder(placement, ManualCluster.HEDGE_DELAY, bound -> choice % bound).arrange(order, view(), now);
        return order.stream().map(Replica::member).toList();
    }

    @Test
    void thisNodeIsFirst() {
        assertThat(arranged(Placement.NEAR, 0, replica("n2", "a"), replica("n3", "b"), replica("n1", "a")))
                .first()
                .isEqualTo("n1");
    }

    @Test
    void nearPrefersTheZoneOfThisNode() {
        assertThat(arranged(
                        Placement.NEAR,
                        0,
                        replica("n2", "b"),
                        replica("n3", "c"),
                        replica("n4", "a"),
                        replica("n1", "a")))
                .startsWith("n1", "n4");
    }

    @Test
    void spreadPrefersZonesThatAreNotAskedYet() {
        List<String> order = arranged(
                Placement.SPREAD,
                0,
                replica("n2", "a"),
                replica("n1", "a"),
                replica("n3", "b"),
                replica("n4", "b"),
                replica("n5", "c"));

        assertThat(order).startsWith("n1");
        assertThat(order.subList(1, 3)).contains("n5").containsAnyOf("n3", "n4");
    }

    @Test
    void ofTwoTakenByChanceTheLessCostlyIsAsked() {
        ObservedReplica fast = replica("n2", "b");
        ObservedReplica slow = replica("n3", "c");
        answersIn(fast, Duration.ofNanos(300_000));
        answersIn(slow, Duration.ofMillis(5));

        for (int choice = 0; choice < 2; choice++) {
            assertThat(arranged(Placement.NEAR, choice, replica("n1", "a"), slow, fast))
                    .containsExactly("n1", "n2", "n3");
        }
    }

    @Test
    void twoDifferentOnesAreTakenByChance() {
        ObservedReplica[] replicas = {replica("n2", "b"), replica("n3", "b"), replica("n4", "b")};
        for (int i = 0; i < replicas.length; i++) {
            answersIn(replicas[i], Duration.ofNanos(300_000 + 50_000 * i));
        }

        // Of the three, and of the two that are left: the second is counted on from the first.
        assertThat(firstBy(0, 0, replicas)).isEqualTo("n2");
        assertThat(firstBy(0, 1, replicas)).isEqualTo("n2");
        assertThat(firstBy(1, 0, replicas)).isEqualTo("n3");
        assertThat(firstBy(1, 1, replicas)).isEqualTo("n2");
        assertThat(firstBy(2, 0, replicas)).isEqualTo("n2");
        assertThat(firstBy(2, 1, replicas)).isEqualTo("n3");
    }

    private String firstBy(int one, int other, ObservedReplica... replicas) {
        List<ObservedReplica> order = new ArrayList<>(Arrays.asList(replicas));
        List<Integer> bounds = new ArrayList<>();
        IntUnaryOperator chance = bound -> {
            bounds.add(bound);
            return bounds.size() == 1 ? one : bounds.size() == 2 ? other : 0;
        };
        new ReadOrder(Placement.NEAR, ManualCluster.HEDGE_DELAY, chance).arrange(order, view(), now);
        assertThat(bounds).startsWith(3, 2);
        return order.getFirst().member();
    }

    @Test
    void zoneThatIsAskedAlreadyIsNoWorseForBeingAskedAgain() {
        String[] zones = {"a", "a", "a", "b", "b"};
        ObservedReplica[] replicas = new ObservedReplica[zones.length];
        for (int i = 0; i < zones.length; i++) {
            replicas[i] = replica("n" + (i + 2), zones[i]);
            answersIn(replicas[i], Duration.ofNanos(300_000 + 50_000 * i));
        }

        assertThat(arranged(Placement.SPREAD, 0, replicas)).containsExactly("n2", "n5", "n3", "n4", "n6");
    }

    @Test
    void zoneIsNotPreferredWhereItsReplicaIsSlow() {
        ObservedReplica near = replica("n2", "a");
        ObservedReplica far = replica("n3", "b");
        answersIn(far, Duration.ofNanos(300_000));
        answersIn(near, Duration.ofMillis(5));
        ObservedReplica notKnown = replica("n4", "c");

        assertThat(arranged(Placement.NEAR, 0, near, far, notKnown)).containsExactly("n4", "n3", "n2");
        assertThat(arranged(Placement.SPREAD, 0, near, far)).containsExactly("n3", "n2");
    }

    @Test
    void storeOfThisNodeIsNotPreferredWhereItIsSlow() {
        ObservedReplica own = replica("n1", "a");
        ObservedReplica other = replica("n2", "b");
        answersIn(other, Duration.ofNanos(300_000));
        answersIn(own, Duration.ofMillis(5));

        ObservedReplica notKnown = replica("n3", "c");

        assertThat(arranged(Placement.NEAR, 0, own, other, notKnown)).containsExactly("n3", "n2", "n1");
    }

    @Test
    void quickStoreOfThisNodeMakesNobodySlow() {
        ObservedReplica own = replica("n1", "a");
        ObservedReplica near = replica("n2", "a");
        answersIn(own, Duration.ofNanos(20_000));
        answersIn(near, Duration.ofMillis(2));

        assertThat(arranged(Placement.NEAR, 0, replica("n3", "b"), near, own)).containsExactly("n1", "n2", "n3");
    }

    @Test
    void quickStoreOfThisNodeMakesNobodySlowWhileItIsAvoidedEither() {
        ObservedReplica own = replica("n1", "a");
        ObservedReplica near = replica("n2", "a");
        answersIn(own, Duration.ofNanos(1000));
        distrust(own); // At the same instant: failures that come at once count for little in its average.
        answersIn(near, Duration.ofMillis(2));

        assertThat(arranged(Placement.NEAR, 0, replica("n3", "b"), near, own)).containsExactly("n2", "n3", "n1");
    }

    @Test
    void zoneIsPreferredThoughItsReplicaTakesWhatZonesDifferByLonger() {
        ObservedReplica near = replica("n2", "a");
        ObservedReplica far = replica("n3", "b");
        answersIn(far, Duration.ofMillis(2));
        answersIn(near, Duration.ofMillis(5));

        assertThat(arranged(Placement.NEAR, 0, far, near)).containsExactly("n2", "n3");
    }

    @Test
    void replicaThatWasSlowIsPreferredAgainWhenItWasNotAskedForSeconds() {
        ObservedReplica near = replica("n2", "a");
        ObservedReplica far = replica("n3", "b");
        answersIn(near, Duration.ofMillis(5));
        now += Duration.ofSeconds(6).toNanos();
        answersIn(far, Duration.ofNanos(300_000));

        assertThat(arranged(Placement.NEAR, 0, far, near)).containsExactly("n2", "n3");
    }

    @Test
    void replicaThatWasNotAskedForSecondsMakesNobodySlow() {
        ObservedReplica own = replica("n1", "a");
        ObservedReplica far = replica("n2", "b");
        answersIn(far, Duration.ofMillis(80));
        now += Duration.ofSeconds(20).toNanos();
        answersIn(own, Duration.ofMillis(5));

        assertThat(arranged(Placement.NEAR, 0, far, own)).containsExactly("n1", "n2");
    }

    @Test
    void replicaThatGoesByAnotherTopologyIsNotSlow() {
        ObservedReplica near = replica("n2", "a");
        ObservedReplica far = replica("n3", "b");
        answersIn(near, Duration.ofNanos(300_000));
        answersIn(far, Duration.ofNanos(300_000));
        now += Duration.ofSeconds(1).toNanos();
        var _ = near.read(KEY, 1).subscribe();
        origin("n2").fails(Reason.STALE);

        assertThat(arranged(Placement.NEAR, 0, far, near)).containsExactly("n2", "n3");
    }

    @Test
    void replicaThatIsAvoidedMakesNobodySlow() {
        ObservedReplica avoided = replica("n3", "b");
        answersIn(avoided, Duration.ofNanos(1000));
        distrust(avoided); // At the same instant: failures that come at once count for little in its average.
        ObservedReplica near = replica("n2", "a");
        answersIn(near, Duration.ofMillis(15));

        assertThat(arranged(Placement.NEAR, 0, replica("n4", "c"), near, avoided))
                .containsExactly("n2", "n4", "n3");
    }

    @Test
    void slowReplicaIsAskedBeforeOneThatIsAvoided() {
        ObservedReplica slow = replica("n2", "b");
        ObservedReplica quick = replica("n4", "c");
        answersIn(quick, Duration.ofNanos(300_000));
        answersIn(slow, Duration.ofMillis(50));
        ObservedReplica avoided = replica("n3", "a");
        distrust(avoided);

        assertThat(arranged(Placement.NEAR, 0, avoided, slow, quick)).containsExactly("n4", "n2", "n3");
    }

    @Test
    void callsThatWaitMakeAReplicaMoreCostly() {
        ObservedReplica one = replica("n2", "b");
        ObservedReplica other = replica("n3", "c");
        answersIn(one, Duration.ofMillis(1));
        answersIn(other, Duration.ofMillis(2));

        var _ = one.read(KEY, 1).subscribe();
        var _ = one.read(KEY, 1).subscribe();

        assertThat(arranged(Placement.NEAR, 0, one, other)).containsExactly("n3", "n2");
    }

    @Test
    void replicaThatIsAvoidedComesLastEvenOnThisNode() {
        ObservedReplica own = replica("n1", "a");
        distrust(own);

        List<ObservedReplica> order = new ArrayList<>(List.of(own, replica("n2", "b"), replica("n3", "c")));
        int trusted = new ReadOrder(Placement.NEAR, ManualCluster.HEDGE_DELAY, bound -> 0).arrange(order, view(), now);

        assertThat(trusted).isEqualTo(2);
        assertThat(order).last().isSameAs(own);
    }

    @Test
    void orderHoldsEveryReplicaOnceWhateverChanceSays() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 1000; i++) {
            List<ObservedReplica> order = new ArrayList<>();
            for (int n = 1; n <= 1 + random.nextInt(8); n++) {
                order.add(replica("n" + n, "z" + random.nextInt(3)));
            }
            List<ObservedReplica> before = List.copyOf(order);

            Placement placement = random.nextBoolean() ? Placement.NEAR : Placement.SPREAD;
            new ReadOrder(placement, ManualCluster.HEDGE_DELAY, random::nextInt).arrange(order, view(), now);

            assertThat(order).as("seed " + seed).containsExactlyInAnyOrderElementsOf(before);
        }
    }
}
