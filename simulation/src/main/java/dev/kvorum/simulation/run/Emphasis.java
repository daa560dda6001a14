package dev.kvorum.simulation.run;

import dev.kvorum.node.config.ClockSettings;
import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.QuorumSettings;
import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.config.StorageSettings.Durability;
import dev.kvorum.node.core.CoreSettings;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.simulation.client.Workload;
import dev.kvorum.simulation.fault.FaultKind;
import dev.kvorum.simulation.node.OperatorSettings;
import dev.kvorum.simulation.run.Profile.FaultProfile;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.topology.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What some seeds ask for in particular. Some mistakes show only where several things come together that chance seldom brings together, and only where
 * nothing else makes good for them; such a seed sees to both.
 *
 * <pre>
 * emphasis    brings about                                     and leaves out
 * HINTS       replicas that are silent or refuse for a time    all else that would bring them what they missed
 * CLOCKS      nodes that begin by a clock far behind           -
 * EPOCHS      changes of the members that some learn of late   what would hide a read from the wrong owners
 * DELETIONS   a member cut off for longer than deletions stay  -
 * REBUILDS    disks that are lost, one after the other         what would excuse that
 * RETURNS     a member that is removed while it is switched    -
 *             off, and added again when others have dropped
 *             what it never heard of
 * GROWTH      clusters of fewer members than copies, which     quorums that requests name, and what loses data of one disk
 *             become more
 * POWER       machines that lose power, all at once or one     changes of the members
 *             after another, with much that was not synced
 * DISKS       syncs that lie, damaged logs, misdirected        changes of the members
 *             writes, copies that are put back
 * ADDRESSES   addresses that lead to another member            all but faults that pass
 * CONTENTS    an epoch that has another content for a member   all but faults that pass
 * STEPS       one clock that is set ahead and back             all but faults that pass
 * </pre>
 *
 * Drawn apart from all else: the seeds without it are what they would be if there were none. The last five are drawn once more apart, by those seeds that ask for nothing else.
 */
enum Emphasis {
    NONE,
    HINTS,
    CLOCKS,
    EPOCHS,
    DELETIONS,
    REBUILDS,
    RETURNS,
    GROWTH,
    POWER,
    DISKS,
    ADDRESSES,
    CONTENTS,
    STEPS;

    private static final long SALT = 0x5EED_0F_E3F4A515L;
    private static final double SHARE = 0.5;
    private static final long LATER_SALT = 0x5EED_0F_1A82AL;
    private static final double LATER_SHARE = 0.3;
    private static final List<Emphasis> LATER = List.of(POWER, DISKS, ADDRESSES, CONTENTS, STEPS);
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final int FACTOR = 3;
    private static final Quorum LEAST = new Quorum(1, 1);
    private static final int MAJORITY = 0;
    private static final int ALL = 255;
    private static final List<Policy> POLICIES =
            List.of(new Policy(MAJORITY, MAJORITY), new Policy(1, ALL), new Policy(ALL, 1));
    private static final List<FaultKind> PASSING = FaultKind.common().stream()
            .filter(kind -> kind.isPassing() && kind != FaultKind.CLOCK_DRIFT) // Which lets nobody take what is ahead.
            .toList();

    /** How many must answer where no request says so. */
    private record Policy(int readAck, int writeAck) {}

    private static Emphasis drawn(Chance chance) {
        return chance.is(SHARE) ? chance.oneOf(List.of(HINTS, CLOCKS, EPOCHS, DELETIONS, REBUILDS, RETURNS)) : NONE;
    }

    /** The profile of a seed with what it asks for, but for the calm ones; where the cluster is too small for anything else, it grows. */
    static Profile in(Profile profile, long seed) {
        Chance chance = Chance.of(seed ^ SALT);
        Emphasis drawn = drawn(chance);
        Emphasis emphasis = isSmall(profile) && drawn != NONE ? GROWTH : drawn;
        return profile.isCalm() ? profile : emphasis == NONE ? laterIn(profile, seed) : emphasis.on(profile, chance);
    }

