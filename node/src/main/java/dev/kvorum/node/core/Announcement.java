package dev.kvorum.node.core;

import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.CallHandlers;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.PeerCalls;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.topology.Member;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import reactor.util.retry.Retry.RetrySignal;

/**
 * Tells the other members that this one is there, once its port for them is open: those that have looked for it in vain may be in a pause before they
 * look again, and until then a write through them would count without this member, though it says that it is ready. A member that can't be told is
 * told again for two seconds: this node may be in a pause itself, after it has looked for that member too early. By then all have found each other anyway.
 */
public final class Announcement {
    static final Duration AGAIN_FOR = Duration.ofSeconds(2);
    static final Duration BETWEEN = Duration.ofMillis(100);

    private static final byte[] NOTHING = {};
    private static final Logger LOG = LoggerFactory.getLogger(Announcement.class);

    private final Membership membership;
    private final PeerCalls calls;
    private final Deadlines deadlines;

    /** @param deadlines of the times at which members are told again: a wait that takes no thread, however many members there are */
    Announcement(Membership membership, PeerCalls calls, Deadlines deadlines) {
        this.membership = membership;
        this.calls = calls;
        this.deadlines = deadlines;
    }

    /** Returns at once; nobody waits for the answers. */
    public void make() {
        ClusterView view = membership.view();
        view.peers().forEach(member -> tell(member, view));
    }

    private void tell(Member member, ClusterView view) {
        byte[] self = view.self().getBytes(StandardCharsets.UTF_8);
        long until = deadlines.now() + AGAIN_FOR.toNanos();
        var _ = Mono.defer(() -> calls.call(member, PeerOperation.HERE, view.epoch(), self))
                .flatMap(Announcement::requireHeard)
                .retryWhen(Retry.from(failures -> failures.concatMap(last -> untilAgain(last, until))))
                .subscribe(
                        heard -> {}, e -> LOG.debug("Member {} was not told that this one is there", member.id(), e));
    }

    private Mono<RetrySignal> untilAgain(RetrySignal last, long until) {
        return deadlines.now() < until
                ? deadlines.after(BETWEEN.toNanos()).thenReturn(last)
                : Mono.error(last.failure());
    }

    private static Mono<CallReply> requireHeard(CallReply reply) {
        return reply instanceof ReplicaFailure failure
                ? Mono.error(new IllegalStateException(failure.reason() + ": " + failure.detail()))
                : Mono.just(reply);
    }

    /** Serves the announcements of other members. An id that names no member changes nothing: a call may name any. */
    static void serve(CallHandlers handlers, Membership membership, Consumer<URI> here) {
        handlers.on(PeerOperation.HERE, (body, epoch) -> {
            String id = new String(body, StandardCharsets.UTF_8);
            membership.view().topology().member(id).ifPresent(member -> here.accept(member.peer()));
            return Mono.just(new CallReply.Done(NOTHING));
        });
    }
}
