package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.storage.ChangeLog;
import dev.kvorum.node.storage.ChangePage;
import dev.kvorum.node.storage.ChangePage.Changed;
import dev.kvorum.node.storage.ChangesGoneException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

class RocksChangeLogTest {
    private static final int PAGE = 4 << 10;

    @TempDir
    Path directory;

    private static Cell cell(Key key, int number) {
        return Draft.ofValue(new byte[100]).stamp(key, new Version((long) number << 16, 1), 3);
    }

    private static List<String> keys(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "key-" + i).toList();
    }

    private static void write(RocksStore store, int from, int to) {
        Flux.fromIterable(keys(from, to))
                .map(Key::of)
                .flatMap(key -> store.write(Math.floorMod(key.hashCode(), 8), key, cell(key, from + 1)), 32)
                .blockLast();
    }

    private static ChangePage page(RocksStore store, long after, long upTo, ChangeLog.ChangeFilter filter) {
        return Objects.requireNonNull(
                store.log().after(after, upTo, filter, PAGE).block());
    }

    private static List<String> all(RocksStore store, long after, long upTo) {
        List<String> found = new ArrayList<>();
        long end = after;
        while (end < upTo) {
            ChangePage page = page(store, end, upTo, (partition, cell) -> true);
            assertThat(page.end()).isGreaterThan(end).isLessThanOrEqualTo(upTo);
            page.cells().forEach(changed -> found.add(changed.key().toString()));
            end = page.end();
        }
        return found;
    }

    @Test
    void whatWasWrittenBetweenTwoPlacesIsFoundPageByPage() {
        try (RocksStore store = SmallStore.open(directory)) {
            write(store, 0, 100);
            long after = store.log().last();
            write(store, 100, 400);
            long upTo = store.log().last();
            write(store, 400, 500);

            assertThat(all(store, after, upTo)).containsExactlyInAnyOrderElementsOf(keys(100, 400));
            assertThat(all(store, upTo, store.log().last())).containsExactlyInAnyOrderElementsOf(keys(400, 500));
        }
    }

    @Test
    void cellsAreThoseThatWereStoredAndTheFilterSaysWhich() {
        try (RocksStore store = SmallStore.open(directory)) {
            long after = store.log().last();
            Key key = Key.of("wanted");
            store.write(3, key, cell(key, 1)).block();
            store.write(4, key, cell(key, 2)).block();

            ChangePage page = page(store, after, store.log().last(), (partition, cell) -> partition == 3);

            assertThat(page.cells()).containsExactly(new Changed(3, key, cell(key, 1)));
        }
    }

    @Test
    void logIsKeptWhenMemtablesBecomeFilesAndAfterARestart() {
        long after;
        try (RocksStore store = SmallStore.open(directory)) {
            after = store.log().last();
            write(store, 0, 200);
        }
        try (RocksStore store = SmallStore.open(directory)) {
            write(store, 200, 300);

            assertThat(all(store, after, store.log().last())).containsExactlyInAnyOrderElementsOf(keys(0, 300));
        }
    }

    @Test
    void pageEndsBeforeTheCellThatDoesNotFitUnlessThatIsItsFirst() {
        try (RocksStore store = SmallStore.open(directory)) {
            long after = store.log().last();
            Flux.range(0, 12)
                    .flatMap(i -> {
                        Key key = Key.of("key-" + i);
                        Cell cell = Draft.ofValue(new byte[i % 3 == 2 ? 3 * PAGE : PAGE / 3])
                                .stamp(key, new Version((i + 1L) << 16, 1), 3);
                        return store.write(1, key, cell);
                    })
                    .blockLast();
            long upTo = store.log().last();

            List<ChangePage> pages = new ArrayList<>();
            for (long end = after; end < upTo; end = pages.getLast().end()) {
                pages.add(page(store, end, upTo, (partition, cell) -> true));
            }

            assertThat(pages)
                    .allSatisfy(page -> assertThat(page.cells().size() == 1
                                    || page.cells().stream()
                                                    .mapToInt(Changed::bytes)
                                                    .sum()
                                            <= PAGE)
                            .isTrue());
            assertThat(pages.stream().flatMap(page -> page.cells().stream()).map(Changed::key))
                    .doesNotHaveDuplicates()
                    .hasSize(12);
        }
    }

    @Test
    void placesThatTheLogDoesNotReachAreRefused() {
        try (RocksStore store = SmallStore.open(directory)) {
            write(store, 0, 10);
            long last = store.log().last();

            assertThatThrownBy(() -> page(store, last + 100, last + 200, (partition, cell) -> true))
                    .isInstanceOf(ChangesGoneException.class);
            assertThatThrownBy(() -> all(store, last - 1, last + 200)).isInstanceOf(ChangesGoneException.class);
        }
    }
}
