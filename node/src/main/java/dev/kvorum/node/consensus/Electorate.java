package dev.kvorum.node.consensus;

import dev.kvorum.node.quorum.AckTally;
import dev.kvorum.node.quorum.JointQuorum;
import dev.kvorum.node.quorum.JointTally;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.quorum.Tally;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who decides about a key in one epoch: its owners, by majority; while they change, a majority of those before and one of those after.
 *
 * @param voters all of them, each once
 * @param quorum a majority of the owners whom reads ask
 * @param joint both majorities while the owners change, otherwise null
 * @param copies how many copies of the key there are to be, also while there are fewer owners: those that join are to be given theirs
 */
record Electorate(
        List<Voter> voters, Quorum quorum, @Nullable JointQuorum joint, int copies, long epoch) {
    Electorate {
        voters = List.copyOf(voters);
    }

    Tally tally() {
        return joint == null ? new AckTally(quorum) : new JointTally(joint);
    }
}
