package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.config.StorageSettings.Durability;
import dev.kvorum.node.storage.CallingLoop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.util.unit.DataSize;

/** A store in RocksDB that takes little memory, for tests. */
public final class SmallStore {
    private SmallStore() {}

    /** A process without event loops, which goes on whatever happens. */
    public static RocksStore.Host host() {
        return new RocksStore.Host(CallingLoop.NONE, reason -> {}, new SimpleMeterRegistry());
    }

    public static RocksStore open(Path directory) {
        return RocksStore.open(directory, settings(), hints(), CallingLoop.NONE, new SimpleMeterRegistry());
    }

    public static StorageSettings settings() {
        return settings(Durability.ASYNC, Duration.ofMillis(100), 4096);
    }

    static StorageSettings settings(Durability durability, Duration syncInterval, int queue) {
        return Settings.of(StorageSettings.class)
                .with("durability", durability)
                .with("syncInterval", syncInterval)
                .with("queue", queue)
                .with("memory", DataSize.ofMegabytes(8))
                .with("openFiles", 64)
                .get();
    }

    public static HintSettings hints() {
        return Settings.of(HintSettings.class)
                .with("bytesMax", DataSize.ofMegabytes(1))
                .with("ageMax", Duration.ofMinutes(1))
                .get();
    }
}
