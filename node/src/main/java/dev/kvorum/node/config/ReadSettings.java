package dev.kvorum.node.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which replicas a read asks, and when.
 *
 * @param fanOut all (every replica at once), hedged (as many as must answer, another when one is late or fails) or adaptive (while
 *     processors are idle all that usually answer before another would be asked, hedged while they are busy).
 * @param placement which other replicas a read prefers: near (those in this node's zone) or spread (those in different zones).
 * @param hedgeDelayMin how long a replica is waited for at least before another is asked, 1ms to 1s; between the two the time in which it
 *     has lately answered 99 of 100 reads.
 * @param hedgeDelayMax how long a replica is waited for at most before another is asked, hedge-delay-min to 10s.
 * @param hedgeBudget how many more requests reads may send because a replica is late, 0 to 100 percent of the reads; 100 of them are saved
 *     up for a bad moment.
 * @param readRepair what is done about replicas that a read finds behind: background (they are sent the newest value once the read is answered),
 *     blocking (the read is answered once as many have it as must answer: no later read of such a quorum finds less) or off.
 * @param repairBudget how many writes repair in the background may send, 0 to 100 percent of the reads.
 */
@ConfigurationProperties("kvorum.read")
public record ReadSettings(
        @DefaultValue("hedged") FanOut fanOut,
        @DefaultValue("near") Placement placement,
        @DefaultValue("1ms") Duration hedgeDelayMin,
        @DefaultValue("20ms") Duration hedgeDelayMax,
        @DefaultValue("10") int hedgeBudget,
        @DefaultValue("background") Repair readRepair,
        @DefaultValue("10") int repairBudget) {
    /** How many replicas a read asks at once. */
    public enum FanOut {
        /** All. */
        ALL,
        /** As many as must answer. */
        HEDGED,
        /** The one, without those that are slow, or the other, by load. */
        ADAPTIVE
    }

    /** Which other replicas a read prefers. */
    public enum Placement {
        /** Those in this node's zone: the shortest way. */
        NEAR,
        /** Those in different zones: no zone decides alone. */
        SPREAD
    }

    /** What is done about replicas that a read finds behind. */
    public enum Repair {
        /** They are mended after the answer. */
        BACKGROUND,
        /** As many are mended before the answer as must answer. */
        BLOCKING,
        /** Nothing. */
        OFF
    }

    public ReadSettings {
        Require.range("kvorum.read.hedge-delay-min", hedgeDelayMin, Duration.ofMillis(1), Duration.ofSeconds(1));
        Require.range("kvorum.read.hedge-delay-max", hedgeDelayMax, hedgeDelayMin, Duration.ofSeconds(10));
        Require.range("kvorum.read.hedge-budget", hedgeBudget, 0, 100);
        Require.range("kvorum.read.repair-budget", repairBudget, 0, 100);
    }
}
