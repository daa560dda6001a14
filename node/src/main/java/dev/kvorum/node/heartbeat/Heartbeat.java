package dev.kvorum.node.heartbeat;

import dev.kvorum.node.clock.ClockWatch;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.heartbeat.HeartbeatBody.Answer;
import dev.kvorum.node.heartbeat.HeartbeatBody.Told;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.CallHandlers;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.PeerCalls;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.verification.DirectoryWatch;
import dev.kvorum.node.verification.Progress;
import dev.kvorum.topology.Member;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Asks each other member once a second what its clock shows and what it remembers of this member's data directory. Both go in one call: a small cluster at rest makes
 * few of them.
 *
 * <p>Any thread.
 */
public final class Heartbeat implements AutoCloseable {
    static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final ClockWatch clocks;
    private final DirectoryWatch directories;
    private final Membership membership;
    private final PeerCalls calls;
    private final Deadlines deadlines;
    private final Set<String> wrong = ConcurrentHashMap.newKeySet(); // The last answers of these could not be read.
    private volatile boolean closed;

    /** @param directories told to others, and what others have told */
    public Heartbeat(
            ClockWatch clocks,
            DirectoryWatch directories,
            Membership membership,
            PeerCalls calls,
            Deadlines deadlines) {
        this.clocks = clocks;
        this.directories = directories;
        this.membership = membership;
        this.calls = calls;
        this.deadlines = deadlines;
    }

    /** Answers the heartbeats of other members. */
    public void serve(CallHandlers handlers) {
        handlers.on(PeerOperation.HEARTBEAT, (body, epoch) -> {
            Told told = HeartbeatBody.decode(body);
            Progress before = directories.others().hear(told.member(), told.progress());
            Answer answer = new Answer(
                    clocks.steadyMillis(),
                    clocks.wallMillis(),
                    before,
                    directories.own().now().start(),
                    directories.logs().changes());
            return Mono.just(new CallReply.Done(HeartbeatBody.encode(answer)));
        });
    }

    /** Begins, now and each second. */
    public void start() {
        var _ = Mono.defer(this::beat)
                .onErrorResume(bug -> {
                    LOG.error("A heartbeat ended in an error that nobody expected; the next follows", bug);
                    return Mono.empty();
                })
                .then(Mono.defer(() -> deadlines.after(PERIOD.toNanos())))
                .repeat(() -> !closed)
                .subscribe();
    }

    /** One heartbeat. Completes when every other member has answered or failed, after a second at the latest. */
    public Mono<Void> beat() {
        ClusterView view = membership.view();
        directories.logs().note(view.peers().stream().map(Member::id).collect(Collectors.toSet()));
        return Flux.fromIterable(view.peers())
                .flatMap(member -> Mono.firstWithSignal(
                        ask(member, view), deadlines.after(PERIOD.toNanos()).then()))
                .then(Mono.fromRunnable(clocks::judge));
    }

    private Mono<Void> ask(Member member, ClusterView view) {
        return Mono.defer(() -> {
            Progress told = directories.own().now();
            ClockWatch.Question question = clocks.question();
            byte[] body = HeartbeatBody.encode(new Told(view.self(), told));
            return calls.call(member, PeerOperation.HEARTBEAT, view.epoch(), body)
                    .doOnNext(reply -> hear(member.id(), reply, told, question))
                    .then();
        });
    }

    private void hear(String member, CallReply reply, Progress told, ClockWatch.Question question) {
        switch (reply) {
            case CallReply.Done done -> {
                try {
                    Answer answer = HeartbeatBody.decodeAnswer(done.body(), told.incarnation());
                    clocks.see(member, question, answer.steadyMillis(), answer.wallMillis());
                    directories.logs().hear(member, question.nanos(), answer.start(), answer.changes());
                    directories.own().hear(member, answer.remembered());
                    wrong.remove(member);
                } catch (MalformedCallException e) {
                    if (wrong.add(member)) {
                        LOG.warn(
                                "Member {} answers heartbeats wrongly: {}. Its clock is not counted while it does. Check which version it runs",
                                member,
                                e.getMessage());
                    }
                }
            }
            case ReplicaFailure failure -> {} // Who can't be asked says nothing of clocks; others log why.
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
