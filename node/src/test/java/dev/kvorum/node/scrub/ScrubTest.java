package dev.kvorum.node.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.repair.Backpressure;
import dev.kvorum.node.storage.CellVisitor;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.NoteStore;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.Scanned;
import dev.kvorum.node.storage.StoreChecks;
import dev.kvorum.node.storage.StoreOverloadedException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.unit.DataSize;
import reactor.core.publisher.Mono;

/** When a scrub reads what, on a clock that the test moves. */
@Timeout(60)
class ScrubTest {
    private static final long START = 1_800_000_000_000L;
    private static final long AHEAD_MAX = 10_000;
    private static final int PARTITIONS = 4;
    private static final Key KEY = Key.of("key");

    private final Checks checks = new Checks();
    private final Map<String, byte[]> noted = new HashMap<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private long nanos;
    private long stepMillis; // The clock was set by so much.
    private boolean busy;
    private final Deadlines deadlines = new Deadlines(() -> nanos, () -> {});
    private Scrub scrub = begun(Duration.ofDays(7));

    private static final class Checks implements StoreChecks {
        final List<String> read = new ArrayList<>();
        final Map<Integer, Cell> cells = new HashMap<>();
        List<Integer> numbers = List.of(7, 9);
        long bytes = 1000;
        int damaged;
        int refusals;
        boolean fileIsIntact = true;
        final Set<String> failing = new HashSet<>();

        @Override
        public Mono<Checked> cells(KeyRange range, ScanLimit limit, CellVisitor intact) {
            return Mono.defer(() -> {
                if (refusals > 0) {
                    refusals--;
                    return Mono.error(new StoreOverloadedException());
                }
                read.add("partition " + range.partition() + (range.after() == null ? "" : " behind " + range.after()));
                if (failing.contains(read.getLast())) {
                    return Mono.error(new IllegalStateException("as the test says"));
                }
                Cell cell = cells.get(range.partition());
                if (cell != null) {
                    boolean _ = intact.visit(KEY, cell);
                }
                boolean isFirst = range.after() == null;
                return Mono.just(new Checked(new Scanned(isFirst ? KEY : null, 1, bytes), damaged));
            });
        }

        @Override
        public Mono<List<StoredFile>> files() {
            return Mono.defer(() -> failing.contains("files")
                    ? Mono.error(new IllegalStateException("as the test says"))
                    : Mono.just(numbers.stream()
                            .map(number -> new StoredFile(number, "%06d.sst".formatted(number), bytes))
                            .toList()));
        }

        @Override
        public Mono<Boolean> isIntact(StoredFile file) {
            return Mono.fromSupplier(() -> {
                read.add(file.name());
                if (failing.contains(file.name())) {
                    throw new IllegalStateException("as the test says");
                }
                return fileIsIntact;
            });
        }
    }

    private final class Notes implements NoteStore {
        @Override
        public Mono<byte[]> note(String name) {
            return Mono.fromSupplier(() -> noted.get(name));
        }

        @Override
        public Mono<Void> note(String name, byte[] note) {
            return Mono.fromRunnable(() -> noted.put(name, note));
        }
    }

