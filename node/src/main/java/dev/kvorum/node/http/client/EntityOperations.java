package dev.kvorum.node.http.client;

import dev.kvorum.node.consensus.RegisterCoordinator;
import dev.kvorum.node.coordinator.QuorumPolicy;
import dev.kvorum.node.coordinator.ReadCoordinator;
import dev.kvorum.node.coordinator.WriteCoordinator;

/**
 * The operations that clients may ask for.
 *
 * @param registers linearizable operations
 * @param quorums which quorum a read or a write gets
 */
public record EntityOperations(
        ReadCoordinator reads, WriteCoordinator writes, RegisterCoordinator registers, QuorumPolicy quorums) {}
