package dev.kvorum.node.consensus;

import static dev.kvorum.node.consensus.RegisterCluster.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.consensus.RegisterCluster.Node;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.storage.RegisterState;
import dev.kvorum.node.storage.RegisterStep;
import dev.kvorum.node.storage.RegisterStore;
import dev.kvorum.node.storage.StoredRegister;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** What is left of registers, and the work that sees to it. */
class SettlingTest {
    private static final long START = 1_700_000_000_000L << 16;
    private static final Duration HOUR = Duration.ofHours(1);

    private final RegisterCluster alone = new RegisterCluster(1, Topologies.of(1, "n1"), List.of("n1"));
    private final Node node = alone.node("n1");

    private static Version ballot(long count) {
        return new Version(START + count, 5);
    }

    private static Cell cell(long count) {
        return Draft.ofValue(new byte[] {(byte) count}).stamp(KEY, ballot(count), 3);
    }

    private static void accept(Node at, Key key, Cell cell) {
        Proposal proposal = Proposal.of(cell.version(), cell, List.of());
        assertThat(at.acceptor.accept(key, proposal, 1).block()).isEqualTo(new Vote.Done(at.name));
    }

    private void promise(int partition, Key key) {
        node.registers.put(partition, key, new Acceptance(ballot(1), 0, null));
    }

    private void seconds(int count) {
        for (int i = 0; i < count; i++) {
            alone.freeze(Duration.ofMillis(999));
            alone.tick();
        }
    }

    @Test
    void workFinishesWhatAFormerLifeLeftOpen() {
        accept(node, KEY, cell(2));
        node.restart();

        node.settling.start();
        assertThat(node.acceptor.open().all()).containsExactly(KEY);
        seconds(10);
        assertThat(node.cell()).isNull(); // Just as old as a round may be.
        seconds(1);

        assertThat(node.cell()).isEqualTo(cell(2));
        assertThat(node.count("kvorum.register.settled")).isOne();
        seconds(1);
        assertThat(node.acceptor.open().size()).isZero();
    }

    @Test
    void workFinishesAtOnceWhatIsOpenSinceAnotherEpoch() {
        accept(node, KEY, cell(2));
        node.restart();
        node.membership.offer(Topologies.of(2, "n1"));

        node.settling.start();

        assertThat(node.cell()).isEqualTo(cell(2));
    }

    @Test
    void workGoesOnAfterADiskThatFailed() {
        accept(node, KEY, cell(2));
        node.restart();
        node.registers.failure = new IllegalStateException("planned");
        node.settling.start();
        seconds(3);

        node.registers.failure = null;
        seconds(9);

        assertThat(node.cell()).isEqualTo(cell(2));
    }

    @Test
    void workThatHasEndedDoesNothingMore() {
        node.settling.close(); // It has not begun, which is no error.
        accept(node, KEY, cell(2));
        node.settling.start();

        node.settling.close();
        seconds(20);

        assertThat(node.cell()).isNull();
    }

    @Test
    void walkForRowsToForgetBeginsAQuarterOfAnHourAfterTheLast() {
        node.skewMillis = HOUR.plusSeconds(1).toMillis();
        promise(5, Key.of("first"));
        node.settling.start();
        assertThat(node.registers.rows).isEmpty();

        promise(9, Key.of("second"));
        seconds(899);
        assertThat(node.registers.rows).hasSize(1);
        seconds(1);

        assertThat(node.registers.rows).isEmpty();
        assertThat(node.count("kvorum.register.forgotten")).isEqualTo(2);
    }

    /** Two pages of 256 rows of a KiB are what it reads in a second. */
    @Test
    void longWalkIsSpreadOverSeconds() {
        node.skewMillis = HOUR.plusSeconds(1).toMillis();
        for (int i = 0; i < 600; i++) {
            promise(i < 300 ? 5 : 9, Key.of("%01000d".formatted(i)));
        }

        node.settling.start();
        assertThat(node.registers.rows).hasSize(88);
        seconds(1);

        assertThat(node.registers.rows).isEmpty();
        assertThat(node.meters.get("kvorum.register.rows").gauge().value()).isEqualTo(600);

        seconds(900);
        assertThat(node.meters.get("kvorum.register.rows").gauge().value()).isZero();
    }

    @Test
    void everyWalkComesByEachRowOnce() {
        for (int i = 0; i < 600; i++) {
            promise(i < 300 ? 0 : 9, Key.of("%01000d".formatted(i)));
        }
        node.settling.start();

        seconds(1);
        assertThat(node.meters.get("kvorum.register.rows").gauge().value()).isEqualTo(600);

        promise(9, Key.of("one more"));
        seconds(902);
        assertThat(node.meters.get("kvorum.register.rows").gauge().value()).isEqualTo(601);
    }

    @Test
    void walkTouchesNoRowThatIsNeededAndNotOpen() {
        promise(node.partition(), KEY);

        node.settling.forget().block();

        assertThat(node.registers.steps).isZero();
        assertThat(node.registers.rows).hasSize(1);
    }

    @Test
    void rowIsForgottenWhenItIsOlderThanAnHour() {
        promise(node.partition(), KEY);

        node.skewMillis = HOUR.toMillis();
        node.settling.forget().block();
        assertThat(node.registers.rows).hasSize(1);

        node.skewMillis = HOUR.toMillis() + 1;
        node.settling.forget().block();
        assertThat(node.registers.rows).isEmpty();
    }

    @Test
    void rowOfAKeyThatThisNodeDoesNotOwnIsForgotten() {
        RegisterCluster moved = new RegisterCluster(1, Topologies.of(1, "n2"), List.of("n1"));
        Node former = moved.node("n1");
        former.registers.put(former.partition(), KEY, new Acceptance(ballot(1), 0, null));

        former.settling.forget().block();

        assertThat(former.registers.rows).isEmpty();
    }

