package dev.kvorum.node.storage;

import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.config.StorageSettings.Durability;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.util.unit.DataSize;

/** A store in RocksDB that takes little memory, for tests. */
public final class SmallStore {
    private SmallStore() {}

    public static RocksStore open(Path directory) {
        return RocksStore.open(directory, settings(), hints(), CallingLoop.NONE, new SimpleMeterRegistry());
    }

    public static StorageSettings settings() {
        return settings(Durability.ASYNC, Duration.ofMillis(100), 4096);
    }

    static StorageSettings settings(Durability durability, Duration syncInterval, int queue) {
        return new StorageSettings(
                durability,
                syncInterval,
                queue,
                1,
                DataSize.ofMegabytes(8),
                DataSize.ofBytes(0),
                DataSize.ofBytes(0),
                2,
                64);
    }

    static HintSettings hints() {
        return new HintSettings(
                DataSize.ofMegabytes(1),
                Duration.ofMinutes(1),
                DataSize.ofMegabytes(8),
                2000,
                DataSize.ofMegabytes(8),
                16);
    }
}
