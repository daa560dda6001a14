package dev.kvorum.node.replica;

import dev.kvorum.topology.Member;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log, once, when reads begin to avoid a member and when they trust it again, and counts each change. */
final class HealthLog implements Breaker.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(HealthLog.class);

    private final Member member;
    private final ReplicaMetrics metrics;
    private boolean avoided; // Under the breaker's lock, as all of this.

    HealthLog(Member member, ReplicaMetrics metrics) {
        this.member = member;
        this.metrics = metrics;
    }

    @Override
    public void changed(Breaker.State now, String why) {
        metrics.breakerChanged(member.id(), now);
        switch (now) {
            case OPEN -> avoided(why);
            case CLOSED -> trusted();
            case HALF_OPEN -> LOG.debug("A call tries whether member {} answers again", member.id());
        }
    }

    private void avoided(String why) {
        if (!avoided) {
            avoided = true;
            LOG.warn("Member {} at {} does not answer, reads avoid it: {}", member.id(), member.peer(), why);
        }
    }

    private void trusted() {
        avoided = false;
        LOG.info("Member {} at {} answers again", member.id(), member.peer());
    }
}
