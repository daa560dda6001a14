package dev.kvorum.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.resources.LoopResources;

/** The guard itself: without it the other tests would not notice a blocking call. */
class BlockingCallGuardTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void sleepingOnAnEventLoopIsAnError() {
        LoopResources loops = LoopResources.create("guarded", 1, true);
        Scheduler loop = Schedulers.fromExecutorService(loops.onServer(true));

        Mono<String> sleeping = Mono.fromCallable(() -> {
                    Thread.sleep(1);
                    return "slept";
                })
                .subscribeOn(loop);

        assertThatThrownBy(() -> sleeping.block(PATIENCE)).hasRootCauseInstanceOf(BlockingOperationError.class);
        loops.disposeLater().block(PATIENCE);
    }

    @Test
    void sleepingOnAThreadOfDeadlinesIsAnError() {
        FutureTask<String> sleeping = new FutureTask<>(() -> {
            Thread.sleep(1);
            return "slept";
        });

        Thread.ofPlatform().name("kvorum-deadlines of this test").start(sleeping);

        assertThatThrownBy(() -> sleeping.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(BlockingOperationError.class);
    }

    @Test
    void readingTheDatabaseOnAnEventLoopIsAnErrorAndElsewhereIsNot(@TempDir Path directory) throws Exception {
        try (RocksDB database = RocksDB.open(directory.toString());
                ReadOptions options = new ReadOptions()) {
            Mono<String> reading = Mono.fromCallable(() -> {
                byte[] read = database.get(database.getDefaultColumnFamily(), options, new byte[] {1});
                return read == null ? "absent" : "found";
            });

            assertThatThrownBy(() -> reading.subscribeOn(Schedulers.parallel()).block(PATIENCE))
                    .hasRootCauseInstanceOf(BlockingOperationError.class);
            assertThat(reading.subscribeOn(Schedulers.boundedElastic()).block(PATIENCE))
                    .isEqualTo("absent");
        }
    }
}