    /** The same of growth and of those that were added last. */
    static Profile ofRegistersIn(Profile profile, long seed) {
        return isSmall(profile) ? in(profile, seed) : laterIn(profile, seed);
    }

    private static Profile laterIn(Profile profile, long seed) {
        Chance chance = Chance.of(seed ^ LATER_SALT);
        Emphasis drawn = chance.is(LATER_SHARE) ? chance.oneOf(LATER) : NONE;
        boolean may = !profile.isCalm() && !profile.clients().ages() && !isSmall(profile);
        return may ? drawn.on(profile, chance) : profile;
    }

    private static boolean isSmall(Profile profile) {
        return profile.topology().members().size() < FACTOR;
    }

    private Profile on(Profile profile, Chance chance) {
        return switch (this) {
            case NONE -> profile;
            case HINTS -> profile.clients().ages() ? profile : hintsAlone(profile, chance);
            case CLOCKS -> profile.clients().ages() ? profile : clocksReset(profile);
            case EPOCHS -> profile.clients().ages() ? profile : epochsKnownLate(profile, chance);
            case DELETIONS -> droppingWithout(FaultKind.LONG_ISOLATION, profile, chance);
            case RETURNS -> profile.topology().members().size() > FACTOR ? memberReturns(profile, chance) : profile;
            case REBUILDS -> profile.clients().ages() ? profile : disksLost(profile, chance);
            case GROWTH -> growing(profile, chance);
            case POWER -> powerLost(profile, chance);
            case DISKS -> disksMistaken(profile, chance);
            case ADDRESSES -> mistaken(FaultKind.MISLED_ADDRESS, profile, chance);
            case CONTENTS ->
                profile.topology().members().size() > FACTOR
                        ? mistaken(FaultKind.SECOND_CONTENT, profile, chance)
                        : profile;
            case STEPS -> clockStepped(profile, chance);
        };
    }

    /** Neither reads nor repair mend what hints do not bring; half of them have a deadline of writes before any call is given up. */
    private static Profile hintsAlone(Profile profile, Chance chance) {
        CoreSettings settings = withoutMending(profile.settings());
        Duration deadline = chance.is(0.5)
                ? Duration.ofMillis(chance.spread(100, 1_000))
                : settings.quorum().deadline();
        CoreSettings hints = new CoreSettings(
                Settings.of(QuorumSettings.class)
                        .with("readAck", 0)
                        .with("writeAck", 0)
                        .with("deadline", deadline)
                        .get(),
                settings.read(),
                settings.peer(),
                Settings.of(ClockSettings.class)
                        .with("aheadMax", Duration.ofSeconds(10))
                        .get(),
                settings.storage(),
                settings.hints(),
                settings.repair(),
                settings.valueMax());
        FaultProfile faults = new FaultProfile(
                chance.some(chance.from(1, 4), PASSING),
                profile.faults().gapMean(),
                profile.faults().lastsMax());
        Workload usual = profile.workload();
        Workload workload = new Workload( // Many keys: what is missed must not be written again.
                chance.from(100, 200),
                Math.max(usual.thinkMean(), 60 * MILLI),
                usual.reads(),
                usual.deletes(),
                usual.quorums(),
                usual.byDefault(),
                usual.defaultQuorum(),
                usual.longValues());
        return profile.with(OperatorSettings.NONE, hints, workload, faults)
                .withClocks(
                        Math.min(profile.clocks().skewMillisMax(), 200),
                        profile.clocks().driftMax());
    }

    private static CoreSettings withoutMending(CoreSettings settings) {
        ReadSettings read = settings.read();
        RepairSettings repair = settings.repair();
        return new CoreSettings(
                settings.quorum(),
                Settings.like(read).with("readRepair", ReadSettings.Repair.OFF).get(),
                settings.peer(),
                settings.clock(),
                settings.storage(),
                settings.hints(),
                Settings.like(repair).with("interval", Duration.ZERO).get(),
                settings.valueMax());
    }

