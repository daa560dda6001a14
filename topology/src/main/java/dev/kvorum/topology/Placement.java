package dev.kvorum.topology;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The members that hold each partition, in order: weighted rendezvous hashing with the zones spread first.
 *
 * <p>Each (partition, member) pair gets a score that depends on nothing else. Members are ranked by their score within
 * their own zone, and ordered by that rank first and by score second: so the best of every zone come before the second
 * best of any. Because that is a total order, the first {@code n} members are always a prefix of the first {@code n+1};
 * and because a member that joins or leaves changes no other's score and shifts only the ranks behind it in its own zone, only
 * its own share of the copies moves.
 *
 * <p>Sources: Thaler and Ravishankar, "Using name-based mappings to increase hit rates" (1998) for rendezvous hashing;
 * Schindelhauer and Schomaker, "Weighted distributed hash tables" (2005) for {@code -w / ln(u)}.
 */
public final class Placement {
    private static final Hasher64 HASH = Hashing.xxh3_64();
    private static final double UNIT = 0x1p-53;

    private final List<Member> members;
    // Filled on demand: a start-up need not wait for what the first requests compute in microseconds each. Two threads
    // may
    // compute the same entry, to the same result.
    private final AtomicReferenceArray<@Nullable List<Member>> orders;

    private Placement(List<Member> members, int partitions) {
        this.members = members;
        this.orders = new AtomicReferenceArray<>(partitions);
    }

    /** Where the partitions are under the present epoch. */
    public static Placement current(Topology topology) {
        return of(topology.currentOwners(), topology.partitions());
    }

    /** Where they will be once the running change is final. */
    public static Placement next(Topology topology) {
        return of(topology.nextOwners(), topology.partitions());
    }

    /** Where so many partitions are among these members. */
    public static Placement of(List<Member> members, int partitions) {
        return new Placement(List.copyOf(members), partitions);
    }

    /** All members in the order in which they hold a partition; the first {@code from} of them are its replicas. Any thread. */
    public List<Member> order(int partition) {
        List<Member> known = orders.get(partition);
        if (known != null) {
            return known;
        }
        List<Member> computed = order(members, partition);
        orders.set(partition, computed);
        return computed;
    }

    /** The first {@code from} members of a partition, or all of them where there are fewer. Any thread. */
    public List<Member> owners(int partition, int from) {
        List<Member> order = order(partition);
        return order.subList(0, Math.min(from, order.size()));
    }

    public int partitions() {
        return orders.length();
    }

    /** How many members there are to hold them. */
    public int size() {
        return members.size();
    }

    private static List<Member> order(List<Member> members, int partition) {
        List<Candidate> candidates = new ArrayList<>(members.size());
        for (Member member : members) {
            candidates.add(new Candidate(member, score(member, partition), 0));
        }
        // Two members never tie but by a hash collision; the id then keeps the order the same on every node.
        candidates.sort(Comparator.comparingDouble(Candidate::score).reversed().thenComparing(c -> c.member.id()));
        Map<String, Integer> ranked = new HashMap<>();
        candidates.replaceAll(c -> c.ranked(ranked.merge(c.member.zone(), 1, Integer::sum)));
        candidates.sort(Comparator.comparingInt(Candidate::rankInZone)); // Stable: equal ranks stay ordered by score.
        return candidates.stream().map(Candidate::member).toList();
    }

    private static double score(Member member, int partition) {
        long hash = HASH.hashStream().putString(member.id()).putInt(partition).getAsLong();
        double uniform =
                ((hash >>> 11) + 0.5) * UNIT; // In (0, 1), both ends excluded: its logarithm is finite and below 0.
        return -member.weight() / StrictMath.log(uniform); // StrictMath: the same bits on every machine.
    }

    private record Candidate(Member member, double score, int rankInZone) {
        Candidate ranked(int rank) {
            return new Candidate(member, score, rank);
        }
    }
}
