package dev.kvorum.topology;

import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The cluster at one epoch: its members and the constants they agree on.
 *
 * @param cluster the name of the cluster, at most {@value #CLUSTER_LENGTH_MAX} characters; null in hand-written files, which then are not checked against it
 * @param epoch counts the changes of the topology, from 1 to {@value #EPOCH_MAX}; a node never goes back to a lower one
 * @param replicationFactor how many copies a key has unless the request says otherwise, 1 to 255
 * @param partitions how many ranges the keys are hashed into, 1 to 65536; fixed for the life of a cluster
 * @param members at least one of them owning data, before and after a running change; ids and addresses are unique
 * @param reads whom reads ask; others than {@link Reads#CURRENT} only while a change is running
 */
public record Topology(
        @Nullable String cluster,
        long epoch,
        int replicationFactor,
        int partitions,
        List<Member> members,
        Reads reads) {
    /** See {@code docs/design/0001-partitions.md} for why not 256. */
    public static final int PARTITIONS_DEFAULT = 4096;

    public static final int PARTITIONS_MAX = 1 << 16;
    public static final int REPLICATION_FACTOR_DEFAULT = 3;
    public static final int REPLICATION_FACTOR_MAX = 255;
    public static final int MEMBERS_MAX = 255;
    public static final int CLUSTER_LENGTH_MAX = 253;

    /** Each whole number up to it is one in any reader of JSON. */
    public static final long EPOCH_MAX = 1L << 53;

    public Topology {
        members = List.copyOf(members);
        if (cluster != null && cluster.isBlank()) {
            throw new InvalidTopologyException("cluster is blank: leave it out or name the cluster");
        }
        if (cluster != null && cluster.length() > CLUSTER_LENGTH_MAX) {
            throw new InvalidTopologyException(
                    "cluster has " + cluster.length() + " characters: a name has at most " + CLUSTER_LENGTH_MAX);
        }
        if (epoch > EPOCH_MAX) {
            throw new InvalidTopologyException("epoch is " + epoch + ", but must be from 1 to " + EPOCH_MAX
                    + ": a node that has kept a higher one is repaired by the command lower-epoch");
        }
        requireRange("epoch", epoch, 1, EPOCH_MAX);
        requireRange("replicationFactor", replicationFactor, 1, REPLICATION_FACTOR_MAX);
        requireRange("partitions", partitions, 1, PARTITIONS_MAX);
        requireRange("the number of members", members.size(), 1, MEMBERS_MAX);
        requireDistinct(members);
        if (members.stream().noneMatch(member -> member.state().ownsNow())) {
            throw new InvalidTopologyException("no member is ACTIVE or LEAVING, so nobody owns the data");
        }
        if (members.stream().noneMatch(member -> member.state().ownsNext())) {
            throw new InvalidTopologyException("no member is ACTIVE or JOINING, so nobody would own the data");
        }
        if (reads != Reads.CURRENT && !isChanging(members)) {
            throw new InvalidTopologyException("reads is " + reads + ", but no member is JOINING or LEAVING");
        }
    }

    /** One whose reads ask the present owners. */
    public Topology(@Nullable String cluster, long epoch, int replicationFactor, int partitions, List<Member> members) {
        this(cluster, epoch, replicationFactor, partitions, members, Reads.CURRENT);
    }

    /** Tells contents of one epoch apart: two that differ have the same with a chance of one to 2^63. The order of members does not count. Above 0. */
    public long digest() {
        return Digest.of(this);
    }

    /** Whether members are joining or leaving: then writes go to the owners before the change and to those after it. */
    public boolean isChanging() {
        return isChanging(members);
    }

    private static boolean isChanging(List<Member> members) {
        return members.stream().anyMatch(member -> member.state() != MemberState.ACTIVE);
    }

    /** Those whom reads ask. */
    public List<Member> readOwners() {
        return reads == Reads.NEXT ? nextOwners() : currentOwners();
    }

    /** The member of that id, or empty. */
    public Optional<Member> member(String id) {
        return members.stream().filter(member -> member.id().equals(id)).findFirst();
    }

    /** Those who own data under this epoch: ACTIVE and LEAVING. Never empty. */
    public List<Member> currentOwners() {
        return owners(MemberState::ownsNow);
    }

    /** Those who will own it once the running change is final: ACTIVE and JOINING. */
    public List<Member> nextOwners() {
        return owners(MemberState::ownsNext);
    }

    private List<Member> owners(Predicate<MemberState> owns) {
        return members.stream().filter(member -> owns.test(member.state())).toList();
    }

    private static void requireRange(String field, long value, long min, long max) {
        if (value < min || value > max) {
            throw new InvalidTopologyException(field + " is " + value + ", but must be from " + min + " to " + max);
        }
    }

    private static void requireDistinct(List<Member> members) {
        Set<String> ids = new HashSet<>();
        Map<URI, String> peers = new HashMap<>();
        for (Member member : members) {
            if (!ids.add(member.id())) {
                throw new InvalidTopologyException("two members have the id \"" + member.id() + "\"");
            }
            String other = peers.putIfAbsent(member.peer(), member.id());
            if (other != null) {
                throw new InvalidTopologyException("members \"" + other + "\" and \"" + member.id()
                        + "\" have the same peer address " + member.peer());
            }
        }
    }
}
