package dev.kvorum.node.scrub;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.copy.Pace;
import dev.kvorum.node.copy.Page;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.StoreChecks.Checked;
import dev.kvorum.node.storage.StoreChecks.StoredFile;
import dev.kvorum.node.storage.StoreOverloadedException;
import java.util.List;
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
    private volatile ScrubFindings found = ScrubFindings.NONE;
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
    }

    /** Goes on from where it is to the end. What can't be read is passed over. */
    Mono<Void> carryOut() {
        return cells().then(Mono.defer(this::files));
    }

    ScrubFindings found() {
        return found;
    }

    /** From 0 to 1. */
    double progress() {
        double cells = (double) position.now().partition() / parts.partitions();
        return CELLS_SHARE * cells + (1 - CELLS_SHARE) * filesDone;
    }

    private Mono<Void> cells() {
        if (position.now().partition() == 0) {
            ahead.begin();
        }
        return Flux.range(
                        position.now().partition(),
                        parts.partitions() - position.now().partition())
                .concatMap(this::partition, 0)
                .then(Mono.fromRunnable(() -> ahead.end(parts.millis().getAsLong())));
    }

    private Mono<Void> partition(int partition) {
        return Page.all(start -> page(partition, start.after()))
                .then()
                .onErrorResume(e -> unread("partition " + partition, e))
                .then(Mono.defer(() -> position.become(now -> now.behindPartition(partition))));
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
                .doOnNext(page -> count(page.findings()));
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
        long bytes = Math.max(1, all.stream().mapToLong(StoredFile::bytes).sum());
        return Flux.fromIterable(all)
                .filter(file -> file.number() > position.now().file())
                .concatMap(file -> file(file).doOnSuccess(done -> passed((double) file.bytes() / bytes)), 0)
                .then();
    }

    /** One file after the other. */
    private void passed(double share) {
        double before = filesDone;
        filesDone = before + share;
    }

    private Mono<Void> file(StoredFile file) {
        return patiently(() -> parts.checks().isIntact(file))
                .doOnNext(isIntact -> count(ScrubFindings.ofFile(file.bytes(), isIntact)))
                .then()
                .onErrorResume(e -> unread("file " + file.name(), e))
                .then(Mono.defer(() -> position.become(now -> now.behindFile(file.number()))));
    }

    private void count(ScrubFindings more) {
        pace.spend(more.bytes());
        metrics.count(more);
        found = found.plus(more);
    }

    /** What can't be read now may be readable next time. Where the disk fails the store says so. */
    private Mono<Void> unread(String what, Throwable e) {
        found = found.plus(ScrubFindings.ofUnread());
        if (!complained) {
            complained = true;
            LOG.warn(
                    "The scrub could not read {} to its end; it goes on, and tells at its end how much else it could not",
                    what,
                    e);
        }
        return Mono.empty();
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
