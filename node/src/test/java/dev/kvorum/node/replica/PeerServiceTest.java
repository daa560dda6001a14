package dev.kvorum.node.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.frame.FrameService.Reply;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.replica.PeerOperation.Epochs;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.storage.CellStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.publisher.Mono;

class PeerServiceTest {
    /** By the service itself, from the beginning. */
    private static final Set<PeerOperation> SERVED =
            EnumSet.of(PeerOperation.READ, PeerOperation.WRITE, PeerOperation.BRING);

    private static final long EPOCH = 7;

    private final Membership membership = new Membership("n1", Topologies.of(EPOCH, "n1", "n2", "n3"));
    private final Map<Key, Cell> cells = new HashMap<>();
    private final LocalReplica local = new LocalReplica(
            membership,
            new CellStore() {
                @Override
                public Mono<Void> write(int partition, Key key, Cell cell) {
                    return Mono.fromRunnable(() -> cells.put(key, cell));
                }

                @Override
                public Mono<Void> synced() {
                    return Mono.empty();
                }

                @Override
                public Mono<Cell> read(int partition, Key key) {
                    return Mono.justOrEmpty(cells.get(key));
                }
            },
            new HybridClock(() -> 1000, 1, Duration.ofSeconds(10), 0),
            new ReplicaMetrics(new SimpleMeterRegistry()),
            new Floors(0, () -> 0),
            partition -> false);
    private final PeerService service = new PeerService(
            local, membership, new Contradictions(membership, new ReplicaMetrics(new SimpleMeterRegistry()), () -> 0));

    private Reply call(int code, long epoch, byte[] rest) {
        return reply(code, PeerProtocol.encode(DefaultDataBufferFactory.sharedInstance, epoch, 0, rest));
    }

    private Reply reply(int code, DataBuffer body) {
        return Objects.requireNonNull(service.serve(code, body).block());
    }

    private static String text(Reply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    @Test
    void operationsHaveTheCodesFromOneOnAndEachItsPath() {
        assertThat(PeerOperation.values())
                .extracting(PeerOperation::code)
                .containsExactlyElementsOf(Arrays.stream(PeerOperation.values())
                        .map(operation -> operation.ordinal() + 1)
                        .toList());
        for (PeerOperation operation : PeerOperation.values()) {
            assertThat(PeerOperation.ofCode(operation.code())).isEqualTo(operation);
            assertThat(PeerOperation.codeOf(operation.path())).isEqualTo(operation.code());
        }
        assertThat(PeerOperation.codeOf("/nothing")).isZero();
    }

    private static IntStream unknownCodes() {
        return IntStream.of(-1, 0, PeerOperation.values().length + 1, 255);
    }

    @ParameterizedTest
    @MethodSource("unknownCodes")
    void operationThatThereIsNotIsRefused(int code) {
        Reply reply = call(code, EPOCH, new byte[] {1});

        assertThat(reply.status().value()).isEqualTo(400);
        assertThat(text(reply)).isEqualTo("there is no operation " + code);
    }

    @Test
    void callThatEndsBeforeItsEpochIsMalformed() {
        Reply reply = reply(1, DefaultDataBufferFactory.sharedInstance.wrap(new byte[7]));

        assertThat(reply.status().value()).isEqualTo(400);
        assertThat(text(reply)).isEqualTo("it ends before its epoch and digest");
    }

    @ParameterizedTest
    @EnumSource(PeerOperation.class)
    void callsOfAnotherEpochReachOnlyHandlersThatLookOrNeedNot(PeerOperation operation) {
        if (SERVED.contains(operation)) {
            return; // Those look: below.
        }
        service.onCall(operation, (body, epoch) -> Mono.just(new CallReply.Done(body)));

        assertThat(call(operation.code(), EPOCH, new byte[] {5}).body()).containsExactly(5);
        boolean isFenced = operation.epochs() == Epochs.PRESENT;
        assertThat(call(operation.code(), EPOCH - 1, new byte[0]).status().value())
                .isEqualTo(isFenced ? 412 : 204);
        assertThat(call(operation.code(), EPOCH + 1, new byte[0]).status().value())
                .isEqualTo(isFenced ? 425 : 204);
    }

    @ParameterizedTest
    @EnumSource(PeerOperation.class)
    void callsOfAnotherTopologyOfTheEpochReachOnlyHandlersThatServeAny(PeerOperation operation) {
        if (!SERVED.contains(operation)) {
            service.onCall(operation, (body, epoch) -> Mono.just(new CallReply.Done(body)));
        }

        Reply reply = reply(
                operation.code(),
                PeerProtocol.encode(DefaultDataBufferFactory.sharedInstance, EPOCH, 12345, new byte[0]));

        if (operation.epochs() == Epochs.ANY) {
            assertThat(reply.status().value()).isEqualTo(204);
        } else {
            assertThat(reply.status().value()).isEqualTo(409);
            assertThat(text(reply))
                    .startsWith("epoch " + EPOCH + " has two contents")
                    .endsWith("0000000000003039");
        }
    }

    @Test
    void localReplicaServesReadsAndWritesOfItsEpoch() {
        byte[] cell = Draft.ofValue(new byte[] {9})
                .stamp(Key.of("k"), new Version(1, 1), 3)
                .bytes();
        DataBuffer write = PeerProtocol.encodeWrite(
                DefaultDataBufferFactory.sharedInstance,
                EPOCH,
                0,
                Key.of("k"),
                Draft.ofValue(new byte[] {9}).stamp(Key.of("k"), new Version(1, 1), 3));

        assertThat(reply(2, write).status().value()).isEqualTo(204);
        assertThat(call(1, EPOCH, new byte[] {'k'}).body()).isEqualTo(cell);
        assertThat(call(1, EPOCH, new byte[] {'x'}).status().value()).isEqualTo(404);
        Reply stale = call(1, EPOCH - 1, new byte[] {'k'});
        assertThat(stale.status().value()).isEqualTo(412);
        assertThat(stale.body()).isEqualTo(PeerProtocol.encodeEpoch(EPOCH));
    }

    @Test
    void whatAHandlerRefusesOrCanNotReadIsTold() {
        service.onCall(PeerOperation.HERE, (body, epoch) -> {
            throw new MalformedCallException("no id");
        });
        service.onCall(
                PeerOperation.MEMBER_SETTLE,
                (body, epoch) -> Mono.just(new ReplicaFailure("n1", Reason.REFUSED, "not now")));

        assertThat(text(call(PeerOperation.HERE.code(), EPOCH, new byte[0]))).isEqualTo("no id");
        Reply refused = call(PeerOperation.MEMBER_SETTLE.code(), EPOCH, new byte[0]);
        assertThat(refused.status().value()).isEqualTo(409);
        assertThat(text(refused)).isEqualTo("not now");
    }

    @Test
    void everyOperationNeedsExactlyOneHandler() {
        assertThatThrownBy(service::requireAll)
                .hasMessageContaining("have no handler")
                .hasMessageContaining("TOPOLOGY")
                .hasMessageNotContaining("READ,");
        assertThatThrownBy(() -> service.onCall(PeerOperation.READ, (body, epoch) -> Mono.empty()))
                .hasMessage("READ has two handlers");
    }
}
