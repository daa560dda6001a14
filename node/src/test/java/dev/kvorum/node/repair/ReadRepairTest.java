package dev.kvorum.node.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static reactor.core.publisher.Sinks.EmitFailureHandler.FAIL_FAST;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.Replica;
import dev.kvorum.node.replica.WriteReply;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class ReadRepairTest {
    /** Each write waits for an answer of its own. */
    private static final class Silent implements Replica {
        private final Deque<Sinks.One<WriteReply>> waiting = new ArrayDeque<>();

        @Override
        public String member() {
            return "n2";
        }

        @Override
        public Mono<WriteReply> bring(Key key, Cell cell, long epoch) {
            Sinks.One<WriteReply> answer = Sinks.one();
            waiting.add(answer);
            return answer.asMono();
        }

        @Override
        public Mono<WriteReply> write(Key key, Cell cell, long epoch) {
            throw new AssertionError("no client has just written this");
        }

        @Override
        public Mono<ReadReply> read(Key key, long epoch, long waitNanos) {
            return Mono.never();
        }

        void answer() {
            waiting.remove().emitValue(new WriteReply.Stored("n2"), FAIL_FAST);
        }
    }

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final ReadRepair repair = new ReadRepair(new ReadRepairMetrics(meters));
    private final Silent replica = new Silent();

    private static Cell cell(int bytes) {
        return Draft.ofValue(new byte[bytes]).stamp(Key.of("any"), new Version(1, 1), 3);
    }

    private void mend(int key, int bytes) {
        repair.mend(replica, Key.of("key-" + key), cell(bytes), 1);
    }

    private double dropped() {
        return meters.get("kvorum.read.repairs.dropped")
                .tag("reason", "busy")
                .counter()
                .count();
    }

    @Test
    void noMoreCallsAreUnderWayThanTheBound() {
        for (int i = 0; i < ReadRepair.CALLS_MAX + 10; i++) {
            mend(i, 1);
        }

        assertThat(replica.waiting).hasSize(ReadRepair.CALLS_MAX);
        assertThat(dropped()).isEqualTo(10);

        replica.answer();
        mend(1000, 1);
        mend(1001, 1);

        assertThat(replica.waiting).hasSize(ReadRepair.CALLS_MAX);
        assertThat(dropped()).isEqualTo(11);
    }

    @Test
    void noMoreBytesAreUnderWayThanTheBoundButForOneThatIsAlone() {
        mend(0, (int) ReadRepair.BYTES_MAX + 1);
        mend(1, 1);

        assertThat(replica.waiting).hasSize(1);

        replica.answer();
        for (int i = 0; i < 10; i++) {
            mend(i, 1 << 20);
        }

        assertThat(replica.waiting).hasSize(7);
        assertThat(dropped()).isEqualTo(4);
    }

    @Test
    void keyThatWasLetBeIsMendedNextTime() {
        mend(0, (int) ReadRepair.BYTES_MAX + 1);
        mend(1, 1);
        replica.answer();

        mend(1, 1);
        mend(1, 1);

        assertThat(replica.waiting).as("and not twice at a time").hasSize(1);
    }
}
