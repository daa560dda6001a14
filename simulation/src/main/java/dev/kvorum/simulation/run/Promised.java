package dev.kvorum.simulation.run;

import dev.kvorum.history.check.Adoption;
import dev.kvorum.history.check.Promises;
import dev.kvorum.node.config.ReadSettings.Repair;
import dev.kvorum.simulation.fault.ClockFaults;
import dev.kvorum.simulation.fault.FaultKind;
import dev.kvorum.simulation.node.OperatorSettings;
import dev.kvorum.simulation.world.MachineClock;
import java.time.Duration;

/**
 * What the clients of a profile are promised: by what its nodes can do, and as long as nothing goes wrong that they can do nothing about. Whoever
 * builds what can do more says so here.
 */
final class Promised {
    /** How late the note of a clock may be on the slowest disk. */
    private static final Duration SLOWEST_NOTE = Duration.ofSeconds(20);

    /** Of a run, to its end. */
    private static final double LIFE_MILLIS_MAX = 300_000;

    private final Profile profile;

    Promised(Profile profile) {
        this.profile = profile;
    }

    Promises promises() {
        Promises promises = Promises.ofPlainQuorums()
                .withRebuiltDisks()
                .withForgottenMax(profile.settings().clock().aheadMax().plus(SLOWEST_NOTE));
        if (clocksAgree()) {
            promises = promises.withAdoption(adoption());
        }
        if (!profile.changes().equals(OperatorSettings.NONE)) {
            promises = promises.withMovingCopies();
        } else if (profile.settings().read().readRepair()
                == Repair.BLOCKING) { // Which writes to those it has asked alone.
            promises = promises.withMonotonicReads();
        }
        if (profile.clients().ages()) {
            promises = promises.withTombstonesGoing();
        }
        if (profile.settings().quorum().writeAck() == 1) {
            promises = promises.withoutOverlappingWrites();
        }
        return converges() ? promises.withConvergence() : promises;
    }

    /** Whether the clocks of any two nodes differ by less than what versions may be ahead, whatever happens. */
    private boolean clocksAgree() {
        return !profile.has(FaultKind.CLOCK_JUMP)
                && !profile.has(FaultKind.CLOCK_RESET)
                && 2 * wrongMillisMax() < aheadMillisMax();
    }

    /** How far any clock is from the right time. */
    private double wrongMillisMax() {
        double drift = profile.has(FaultKind.CLOCK_DRIFT)
                ? ClockFaults.DRIFT_MAX
                : profile.clocks().driftMax();
        return profile.clocks().skewMillisMax() + drift * LIFE_MILLIS_MAX;
    }

    private long aheadMillisMax() {
        return profile.settings().clock().aheadMax().toMillis();
    }

    /** By the right time, of which all are behind by less than that. */
    private Adoption adoption() {
        return new Adoption(MachineClock.EPOCH_MILLIS, Duration.ofMillis((long) (aheadMillisMax() - wrongMillisMax())));
    }

    /** Whether all replicas must agree in the end: what is too far ahead of a clock is taken nowhere until its time has come. */
    boolean converges() {
        return clocksAgree();
    }

    /** Whether hints alone must bring that about. */
    boolean convergesByHints() {
        return converges() && profile.faults().kinds().stream().allMatch(FaultKind::isPassing);
    }
}
