package dev.kvorum.node.replica;

import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.topology.Member;
import java.util.function.LongUnaryOperator;

/**
 * How this node calls other members: all its calls to them share this.
 *
 * @param client reaches any member, and answers or fails within the timeout of the settings
 * @param answerMax longest answer, in bytes
 * @param exchange brings this node and a member to the newer of their topologies
 * @param digests the digest of the topology of an epoch; 0 where that is not known
 */
public record PeerAccess(
        PeerClient client, PeerSettings settings, int answerMax, TopologyExchange exchange, LongUnaryOperator digests) {
    Replica replica(Member member) {
        return new RemoteReplica(member, this);
    }
}
