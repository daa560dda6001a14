package dev.kvorum.topology;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.List;
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
    private final int[] zones; // Of each member, numbered.
    private final byte[][] hashed; // Of each member: what is hashed, with room for the partition at its end.
    // Filled on demand: a start-up need not wait for what the first requests compute in microseconds each. Two threads
    // may
    // compute the same entry, to the same result.
    private final AtomicReferenceArray<@Nullable List<Member>> orders;

    private Placement(List<Member> members, int partitions) {
        this.members = members;
        List<String> names = members.stream().map(Member::zone).distinct().toList();
        this.zones = members.stream()
                .mapToInt(member -> names.indexOf(member.zone()))
                .toArray();
        this.hashed = members.stream().map(Placement::hashed).toArray(byte[][]::new);
        this.orders = new AtomicReferenceArray<>(partitions);
    }

    /** The UTF-16 units of the id and their number, all little-endian, as hash streams take a string; and four bytes more. */
    private static byte[] hashed(Member member) {
        String id = member.id();
        byte[] bytes = new byte[Character.BYTES * id.length() + 2 * Integer.BYTES];
        for (int i = 0; i < id.length(); i++) {
            put(bytes, Character.BYTES * i, id.charAt(i), Character.BYTES);
        }
        put(bytes, Character.BYTES * id.length(), id.length(), Integer.BYTES);
        return bytes;
    }

    private static void put(byte[] bytes, int at, int value, int length) {
        for (int i = 0; i < length; i++) {
            bytes[at + i] = (byte) (value >>> (Byte.SIZE * i));
        }
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
        List<Member> computed = compute(partition);
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

    /** Whether it says where so many partitions are among these members. */
    public boolean isOf(List<Member> others, int number) {
        return members.equals(others) && partitions() == number;
    }

    /** How many members there are to hold them. */
    public int size() {
        return members.size();
    }

    private List<Member> compute(int partition) {
        double[] scores = new double[members.size()];
        int[] order = new int[members.size()];
        for (int member = 0; member < order.length; member++) {
            scores[member] = score(member, partition);
            int place = place(order, member, scores);
            System.arraycopy(order, place, order, place + 1, member - place);
            order[place] = member;
        }
        return byRankInZone(order);
    }

    /** Where a member belongs among those before it, which are in order. */
    private int place(int[] order, int member, double[] scores) {
        int low = 0;
        int high = member;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isBefore(member, order[middle], scores)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private boolean isBefore(int one, int other, double[] scores) {
        if (scores[one] != scores[other]) {
            return scores[one] > scores[other];
        }
        // Two members never tie but by a hash collision; the id then keeps the order the same on every node.
        return members.get(one).id().compareTo(members.get(other).id()) < 0;
    }

    /** Those of equal rank stay ordered by score. */
    private List<Member> byRankInZone(int[] order) {
        int[] zoneSizes = new int[order.length]; // So far.
        int[] ranks = new int[order.length];
        int[] ends = new int[order.length + 1]; // By rank: where the next one of it goes.
        for (int i = 0; i < order.length; i++) {
            ranks[i] = zoneSizes[zones[order[i]]]++;
            ends[ranks[i] + 1]++;
        }
        for (int rank = 1; rank < ends.length; rank++) {
            ends[rank] += ends[rank - 1];
        }
        Member[] ordered = new Member[order.length];
        for (int i = 0; i < order.length; i++) {
            ordered[ends[ranks[i]]++] = members.get(order[i]);
        }
        return List.of(ordered);
    }

    private double score(int member, int partition) {
        byte[] bytes = hashed[member].clone();
        put(bytes, bytes.length - Integer.BYTES, partition, Integer.BYTES);
        // Above 0: its logarithm is finite. The greatest of all hashes is rounded to 1, and its score is the least.
        double uniform = ((HASH.hashBytesToLong(bytes) >>> 11) + 0.5) * UNIT;
        return -members.get(member).weight() / StrictMath.log(uniform); // StrictMath: the same bits on every machine.
    }
}