    private long millis() {
        return START + stepMillis + TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    private Scrub begun(Duration interval) {
        RepairSettings settings = Settings.of(RepairSettings.class)
                .with("scrubInterval", interval)
                .with("scrubRate", DataSize.ofKilobytes(64))
                .get();
        ScrubParts parts = new ScrubParts(
                checks,
                new Notes(),
                PARTITIONS,
                deadlines,
                this::millis,
                () -> millis() + AHEAD_MAX,
                new Random(4),
                new Backpressure(() -> 0, () -> busy));
        Scrub fresh = new Scrub(parts, settings, new ScrubMetrics(meters));
        fresh.start();
        return fresh;
    }

    /** What is due by then is done, in small steps. */
    private void pass(Duration time) {
        long end = nanos + time.toNanos();
        while (nanos < end) {
            nanos = Math.min(end, nanos + Math.max(time.toNanos() / 10_000, TimeUnit.MILLISECONDS.toNanos(10)));
            long _ = deadlines.sweep();
        }
    }

    private static Cell cell(long millis) {
        return Draft.ofValue(new byte[] {1}).stamp(KEY, new Version(millis << 16, 1), 3);
    }

    @Test
    void allPartitionsAndThenAllFilesAreReadOncePerInterval() {
        pass(Duration.ofDays(5));
        assertThat(checks.read).as("the data is fresh").isEmpty();

        pass(Duration.ofDays(2));

        assertThat(checks.read)
                .containsExactly(
                        "partition 0",
                        "partition 0 behind key",
                        "partition 1",
                        "partition 1 behind key",
                        "partition 2",
                        "partition 2 behind key",
                        "partition 3",
                        "partition 3 behind key",
                        "000007.sst",
                        "000009.sst");
        assertThat(scrub.status().running()).isFalse();
        assertThat(scrub.status().completed()).isNotNull();
        assertThat(scrub.ageSeconds()).isLessThan((double) TimeUnit.DAYS.toSeconds(2));
        assertThat(meters.get("kvorum.scrub.bytes").counter().count()).isEqualTo(10_000);

        pass(Duration.ofDays(7));
        assertThat(checks.read).hasSize(20);
    }

    @Test
    void intervalOfZeroIsOnDemandOnly() {
        scrub.close();
        scrub = begun(Duration.ZERO);

        pass(Duration.ofDays(800));
        assertThat(checks.read).isEmpty();

        assertThat(scrub.begin()).isTrue();
        pass(Duration.ofSeconds(1));
        assertThat(checks.read).hasSize(10);
    }

    @Test
    void rateIsKept() {
        checks.bytes = 64 << 10; // A second's worth.
        boolean _ = scrub.begin();

        pass(Duration.ofMillis(4900));

        assertThat(checks.read).hasSizeBetween(4, 6);
        assertThat(scrub.status().running()).isTrue();
        assertThat(scrub.status().progress()).isBetween(0.2, 0.5);
        assertThat(scrub.begin()).as("one is under way").isFalse();
    }

    @Test
    void waitsWhileClientsWaitButNotForEver() {
        busy = true;
        boolean _ = scrub.begin();

        pass(Duration.ofSeconds(ScrubWalk.PATIENCE_SECONDS - 1));
        assertThat(checks.read).isEmpty();

        pass(Duration.ofSeconds(2));
        assertThat(checks.read).hasSize(1);
    }

    @Test
    void nextLifeGoesOnWhereThisOneWasAndOneThatIsCompleteIsNotRepeated() {
        checks.bytes = 16 * (64 << 10); // 16 s for each step.
        boolean _ = scrub.begin();
        pass(Duration.ofSeconds(100));
        scrub.close();
        int before = checks.read.size();

        scrub = begun(Duration.ofDays(7));
        pass(Duration.ofMinutes(10));

        assertThat(before).isBetween(6, 8);
        assertThat(checks.read.subList(before, checks.read.size()))
                .startsWith("partition 3")
                .endsWith("000009.sst")
                .hasSizeLessThan(8);
        scrub.close();
        int done = checks.read.size();
        scrub = begun(Duration.ofDays(7));
        pass(Duration.ofDays(5));
        assertThat(checks.read).hasSize(done);
    }

    @Test
    void clockThatWasSetBackDoesNotPutItOffForEver() {
        stepMillis = -Duration.ofDays(400).toMillis();

        pass(Duration.ofHours(1));

        assertThat(checks.read).hasSize(10);
    }

    @Test
    void damageIsCountedAndTheWalkGoesOn() {
        checks.damaged = 1;
        checks.fileIsIntact = false;
        boolean _ = scrub.begin();

        pass(Duration.ofSeconds(1));

        assertThat(scrub.status().found().damagedCells()).isEqualTo(8);
        assertThat(scrub.status().found().damagedFiles()).isEqualTo(2);
        assertThat(meters.get("kvorum.scrub.damaged")
                        .tag("what", "file")
                        .counter()
                        .count())
                .isEqualTo(2);
    }

    private double unread() {
        return meters.get("kvorum.scrub.unread").gauge().value();
    }

    /** As while the database is being opened again. */
    private void failAll() {
        checks.failing.addAll(List.of("partition 0", "partition 1", "partition 2", "partition 3", "files"));
    }

    /** What the last readings were. */
    private List<String> readSince(int before) {
        return checks.read.subList(before, checks.read.size());
    }

    @Test
    void fullQueueIsWaitedFor() {
        checks.refusals = 3;
        boolean _ = scrub.begin();

        pass(Duration.ofSeconds(2));

        assertThat(checks.read).hasSize(10);
        assertThat(scrub.status().found().unread()).isZero();
    }

    @Test
    void walkThatCouldReadNothingIsNotCompletedUntilAllIsRead() {
        failAll();
        boolean _ = scrub.begin();

        pass(Duration.ofSeconds(2));

        assertThat(checks.read).hasSize(4);
        assertThat(scrub.status().completed()).isNull();
        assertThat(scrub.status().running()).isFalse();
        assertThat(scrub.status().found().unread()).isEqualTo(5);
        assertThat(unread()).as("four partitions and the list of files").isEqualTo(5);
        checks.failing.clear();

        pass(Duration.ofSeconds(Scrub.RETRY_SECONDS_MIN));

        assertThat(readSince(4))
                .hasSize(10)
                .startsWith("partition 0", "partition 0 behind key")
                .endsWith("000007.sst", "000009.sst");
        assertThat(scrub.status().completed()).isNotNull();
        assertThat(scrub.status().found().cells()).isEqualTo(8);
        assertThat(unread()).isZero();
    }

    @Test
    void onlyWhatCouldNotBeReadIsReadAgainFromThereOn() {
        checks.cells.put(1, cell(START + AHEAD_MAX + Duration.ofHours(1).toMillis()));
        checks.failing.addAll(List.of("partition 1 behind key", "000009.sst"));
        boolean _ = scrub.begin();
        pass(Duration.ofSeconds(2));
        assertThat(unread()).isEqualTo(2);
        assertThat(checks.read).hasSize(10);
        checks.failing.clear();

        pass(Duration.ofSeconds(Scrub.RETRY_SECONDS_MIN));

        assertThat(readSince(10)).containsExactly("partition 1 behind key", "000009.sst");
        assertThat(scrub.status().completed()).isNotNull();
        assertThat(scrub.status().found().cells()).isEqualTo(8);
        assertThat(scrub.status().found().files()).isEqualTo(2);
        assertThat(scrub.status().ahead()).as("each page shows the cell once").isEqualTo(2);
    }

    @Test
    void fileThatIsReplacedNeedNotBeReadAnyMore() {
        checks.failing.add("000007.sst");
        boolean _ = scrub.begin();
        pass(Duration.ofSeconds(2));
        assertThat(unread()).isOne();
        checks.numbers = List.of(9, 11);

        pass(Duration.ofSeconds(Scrub.RETRY_SECONDS_MIN));

        assertThat(unread()).isZero();
        assertThat(scrub.status().completed()).isNotNull();
        assertThat(checks.read).hasSize(10);
    }

    @Test
    void nextLifeReadsWhatThisOneCouldNot() {
        checks.failing.addAll(List.of("partition 1", "000007.sst"));
        boolean _ = scrub.begin();
        pass(Duration.ofSeconds(2));
        scrub.close();
        int before = checks.read.size();
        checks.failing.clear();

        scrub = begun(Duration.ofDays(7));
        pass(Duration.ofSeconds(2));

        assertThat(readSince(before)).containsExactly("partition 1", "partition 1 behind key", "000007.sst");
        assertThat(scrub.status().completed()).isNotNull();
    }

    @Test
    void whatCanNeverBeReadIsSeldomTriedAndKeepsNothingElseFromBeingReadOncePerInterval() {
        checks.failing.add("partition 2");
        boolean _ = scrub.begin();

        pass(Duration.ofDays(5));

        assertThat(checks.read.stream().filter("partition 2"::equals).count()).isBetween(110L, 130L);
        assertThat(checks.read.stream().filter("partition 0"::equals).count()).isOne();
        pass(Duration.ofDays(2));
        assertThat(checks.read.stream().filter("partition 0"::equals).count()).isEqualTo(2);
        assertThat(scrub.ageSeconds()).isGreaterThan((double) TimeUnit.DAYS.toSeconds(6));
    }

    @Test
    void walkThatWaitsForWhatItCouldNotReadIsBegunAnewOnDemand() {
        checks.failing.add("partition 2");
        boolean _ = scrub.begin();
        pass(Duration.ofSeconds(2));
        int before = checks.read.size();
        checks.failing.clear();

        assertThat(scrub.begin()).isTrue();
        pass(Duration.ofSeconds(2));

        assertThat(readSince(before)).hasSize(10);
        assertThat(scrub.status().completed()).isNotNull();
    }

    @Test
    void foundAndProgressCountWhatFormerLivesHaveRead() {
        checks.bytes = 16 * (64 << 10); // 16 s for each step.
        checks.numbers = List.of(7, 9, 11, 12);
        boolean _ = scrub.begin();
        pass(Duration.ofSeconds(9 * 16 + 3));
        assertThat(checks.read).endsWith("000007.sst", "000009.sst");
        assertThat(scrub.status().progress()).isEqualTo(0.5 + 0.5 * 2 / 4);
        scrub.close();

        scrub = begun(Duration.ofDays(7));
        pass(Duration.ofSeconds(1));
        assertThat(checks.read).endsWith("000009.sst", "000011.sst");
        assertThat(scrub.status().progress()).isEqualTo(0.5 + 0.5 * 3 / 4);
        assertThat(scrub.status().found().cells()).isEqualTo(8);
        assertThat(scrub.status().found().files()).isEqualTo(3);
        pass(Duration.ofMinutes(2));
        scrub.close();

        scrub = begun(Duration.ofDays(7)); // The walk is completed, and what it has found is still told.
        pass(Duration.ofSeconds(1));
        assertThat(scrub.status().completed()).isNotNull();
        assertThat(scrub.status().found().cells()).isEqualTo(8);
        assertThat(scrub.status().found().files()).isEqualTo(4);
        assertThat(scrub.status().found().bytes()).isEqualTo(12 * checks.bytes);
    }

    @Test
    void versionsTooFarAheadAreCountedUntilTheirTimeHasCome() {
        checks.cells.put(1, cell(START + AHEAD_MAX + 60_000));
        checks.cells.put(2, cell(START + AHEAD_MAX - 5_000));
        boolean _ = scrub.begin();

        pass(Duration.ofSeconds(1));
        assertThat(scrub.status().ahead()).isEqualTo(2); // Both pages of the partition show the cell.
        assertThat(meters.get("kvorum.clock.ahead.cells").gauge().value()).isEqualTo(2);

        pass(Duration.ofMinutes(2));
        boolean _ = scrub.begin();
        pass(Duration.ofSeconds(1));
        assertThat(scrub.status().ahead()).isZero();
    }
}
