package dev.kvorum.node.core;

import dev.kvorum.node.config.ClockSettings;
import dev.kvorum.node.config.ContradictorySettingsException;
import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.config.QuorumSettings;
import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.config.StorageSettings;
import org.springframework.util.unit.DataSize;

/**
 * The settings of a node without its ports.
 *
 * @param valueMax longest value that members carry to each other
 */
public record CoreSettings(
        QuorumSettings quorum,
        ReadSettings read,
        PeerSettings peer,
        ClockSettings clock,
        StorageSettings storage,
        HintSettings hints,
        RepairSettings repair,
        DataSize valueMax) {
    /** @throws ContradictorySettingsException if two of them can't both be kept */
    public CoreSettings {
        hints.requireShorterThan(repair.tombstoneGrace());
        clock.requireRoomFor(storage.syncInterval());
    }
}
