package dev.kvorum.node.membership;

import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * Brings two members to the same epoch: one sends the topology that it goes by and is answered with the other's, and whoever has the older adopts the
 * newer. It begins when a call between the two has shown that their epochs differ, and only who made that call begins it: a made-up epoch in a
 * call causes no work where it arrives.
 *
 * <p>With one member there is one exchange at a time, for which all wait who want it; as it may have begun before the epoch that they want was in force, they
 * have one more behind it where it did not bring that. After one that did not bring both to the same epoch there is
 * none for {@value #REST_MILLIS_MIN} ms, twice as long after each further one, up to {@value #REST_MILLIS_MAX} ms; who wants one meanwhile is
 * told at once that there is none. Any thread.
 */
public final class TopologyExchange {
    /** The longest topology that is sent or taken, in bytes. */
    public static final int BYTES_MAX = 256 << 10;

    static final int REST_MILLIS_MIN = 100;
    static final int REST_MILLIS_MAX = 4000;
    static final int ANSWERS_MAX = 16;
    private static final long TEACHES = 0; // In place of an epoch that is to be learned.

    private static final Logger LOG = LoggerFactory.getLogger(TopologyExchange.class);

    /** The way to another member. */
    @FunctionalInterface
    public interface Call {
        /**
         * Sends it this topology.
         *
         * @return the one that it then goes by; or an error, in bounded time
         */
        Mono<byte[]> exchange(Member member, byte[] present);
    }

    private final Membership membership;
    private final Call call;
    private final Scheduler adopting;
    private final LongSupplier nanos;
    private final Map<String, Talk> talks = new ConcurrentHashMap<>();
    private final AtomicInteger answers = new AtomicInteger();

    /**
     * @param adopting one that may block: a topology is brought to the disk before it is in force
     * @param nanos nanoseconds from any origin at or above 0, never back
     */
    public TopologyExchange(Membership membership, Call call, Scheduler adopting, LongSupplier nanos) {
        this.membership = membership;
        this.call = call;
        this.adopting = adopting;
        this.nanos = nanos;
    }

    /**
     * A member has refused a call because it goes by this newer epoch.
     *
     * @return completes when that is adopted here, or can't be for now; never an error
     */
    public Mono<Void> learn(Member member, long epoch) {
        return exchange(member, epoch, () -> epoch > membership.view().epoch());
    }

    /**
     * A member has refused a call because it goes by an older epoch than this node.
     *
     * @return completes when it has adopted this node's, or can't for now; never an error
     */
    public Mono<Void> teach(Member member) {
        return exchange(member, TEACHES, () -> true);
    }

    /** @param claimed the epoch that it says it goes by, or {@link #TEACHES} */
    private Mono<Void> exchange(Member member, long claimed, BooleanSupplier isWanted) {
        return Mono.defer(() -> {
            if (!isWanted.getAsBoolean()) {
                return Mono.empty();
            }
            Mono<Void> earlier = talk(member).underWay();
            return earlier == null
                    ? talk(member).join(member, claimed)
                    : earlier.then(Mono.defer(() -> isWanted.getAsBoolean() && isNamed(member)
                            ? talk(member).join(member, claimed)
                            : Mono.empty()));
        });
    }

    private Talk talk(Member member) {
        return talks.computeIfAbsent(member.id(), id -> new Talk());
    }

    /**
     * Another member sends its topology, or none if it only wants to know.
     *
     * @return what this node then goes by; an {@link InvalidTopologyException} if what was sent is none, a {@link RejectedExecutionException} if too
     *     many are being taken
     */
    public Mono<byte[]> answer(byte[] offered) {
        if (offered.length == 0) {
            return Mono.fromSupplier(this::present);
        }
        return bounded(() -> adoptNow(offered));
    }

    /**
     * Somebody publishes a topology.
     *
     * @return it; an {@link InvalidTopologyException} if it is none, a {@link RefusedTopologyException} if it can't follow the present one, a {@link
     *     RejectedExecutionException} if too many are being taken
     */
    public Mono<byte[]> propose(byte[] proposed) {
        return bounded(() -> proposeNow(proposed));
    }

    private long proposeNow(byte[] json) {
        Topology proposed = read(json);
        membership.propose(proposed).ifPresent(reason -> {
            throw new RefusedTopologyException(reason);
        });
        return proposed.epoch();
    }

    /** One counts until its work is done, also where nobody waits for that any more: its bytes are kept until then. */
    private Mono<byte[]> bounded(Supplier<Long> work) {
        return Mono.defer(() -> {
            if (answers.incrementAndGet() > ANSWERS_MAX) {
                answers.decrementAndGet();
                return Mono.error(new RejectedExecutionException("too many topologies are being taken"));
            }
            return onAdopting(work, answers::decrementAndGet).map(epoch -> present());
        });
    }

    private byte[] present() {
        return TopologyJson.write(membership.view().topology());
    }

    private Mono<Long> adopt(byte[] json) {
        return onAdopting(() -> adoptNow(json), () -> {});
    }

    /**
     * Not interrupted when nobody waits any more: that would break the writing to the disk off.
     *
     * @param end run when the work is done, or can't be, before anybody is told
     */
    private Mono<Long> onAdopting(Supplier<Long> work, Runnable end) {
        return Mono.create(sink -> {
            try {
                var _ = adopting.schedule(() -> tell(sink, work, end));
            } catch (RuntimeException | Error e) { // There may be no thread for it.
                end.run();
                sink.error(e);
            }
        });
    }

    private static void tell(MonoSink<Long> sink, Supplier<Long> work, Runnable end) {
        Long epoch;
        try {
            epoch = work.get();
        } catch (RuntimeException | Error e) { // Or those who wait for it would do so without an end.
            end.run();
            sink.error(e);
            return;
        }
        end.run();
        sink.success(epoch);
    }

    /** Its epoch. */
    private long adoptNow(byte[] json) {
        Topology offered = read(json);
        long present = membership.view().epoch();
        if (offered.epoch() > present) {
            requireNear(offered.epoch(), present);
            membership.offer(offered);
        }
        return offered.epoch();
    }

    private static void requireNear(long offered, long present) {
        if (offered - present > Membership.EPOCHS_MISSED_MAX) {
            throw new InvalidTopologyException(
                    "epoch is " + offered + ", but must be at most " + Membership.EPOCHS_MISSED_MAX
                            + " above that in force, " + present + ": epochs count changes, one by one");
        }
    }

    private static Topology read(byte[] json) {
        if (json.length > BYTES_MAX) {
            throw new InvalidTopologyException("it has " + json.length + " bytes, the longest is " + BYTES_MAX);
        }
        return TopologyJson.read(json);
    }

    private boolean isNamed(Member member) {
        return membership.view().topology().member(member.id()).isPresent();
    }

    /** What is exchanged with one member. */
    private final class Talk {
        private @Nullable Mono<Void> underWay;
        private int failures; // In a row.
        private long level; // The epoch to which the last one brought both.
        private long restsUntil;

        synchronized @Nullable Mono<Void> underWay() {
            return underWay;
        }

        Mono<Void> join(Member member, long claimed) {
            Sinks.Empty<Void> end;
            synchronized (this) {
                if (underWay != null) {
                    return underWay;
                }
                if (isResting(claimed == TEACHES)) {
                    return Mono.empty();
                }
                end = Sinks.empty();
                underWay = end.asMono();
            }
            begin(member, claimed, end);
            return end.asMono();
        }

        /** After a success it rests as well, from teaching the same again: calls that were refused before may be answered late. */
        private boolean isResting(boolean teaches) {
            return nanos.getAsLong() < restsUntil
                    && (failures > 0 || (teaches && level == membership.view().epoch()));
        }

        private void begin(Member member, long claimed, Sinks.Empty<Void> end) {
            long wanted = Math.max(claimed, membership.view().epoch());
            var _ = Mono.defer(() -> call.exchange(member, present()))
                    .flatMap(TopologyExchange.this::adopt)
                    .switchIfEmpty(Mono.error(() -> new IllegalStateException("no answer")))
                    .subscribe(theirs -> ended(member, wanted, theirs, end), e -> failed(member, e.toString(), end));
        }

        private void ended(Member member, long wanted, long theirs, Sinks.Empty<Void> end) {
            if (theirs < wanted) {
                failed(member, "it stays at epoch " + theirs + ", not " + wanted, end);
            } else if (theirs > membership.view().epoch()) {
                failed(member, "its epoch " + theirs + " can't be adopted here", end);
            } else {
                synchronized (this) {
                    failures = 0;
                    level = theirs;
                }
                rest(member, end);
            }
        }

        private void failed(Member member, String why, Sinks.Empty<Void> end) {
            boolean first;
            synchronized (this) {
                first = failures == 0;
                failures++;
            }
            if (first) {
                LOG.warn("Member {} at {} can't be brought to the same epoch: {}", member.id(), member.peer(), why);
            }
            rest(member, end);
        }

        private void rest(Member member, Sinks.Empty<Void> end) {
            synchronized (this) {
                int doublings = Math.clamp(failures - 1L, 0, Integer.SIZE / 2);
                long millis = Math.min((long) REST_MILLIS_MIN << doublings, REST_MILLIS_MAX);
                restsUntil = nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis);
                underWay = null;
            }
            if (!isNamed(member)) {
                talks.remove(member.id());
            }
            end.tryEmitEmpty().orThrow();
        }
    }
}
