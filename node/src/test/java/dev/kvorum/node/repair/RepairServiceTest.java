package dev.kvorum.node.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.copy.CellsCall;
import dev.kvorum.node.copy.KeyedCell;
import dev.kvorum.node.copy.ListCall;
import dev.kvorum.node.copy.RepairProtocol;
import dev.kvorum.node.copy.Scope;
import dev.kvorum.node.copy.Shape;
import dev.kvorum.node.copy.StoreCall;
import dev.kvorum.node.copy.TreeCall;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.Served;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class RepairServiceTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Cell CELL = Draft.ofValue(new byte[] {1, 2, 3}).stamp(KEY, new Version(77, 1), 3);
    private static final Shape SHAPE = new Shape(64, -5);

    private static final List<PeerOperation> OPERATIONS = Arrays.stream(PeerOperation.values())
            .filter(operation -> operation.name().startsWith("REPAIR_"))
            .toList();

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 200);
    }

    /** Cut, changed and made up: each is refused as what it is, or answered. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void garbageIsRefusedAndHarmsNothing(long seed) {
        Random random = new Random(seed);
        RepairCluster cluster = new RepairCluster(seed, 1, 4);
        Served service = cluster.node("n1").served();
        for (int i = 0; i < 200; i++) {
            PeerOperation operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
            byte[] body = garbage(random);
            try {
                AtomicReference<@Nullable CallReply> reply = new AtomicReference<>();
                var _ = service.call(operation, body).subscribe(reply::set);
                cluster.pass(Duration.ofMillis(10));
                assertThat(reply.get()).isNotNull();
            } catch (MalformedCallException refused) {
                assertThat(refused).hasMessageNotContaining("null");
            }
        }
    }

    private static byte[] garbage(Random random) {
        byte[] body = switch (random.nextInt(5)) {
            case 0 -> RepairProtocol.encode(new TreeCall(new Scope(1, 0, 5, 5), SHAPE, 0, KEY));
            case 1 -> RepairProtocol.encode(new ListCall(1, SHAPE, new BitSet(), null));
            case 2 -> RepairProtocol.encode(new CellsCall(1, List.of(KEY)));
            case 3 -> RepairProtocol.encode(new StoreCall(1, List.of(new KeyedCell(KEY, CELL))));
            default -> new byte[random.nextInt(100)];
        };
        if (body.length > 0) {
            body[random.nextInt(body.length)] = (byte) random.nextInt();
        }
        return random.nextBoolean() ? body : Arrays.copyOf(body, random.nextInt(body.length + 2));
    }

    @Test
    void partitionThatThereIsNotIsRefused() {
        Served service = new RepairCluster(1, 1, 4).node("n1").served();

        assertThatThrownBy(() -> service.call(PeerOperation.REPAIR_RUN, RepairProtocol.encodePartition(4)))
                .isInstanceOf(MalformedCallException.class)
                .hasMessageContaining("no partition 4");
        assertThat(service.call(PeerOperation.REPAIR_RUN, RepairProtocol.encodePartition(3))
                        .block())
                .isInstanceOf(CallReply.Done.class);
    }
}
