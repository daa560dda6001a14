package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.storage.CallingLoop;
import dev.kvorum.node.storage.RegisterStep;
import dev.kvorum.node.storage.directory.DataDirectory;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A database whose keeper would end the process. {@code DiskFaultsIT} has real processes. */
@Timeout(60)
class DatabaseKeeperTest {
    private static final Cell CELL = Draft.ofValue(new byte[1]).stamp(Key.of("cart-7"), new Version(1, 1), 3);

    @TempDir
    Path parent;

    private final MeterRegistry meters = new SimpleMeterRegistry();

    /** Saying so may take long, as where nobody reads the log. */
    @Test
    void noWriteIsAcknowledgedAnyMoreWhenTheLossOfTheDirectoryIsSaid() throws IOException {
        DataDirectory directory = DataDirectory.claim(parent.resolve("data"), "demo", "n1", 256);
        CompletableFuture<Void> written = new CompletableFuture<>();
        AtomicReference<RocksStore> opened = new AtomicReference<>();
        RocksStore.Host host = new RocksStore.Host(
                CallingLoop.NONE, reason -> write(Objects.requireNonNull(opened.get()), written), meters);
        RocksStore store = RocksStore.open(directory, 0, SmallStore.settings(), SmallStore.hints(), host);
        opened.set(store);

        Files.delete(directory.path().resolve("kvorum.properties"));

        assertThat(written)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withMessageContaining("its stamp");
        assertThatThrownBy(store::close).hasMessageContaining("its stamp");
    }

    @Test
    void stepThatBindsIsNotAnsweredInADirectoryThatIsMoved() throws IOException {
        DataDirectory directory = DataDirectory.claim(parent.resolve("data"), "demo", "n1", 256);
        RocksStore store = SmallStore.open(directory.database());
        assertThat(step(store)).isTrue();

        Files.move(directory.path(), parent.resolve("away"));

        assertThatThrownBy(() -> step(store)).hasMessageContaining("moved or deleted");
        assertThatThrownBy(store::close).hasMessageContaining("moved or deleted");
    }

    private static @Nullable Boolean step(RocksStore store) {
        return store.registers()
                .step(7, Key.of("cart-7"), state -> new RegisterStep<>(true, new byte[] {1}, null))
                .block();
    }

    private static void write(RocksStore store, CompletableFuture<Void> outcome) {
        var _ = store.write(7, Key.of("cart-7"), CELL)
                .subscribe(nothing -> {}, outcome::completeExceptionally, () -> outcome.complete(null));
    }
}
