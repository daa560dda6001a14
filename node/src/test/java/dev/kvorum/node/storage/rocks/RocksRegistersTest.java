package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.storage.RegisterState;
import dev.kvorum.node.storage.RegisterStep;
import dev.kvorum.node.storage.StoredRegister;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Registers of a real database in a directory of its own. */
@Timeout(60)
class RocksRegistersTest {
    private static final int P = 7;
    private static final Key KEY = Key.of("cart-7");

    @TempDir
    Path directory;

    private RocksStore store;

    @BeforeEach
    void open() {
        store = SmallStore.open(directory);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static Cell cell(long time, boolean deletion) {
        return cell(KEY, time, deletion);
    }

    private static Cell cell(Key key, long time, boolean deletion) {
        Draft draft = deletion ? Draft.tombstone() : Draft.ofValue(new byte[] {1, 2, 3});
        return draft.stamp(key, new Version(time, 1), 3);
    }

    private static byte[] row(int number) {
        return new byte[] {(byte) number};
    }

    private @Nullable RegisterState look(Key key) {
        return store.registers().step(P, key, RegisterStep::none).block();
    }

    private Mono<Boolean> step(Key key, byte[] row, @Nullable Cell cell) {
        return store.registers().step(P, key, state -> new RegisterStep<>(true, row, cell));
    }

    @Test
    void rowAndCellAreThereTogetherAndOutliveTheProcess() {
        Cell cell = cell(5, false);
        assertThat(step(KEY, row(1), cell).block()).isTrue();

        store.close();
        open();

        assertThat(look(KEY)).satisfies(state -> {
            assertThat(state.row()).isEqualTo(row(1));
            assertThat(state.cell()).isEqualTo(cell);
        });
        assertThat(store.read(P, KEY).block()).isEqualTo(cell);
    }

    @Test
    void stepsOfOneKeyFollowEachOther() {
        List<Integer> seen = Flux.range(0, 500)
                .flatMap(
                        i -> store.registers().step(P, KEY, state -> {
                            int before = state.row() == null ? 0 : state.row()[0] << 8 | (state.row()[1] & 0xFF);
                            int after = before + 1;
                            return RegisterStep.row(before, new byte[] {(byte) (after >> 8), (byte) after});
                        }),
                        500)
                .collectList()
                .block();

        assertThat(seen).hasSize(500).doesNotHaveDuplicates();
    }

    @Test
    void rowIsRemovedAndThePageGoesOnIntoTheNextPartition() {
        List<Mono<Boolean>> steps = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            steps.add(step(Key.of(name), row(1), null));
        }
        steps.add(store.registers().step(P + 1, Key.of("d"), state -> RegisterStep.row(true, row(2))));
        steps.add(step(Key.of("b"), RegisterStep.NO_ROW, null));
        assertThat(Flux.concat(steps).blockLast()).isTrue();

        List<StoredRegister> rows = store.registers().page(P, Key.of("a"), 10).block();

        assertThat(rows).extracting(StoredRegister::key).containsExactly(Key.of("c"), Key.of("d"));
        assertThat(rows).extracting(StoredRegister::partition).containsExactly(P, P + 1);
        assertThat(store.registers().page(P, null, 2).block()).hasSize(2);
    }

    @Test
    void lookSeesAndRemovesAsAStepDoes() {
        assertThat(step(KEY, row(1), null).block()).isTrue();

        RegisterState seen = store.registers()
                .look(P, KEY, state -> new RegisterStep<>(state, RegisterStep.NO_ROW, null))
                .block();

        assertThat(seen).satisfies(state -> assertThat(state.row()).isEqualTo(row(1)));
        assertThat(look(KEY)).satisfies(state -> assertThat(state.row()).isNull());
    }

    @Test
    void answersThatHoldMuchDoNotWaitForThoseOfAllWhoWaitTogether() throws InterruptedException {
        int waiting = 16;
        Cell mebibyte = Draft.ofValue(new byte[1 << 20]).stamp(KEY, new Version(7, 1), 3);
        assertThat(step(KEY, row(1), mebibyte).block()).isTrue();
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(waiting);
        List<String> events = Collections.synchronizedList(new ArrayList<>());
        var _ = store.registers()
                .step(P, Key.of("first"), state -> {
                    awaitOf(gate);
                    return RegisterStep.none(state);
                })
                .subscribe();
        for (int i = 0; i < waiting; i++) {
            var _ = store.registers()
                    .step(P, KEY, state -> {
                        events.add("looked");
                        return RegisterStep.none(state);
                    })
                    .subscribe(state -> {
                        events.add("told");
                        told.countDown();
                    });
        }

        gate.countDown();
        assertThat(told.await(50, TimeUnit.SECONDS)).isTrue();

        assertThat(events.indexOf("told")).isLessThan(events.lastIndexOf("looked"));
    }

    private static void awaitOf(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Comparing a deletion and removing it must not take a cell with it that is committed in between. */
    @Test
    void commitIsNeverLostToTheRemovalOfADeletion() {
        for (int i = 1; i <= 200; i++) {
            Key key = Key.of("k" + i);
            Cell deletion = cell(key, 2L * i, true);
            Cell newer = cell(key, 2L * i + 1, false);
            assertThat(store.write(P, key, deletion).blockOptional()).isEmpty();

            Mono<Boolean> removal = store.partitions().remove(P, key, deletion);
            Mono<Boolean> commit = step(key, row(1), newer);
            assertThat(Mono.zip(removal, commit).block()).isNotNull();

            assertThat(store.read(P, key).block()).isEqualTo(newer);
        }
    }

    @Test
    void stepThatFailsChangesNothing() {
        Mono<Boolean> failing = store.registers().step(P, KEY, state -> {
            throw new IllegalStateException("a rule that fails");
        });

        assertThat(failing.map(String::valueOf)
                        .onErrorResume(e -> Mono.just(String.valueOf(e.getMessage())))
                        .block())
                .isEqualTo("a rule that fails");
        assertThat(look(KEY)).satisfies(state -> assertThat(state.row()).isNull());
    }
}