    /** As often as all else that goes wrong. */
    private static Profile clocksReset(Profile profile) {
        List<FaultKind> kinds = new ArrayList<>(profile.faults().kinds());
        kinds.replaceAll(kind -> kind == FaultKind.CLOCK_JUMP ? FaultKind.CLOCK_RESET : kind);
        for (int i = kinds.size(); i > 0; i--) {
            kinds.add(FaultKind.CLOCK_RESET);
        }
        FaultProfile faults = new FaultProfile(
                List.copyOf(kinds), profile.faults().gapMean(), profile.faults().lastsMax());
        return profile.with(profile.changes(), profile.settings(), profile.workload(), faults);
    }

    /**
     * Either topologies take their time, and clients keep to the nodes that they know, so that few of these hear from others what has changed; or members change
     * quickly while one is absent, which comes back with what it knew. Many keys, each written now and then; and little else goes wrong, as a change that is held
     * up finds everybody informed.
     */
    private static Profile epochsKnownLate(Profile profile, Chance chance) {
        boolean absent = chance.is(0.5);
        List<FaultKind> kinds = new ArrayList<>(
                absent
                        ? List.of(FaultKind.MISSED_CHANGE)
                        : List.of(FaultKind.MEMBERSHIP_CHANGE, FaultKind.MEMBERSHIP_CHANGE));
        kinds.addAll(absent ? List.of() : chance.some(chance.from(0, 2), PASSING));
        Quorum majority = new Quorum(2, FACTOR);
        Workload workload = new Workload(
                chance.from(50, 200),
                chance.spread(80 * MILLI, 200 * MILLI),
                0.3 + 0.4 * chance.fraction(),
                0,
                List.of(majority),
                chance.fraction(),
                majority,
                0);
        FaultProfile faults = new FaultProfile(
                List.copyOf(kinds),
                chance.spread(2 * SECOND, absent ? 16 * SECOND : 8 * SECOND),
                profile.faults().lastsMax());
        List<Member> spares = Profile.spares(profile.topology(), Profile.SPARES_MAX);
        OperatorSettings changes =
                absent ? OperatorSettings.prompt(spares, 1) : new OperatorSettings(spares, 0, 5 * SECOND);
        return profile.with(changes, withoutMending(profile.settings()), workload, faults)
                .withClocks(
                        Math.min(profile.clocks().skewMillisMax(), 200),
                        profile.clocks().driftMax())
                .withClients(10, absent ? chance.fraction() : 1, chance.from(40 * SECOND, 70 * SECOND));
    }

    private static StorageSettings syncedFor(ClockSettings clock, StorageSettings drawn) {
        return Settings.like(drawn)
                .with("syncInterval", SettingsDraw.syncInterval(drawn.syncInterval(), clock))
                .get();
    }

    /** Deletions are dropped soon, but one member can't be asked for so long that they would be twice; few write, so that deleted keys stay so. */
    private static Profile droppingWithout(FaultKind kind, Profile profile, Chance chance) {
        CoreSettings settings = profile.settings();
        HintSettings hints = settings.hints();
        ClockSettings clock = Settings.of(ClockSettings.class)
                .with("aheadMax", Duration.ofSeconds(1))
                .get();
        CoreSettings aging = new CoreSettings(
                Settings.of(QuorumSettings.class)
                        .with("readAck", 0)
                        .with("writeAck", 0)
                        .with("deadline", Duration.ofSeconds(5))
                        .get(),
                settings.read(),
                settings.peer(),
                clock,
                syncedFor(clock, settings.storage()),
                Settings.like(hints)
                        .with("ageMax", Duration.ofMillis(chance.spread(1_000, 14_000)))
                        .get(),
                Settings.like(settings.repair())
                        .with("interval", Duration.ofMillis(chance.spread(1_000, 2_000)))
                        .with("settling", Duration.ofMillis(chance.from(0, 1_000)))
                        .with("tombstoneGrace", Duration.ofSeconds(15))
                        .get(),
                settings.valueMax());
        Workload usual = profile.workload();
        Workload workload = new Workload(
                chance.from(50, 200),
                chance.spread(200 * MILLI, SECOND),
                0.3,
                0.3 + 0.2 * chance.fraction(),
                usual.quorums(),
                usual.byDefault(),
                usual.defaultQuorum(),
                0);
        return profile.with(
                        OperatorSettings.NONE,
                        aging,
                        workload,
                        new FaultProfile(List.of(kind), chance.spread(20 * SECOND, 60 * SECOND), SECOND))
                .withClocks(Math.min(profile.clocks().skewMillisMax(), 100), 0)
                .withClients(profile.clients().count(), profile.clients().loyalty(), 120 * SECOND)
                .aging();
    }

