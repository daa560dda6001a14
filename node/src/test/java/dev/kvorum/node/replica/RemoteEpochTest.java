package dev.kvorum.node.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What a remote replica does when its member goes by another epoch than a call. */
class RemoteEpochTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Cell CELL = Draft.ofValue(new byte[] {7}).stamp(KEY, new Version(1, 1), 3);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Topology FIVE = Topologies.of(5, "n1", "n2");
    private static final Topology SIX = Topologies.of(6, "n1", "n2", "n3");

    private final Membership membership = new Membership("n1", FIVE);
    private final Deque<ClientResponse> answers = new ArrayDeque<>();
    private final List<Object> exchanges = new ArrayList<>();
    private Topology theirs = FIVE;
    private final WebClient client = WebClient.builder()
            .exchangeFunction(request -> Mono.fromSupplier(answers::remove))
            .build();
    private final PeerSettings settings = CalledMember.settings(TIMEOUT, 1, 2, 1);
    private final TopologyExchange exchange = new TopologyExchange(
            membership,
            (member, present) -> {
                exchanges.add(member.id());
                return Mono.just(TopologyJson.write(theirs));
            },
            Schedulers.immediate(),
            () -> 0);
    private final PeerAccess access = new PeerAccess(PeerClient.of(client), settings, 1 << 10, exchange, epoch -> 0);
    private final RemoteReplica replica = new RemoteReplica(Topologies.member("n2"), access);
    private final PeerCalls calls = new RemoteCalls(access);

    private void willAnswer(HttpStatus status, byte[] body) {
        answers.add(ClientResponse.create(status)
                .body(body.length == 0 ? Flux.empty() : Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body)))
                .build());
    }

    @Test
    void refusalAsStaleRenewsTheTopologyBeforeItIsTold() {
        theirs = SIX;
        willAnswer(HttpStatus.PRECONDITION_FAILED, PeerProtocol.encodeEpoch(6));

        WriteReply reply = replica.write(KEY, CELL, 5).block();

        assertThat(reply).isEqualTo(new ReplicaFailure("n2", Reason.STALE, "it goes by the newer epoch 6"));
        assertThat(membership.view().topology()).isEqualTo(SIX);
    }

    @Test
    void refusalAsStaleByAnEpochThatIsKnownByNowExchangesNothing() {
        membership.offer(SIX);
        willAnswer(HttpStatus.PRECONDITION_FAILED, PeerProtocol.encodeEpoch(6));

        assertThat(replica.read(KEY, 5).block()).isInstanceOf(ReplicaFailure.class);
        assertThat(exchanges).isEmpty();
    }

    @Test
    void memberThatIsBehindIsTaughtAndCalledAgain() {
        willAnswer(HttpStatus.TOO_EARLY, PeerProtocol.encodeEpoch(4));
        willAnswer(HttpStatus.NO_CONTENT, new byte[0]);

        WriteReply reply = replica.write(KEY, CELL, 5).block();

        assertThat(reply).isEqualTo(new WriteReply.Stored("n2"));
        assertThat(exchanges).containsExactly("n2");
    }

    @Test
    void memberThatStaysBehindIsCalledOnlyTwice() {
        willAnswer(HttpStatus.TOO_EARLY, PeerProtocol.encodeEpoch(4));
        willAnswer(HttpStatus.TOO_EARLY, PeerProtocol.encodeEpoch(4));

        ReadReply reply = replica.read(KEY, 5).block();

        assertThat(reply).isEqualTo(new ReplicaFailure("n2", Reason.BEHIND, "it goes by the older epoch 4"));
        assertThat(answers).isEmpty();
    }

    @Test
    void otherCallThatIsRefusedAsStaleFailsAndRenewsTheTopology() {
        theirs = SIX;
        willAnswer(HttpStatus.PRECONDITION_FAILED, PeerProtocol.encodeEpoch(6));

        assertThat(call().block()).isEqualTo(new ReplicaFailure("n2", Reason.STALE, "it goes by the newer epoch 6"));
        assertThat(membership.view().topology()).isEqualTo(SIX);
    }

    /** Whoever makes it has time: it is not made again at once. */
    @Test
    void otherCallOfAMemberThatIsBehindFailsAndTeachesIt() {
        willAnswer(HttpStatus.TOO_EARLY, PeerProtocol.encodeEpoch(4));

        assertThat(call().block()).isEqualTo(new ReplicaFailure("n2", Reason.BEHIND, "it goes by the older epoch 4"));
        assertThat(exchanges).containsExactly("n2");
    }

    private Mono<CallReply> call() {
        return calls.call(Topologies.member("n2"), PeerOperation.REPAIR_RUN, 5, new byte[2]);
    }

    @Test
    void refusalForTheEpochThatNamesNoneIsBroken() {
        ReplicaFailure broken = new ReplicaFailure("n2", Reason.BROKEN, "answered no epoch: it ends before its epoch");
        willAnswer(HttpStatus.PRECONDITION_FAILED, new byte[3]);
        willAnswer(HttpStatus.PRECONDITION_FAILED, new byte[0]);
        willAnswer(HttpStatus.TOO_EARLY, new byte[0]);

        assertThat(replica.read(KEY, 5).block()).isEqualTo(broken);
        assertThat(replica.write(KEY, CELL, 5).block()).isEqualTo(broken);
        assertThat(call().block()).isEqualTo(broken);
        assertThat(exchanges).isEmpty();
    }
}