    @Test
    void walkNotesWhatAFormerLifeLeftOpenWithItsVersion() {
        accept(node, KEY, cell(7));
        node.restart();

        node.settling.forget().block();

        assertThat(Objects.requireNonNull(node.acceptor.open().of(KEY)).version())
                .isEqualTo(ballot(7));
        assertThat(node.meters.get("kvorum.register.open").gauge().value()).isOne();
    }

    @Test
    void registerThatAPlainWriteHasClosedIsNotOpenAnyMore() {
        accept(node, KEY, cell(2));
        node.registers.write(node.partition(), KEY, cell(3));

        node.settling.finishOld().block();

        assertThat(node.acceptor.open().size()).isZero();
        assertThat(node.count("kvorum.register.settled")).isZero();
    }

    @Test
    void registerThatHasNoRowIsNotOpenAnyMore() {
        node.acceptor.open().found(node.partition(), KEY, ballot(2));

        node.settling.finishOld().block();

        assertThat(node.acceptor.open().size()).isZero();
    }

    @Test
    void partitionIsNotSettledWhileTheOthersDoNotAnswer() {
        RegisterCluster three = new RegisterCluster(1, Topologies.of(1, "n1", "n2", "n3"), List.of("n1", "n2", "n3"));
        Node first = three.node("n1");
        three.node("n2").isUp = false;
        three.node("n3").isUp = false;
        accept(first, KEY, cell(2));
        List<Boolean> settled = new ArrayList<>();
        var _ = first.settling.settle(first.partition()).subscribe(settled::add);

        three.pass(Duration.ofMillis(900));

        assertThat(settled).containsExactly(false);
        assertThat(first.count("kvorum.register.settled")).isZero();
    }

    /** What was open has been built on under another ballot: that is none of what this settles. */
    @Test
    void partitionIsSettledWhereAnotherProposalHasTakenThePlaceOfWhatWasOpen() {
        RegisterCluster three = new RegisterCluster(1, Topologies.of(1, "n1", "n2", "n3"), List.of("n1", "n2", "n3"));
        Node first = three.node("n1");
        three.node("n2").isUp = false;
        three.node("n3").isUp = false;
        accept(first, KEY, cell(2));
        List<Boolean> settled = new ArrayList<>();
        var _ = first.settling.settle(first.partition()).subscribe(settled::add);

        accept(first, KEY, cell(900));
        three.pass(Duration.ofMillis(900));

        assertThat(settled).containsExactly(true);
    }

    @Test
    void partitionWhoseRowsAreStillBeingReadIsNotSettledAndGivenUpAfterASecond() {
        SlowPages store = new SlowPages();
        Settling settling = new Settling(store, node.parts, node.coordinator, node.acceptor);
        List<Boolean> settled = new ArrayList<>();
        var _ = settling.settle(node.partition()).subscribe(settled::add);
        assertThat(settled).isEmpty();

        seconds(1);
        assertThat(settled).containsExactly(false);

        store.ready.tryEmitEmpty().orThrow(); // What was begun has gone on.
        int pages = store.pages;
        var _ = settling.settle(node.partition()).subscribe(settled::add);
        assertThat(settled).containsExactly(false, true);
        assertThat(store.pages).isEqualTo(pages);
    }

    @Test
    void readingAPartitionNotesWhatIsOpenThereOnAllItsPages() {
        for (int i = 0; i < 300; i++) {
            Cell cell = cell(i + 1);
            node.registers.put(
                    5,
                    Key.of("k" + i),
                    new Acceptance(cell.version(), 1, Proposal.of(cell.version(), cell, List.of())));
        }
        Cell other = cell(999);
        node.registers.put(6, KEY, new Acceptance(other.version(), 1, Proposal.of(other.version(), other, List.of())));
        promise(5, Key.of("not open"));
        RegisterWalk walk = walk();
        assertThat(walk.hasRead(5)).isFalse();

        walk.partition(5).block();

        assertThat(walk.hasRead(5)).isTrue();
        assertThat(walk.hasRead(6)).isFalse();
        assertThat(node.acceptor.open().in(5)).hasSize(300);
        assertThat(node.acceptor.open().size()).isEqualTo(300);
    }

    private RegisterWalk walk() {
        OpenRegisters open = node.acceptor.open();
        return new RegisterWalk(node.registers, new Leftovers(node.registers, node.parts, open), open);
    }

    @Test
    void partitionThatCouldNotBeReadIsReadAnew() {
        accept(node, KEY, cell(2));
        node.restart();
        RegisterWalk walk = walk();
        node.registers.failure = new IllegalStateException("planned");
        assertThatThrownBy(() -> walk.partition(node.partition()).block()).hasMessage("planned");
        assertThat(walk.hasRead(node.partition())).isFalse();

        node.registers.failure = null;
        walk.partition(node.partition()).block();

        assertThat(node.acceptor.open().in(node.partition())).containsExactly(KEY);
    }

    /** The rows of the node, whose pages come when the test lets them. */
    private final class SlowPages implements RegisterStore {
        private final Sinks.Empty<Void> ready = Sinks.empty();
        private int pages;

        @Override
        public <T> Mono<T> step(int partition, Key key, Function<RegisterState, RegisterStep<T>> rule) {
            return node.registers.step(partition, key, rule);
        }

        @Override
        public <T> Mono<T> look(int partition, Key key, Function<RegisterState, RegisterStep<T>> rule) {
            return node.registers.look(partition, key, rule);
        }

        @Override
        public Mono<List<StoredRegister>> page(int partition, @Nullable Key after, int max) {
            pages++;
            return ready.asMono().then(node.registers.page(partition, after, max));
        }
    }
}