    /** Disks are lost, or put back from a copy, so seldom that each can be rebuilt before the next, and some reads ask one replica for what all have acknowledged. */
    private static Profile disksLost(Profile profile, Chance chance) {
        List<FaultKind> kinds = new ArrayList<>(chance.some(chance.from(0, 2), PASSING));
        kinds.add(FaultKind.DISK_LOSS);
        Quorum majority = new Quorum(2, FACTOR);
        Workload usual = profile.workload();
        Workload workload = usual.asking(
                List.of(new Quorum(1, FACTOR), majority, new Quorum(FACTOR, FACTOR)), usual.byDefault(), majority);
        long gap = chance.spread(2 * SECOND, 10 * SECOND);
        long lasts = chance.from(20 * SECOND, 60 * SECOND);
        kinds.add(FaultKind.FLIPPED_BIT);
        kinds.add(chance.is(0.5) ? FaultKind.FLIPPED_BIT : FaultKind.OLDER_DISK);
        FaultProfile faults =
                new FaultProfile(List.copyOf(kinds), gap, profile.faults().lastsMax());
        return profile.with(OperatorSettings.NONE, profile.settings(), workload, faults)
                .withClocks(
                        Math.min(profile.clocks().skewMillisMax(), 200),
                        profile.clocks().driftMax())
                .withClients(profile.clients().count(), profile.clients().loyalty(), lasts);
    }

    /** What was acknowledged is on no disk for long; half of such clusters mend by nothing but what a member does after a power cut. */
    private static Profile powerLost(Profile profile, Chance chance) {
        CoreSettings settings = chance.is(0.5) ? withoutMending(profile.settings()) : profile.settings();
        List<FaultKind> kinds = new ArrayList<>(chance.some(chance.from(0, 2), PASSING));
        kinds.addAll(List.of(
                FaultKind.CUT_RELAY, FaultKind.CUT_RELAY, FaultKind.BLACKOUT, FaultKind.POWER_LOSS, FaultKind.KILL));
        return failing(kinds, settings, Durability.ASYNC, profile, chance);
    }

    /** Each such loss can be noticed, and nearly each is made good for before the next. */
    private static Profile disksMistaken(Profile profile, Chance chance) {
        List<FaultKind> kinds = new ArrayList<>(chance.some(chance.from(0, 2), PASSING));
        kinds.addAll(chance.some(
                chance.from(2, 4),
                List.of(
                        FaultKind.LYING_SYNCS,
                        FaultKind.DAMAGED_LOG,
                        FaultKind.MISDIRECTED_WRITE,
                        FaultKind.OLDER_RELAY,
                        FaultKind.DAMAGED_RELAY,
                        FaultKind.FLIPPED_BIT)));
        Durability durability = chance.oneOf(List.of(Durability.values()));
        return failing(kinds, profile.settings(), durability, profile, chance);
    }

    /** All members go by the time of the others, so nothing that clients see depends on the one clock. */
    private static Profile clockStepped(Profile profile, Chance chance) {
        List<FaultKind> kinds = new ArrayList<>(chance.some(chance.from(0, 2), PASSING));
        kinds.addAll(List.of(FaultKind.CLOCK_STEP, FaultKind.CLOCK_STEP));
        return failing(kinds, profile.settings(), profile.settings().storage().durability(), profile, chance);
    }

    private static Profile failing(
            List<FaultKind> kinds, CoreSettings settings, Durability durability, Profile profile, Chance chance) {
        ClockSettings clock = Settings.of(ClockSettings.class)
                .with("aheadMax", Duration.ofSeconds(10))
                .get();
        Duration interval =
                Duration.ofMillis(chance.spread(100, clock.syncIntervalMax().toMillis()));
        CoreSettings slow = new CoreSettings(
                settings.quorum(),
                settings.read(),
                settings.peer(),
                clock,
                Settings.like(settings.storage())
                        .with("durability", durability)
                        .with("syncInterval", interval)
                        .get(),
                settings.hints(),
                settings.repair(),
                settings.valueMax());
        return mistakes(kinds, slow, profile, chance);
    }

