package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.storage.RegisterState;
import dev.kvorum.node.storage.RegisterStep;
import dev.kvorum.node.storage.RegisterStore;
import dev.kvorum.node.storage.StoredRegister;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Walks through the registers of this node, a page at a time, and sees to what is left of them:
 *
 * <pre>
 * a proposal that was accepted and is still open after {@value #OPEN_SECONDS_MAX} s, or since another epoch    a round finishes it
 * an old promise, and nothing accepted                                                     forgotten
 * what was accepted is a deletion that all members have dropped                            forgotten
 * a key of which this node is no owner                                                     forgotten
 * </pre>
 *
 * <p>Any thread may call it; nothing blocks the caller.
 */
public final class Settling implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Settling.class);
    static final int OPEN_SECONDS_MAX = 10;
    private static final Duration OPEN_MAX = Duration.ofSeconds(OPEN_SECONDS_MAX);
    private static final Duration FORGETTABLE = Acceptor.BALLOT_AGE_MAX.multipliedBy(2);
    private static final int PAGE = 256;
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RegisterStore store;
    private final RegisterParts parts;
    private final RegisterCoordinator coordinator;
    private final Acceptor acceptor;
    private volatile @Nullable Disposable loop;
    private int partition; // Where the walk has come to; of its thread,
    private @Nullable Key after; // and so is this.

    /** @param acceptor that of this node */
    public Settling(RegisterStore store, RegisterParts parts, RegisterCoordinator coordinator, Acceptor acceptor) {
        this.store = store;
        this.parts = parts;
        this.coordinator = coordinator;
        this.acceptor = acceptor;
    }

    /** Begins to walk, over and over again. Once. */
    public void start() {
        Deadlines deadlines = parts.deadlines();
        loop = Mono.defer(this::nextPage)
                .onErrorResume(e -> {
                    LOG.warn("Registers could not be looked through; it goes on", e);
                    return Mono.empty();
                })
                .then(Mono.defer(() -> deadlines.after(PAUSE_NANOS)))
                .repeat()
                .subscribe();
    }

    private Mono<Void> nextPage() {
        return store.page(partition, after, PAGE)
                .flatMap(rows -> Flux.fromIterable(rows)
                        .concatMap(this::settle)
                        .then(Mono.fromRunnable(() -> goOnBehind(rows))));
    }

    private void goOnBehind(List<StoredRegister> rows) {
        boolean isLast = rows.size() < PAGE;
        partition = isLast ? 0 : rows.getLast().partition();
        after = isLast ? null : rows.getLast().key();
    }

    /**
     * Sees to all registers of one partition.
     *
     * @return whether nothing is left open of what should not be
     */
    Mono<Boolean> settle(int wanted) {
        return settle(wanted, null);
    }

    private Mono<Boolean> settle(int wanted, @Nullable Key behind) {
        return store.page(wanted, behind, PAGE).flatMap(page -> {
            List<StoredRegister> rows =
                    page.stream().filter(row -> row.partition() == wanted).toList();
            Mono<Boolean> settled =
                    Flux.fromIterable(rows).concatMap(this::settle).all(done -> done);
            return rows.size() < PAGE
                    ? settled
                    : settled.flatMap(all -> all ? settle(wanted, rows.getLast().key()) : Mono.just(false));
        });
    }

    /** Whether it is not open any more, or may still be. */
    private Mono<Boolean> settle(StoredRegister row) {
        return tidy(row).flatMap(open -> open ? finish(row) : Mono.just(true));
    }

    private Mono<Boolean> finish(StoredRegister row) {
        return coordinator.settle(row.key()).flatMap(outcome -> {
            if (outcome instanceof ChangeOutcome.Written) {
                parts.metrics().settled();
            } else {
                LOG.debug("The register of {} could not be settled: {}", row.key(), outcome);
            }
            return tidy(row).map(open -> !open); // Others may have a majority without this node.
        });
    }

    /** Forgets what is not needed, and tells whether it is open and should not be. */
    private Mono<Boolean> tidy(StoredRegister row) {
        Electorate electorate = parts.electorates().of(row.key());
        boolean votes =
                electorate.voters().stream().anyMatch(voter -> voter.member().equals(acceptor.member()));
        return store.step(row.partition(), row.key(), state -> tidy(state, votes, electorate.epoch()));
    }

    private RegisterStep<Boolean> tidy(RegisterState state, boolean votes, long epoch) {
        if (state.row() == null) {
            return RegisterStep.none(false);
        }
        Acceptance row = Acceptance.of(state).knowing(state.cell());
        if (!votes || isForgettable(row, state)) {
            parts.metrics().forgotten();
            return RegisterStep.row(false, RegisterStep.NO_ROW);
        }
        return RegisterStep.none(row.isOpen() && (row.epoch() != epoch || isOlder(row.promised(), OPEN_MAX)));
    }

    private boolean isForgettable(Acceptance row, RegisterState state) {
        Proposal accepted = row.accepted();
        boolean wasDropped = accepted != null
                && accepted.cell() == null
                && !accepted.version().equals(Version.NONE)
                && state.cell() == null;
        return (accepted == null || wasDropped) && isOlder(row.promised(), FORGETTABLE);
    }

    private boolean isOlder(Version ballot, Duration age) {
        return ballot.millis() < parts.wallMillis().getAsLong() - age.toMillis();
    }

    /** Ends the walk. */
    @Override
    public void close() {
        Disposable walking = loop;
        if (walking != null) {
            walking.dispose();
        }
    }
}
