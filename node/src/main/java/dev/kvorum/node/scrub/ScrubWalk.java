package dev.kvorum.node.scrub;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.copy.Pace;
import dev.kvorum.node.copy.Page;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.StoreChecks.Checked;
import dev.kvorum.node.storage.StoreChecks.StoredFile;
import dev.kvorum.node.storage.StoreOverloadedException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One walk through all that a node stores:
 *
 * <ol>
 *   <li>the newest cell of each key, partition by partition: each must have its checksum;
 *   <li>each file, block by block, from the disk: also those whose cells a newer file hides, and those of hints, registers and notes.
 * </ol>
 *
 * <p>What can't be read is passed over, so that all else is checked. It stays noted, and the next {@link #carryOut} reads that only.
 *
 * <p>A step reads a page of cells, or a file. Before each it waits until clients and the disk have little to do, {@value #PATIENCE_SECONDS} s at most, and until the rate allows it.
 */
final class ScrubWalk {
    static final int PATIENCE_SECONDS = 30;
    private static final Logger LOG = LoggerFactory.getLogger(ScrubWalk.class);
    private static final long BUSY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    private static final double CELLS_SHARE = 0.5; // Of the bytes that it reads, about.

    private final ScrubParts parts;
    private final Pace pace;
    private final AheadCells ahead;
    private final ScrubMetrics metrics;
    private final Notes position;
    private final Map<Integer, Part> begun = new HashMap<>(); // Partitions of which some pages are read.
    private volatile ScrubFindings found;
    private volatile double filesDone;
    private volatile boolean complained;

    /** Where the walk is, for this life of the node and the next. */
    interface Notes {
        ScrubPosition now();

        /** It has got on. Completes when that is noted, if it is time to do so. */
        Mono<Void> become(UnaryOperator<ScrubPosition> next);
    }

    ScrubWalk(ScrubParts parts, Pace pace, AheadCells ahead, ScrubMetrics metrics, Notes position) {
        this.parts = parts;
        this.pace = pace;
        this.ahead = ahead;
        this.metrics = metrics;
        this.position = position;
        this.found = position.now().found();
    }

    /** Goes on from where it is to the end. What can't be read is passed over. Again after it has ended: reads what it could not. */
    Mono<Void> carryOut() {
        return cells().then(Mono.defer(this::files));
    }

    ScrubFindings found() {
        return found;
    }

    /** From 0 to 1. */
    double progress() {
        ScrubPlace place = position.now().place();
        double cells = (double) (place.partition() - place.unreadPartitions().size()) / parts.partitions();
        return CELLS_SHARE * cells + (1 - CELLS_SHARE) * filesDone;
    }

    private Mono<Void> cells() {
        ScrubPlace from = position.now().place();
        if (from.partition() == 0) {
            ahead.begin();
        }
        return Flux.fromIterable(from.unreadPartitions())
                .concatWith(Flux.range(from.partition(), parts.partitions() - from.partition()))
                .concatMap(this::partition, 0)
                .then(Mono.fromRunnable(this::endCells));
    }

    /** Of a partition that is not read nobody knows how many versions in it are too far ahead. */
    private void endCells() {
        if (position.now().place().unreadPartitions().isEmpty()) {
            ahead.end(parts.millis().getAsLong());
        }
    }

    /**
     * What was read of a partition before it could not be read any more: that is not read, and counted, again.
     *
     * @param after the key with which it ends; null for the beginning of the partition
     */
    private record Part(@Nullable Key after, ScrubFindings found) {
        static final Part NONE = new Part(null, ScrubFindings.NONE);

        Part plus(CheckedPage page) {
            return new Part(page.last(), found.plus(page.findings()));
        }
    }

    private Mono<Void> partition(int partition) {
        Key from = part(partition).after();
        return Page.all(start -> page(partition, start.after() == null ? from : start.after()))
                .then(Mono.defer(() -> {
                    ScrubFindings all = part(partition).found();
                    begun.remove(partition);
                    return become(place -> place.behindPartition(partition, true), all);
                }))
                .onErrorResume(e -> unread("partition " + partition, e)
                        .then(become(place -> place.behindPartition(partition, false), ScrubFindings.NONE)));
    }

    private Part part(int partition) {
        return begun.getOrDefault(partition, Part.NONE);
    }

    private Mono<Void> become(UnaryOperator<ScrubPlace> next, ScrubFindings more) {
        return Mono.defer(() -> position.become(now -> now.at(next.apply(now.place()), more)));
    }

    private Mono<CheckedPage> page(int partition, @Nullable Key after) {
        return patiently(() -> {
                    long from = parts.aheadFrom().getAsLong();
                    return parts.checks().cells(new KeyRange(partition, after, null), ScanLimit.PAGE, (key, cell) -> {
                        ahead.see(cell, from);
                        return true;
                    });
                })
                .map(CheckedPage::new)
                .doOnNext(page -> {
                    count(page.findings());
                    begun.put(partition, part(partition).plus(page));
                });
    }

    private record CheckedPage(Checked checked) implements Page {
        @Override
        public @Nullable Key last() {
            return checked.scanned().last();
        }

        @Override
        public long bytes() {
            return checked.scanned().bytes();
        }

        ScrubFindings findings() {
            return ScrubFindings.ofCells(checked.scanned().cells(), bytes(), checked.damaged());
        }
    }

    private Mono<Void> files() {
        return patiently(() -> parts.checks().files())
                .flatMap(this::files)
                .onErrorResume(e -> unread("the list of files", e));
    }

    private Mono<Void> files(List<StoredFile> all) {
        double bytes = Math.max(1, bytes(all));
        ScrubPlace place = position.now().place();
        List<StoredFile> due =
                all.stream().filter(file -> place.lacksFile(file.number())).toList();
        filesDone = (bytes - bytes(due)) / bytes;
        List<Long> numbers = all.stream().map(StoredFile::number).toList();
        return become(now -> now.withoutGone(numbers), ScrubFindings.NONE)
                .thenMany(Flux.fromIterable(due).concatMap(file -> file(file, file.bytes() / bytes), 0))
                .then(become(ScrubPlace::behindAllFiles, ScrubFindings.NONE));
    }

    private static long bytes(List<StoredFile> files) {
        return files.stream().mapToLong(StoredFile::bytes).sum();
    }

    /** One file after the other. */
    private void passed(double share) {
        double before = filesDone;
        filesDone = before + share;
    }

    /** @param share of the bytes of all files */
    private Mono<Void> file(StoredFile file, double share) {
        return patiently(() -> parts.checks().isIntact(file))
                .map(isIntact -> ScrubFindings.ofFile(file.bytes(), isIntact))
                .doOnNext(read -> {
                    count(read);
                    passed(share);
                })
                .flatMap(read -> become(place -> place.behindFile(file.number(), true), read))
                .onErrorResume(e -> unread("file " + file.name(), e)
                        .then(become(place -> place.behindFile(file.number(), false), ScrubFindings.NONE)));
    }

    private void count(ScrubFindings more) {
        pace.spend(more.bytes());
        metrics.count(more);
        found = found.plus(more);
    }

    /** What can't be read now may be readable later, as when the database is being opened again. Where the disk fails the store says so. */
    private Mono<Void> unread(String what, Throwable e) {
        return Mono.fromRunnable(() -> {
            if (!complained) {
                complained = true;
                LOG.warn("The scrub could not read {} to its end; it goes on, and comes back to it later", what, e);
            }
        });
    }

    /** When it is its turn; again where too much waits for the store. */
    private <T> Mono<T> patiently(Supplier<Mono<T>> step) {
        return parts.backpressure()
                .quiet(
                        parts.deadlines(),
                        () -> PATIENCE_NANOS) // But not for ever: what is never checked is never found.
                .then(Mono.defer(pace::ready))
                .then(Mono.defer(step))
                .onErrorResume(
                        StoreOverloadedException.class,
                        e -> parts.deadlines().after(BUSY_PAUSE_NANOS).then(Mono.defer(() -> patiently(step))));
    }
}
