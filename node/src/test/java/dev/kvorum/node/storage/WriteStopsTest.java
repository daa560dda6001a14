package dev.kvorum.node.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;

/** How long writes were stopped. */
class WriteStopsTest {
    private final AtomicLong now = new AtomicLong(-5);
    private WriteStops stops;

    @BeforeEach
    void open() {
        RocksDB.loadLibrary();
        stops = new WriteStops(now::get);
    }

    @AfterEach
    void close() {
        stops.close();
    }

    private void pass(int seconds) {
        now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void allStopsCount() {
        stops.become("cells", true);
        pass(2);
        stops.become("cells", false);
        pass(4);
        stops.become("hints", true);
        pass(8);

        assertThat(stops.seconds()).isEqualTo(10);
    }

    @Test
    void whatStopsTwoColumnFamiliesCountsOnce() {
        stops.become("cells", true);
        pass(1);
        stops.become("hints", true);
        pass(2);
        stops.become("cells", false);
        pass(4);
        stops.become("hints", false);
        pass(8);

        assertThat(stops.seconds()).isEqualTo(7);
    }

    @Test
    void repeatingWhatIsKnownChangesNothing() {
        stops.become("cells", false);
        pass(1);
        stops.become("cells", true);
        pass(2);
        stops.become("cells", true);
        pass(4);
        stops.become("cells", false);
        pass(8);
        stops.become("cells", false);

        assertThat(stops.seconds()).isEqualTo(6);
    }
}
