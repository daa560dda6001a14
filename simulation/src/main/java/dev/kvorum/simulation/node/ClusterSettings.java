package dev.kvorum.simulation.node;

import dev.kvorum.node.config.ClockSettings;
import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.config.QuorumSettings;
import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.config.StorageSettings;

/** The settings of the nodes of one cluster: the same records that a real node binds its options to. */
public record ClusterSettings(
        QuorumSettings quorum,
        ReadSettings read,
        PeerSettings peer,
        ClockSettings clock,
        StorageSettings storage,
        HintSettings hints,
        RepairSettings repair) {}
