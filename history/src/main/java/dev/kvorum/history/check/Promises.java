package dev.kvorum.history.check;

import java.time.Duration;

/**
 * What a cluster has promised beyond what always holds, by the features that it has, and by what its clocks have done.
 *
 * @param convergence that all owners of a key hold the same in the end
 * @param monotonicReads that a read finds what an earlier read of an overlapping quorum has found
 * @param adoption which of the versions that it reads a node adopts for certain, so that it issues none below: by how far clocks agree
 * @param tombstonesGo whether tombstones are dropped in time: then nothing may be found where a deletion was
 * @param copiesMove whether owners change, so that copies may still be where they belonged before
 * @param disksAreRebuilt whether a member whose disk has lost all, or its last writes, knows that, and answers no read before it has been given what it held
 * @param writesOverlap whether two writes overlap where their quorums do by the reckoning of clients: not where the policy asks one member of a growing cluster
 * @param forgottenMax how far below a former life of its node a life may begin to issue versions: what a node saw just before it failed
 *     from clocks ahead of its own it may not have noted
 */
public record Promises(
        boolean convergence,
        boolean monotonicReads,
        Adoption adoption,
        boolean tombstonesGo,
        boolean copiesMove,
        boolean disksAreRebuilt,
        boolean writesOverlap,
        Duration forgottenMax) {
    private static final Duration FORGOTTEN_MAX_DEFAULT = Duration.ofSeconds(10);

    /** Of a cluster without any repair, and with any clocks: nothing. */
    public static Promises ofPlainQuorums() {
        return new Promises(false, false, Adoption.NONE, false, false, false, true, FORGOTTEN_MAX_DEFAULT);
    }

    /** Whether a member whose disk was lost acknowledges no write below one that it has acknowledged before. It goes by its clock for that. */
    boolean floorsOutliveDisks() {
        return disksAreRebuilt && !adoption.equals(Adoption.NONE);
    }

    public Promises withConvergence() {
        return new Promises(
                true, monotonicReads, adoption, tombstonesGo, copiesMove, disksAreRebuilt, writesOverlap, forgottenMax);
    }

    public Promises withMonotonicReads() {
        return new Promises(
                convergence, true, adoption, tombstonesGo, copiesMove, disksAreRebuilt, writesOverlap, forgottenMax);
    }

    /** No clock was ever further from another than a version may be ahead of the clock of a node that adopts it. */
    public Promises withAgreeingClocks() {
        return withAdoption(Adoption.ANY);
    }

    public Promises withAdoption(Adoption limits) {
        return new Promises(
                convergence,
                monotonicReads,
                limits,
                tombstonesGo,
                copiesMove,
                disksAreRebuilt,
                writesOverlap,
                forgottenMax);
    }

    public Promises withTombstonesGoing() {
        return new Promises(
                convergence, monotonicReads, adoption, true, copiesMove, disksAreRebuilt, writesOverlap, forgottenMax);
    }

    public Promises withMovingCopies() {
        return new Promises(
                convergence,
                monotonicReads,
                adoption,
                tombstonesGo,
                true,
                disksAreRebuilt,
                writesOverlap,
                forgottenMax);
    }

    public Promises withRebuiltDisks() {
        return new Promises(
                convergence, monotonicReads, adoption, tombstonesGo, copiesMove, true, writesOverlap, forgottenMax);
    }

    public Promises withoutOverlappingWrites() {
        return new Promises(
                convergence, monotonicReads, adoption, tombstonesGo, copiesMove, disksAreRebuilt, false, forgottenMax);
    }

    public Promises withForgottenMax(Duration max) {
        return new Promises(
                convergence, monotonicReads, adoption, tombstonesGo, copiesMove, disksAreRebuilt, writesOverlap, max);
    }
}