    /** Little else goes wrong, and nobody alone is a quorum. */
    private static Profile mistaken(FaultKind kind, Profile profile, Chance chance) {
        List<FaultKind> kinds = new ArrayList<>(chance.some(chance.from(0, 2), PASSING));
        kinds.addAll(List.of(kind, kind));
        return mistakes(kinds, withoutMending(profile.settings()), profile, chance);
    }

    private static Profile mistakes(List<FaultKind> kinds, CoreSettings settings, Profile profile, Chance chance) {
        Quorum majority = new Quorum(2, FACTOR);
        Workload usual = profile.workload();
        Workload workload =
                usual.asking(List.of(majority, majority, new Quorum(FACTOR, FACTOR)), usual.byDefault(), majority);
        FaultProfile faults = new FaultProfile(
                List.copyOf(kinds),
                chance.spread(2 * SECOND, 10 * SECOND),
                profile.faults().lastsMax());
        return profile.with(OperatorSettings.NONE, settings, workload, faults)
                .withClocks(
                        Math.min(profile.clocks().skewMillisMax(), 200),
                        profile.clocks().driftMax())
                .withClients(
                        profile.clients().count(), profile.clients().loyalty(), chance.from(20 * SECOND, 60 * SECOND));
    }

    /**
     * Members join until there are as many as copies, and more. All requests leave their quorum to the policy, which is that of majorities, or all of the one and one of the other; what that comes to depends on who is
     * there, so histories say what holds in any case: each write is on one disk, and each read meets it.
     */
    private static Profile growing(Profile profile, Chance chance) {
        boolean mends = profile.clients().ages() || chance.is(0.5); // Else no deletion would be dropped.
        CoreSettings settings = mends ? profile.settings() : withoutMending(profile.settings());
        Policy policy = chance.oneOf(POLICIES);
        CoreSettings growing = new CoreSettings(
                Settings.like(settings.quorum())
                        .with("readAck", policy.readAck)
                        .with("writeAck", policy.writeAck)
                        .get(),
                settings.read(),
                settings.peer(),
                settings.clock(),
                settings.storage(),
                settings.hints(),
                settings.repair(),
                settings.valueMax());
        List<FaultKind> kinds = new ArrayList<>(chance.some(chance.from(0, 2), PASSING));
        kinds.addAll(List.of(FaultKind.MEMBERSHIP_CHANGE, FaultKind.MEMBERSHIP_CHANGE));
        Workload workload = profile.workload().asking(List.of(LEAST), 1, LEAST);
        FaultProfile faults = new FaultProfile(
                List.copyOf(kinds),
                chance.spread(SECOND / 2, 5 * SECOND),
                profile.faults().lastsMax());
        List<Member> spares = Profile.spares(profile.topology(), Profile.SPARES_MAX);
        OperatorSettings changes = new OperatorSettings(spares, 0, chance.spread(10 * MILLI, 5 * SECOND));
        return profile.with(changes, growing, workload, faults)
                .withClocks(
                        Math.min(profile.clocks().skewMillisMax(), 200),
                        profile.clocks().driftMax())
                .withClients(
                        profile.clients().count(),
                        profile.clients().loyalty(),
                        Math.max(profile.clients().lasts(), 30 * SECOND));
    }

    /** Requests wait for two replicas at least, as where any member may be absent while members change. */
    private static Profile memberReturns(Profile profile, Chance chance) {
        Profile dropping = droppingWithout(FaultKind.EXILE, profile, chance);
        Workload load = dropping.workload();
        Quorum majority = new Quorum(2, FACTOR);
        Workload careful = load.asking(List.of(majority, new Quorum(FACTOR, FACTOR)), load.byDefault(), majority);
        return dropping.with(OperatorSettings.prompt(List.of(), 1), dropping.settings(), careful, dropping.faults());
    }
}
