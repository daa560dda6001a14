package dev.kvorum.node.hint;

import dev.kvorum.node.hint.Delivery.End;
import dev.kvorum.node.hint.HintRoutes.Readiness;
import dev.kvorum.node.storage.HintPage;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.node.storage.StoredHint;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The way of hints to one member: a batch at a time, in the order in which they were kept.
 *
 * <pre>
 * what came of a batch       what follows
 * all taken                  the next batch, twice as large, up to kvorum.hints.replay-calls
 * some taken, some refused   the same; those refused are passed over
 * all refused                a pause, then the next batch, of one
 * some failed                a pause, then a batch of one: the first that failed. After {@value #ATTEMPTS_MAX} such failures it is passed over
 * there was none left        rests; where hints were passed over, it begins anew after the longest pause
 * </pre>
 *
 * Hints are removed once all their targets have them, so each is brought at least once; what is brought twice does no harm. Nothing is begun
 * while the member is not trusted, but for one hint at a time where its breaker asks for a probe.
 *
 * <p>Any thread. The lock is not held while the store, a replica or a breaker is called.
 */
final class HintLane {
    static final int ATTEMPTS_MAX = 3;
    static final int BATCH_BYTES_MAX = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(HintLane.class);

    private final HintReplay replay;
    private final String member;
    private final BackOff backOff;
    private Disposable pending = Disposables.disposed();
    private long cursor; // Where the next batch begins,
    private int size = 1; // and how many hints it may have.
    private long notBefore;
    private long freeAt; // When the pace allows for more.
    private long stuckAt = -1;
    private int attempts; // At the hint above, in a row.
    private boolean passedOver; // Hints before the cursor are left.
    private boolean busy;
    private boolean closed;
    private boolean troubled; // And it was said.

    HintLane(HintReplay replay, String member) {
        this.replay = replay;
        this.member = member;
        this.backOff = new BackOff(replay.chance());
    }

    /** Begins a batch, if there is something to bring and now is the time. */
    void poll() {
        long now = replay.deadlines().now();
        if (!replay.store().waiting().containsKey(member)) {
            return;
        }
        Readiness readiness = replay.routes().readiness(member, now);
        if (readiness != Readiness.ABSENT && begins(now)) {
            bring(readiness == Readiness.PROBE ? 1 : size());
        }
    }

    private synchronized boolean begins(long now) {
        if (busy || closed || now < notBefore) {
            return false;
        }
        busy = true;
        return true;
    }

    private synchronized int size() {
        return size;
    }

    private synchronized long cursor() {
        return cursor;
    }

    private void bring(int hintsMax) {
        var _ = Mono.defer(() -> replay.store().page(member, cursor(), hintsMax, BATCH_BYTES_MAX))
                .flatMap(this::bring)
                .flatMap(this::remove)
                .subscribe(this::ended, this::failed);
    }

    private Mono<HintBatch> bring(HintPage page) {
        replay.metrics().damaged(page.damaged());
        long oldest = replay.oldestKept();
        List<StoredHint> expired = new ArrayList<>(0);
        List<StoredHint> live = new ArrayList<>(page.hints().size());
        long bytes = 0;
        for (StoredHint hint : page.hints()) {
            boolean isLive = hint.cell().version().millis() >= oldest;
            (isLive ? live : expired).add(hint);
            bytes += isLive ? hint.bytes() : 0;
        }
        keepPace(live.size(), bytes);
        return Flux.fromIterable(live)
                .flatMap(this::bring, Integer.MAX_VALUE)
                .collectList()
                .map(deliveries -> new HintBatch(expired, deliveries));
    }

    private synchronized void keepPace(int hints, long bytes) {
        freeAt = replay.pace().spend(replay.deadlines().now(), hints, bytes);
    }

    private Mono<Delivery> bring(StoredHint hint) {
        HintRoutes.Route route =
                replay.routes().route(member, hint.key(), hint.cell().copies());
        boolean rerouted =
                route.replicas().stream().noneMatch(target -> target.member().equals(member));
        return Flux.fromIterable(route.replicas())
                .flatMap(target -> target.bring(hint.key(), hint.cell(), route.epoch()))
                .collectList()
                .map(replies -> Delivery.of(hint, rerouted, replies));
    }

    private Mono<HintBatch> remove(HintBatch batch) {
        replay.metrics().brought(batch);
        List<StoredHint> done = batch.done();
        return done.isEmpty()
                ? Mono.just(batch)
                : replay.store().remove(member, done).thenReturn(batch);
    }

    private synchronized void ended(HintBatch batch) {
        busy = false;
        if (troubled && batch.count(End.FAILED) == 0) {
            troubled = false;
            LOG.info("Hints for member {} can be read, brought and removed again", member);
        }
        if (batch.count(End.TAKEN) > 0) {
            backOff.reset();
        }
        if (batch.isEmpty()) {
            endPass();
        } else if (batch.count(End.FAILED) > 0) {
            stumble(batch.firstFailed());
        } else {
            goOn(batch);
        }
    }

    private void endPass() {
        if (passedOver) {
            passedOver = false;
            cursor = 0;
            rest(backOff.longest());
        }
    }

    private void stumble(long sequence) {
        attempts = sequence == stuckAt ? attempts + 1 : 1;
        stuckAt = sequence;
        boolean passes = attempts == ATTEMPTS_MAX;
        cursor = passes ? sequence + 1 : sequence;
        passedOver |= passes;
        size = 1;
        rest(backOff.next());
    }

    private void goOn(HintBatch batch) {
        boolean refused = batch.count(End.REFUSED) > 0;
        cursor = batch.end();
        passedOver |= refused;
        if (refused && batch.count(End.TAKEN) == 0) {
            size = 1;
            rest(backOff.next());
        } else {
            size = Math.min(2 * size, replay.callsMax());
            rest(0);
        }
    }

    private void failed(Throwable e) {
        synchronized (this) {
            if (!troubled && !(e instanceof StoreOverloadedException)) { // Once: it is tried again every some seconds.
                troubled = true;
                LOG.warn(
                        "Hints for member {} could not be read, brought or removed, and will be tried again until they can; no more is logged"
                                + " of it until then",
                        member,
                        e);
            }
            busy = false;
            size = 1;
            rest(backOff.next());
        }
    }

    /** For so long, or for as long as the pace demands. */
    private void rest(long nanos) {
        long now = replay.deadlines().now();
        notBefore = Math.max(now + nanos, freeAt);
        pending.dispose();
        if (!closed) {
            pending = replay.deadlines().after(notBefore - now).subscribe(nothing -> {}, this::failed, this::poll);
        }
    }

    /** The member answers again: no use in waiting longer, and what was passed over was not to blame. */
    void wake() {
        synchronized (this) {
            notBefore = freeAt;
            backOff.reset();
            if (!busy) {
                cursor = 0;
                passedOver = false;
            }
        }
        poll();
    }

    /** Begins nothing more. */
    synchronized void close() {
        closed = true;
        pending.dispose();
    }
}
