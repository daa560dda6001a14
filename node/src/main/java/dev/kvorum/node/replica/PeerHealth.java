package dev.kvorum.node.replica;

import dev.kvorum.topology.Member;
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

    private final Member member;
    private final AtomicReference<State> state = new AtomicReference<>(State.ANSWERS);

    PeerHealth(Member member) {
        this.member = member;
    }

    void saw(Object reply) {
        State now = reply instanceof ReplicaFailure failure && isSilence(failure) ? State.SILENT : State.ANSWERS;
        State before = state.get();
        if (before != now && state.compareAndSet(before, now)) {
            tell(now, reply);
        }
    }

    private static boolean isSilence(ReplicaFailure failure) {
        return switch (failure.reason()) {
            case UNREACHABLE, TIMED_OUT -> true;
            case OVERLOADED, REFUSED, BROKEN -> false;
        };
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
