package dev.kvorum.node.catchup;

import dev.kvorum.node.catchup.TailPage.PlacedCell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.copy.CopyUnavailableException;
import dev.kvorum.node.copy.LocalCells;
import dev.kvorum.node.copy.RemoteCopy;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.repair.RepairParts;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.Member;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Copies what a power cut took, the last plain writes that this member has acknowledged, from the logs of all other members. Each of those writes was acknowledged by as many
 * replicas as its client asked for, so where there were two, another log has it. That takes seconds. Where any of the logs does not tell, all that this member holds
 * has to be {@linkplain dev.kvorum.node.repair.Repair compared}.
 *
 * <p>What was brought here after its request is not in those parts of the logs, so that is {@linkplain dev.kvorum.node.replica.Replica#bring on the disk} before it counts.
 *
 * <p>Any thread. Once.
 */
public final class CatchUp {
    private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int PARTITIONS_AT_ONCE = 64;
    private static final int VIEWS_MAX = 3;
    private static final int REMEMBERED_MAX = 200_000; // Some 30 MB. All others have most of the cells.

    private final RepairParts parts;
    private final LocalCells cells;
    private final LastStart found;
    private final Counter copied;
    private final long lifetimeNanos;
    private final long born;

    /**
     * What this start has found.
     *
     * @param start its number
     * @param changes how many changes the store had
     * @param incomplete when this member was incomplete before it, in milliseconds since 1970; 0 if it was not
     */
    public record LastStart(long start, long changes, long incomplete) {}

    /** @param lifetimeNanos how long before its acknowledgement a request can have begun */
    public CatchUp(RepairParts parts, LastStart found, long lifetimeNanos, MeterRegistry meters) {
        this.parts = parts;
        this.lifetimeNanos = lifetimeNanos;
        this.born = parts.deadlines().now();
        this.found = found;
        this.copied = Counter.builder("kvorum.catchup.cells")
                .description("Cells copied from the logs of other members after a power cut")
                .register(meters);
        this.cells = new LocalCells(
                parts.local(), () -> parts.membership().view().epoch(), parts.deadlines(), parts.verifications());
    }

    /** Copies it, where there is anything to copy. Completes when that is done, or can't be done. */
    public Mono<Void> run() {
        return Mono.defer(() -> {
                    List<Integer> tails = tails();
                    return tails.isEmpty() ? Mono.empty() : copy(tails);
                })
                .onErrorResume(e -> {
                    LOG.info(
                            "What the power cut took can't be copied from the logs of the other members ({}). All that this member holds is"
                                    + " compared with them, which takes longer",
                            reason(e));
                    return Mono.empty();
                });
    }

    /** The partitions of which nothing else can be missing. */
    private List<Integer> tails() {
        return IntStream.range(0, parts.verifications().partitions())
                .filter(partition -> parts.verifications().lacksOnlyTail(partition, found.incomplete()))
                .boxed()
                .toList();
    }

    private Mono<Void> copy(List<Integer> tails) {
        long begin = parts.deadlines().now();
        return attempt(begin + PATIENCE_NANOS, 1)
                .doOnNext(count -> {
                    tails.forEach(partition -> parts.verifications().regainedTail(partition, found.incomplete()));
                    copied.increment(count);
                    LOG.info(
                            "What the power cut took is here again: {} cells were copied from the logs of the other members in {} ms",
                            count,
                            TimeUnit.NANOSECONDS.toMillis(parts.deadlines().now() - begin));
                })
                .then();
    }

    private static String reason(Throwable e) {
        if (!(e instanceof CopyUnavailableException)) {
            LOG.warn("Catching up ended in an error that nobody expected", e);
        }
        return String.valueOf(e.getMessage());
    }

    /** From all by one view: were the members changed meanwhile, another might have what is missing. */
    private Mono<Long> attempt(long until, int number) {
        ClusterView view = parts.membership().view();
        Map<Key, Version> held = new ConcurrentHashMap<>();
        return Flux.fromIterable(view.peers())
                .flatMap(member -> tailOf(member, view, held, until))
                .reduce(0L, Long::sum)
                .delayUntil(count -> synced(until))
                .doOnNext(count -> requireSame(view))
                .onErrorResume(
                        CopyUnavailableException.class,
                        e -> isOfAnotherEpoch(e.failure()) && number < VIEWS_MAX
                                ? parts.deadlines()
                                        .after(PAUSE_NANOS)
                                        .then(Mono.defer(() -> attempt(until, number + 1)))
                                : Mono.error(e));
    }

    private void requireSame(ClusterView view) {
        long now = parts.membership().view().epoch();
        if (now != view.epoch()) {
            throw new CopyUnavailableException(new ReplicaFailure(
                    view.self(),
                    Reason.STALE,
                    "epoch " + now + " came into force while it copied by epoch " + view.epoch()));
        }
    }

    private static boolean isOfAnotherEpoch(ReplicaFailure failure) {
        return failure.reason() == Reason.STALE || failure.reason() == Reason.BEHIND;
    }

    /** Requests of the former life may have ended after this one began. So what came meanwhile is asked for once more, when they can't live any longer. */
    private Mono<Long> tailOf(Member member, ClusterView view, Map<Key, Version> held, long until) {
        TailCall first = new TailCall(view.self(), found.start(), found.changes(), TailCall.FIRST, TailCall.TO_THE_END);
        AtomicReference<TailPage> last = new AtomicReference<>();
        AtomicLong count = new AtomicLong();
        return walk(member, view, first, until)
                .concatMap(
                        page -> hold(unheld(page, held))
                                .doOnNext(count::addAndGet)
                                .thenReturn(page),
                        1)
                .doOnNext(last::set)
                .then(Mono.defer(() -> parts.deadlines()
                        .after(Math.max(
                                0, born + lifetimeNanos - parts.deadlines().now()))))
                .thenMany(Flux.defer(() -> walkSince(member, view, first, Objects.requireNonNull(last.get()), until)))
                .concatMap(page -> hold(unheld(page, held)).doOnNext(count::addAndGet), 1)
                .then(Mono.fromSupplier(count::get));
    }

    private Flux<TailPage> walkSince(Member member, ClusterView view, TailCall first, TailPage last, long until) {
        return walk(member, view, first.since(last), until).doOnNext(page -> requireSameLife(member, last, page));
    }

    private Flux<TailPage> walk(Member member, ClusterView view, TailCall first, long until) {
        return page(member, view, first, until)
                .expand(page -> page.isLast()
                        ? Mono.empty()
                        : page(member, view, first.behind(page), until)
                                .doOnNext(next -> requireProgress(member, page, next)));
    }

    private Mono<Void> synced(long until) {
        return cells.synced()
                .onErrorResume(
                        CopyUnavailableException.class,
                        e -> mayPass(e.failure()) && parts.deadlines().now() < until
                                ? parts.deadlines().after(PAUSE_NANOS).then(Mono.defer(() -> synced(until)))
                                : Mono.error(e));
    }

    /** Without those that another member has given. */
    private static List<PlacedCell> unheld(TailPage page, Map<Key, Version> held) {
        return page.cells().stream().filter(placed -> isUnheld(placed, held)).toList();
    }

    /** Two pages at a time may both take a cell for new: then it is stored twice, which does no harm. */
    private static boolean isUnheld(PlacedCell placed, Map<Key, Version> held) {
        Key key = placed.cell().key();
        Version version = placed.cell().cell().version();
        Version before = held.get(key);
        if (before != null && !version.isAbove(before)) {
            return false;
        }
        if (before != null || held.size() < REMEMBERED_MAX) {
            held.put(key, version);
        }
        return true;
    }

    private static void requireProgress(Member member, TailPage page, TailPage next) {
        requireSameLife(member, page, next);
        if (next.end() <= page.end() || next.upTo() != page.upTo()) {
            throw new CopyUnavailableException(
                    new ReplicaFailure(member.id(), Reason.BROKEN, "its log does not go on"));
        }
    }

    /** Numbers of changes are those of one process's log. */
    private static void requireSameLife(Member member, TailPage page, TailPage next) {
        if (next.life() != page.life()) {
            throw new CopyUnavailableException(
                    new ReplicaFailure(member.id(), Reason.BROKEN, "it was started again meanwhile"));
        }
    }

    private Mono<Long> hold(List<PlacedCell> placed) {
        return Flux.fromIterable(placed.stream()
                        .collect(Collectors.groupingBy(
                                PlacedCell::partition, Collectors.mapping(PlacedCell::cell, Collectors.toList())))
                        .entrySet())
                .flatMap(ofOne -> cells.hold(ofOne.getKey(), ofOne.getValue()), PARTITIONS_AT_ONCE)
                .then(Mono.just((long) placed.size()));
    }

    private Mono<TailPage> page(Member member, ClusterView view, TailCall call, long until) {
        return Mono.defer(() -> parts.calls().call(member, PeerOperation.TAIL, view.epoch(), TailProtocol.encode(call)))
                .flatMap(reply -> switch (reply) {
                    case CallReply.Done done ->
                        Mono.fromSupplier(() -> RemoteCopy.decoded(member, done.body(), TailProtocol::decodePage));
                    case ReplicaFailure failure
                    when mayPass(failure) && parts.deadlines().now() < until ->
                        parts.deadlines().after(PAUSE_NANOS).then(Mono.defer(() -> page(member, view, call, until)));
                    case ReplicaFailure failure -> Mono.error(new CopyUnavailableException(failure));
                });
    }

    private static boolean mayPass(ReplicaFailure failure) {
        return switch (failure.reason()) {
            case UNREACHABLE, TIMED_OUT, OVERLOADED -> true;
            case REFUSED, STALE, BEHIND, BROKEN -> false;
        };
    }
}
