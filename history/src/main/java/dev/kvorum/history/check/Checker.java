package dev.kvorum.history.check;

import dev.kvorum.history.History;
import java.util.ArrayList;
import java.util.List;

/** All checks on one history. Takes time in proportion to its length, but for a logarithm. */
public final class Checker {
    private final Promises promises;

    public Checker(Promises promises) {
        this.promises = promises;
    }

    /** The promises that the history breaks; none if it is as it should be. */
    public List<Anomaly> check(History history) {
        List<Anomaly> found = new ArrayList<>();
        Losses losses = new Losses(history.losses(), promises.disksAreRebuilt());
        VersionOrder.check(history.operations(), losses, promises, found::add);
        Losses ofFloors = new Losses(history.losses(), promises.floorsOutliveDisks());
        for (KeyHistory key : KeyHistory.of(history)) {
            Losses ofKey = losses.of(key);
            Provenance.check(key, found::add);
            if (promises.writesOverlap()) {
                HiddenWrites.check(key, ofFloors.of(key), found::add);
            }
            StaleReads.check(key, ofKey, promises.tombstonesGo(), found::add);
            LostWrites.check(key, losses, promises.tombstonesGo(), found::add);
            if (!promises.copiesMove()) {
                MisplacedCopies.check(key, found::add);
            }
            if (promises.monotonicReads()) {
                BackwardReads.check(key, ofKey, promises.tombstonesGo(), found::add);
            }
            if (promises.convergence()) {
                Convergence.check(key, promises.tombstonesGo(), found::add);
            }
        }
        return found;
    }
}
