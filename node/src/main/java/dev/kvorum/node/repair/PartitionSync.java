package dev.kvorum.node.repair;

import dev.kvorum.topology.Member;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Moves what members hold of a partition, for whoever moves data. Any thread may call it; nothing blocks the caller.
 *
 * <p>All go by the epoch in force when they begin, and fail if another comes into force here or there, if a member can't be reached, or if it refuses: what
 * was moved by then stays, and they may be begun again.
 */
public interface PartitionSync {
    /** Pulls all that another member has of what this node owes, or will once the running change is final, whatever this node has of it already. */
    Mono<SyncReport> stream(int partition, Member from);

    /**
     * Makes sure that this node holds all that each of these members holds of what this node owes, or will: compares trees, and pulls what it lacks. What they hold
     * when it begins is here when it ends. A partition that this node had lost counts as regained then.
     *
     * @param from all others that own the partition and are not gone for good
     */
    Mono<SyncReport> gather(int partition, List<Member> from);

    /**
     * Makes sure that each other member holds all that this node holds of what that one owes: compares trees, and pushes what it lacks. What this node
     * holds when it begins is there when it ends.
     */
    Mono<SyncReport> give(int partition);

    /** Whether this node may lack something of a partition that it once held: what was made sure of before does not count any more. */
    boolean isRebuilding(int partition);

    /** Why it goes slowly, if members have lately refused as they had too much to do, in words; else empty. */
    String slowness();
}
