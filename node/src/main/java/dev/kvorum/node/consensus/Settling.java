package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.storage.RegisterStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Sees to what is left of registers of this node: every second it has a round finish each proposal that was accepted and is still open after {@value #OPEN_SECONDS_MAX}
 * s, or since another epoch; and every few minutes it walks through all rows, for those that can be forgotten.
 *
 * <p>Any thread may call it; nothing blocks the caller.
 */
public final class Settling implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Settling.class);
    static final int OPEN_SECONDS_MAX = 10;
    private static final Duration OPEN_MAX = Duration.ofSeconds(OPEN_SECONDS_MAX);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How many rows are settled at the same time: each takes a round, which mostly waits for others. */
    private static final int AT_ONCE_MAX = 16;

    /** Less than a call of another member may take. */
    private static final long SETTLING_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    /** Of rows and their keys, so that a walk costs little: some thousand looks in a second at most. */
    private static final long WALK_BYTES_PER_SECOND = 1 << 19;

    /** From the end of one to the beginning of the next: nothing is forgotten that is younger than an hour. */
    private static final long WALK_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(15);

    private final RegisterParts parts;
    private final RegisterCoordinator coordinator;
    private final OpenRegisters open;
    private final Leftovers leftovers;
    private final RegisterWalk walk;
    private volatile @Nullable Disposable loop;
    private long walkAt; // When the next one begins; of the loop.

    /** @param acceptor that of this node */
    public Settling(RegisterStore store, RegisterParts parts, RegisterCoordinator coordinator, Acceptor acceptor) {
        this.parts = parts;
        this.coordinator = coordinator;
        this.open = acceptor.open();
        this.leftovers = new Leftovers(store, parts, open);
        this.walk = new RegisterWalk(store, leftovers, open);
        parts.metrics().watch(walk::rows, open::size);
    }

    /** Begins to work, over and over again. Once. */
    public void start() {
        Deadlines deadlines = parts.deadlines();
        loop = readAll()
                .then(Mono.defer(this::finishOld))
                .then(Mono.defer(this::goOnWalking))
                .onErrorResume(e -> {
                    LOG.warn("Registers could not be looked through; it goes on", e);
                    return Mono.empty();
                })
                .then(Mono.defer(() -> deadlines.after(PAUSE_NANOS)))
                .repeat()
                .subscribe();
    }

    /** As long as former lives may have left something open that is not known. */
    private Mono<Void> readAll() {
        return Mono.defer(() -> Flux.range(0, parts.electorates().partitions())
                .filter(partition -> !walk.hasRead(partition))
                .concatMap(walk::partition)
                .then());
    }

    /** What is open for too long. */
    Mono<Void> finishOld() {
        return Flux.fromIterable(open.all())
                .flatMap(this::finishIfOld, AT_ONCE_MAX)
                .then();
    }

    private Mono<Void> finishIfOld(Key key) {
        OpenRegisters.Entry entry = open.of(key);
        return entry == null
                ? Mono.empty()
                : leftovers
                        .look(entry.partition(), key)
                        .filter(this::isOld)
                        .flatMap(left -> finish(key))
                        .then();
    }

    private boolean isOld(Acceptance left) {
        Proposal accepted = left.accepted();
        return left.isOpen()
                && accepted != null
                && (left.epoch() != parts.electorates().epoch() || leftovers.isOlder(accepted.ballot(), OPEN_MAX));
    }

    private Mono<Void> goOnWalking() {
        long now = parts.deadlines().now();
        return now < walkAt
                ? Mono.empty()
                : walk.goOn(WALK_BYTES_PER_SECOND)
                        .doOnNext(ended -> walkAt = ended ? now + WALK_PAUSE_NANOS : now)
                        .then();
    }

    /** Walks to the end at once. */
    Mono<Void> forget() {
        return walk.goOn(Long.MAX_VALUE).then();
    }

    /**
     * Sees to it that nothing that is open in a partition now stays so, however young it is: whoever asks for it may have forgotten what it has accepted of it, or never
     * known.
     *
     * @return whether nothing is left open of what was; false also if that took too long. What has begun goes on, so whoever asks again finds less to do
     */
    Mono<Boolean> settle(int partition) {
        return Mono.defer(() -> {
            Mono<Void> reading = walk.partition(partition);
            var _ = reading.subscribe(none -> {}, e -> {}); // Told to whoever waits below.
            if (walk.hasRead(partition) && open.in(partition).isEmpty()) {
                return Mono.just(true); // As a rule.
            }
            return reading.then(Mono.defer(() -> settleOpen(partition)))
                    .timeout(parts.deadlines().after(SETTLING_NANOS_MAX), Mono.just(false));
        });
    }

    private Mono<Boolean> settleOpen(int partition) {
        return Flux.fromIterable(open.in(partition))
                .flatMap(key -> settle(partition, key), AT_ONCE_MAX)
                .all(settled -> settled);
    }

    private Mono<Boolean> settle(int partition, Key key) {
        return leftovers
                .look(partition, key)
                .flatMap(left -> left.isOpen()
                        ? finish(key)
                                .then(leftovers.look(partition, key)) // Others may have a majority without this node.
                                .map(now -> !now.isOpen() || !ballotOf(now).equals(ballotOf(left)))
                        : Mono.just(true));
    }

    private static Version ballotOf(Acceptance left) {
        Proposal accepted = left.accepted();
        return accepted == null ? Version.NONE : accepted.ballot();
    }

    private Mono<Void> finish(Key key) {
        return coordinator
                .settle(key)
                .doOnNext(outcome -> {
                    if (outcome instanceof ChangeOutcome.Written) {
                        parts.metrics().settled();
                    } else {
                        LOG.debug("The register of {} could not be settled: {}", key, outcome);
                    }
                })
                .then();
    }

    /** Ends the work. */
    @Override
    public void close() {
        Disposable working = loop;
        if (working != null) {
            working.dispose();
        }
    }
}
