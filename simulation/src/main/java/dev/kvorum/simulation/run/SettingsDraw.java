package dev.kvorum.simulation.run;

import dev.kvorum.node.config.ClockSettings;
import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.config.QuorumSettings;
import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.config.ReadSettings.FanOut;
import dev.kvorum.node.config.ReadSettings.Placement;
import dev.kvorum.node.config.ReadSettings.Repair;
import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.config.StorageSettings.Durability;
import dev.kvorum.node.core.CoreSettings;
import dev.kvorum.simulation.world.Chance;
import java.time.Duration;
import java.util.List;
import org.springframework.util.unit.DataSize;

/** Settings of nodes by chance: the usual ones as a rule, now and then any that a real node would start with. */
final class SettingsDraw {
    private static final double UNUSUAL = 0.3;
    private static final int GRACE_MILLIS_MIN = 15_000; // Longer than anything is held up.
    private static final int GRACE_MILLIS_MAX = 30_000;
    private static final double FSYNC = 0.3;
    private static final Duration SCRUB = Duration.ofSeconds(20); // Once or twice in most runs.

    private final Chance chance;
    private final double unusual;
    private final boolean ages;

    private SettingsDraw(Chance chance, double unusual, boolean ages) {
        this.chance = chance;
        this.unusual = unusual;
        this.ages = ages;
    }

    /**
     * Draws them.
     *
     * @param usual whether nothing may be set so tightly that a healthy node refuses anything
     * @param ages whether deletions are dropped within a run
     */
    static CoreSettings of(Chance chance, boolean usual, boolean ages) {
        return new SettingsDraw(chance, usual ? 0 : UNUSUAL, ages).draw();
    }

    private CoreSettings draw() {
        QuorumSettings quorum = quorum();
        ReadSettings read = read();
        PeerSettings peer = peer();
        ClockSettings clock = clock();
        return new CoreSettings(quorum, read, peer, clock, storage(clock), hints(), repair(), DataSize.ofMegabytes(1));
    }

    private QuorumSettings quorum() {
        return Settings.of(QuorumSettings.class)
                .with("readAck", 0)
                .with("writeAck", 0)
                .with("deadline", millis(5000, 100, 5000))
                .get();
    }

    private ReadSettings read() {
        FanOut fanOut = chance.oneOf(List.of(FanOut.values()));
        boolean _ = chance.is(
                unusual / 2); // Was drawn for a setting that is gone. Without it every seed would do something else.
        return Settings.of(ReadSettings.class)
                .with("fanOut", fanOut)
                .with("placement", chance.oneOf(List.of(Placement.values())))
                .with("hedgeDelayMin", Duration.ofMillis(1))
                .with("hedgeDelayMax", millis(20, 2, 1000))
                .with("hedgeBudget", (int) orUnusual(10, 0, 100))
                .with("readRepair", chance.oneOf(List.of(Repair.values())))
                .with("repairBudget", (int) orUnusual(10, 0, 100))
                .get();
    }

    private PeerSettings peer() {
        return Settings.of(PeerSettings.class)
                .with("timeout", millis(2000, 50, 5000))
                .with("connectTimeout", Duration.ofMillis(500))
                .with("bytesMax", DataSize.ofMegabytes(16))
                .with("callsMax", 4096)
                .with("silenceMax", Duration.ofSeconds(3))
                .with("connections", 0)
                .get();
    }

    private ClockSettings clock() {
        return Settings.of(ClockSettings.class)
                .with("aheadMax", millis(10_000, 50, 20_000))
                .get();
    }

    /** One that was drawn, or the longest that a node with that clock accepts. */
    static Duration syncInterval(Duration drawn, ClockSettings clock) {
        Duration max = clock.syncIntervalMax();
        return drawn.compareTo(max) > 0 ? max : drawn;
    }

    private StorageSettings storage(ClockSettings clock) {
        Duration syncInterval = syncInterval(millis(100, 5, 500), clock);
        return Settings.of(StorageSettings.class)
                .with("durability", chance.is(FSYNC) ? Durability.FSYNC : Durability.ASYNC)
                .with("syncInterval", syncInterval)
                .with("queue", (int) orUnusual(4096, 2, 64))
                .with("readThreads", 1)
                .with("memory", DataSize.ofBytes(0))
                .with("blockCache", DataSize.ofBytes(0))
                .with("memtable", DataSize.ofBytes(0))
                .with("backgroundJobs", 2)
                .with("openFiles", 1024)
                .get();
    }

    private HintSettings hints() {
        return Settings.of(HintSettings.class)
                .with("bytesMax", DataSize.ofMegabytes(orUnusual(1024, 1, 2)))
                .with("ageMax", hintAge())
                .with("memory", DataSize.ofMegabytes(8))
                .with("replayWrites", (int) orUnusual(2000, 20, 2000))
                .with("replayBytes", DataSize.ofMegabytes(8))
                .with("replayCalls", (int) orUnusual(16, 1, 64))
                .get();
    }

    private Duration hintAge() {
        return Duration.ofMillis(
                ages ? chance.spread(1_000, GRACE_MILLIS_MIN - 1) : orUnusual(10_800_000, 60_000, 120_000));
    }

    /** Often enough to happen within a run, or on demand only. */
    private RepairSettings repair() {
        return ages ? agingRepair() : usualRepair();
    }

    private RepairSettings agingRepair() {
        return Settings.of(RepairSettings.class)
                .with("interval", Duration.ofMillis(chance.spread(1_000, 5_000)))
                .with("settling", Duration.ofMillis(chance.from(0, 2_000)))
                .with("rate", DataSize.ofMegabytes(8))
                .with("scanRate", DataSize.ofMegabytes(32))
                .with("loadMax", 100)
                .with("scrubInterval", SCRUB)
                .with("tombstoneGrace", Duration.ofMillis(chance.from(GRACE_MILLIS_MIN, GRACE_MILLIS_MAX)))
                .get();
    }

    private RepairSettings usualRepair() {
        return Settings.of(RepairSettings.class)
                .with("interval", chance.is(0.3) ? Duration.ZERO : Duration.ofMillis(chance.spread(1_000, 30_000)))
                .with("settling", chance.is(0.5) ? Duration.ofSeconds(10) : Duration.ofMillis(chance.from(0, 2_000)))
                .with("rate", DataSize.ofKilobytes(orUnusual(8192, 64, 1024)))
                .with("scanRate", DataSize.ofKilobytes(orUnusual(32_768, 64, 1024)))
                .with("loadMax", 100)
                .with("scrubInterval", SCRUB)
                .with("tombstoneGrace", Duration.ofDays(10))
                .get();
    }

    private Duration millis(long usual, long min, long max) {
        return Duration.ofMillis(chance.is(unusual) ? chance.spread(min, max) : usual);
    }

    private long orUnusual(long usual, long min, long max) {
        return chance.is(unusual) ? chance.from(min, max) : usual;
    }
}
