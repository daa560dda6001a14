package dev.kvorum.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Properties of placement over random clusters. Each case is named by its seed: run one again with that seed alone. */
class PlacementTest {
    private static final int PARTITIONS = Topology.PARTITIONS_DEFAULT;
    private static final int COPIES = 3;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 24);
    }

    /** 3 to 50 members, the sizes spread over the seeds. */
    private static int members(long seed) {
        return 3 + (int) ((seed * 7) % 48);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void firstMembersArePrefixOfMoreMembers(long seed) {
        Placement placement = Placement.of(Clusters.random(new Random(seed), members(seed), 3), 64);

        for (int partition = 0; partition < placement.partitions(); partition++) {
            for (int from = 1; from < members(seed); from++) {
                List<Member> more = placement.owners(partition, from + 1);

                assertThat(more).startsWith(placement.owners(partition, from).toArray(Member[]::new));
                assertThat(new HashSet<>(more)).hasSize(from + 1);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noMemberHoldsMoreThanFiveQuartersOfItsFairShare(long seed) {
        for (int zones : new int[] {1, 3}) {
            int members = Math.max(
                    members(seed) / zones * zones, zones); // Zones of equal size: unequal ones have no equal share.
            Placement placement = Placement.of(Clusters.random(new Random(seed), members, zones), PARTITIONS);

            double fair = (double) PARTITIONS * COPIES / members;

            assertThat(load(placement).values())
                    .allSatisfy(held -> assertThat(held / fair).isLessThanOrEqualTo(1.25));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void joiningMemberIsTheOnlyOneThatGainsCopies(long seed) {
        List<Member> before = Clusters.random(new Random(seed), members(seed), 3);
        List<Member> after = new ArrayList<>(before);
        after.add(Clusters.member("joiner", "zone-" + seed % 4)); // Zone 3 is a new one.

        Map<Member, Integer> gained = gained(Placement.of(before, PARTITIONS), Placement.of(after, PARTITIONS));

        assertThat(gained).containsOnlyKeys(after.getLast());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void leavingMemberGivesAwayItsOwnCopiesAndNoOthers(long seed) {
        List<Member> before = Clusters.random(new Random(seed), members(seed) + 1, 3);
        List<Member> after = before.subList(1, before.size());
        Placement former = Placement.of(before, PARTITIONS);

        int moved = total(gained(former, Placement.of(after, PARTITIONS)));

        assertThat(moved).isEqualTo(load(former).get(before.getFirst()));
    }

    /** The least that must move is the fair share of who joins; what moves beyond is the luck of the hash. */
    @ParameterizedTest(name = "{0} members")
    @MethodSource("sizes")
    void joinMovesAtMost115PercentOfTheMinimum(int members) {
        List<Double> ratios = seeds().mapToObj(seed -> {
                    List<Member> before = Clusters.random(new Random(seed), members, 1);
                    List<Member> after = new ArrayList<>(before);
                    after.add(Clusters.member("joiner", "zone-0"));
                    int moved = total(gained(Placement.of(before, PARTITIONS), Placement.of(after, PARTITIONS)));
                    return moved / ((double) PARTITIONS * COPIES / after.size());
                })
                .toList();

        assertThat(ratios).allSatisfy(ratio -> assertThat(ratio).isLessThanOrEqualTo(1.15));
    }

    static IntStream sizes() {
        return IntStream.of(3, 4, 5, 8, 16, 32, 49);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void copiesOfAPartitionLieInDifferentZonesWhileZonesLast(long seed) {
        int zones = 2 + (int) (seed % 4);
        Placement placement = Placement.of(Clusters.random(new Random(seed), zones * 3, zones), PARTITIONS);

        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(placement.owners(partition, zones))
                    .extracting(Member::zone)
                    .doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void memberOfDoubleWeightHoldsAboutTwiceAsMuch(long seed) {
        List<Member> members = Clusters.random(new Random(seed), 20, 1);
        Member plain = members.getFirst();
        members.set(0, new Member(plain.id(), plain.api(), plain.peer(), plain.zone(), plain.state(), 2, null));

        Map<Member, Integer> load = load(Placement.of(members, PARTITIONS));

        double others = load.entrySet().stream()
                .filter(held -> held.getKey().weight() == 1)
                .mapToInt(Map.Entry::getValue)
                .average()
                .orElseThrow();
        assertThat(load.getOrDefault(members.getFirst(), 0) / others).isBetween(1.6, 2.2);
    }

    /** Placement is part of the data format: where a copy lies must not change with a library or a JDK. */
    @Test
    void placementOfAKnownClusterNeverChanges() {
        List<Member> members = IntStream.rangeClosed(1, 5)
                .mapToObj(i -> Clusters.member("n" + i, "zone-" + i % 3))
                .toList();
        Placement placement = Placement.of(members, PARTITIONS);

        assertThat(ids(placement, 0)).isEqualTo("n2 n3 n1 n5 n4");
        assertThat(ids(placement, 1)).isEqualTo("n5 n4 n3 n2 n1");
        assertThat(ids(placement, 4095)).isEqualTo("n2 n4 n3 n1 n5");
    }

    /** The same with ids as short and as long as they may be, and weights. */
    @Test
    void placementOfAnUnevenClusterNeverChanges() {
        String longest = "a-name-as-long-as-a-label-may-be-" + "x".repeat(30);
        List<Member> members = List.of(
                weighted("a", "zone-0", 1),
                weighted("kvorum-zone-a-0", "zone-1", 1),
                weighted("kvorum-zone-b-12", "zone-0", 2.5),
                weighted(longest, "zone-1", 1),
                weighted("n7", "zone-0", 0.5));
        Placement placement = Placement.of(members, PARTITIONS);

        assertThat(ids(placement, 0)).isEqualTo("kvorum-zone-b-12 kvorum-zone-a-0 n7 " + longest + " a");
        assertThat(ids(placement, 7)).isEqualTo(longest + " kvorum-zone-b-12 kvorum-zone-a-0 a n7");
        assertThat(ids(placement, 4095)).isEqualTo("a " + longest + " kvorum-zone-b-12 kvorum-zone-a-0 n7");
    }

    private static Member weighted(String id, String zone, double weight) {
        Member member = Clusters.member(id, zone);
        return new Member(id, member.api(), member.peer(), zone, member.state(), weight, null);
    }

    private static String ids(Placement placement, int partition) {
        return String.join(
                " ", placement.order(partition).stream().map(Member::id).toList());
    }

    private static Map<Member, Integer> load(Placement placement) {
        Map<Member, Integer> load = new HashMap<>();
        for (int partition = 0; partition < placement.partitions(); partition++) {
            placement.owners(partition, COPIES).forEach(member -> load.merge(member, 1, Integer::sum));
        }
        return load;
    }

    private static Map<Member, Integer> gained(Placement before, Placement after) {
        Map<Member, Integer> gained = new HashMap<>();
        for (int partition = 0; partition < before.partitions(); partition++) {
            Set<Member> former = new HashSet<>(before.owners(partition, COPIES));
            after.owners(partition, COPIES).stream()
                    .filter(member -> !former.contains(member))
                    .forEach(member -> gained.merge(member, 1, Integer::sum));
        }
        return gained;
    }

    private static int total(Map<Member, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }
}
