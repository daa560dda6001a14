package dev.kvorum.node.restamp;

import dev.kvorum.node.storage.rocks.StoppedStore;
import java.nio.file.Path;
import java.time.Duration;

/** Makes the data directory of a node that is stopped what it would be if all clocks had been ahead for a while. */
public final class ClocksAhead {
    private ClocksAhead() {}

    /**
     * Moves all versions forward that were stamped since a time.
     *
     * @param sinceMillis in milliseconds since 1970
     */
    public static void since(Path data, long sinceMillis, Duration by) {
        try (Restamp restamp = Restamp.of(StoppedStore.open(data))) {
            restamp.go(new Shift(sinceMillis, sinceMillis + by.toMillis()));
        }
    }
}
