package dev.kvorum.load.generate;

import io.hyperfoil.api.config.Step;
import io.hyperfoil.api.config.Visitor.Ignore;
import io.hyperfoil.api.session.ResourceUtilizer;
import io.hyperfoil.api.session.Session;

/**
 * The first step of each session: decides what is asked, and notes since when it was due. Sessions begin in the order in which they
 * were due, so the n-th was due n intervals after the first. Event loop only.
 */
final class Arrivals implements Step, ResourceUtilizer {
    @Ignore
    private final Traffic traffic;

    @Ignore
    private final Ledger ledger;

    private final double intervalNanos;
    private long firstNanos;
    private long count;

    /** @param pace a closed loop's requests are due when they begin */
    Arrivals(Traffic traffic, Pace pace, Ledger ledger) {
        this.traffic = traffic;
        this.ledger = ledger;
        this.intervalNanos = switch (pace) {
            case Pace.Open open -> 1e9 / open.perSecond();
            case Pace.Closed _ -> 0;
        };
    }

    @Override
    public boolean invoke(Session session) {
        long now = System.nanoTime();
        if (count == 0) {
            firstNanos = now;
        }
        long due = intervalNanos == 0 ? now : Math.min(now, firstNanos + (long) (count * intervalNanos));
        count++;
        Pending.of(session).begin(traffic.nextOperation(), traffic.keys().next(), due, now);
        ledger.begun(now - due);
        return true;
    }

    @Override
    public void reserve(Session session) {
        session.declareResource(Pending.KEY, Pending::new);
    }
}
