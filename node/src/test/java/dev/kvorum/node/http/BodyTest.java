package dev.kvorum.node.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.deadline.Deadlines;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class BodyTest {
    private static final int BYTES_MAX = 10;
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final NettyDataBufferFactory buffers = new NettyDataBufferFactory(PooledByteBufAllocator.DEFAULT);
    private final ByteBudget budget = new ByteBudget(15);
    private final TestPublisher<DataBuffer> arriving = TestPublisher.create();
    private final List<ByteBuf> sent = new ArrayList<>();
    private long nanos;
    private final Deadlines deadlines = new Deadlines(() -> nanos, () -> {});
    private final Body body = new Body(BYTES_MAX, budget, TIMEOUT, deadlines);

    @AfterEach
    void nothingIsLeft() {
        assertThat(sent).allSatisfy(piece -> assertThat(piece.refCnt()).isZero());
        assertThat(budget.taken()).isZero();
        assertThat(deadlines.sweep()).as("deadlines that wait").isEqualTo(Deadlines.NEVER);
    }

    @Test
    void piecesAreHandedOnAsOneInTheirOrder() {
        StepVerifier.create(gathered())
                .then(() -> send("one", "two", "3"))
                .then(arriving::complete)
                .expectNext("onetwo3")
                .verifyComplete();
    }

    @Test
    void bodyWithoutPiecesIsThatOfNone() {
        StepVerifier.create(gathered())
                .then(arriving::complete)
                .expectNext("none")
                .verifyComplete();
    }

    @Test
    void bytesCountUntilWhatFollowsHasEnded() {
        Sinks.Empty<String> following = Sinks.empty();
        StepVerifier.create(body.gather(request(), BodyTest::text, "none", text -> following.asMono()))
                .then(() -> send("four"))
                .then(arriving::complete)
                .then(() -> assertThat(budget.taken()).isEqualTo(4))
                .then(() -> assertThat(following.tryEmitEmpty().isSuccess()).isTrue())
                .verifyComplete();
    }

    @Test
    void tooLongABodyIsRefusedAsSoonAsThatIsSeen() {
        StepVerifier.create(gathered())
                .then(() -> send("123456", "78901"))
                .verifyErrorSatisfies(e -> assertThat(nameOf(e)).isEqualTo("too-large"));
        arriving.assertCancelled();
    }

    @Test
    void lateBodyIsRefused() {
        StepVerifier.create(gathered())
                .then(() -> send("1234"))
                .then(() -> {
                    nanos += TIMEOUT.toNanos() * 2;
                    deadlines.sweep();
                })
                .verifyErrorSatisfies(e -> assertThat(nameOf(e)).isEqualTo("late-body"));
        arriving.assertCancelled();
    }

    @Test
    void bodyIsRefusedWhenOthersHaveTakenTheRoom() {
        StepVerifier.create(gathered())
                .then(() -> assertThat(budget.take(10)).isTrue())
                .then(() -> send("1234", "56"))
                .verifyErrorSatisfies(e -> assertThat(nameOf(e)).isEqualTo("overloaded"));
        arriving.assertCancelled();
        budget.giveBack(10);
    }

    @Test
    void nothingIsLeftOfABodyThatNobodyWaitsFor() {
        StepVerifier.create(gathered()).then(() -> send("1234")).thenCancel().verify();
        arriving.assertCancelled();
    }

    @Test
    void pieceBehindTheEndIsReleased() {
        TestPublisher<DataBuffer> unruly =
                TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
        ServerHttpRequest request = new ArrivingRequest(unruly.flux());
        StepVerifier.create(body.gather(request, BodyTest::text, "none", Mono::just))
                .then(() -> unruly.next(piece("12345678901")))
                .then(() -> unruly.next(piece("2")))
                .verifyErrorSatisfies(e -> assertThat(nameOf(e)).isEqualTo("too-large"));
    }

    @Test
    void bodyThatCannotBeDecodedFailsWithWhatTheDecoderSays() {
        StepVerifier.create(body.gather(
                        request(),
                        buffer -> {
                            throw new IllegalStateException("no cell");
                        },
                        "none",
                        Mono::just))
                .then(() -> send("1"))
                .then(arriving::complete)
                .verifyErrorMessage("no cell");
    }

    @Test
    void connectionThatBreaksEndsItsBody() {
        StepVerifier.create(gathered())
                .then(() -> send("1"))
                .then(() -> arriving.error(new IllegalStateException("gone")))
                .verifyErrorMessage("gone");
    }

    private Mono<String> gathered() {
        return body.gather(request(), BodyTest::text, "none", Mono::just);
    }

    private ServerHttpRequest request() {
        return new ArrivingRequest(arriving.flux());
    }

    private void send(String... pieces) {
        for (String piece : pieces) {
            arriving.next(piece(piece));
        }
    }

    private DataBuffer piece(String text) {
        ByteBuf bytes = PooledByteBufAllocator.DEFAULT.buffer().writeBytes(text.getBytes(UTF_8));
        sent.add(bytes);
        return buffers.wrap(bytes);
    }

    private static String text(DataBuffer buffer) {
        return buffer.toString(UTF_8);
    }

    private static String nameOf(Throwable e) {
        return ((RefusedRequestException) e).problem().name();
    }

    /** A PUT whose body has no declared length. */
    private static final class ArrivingRequest extends AbstractServerHttpRequest {
        private final Flux<DataBuffer> pieces;

        ArrivingRequest(Flux<DataBuffer> pieces) {
            super(HttpMethod.PUT, URI.create("/v0/entity?id=k"), null, chunked());
            this.pieces = pieces;
        }

        private static HttpHeaders chunked() {
            HttpHeaders headers = new HttpHeaders();
            headers.set(HttpHeaders.TRANSFER_ENCODING, "chunked");
            return headers;
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return pieces;
        }

        @Override
        protected MultiValueMap<String, HttpCookie> initCookies() {
            return new LinkedMultiValueMap<>();
        }

        @Override
        protected @Nullable SslInfo initSslInfo() {
            return null;
        }

        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // The signature is Spring's.
        public <T> T getNativeRequest() {
            return (T) this;
        }
    }
}
