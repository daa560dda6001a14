package dev.kvorum.node.replica;

import dev.kvorum.topology.Member;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log, once, when a member stops answering and when it is back: not once per call. Any thread. */
final class PeerHealth {
    private static final Logger LOG = LoggerFactory.getLogger(PeerHealth.class);

    private enum State {
        ANSWERS,
        SILENT
    }

    private static final Duration QUIET = Duration.ofSeconds(1);

    private final Member member;
    private final AtomicReference<State> state = new AtomicReference<>(State.ANSWERS);
    private volatile long lastSilence;

    PeerHealth(Member member) {
        this.member = member;
    }

    void saw(Object reply) {
        if (!(reply instanceof ReplicaFailure failure)) {
            answers(reply);
            return;
        }
        switch (failure.reason()) {
            case UNREACHABLE, TIMED_OUT -> silent(failure);
            case REFUSED, BROKEN -> answers(failure);
            case OVERLOADED -> LOG.trace("{} is overloaded: that tells nothing of whether it answers", member.id());
        }
    }

    private void silent(ReplicaFailure failure) {
        lastSilence = System.nanoTime();
        change(State.ANSWERS, State.SILENT, failure);
    }

    /** One that answers now and then stays silent: it is back when it has not failed for a while. */
    private void answers(Object reply) {
        if (state.get() == State.SILENT && System.nanoTime() - lastSilence > QUIET.toNanos()) {
            change(State.SILENT, State.ANSWERS, reply);
        }
    }

    private void change(State before, State now, Object reply) {
        if (state.get() == before && state.compareAndSet(before, now)) {
            tell(now, reply);
        }
    }

    private void tell(State now, Object reply) {
        switch (now) {
            case SILENT ->
                LOG.warn(
                        "Member {} at {} does not answer: {}",
                        member.id(),
                        member.peer(),
                        ((ReplicaFailure) reply).detail());
            case ANSWERS -> LOG.info("Member {} at {} answers again", member.id(), member.peer());
        }
    }
}
