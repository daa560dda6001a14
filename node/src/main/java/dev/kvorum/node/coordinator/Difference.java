package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.quorum.AckTally;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.ReplicaFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the replies of a read differ: which of its replicas have the newest cell that it met, and which are to have it. One thread. */
final class Difference {
    private final Quorum quorum;
    private final Cell newest;
    private final List<String> holders;
    private final List<ObservedReplica> behind;
    private final List<ObservedReplica> unknown; // Not heard of, or failed.
    private int others; // Not to have it, but they have answered.

    /**
     * @param quorum that of the read
     * @param newest the newest cell that it met
     */
    Difference(Quorum quorum, Cell newest) {
        this.quorum = quorum;
        this.newest = newest;
        this.holders = new ArrayList<>(quorum.from());
        this.behind = new ArrayList<>(quorum.from());
        this.unknown = new ArrayList<>(quorum.from());
    }

    /**
     * Counts a replica of the read.
     *
     * @param reply null where it has not replied
     * @param isOwner whether it is to have the cell
     */
    void add(ObservedReplica replica, @Nullable ReadReply reply, boolean isOwner) {
        if (reply == null || reply instanceof ReplicaFailure) {
            if (isOwner) {
                unknown.add(replica);
            }
        } else if (!isOwner) {
            others++;
        } else if (isBehind(reply)) {
            behind.add(replica);
        } else {
            holders.add(replica.member());
        }
    }

    private boolean isBehind(ReadReply reply) {
        return !(reply instanceof ReadReply.Found found) || newest.isNewerThan(found.cell());
    }

    /** Those that have answered with less. */
    List<ObservedReplica> behind() {
        return behind;
    }

    /** Those that are not known to have the cell. */
    List<ObservedReplica> lacking() {
        List<ObservedReplica> lacking = new ArrayList<>(behind);
        lacking.addAll(unknown);
        return lacking;
    }

    /**
     * Whether so many have it that no read of this quorum can miss it. Nothing can make those others hold it: as many fewer must.
     */
    boolean isMended() {
        return holders.size() >= needed();
    }

    private int needed() {
        return quorum.ack() - others;
    }

    /** Counts who has the cell, beginning with those known to; only where it is not mended. */
    AckTally tally() {
        AckTally tally = new AckTally(new Quorum(needed(), holders.size() + behind.size() + unknown.size()));
        holders.forEach(tally::success);
        return tally;
    }
}
