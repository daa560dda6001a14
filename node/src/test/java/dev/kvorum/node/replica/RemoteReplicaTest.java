package dev.kvorum.node.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static reactor.core.publisher.Sinks.EmitFailureHandler.FAIL_FAST;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.frame.CallFailedException;
import dev.kvorum.node.frame.FrameConnector;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import io.netty.handler.timeout.ReadTimeoutException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** What a remote replica makes of the answers to its calls, which the test gives in place of a network. */
class RemoteReplicaTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Cell CELL = Draft.ofValue(new byte[] {7}).stamp(KEY, new Version(1, 1), 3);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final Sinks.One<ClientResponse> response = Sinks.one();
    private final List<Object> replies = new ArrayList<>();
    private final List<String> cancelledExchanges = new ArrayList<>();
    private final List<Optional<Object>> waits = new ArrayList<>();
    private @Nullable CallFailedException refusal;
    private final RemoteReplica replica = new RemoteReplica(
            Topologies.member("n2"),
            new PeerAccess(
                    new PeerClient(
                            WebClient.builder()
                                    .exchangeFunction(request -> {
                                        waits.add(request.attribute(FrameConnector.WAIT_NANOS));
                                        return response.asMono()
                                                .doOnCancel(() -> cancelledExchanges.add(
                                                        request.url().toString()));
                                    })
                                    .build(),
                            peer -> refusal),
                    CalledMember.settings(TIMEOUT, 1, 2, 1),
                    1 << 10,
                    NoExchange.of(Topologies.of(1, "n1", "n2")),
                    epoch -> 0));

    private void answers(HttpStatus status, byte[] body) {
        response.emitValue(
                ClientResponse.create(status)
                        .body(Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body)))
                        .build(),
                FAIL_FAST);
    }

    private void read() {
        var _ = replica.read(KEY, 1).subscribe(replies::add);
    }

    private void write() {
        var _ = replica.write(KEY, CELL, 1).subscribe(replies::add);
    }

    @Test
    void callSaysHowLongItsCallerWaitsIfThatIsLessThanForAnyReply() {
        var _ = replica.read(KEY, 1, TIMEOUT.toNanos() - 1).subscribe();
        var _ = replica.read(KEY, 1, TIMEOUT.toNanos()).subscribe();

        assertThat(waits).containsExactly(Optional.of(TIMEOUT.toNanos() - 1), Optional.empty());
    }

    @Test
    void writeOfWhichItIsKnownThatItWouldFailIsNotSent() {
        refusal = new CallFailedException(CallFailedException.Reason.UNREACHABLE, "nobody listens");
        write();

        assertThat(replies).containsExactly(new ReplicaFailure("n2", Reason.UNREACHABLE, "nobody listens"));
        assertThat(waits).as("calls").isEmpty();
        refusal = null;
        write();
        answers(HttpStatus.NO_CONTENT, new byte[0]);
        assertThat(replies).endsWith(new WriteReply.Stored("n2"));
    }

    @Test
    void cellInTheAnswerIsFound() {
        read();

        answers(HttpStatus.OK, CELL.bytes());

        assertThat(replies).containsExactly(new ReadReply.Found("n2", CELL));
    }

    @Test
    void notFoundIsAbsent() {
        read();

        answers(HttpStatus.NOT_FOUND, new byte[0]);

        assertThat(replies).containsExactly(new ReadReply.Absent("n2"));
    }

    @Test
    void noContentIsStored() {
        write();

        answers(HttpStatus.NO_CONTENT, new byte[0]);

        assertThat(replies).containsExactly(new WriteReply.Stored("n2"));
    }

    @ParameterizedTest
    @CsvSource({"400,REFUSED", "409,REFUSED", "421,REFUSED", "500,BROKEN", "503,OVERLOADED", "302,BROKEN"})
    void otherAnswersAreFailuresForTheirReason(int status, Reason reason) {
        read();
        write();

        answers(HttpStatus.valueOf(status), new byte[0]);

        ReplicaFailure failure = new ReplicaFailure("n2", reason, "answered " + status);
        assertThat(replies).containsExactly(failure, failure);
    }

    @Test
    void answerThatIsNoCellIsBroken() {
        read();

        answers(HttpStatus.OK, new byte[] {1, 2, 3});

        assertThat(replies)
                .containsExactly(new ReplicaFailure(
                        "n2", Reason.BROKEN, "answered no cell: a cell has at least 32 bytes, not 3"));
    }

    @Test
    void cellLongerThanAllThatMayBeUnderWayIsSentWhereItIsAlone() {
        Cell longer = Draft.ofValue(new byte[2 << 20]).stamp(KEY, new Version(1, 1), 3);
        var _ = replica.write(KEY, longer, 1).subscribe(replies::add);
        var _ = replica.write(KEY, longer, 1).subscribe(replies::add);

        assertThat(replies)
                .containsExactly(new ReplicaFailure("n2", Reason.OVERLOADED, "too many bytes are on their way to it"));

        answers(HttpStatus.NO_CONTENT, new byte[0]);

        assertThat(replies).last().isEqualTo(new WriteReply.Stored("n2"));
    }

    @Test
    void brokenConnectionIsUnreachable() {
        write();

        response.emitError(new IOException("connection reset"), FAIL_FAST);

        assertThat(replies).containsExactly(new ReplicaFailure("n2", Reason.UNREACHABLE, "the connection broke"));
    }

    @Test
    void silenceIsATimeOut() {
        read();

        response.emitError(ReadTimeoutException.INSTANCE, FAIL_FAST);

        assertThat(replies).containsExactly(new ReplicaFailure("n2", Reason.TIMED_OUT, "no answer within 2000 ms"));
    }

    @Test
    void readCancelledBeforeItsAnswerCancelsTheExchange() {
        var waiting = replica.read(KEY, 1).subscribe();

        waiting.dispose();

        assertThat(cancelledExchanges).hasSize(1);
    }
}
