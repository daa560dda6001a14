package dev.kvorum.node.transfer;

import dev.kvorum.node.copy.Setback;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.repair.SyncReport;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangeStep;
import dev.kvorum.topology.change.Gain;
import dev.kvorum.topology.change.MemberReport;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The part of this node in a change of the members.
 *
 * <pre>
 * epoch                     told                      here
 * no change is running      -                         drops what it need not hold ({@link FormerPartitions})
 * begun: reads CURRENT      -                         waits: some may still write by the former epoch
 *                           all go by it (settled)    pulls each partition that it gains from all its present owners
 * switched: reads NEXT      -                         as before, if anything is left
 * finished, or cancelled    -                         drops what it need not hold
 * </pre>
 *
 * <p>A partition is asked for as a whole once, from one of its owners, and then compared with each of them; when that has ended, after all were known to go by the change, it
 * is <em>verified</em>: a write that any of them acknowledged by the former epoch is here, as it was committed there before that one took over the change, and writes
 * by the present epoch come here by themselves.
 *
 * <p>Works in {@value #LANES} lanes, each on a partition of its own; one that failed is tried again after a pause, when the others had their turn. What was done is noted, so
 * that a restart goes on where it stood. Any thread.
 */
public final class Transfer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Transfer.class);
    private static final int LANES = 4;
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long BEGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final TransferParts parts;
    private final TransferMetrics metrics;
    private final ProgressNote note;
    private final FormerPartitions former;
    private final MovedBytes recent = new MovedBytes();
    private Disposable.Composite lanes = Disposables.composite(); // Of the epoch in force.
    private int working;
    private boolean closed;
    private @Nullable TransferProgress progress;
    private @Nullable RunningChange change;
    private String failure = "";

    public Transfer(TransferParts parts, TransferMetrics metrics) {
        this.parts = parts;
        this.metrics = metrics;
        this.note = new ProgressNote(parts.notes());
        this.former = new FormerPartitions(parts, metrics, this::formerDropped);
        metrics.watch(this::left, former::left);
    }

    /** Begins to work, where a former life has stopped. Once. */
    public Mono<Void> start() {
        return note.read()
                .doOnNext(noted -> {
                    noted.verifyAgain(parts.sync()::isRebuilding); // After a power cut, say.
                    synchronized (this) {
                        progress = noted;
                    }
                })
                .onErrorResume(e -> {
                    LOG.warn("How far a transfer has come can't be read: it begins anew", e);
                    return Mono.empty();
                })
                .then(Mono.fromRunnable(() -> parts.membership().follow(this::become)));
    }

    private void become(ClusterView view) {
        // Takes some time, for which nobody else should wait.
        List<Gain> gains = view.gains();
        Disposable.Composite before;
        TransferProgress now;
        synchronized (this) {
            before = lanes;
            lanes = Disposables.composite();
            working = 0;
            now = goneOn(view.topology());
            progress = now;
            failure = "";
            change = view.topology().isChanging() ? new RunningChange(view, gains, now) : null;
            note.write(now);
        }
        before.dispose(); // What is under way by the former epoch will be refused.
        former.become(view, now.since(), now.hasFormer());
        work();
    }

    private TransferProgress goneOn(Topology topology) {
        TransferProgress before = progress;
        if (before != null && before.goesOnWith(topology)) {
            before.goOn(topology);
            return before;
        }
        boolean missedNone = before == null || before.epoch() + 1 == topology.epoch();
        return new TransferProgress(topology, parts.age().lastChange(missedNone), before != null);
    }

    private synchronized void formerDropped() {
        TransferProgress now = progress;
        if (now != null && change == null) {
            now.formerDropped();
            note.write(now);
        }
    }

    /**
     * All members, but those that are gone, go by that epoch.
     *
     * @param gone ids
     * @return why that can't be, in words; empty if data moves from now on
     */
    public Optional<String> settle(long epoch, Set<String> gone) {
        Topology topology = parts.membership().view().topology();
        Optional<String> refusal = refusal(topology, epoch, gone);
        if (refusal.isPresent()) {
            return refusal;
        }
        synchronized (this) {
            RunningChange running = change;
            TransferProgress now = progress;
            if (running == null || now == null) {
                return Optional.of("no change of the members is running here");
            }
            running.settle(gone);
            note.write(now);
        }
        work();
        return Optional.empty();
    }

    private static Optional<String> refusal(Topology topology, long epoch, Set<String> gone) {
        if (epoch != topology.epoch()) {
            return Optional.of("this node goes by epoch " + topology.epoch() + ", not " + epoch);
        }
        if (!topology.isChanging()) {
            return Optional.of("no change of the members is running");
        }
        Optional<String> stranger = ChangeStep.refusalOfGone(topology, gone);
        if (stranger.isPresent()) {
            return stranger;
        }
        Set<String> left = new HashSet<>();
        topology.currentOwners().forEach(member -> left.add(member.id()));
        left.removeAll(gone);
        return left.isEmpty() ? Optional.of("nobody would be left to pull from") : Optional.empty();
    }

    /** Lets as many lanes work as there is work for. */
    private void work() {
        int more;
        RunningChange running;
        Disposable.Composite present;
        synchronized (this) {
            running = change;
            present = lanes;
            more = running != null && hasWork(running) ? LANES - working : 0;
            working += more;
        }
        for (int lane = 0; running != null && lane < more; lane++) {
            present.add(lane(running).subscribe());
        }
    }

    /** It begins a moment later: followers hear of an epoch before it is in force. */
    private Flux<Void> lane(RunningChange running) {
        return parts.deadlines()
                .after(BEGIN_NANOS)
                .thenMany(Mono.defer(() -> step(running)).repeat(() -> goesOn(running)));
    }

    private boolean hasWork(RunningChange running) {
        return !closed && running.isSameAs(change) && running.hasWork();
    }

    private synchronized boolean goesOn(RunningChange running) {
        if (hasWork(running)) {
            return true;
        }
        if (running.isSameAs(change)) {
            working--;
        }
        return false;
    }

    private Mono<Void> step(RunningChange running) {
        Gain gain;
        synchronized (this) {
            gain = running.isSameAs(change) ? running.take() : null;
        }
        return gain == null
                ? Mono.empty()
                : pull(running, gain)
                        .onErrorResume(e -> failed(running, gain, e))
                        // Before its end is told: whether there is work left is asked then.
                        .doOnTerminate(() -> release(running, gain));
    }

    private synchronized void release(RunningChange running, Gain gain) {
        running.release(gain);
    }

    private Mono<Void> pull(RunningChange running, Gain gain) {
        return Mono.defer(() -> {
            int partition = gain.partition();
            List<Member> sources = sources(running, gain);
            Mono<Void> streamed = streams(running, gain)
                    ? parts.sync().stream(partition, running.streamedFrom(gain))
                            .doOnNext(report -> streamed(running, gain, report))
                            .then()
                    : Mono.empty();
            return streamed.then(parts.sync().gather(partition, sources))
                    .doOnNext(report -> verified(running, gain, report))
                    .then();
        });
    }

    private synchronized List<Member> sources(RunningChange running, Gain gain) {
        return running.sources(gain);
    }

    private synchronized boolean streams(RunningChange running, Gain gain) {
        return running.streams(gain);
    }

    private synchronized void streamed(RunningChange running, Gain gain, SyncReport report) {
        count(running, report);
        running.progress().streamed(gain.partition());
        noteIfPresent(running);
    }

    private synchronized void verified(RunningChange running, Gain gain, SyncReport report) {
        count(running, report);
        running.progress().verified(gain.partition());
        failure = "";
        noteIfPresent(running);
        if (running.isSameAs(change) && !running.hasWork() && running.verified() == running.partitions()) {
            LOG.info(
                    "All {} partitions that this node gains are verified; {} cells and {} bytes were pulled",
                    running.partitions(),
                    running.progress().cells(),
                    running.progress().bytes());
        }
    }

    private void count(RunningChange running, SyncReport report) {
        running.progress().moved(report.cells(), report.bytes());
        recent.moved(report.bytes(), parts.deadlines().now());
        metrics.moved(report.cells(), report.bytes());
    }

    /** What belongs to a change that was cancelled meanwhile must not be taken for progress of another. */
    private void noteIfPresent(RunningChange running) {
        if (running.isSameAs(change)) {
            note.write(running.progress());
        }
    }

    private Mono<Void> failed(RunningChange running, Gain gain, Throwable e) {
        String why = "partition " + gain.partition() + ": " + Setback.inWords(gain.partition(), e);
        synchronized (this) {
            if (running.isSameAs(change) && failure.isEmpty()) {
                LOG.warn("A partition could not be pulled and will be tried again, others may follow: {}", why);
            }
            failure = why;
            metrics.failed();
        }
        return parts.deadlines().after(PAUSE_NANOS);
    }

    /** What this node tells of it. */
    public synchronized MemberReport.Transfer report() {
        RunningChange running = change;
        if (running == null) {
            return MemberReport.Transfer.none(parts.bytesPerSecondMax());
        }
        TransferProgress now = running.progress();
        return new MemberReport.Transfer(
                now.gone(),
                running.partitions(),
                running.verified(),
                now.cells(),
                now.bytes(),
                recent.rate(parts.deadlines().now()),
                parts.bytesPerSecondMax(),
                failure.isEmpty() && running.verified() < running.partitions()
                        ? parts.sync().slowness()
                        : failure);
    }

    /** What this node tells of what it need not hold. */
    public MemberReport.Former former() {
        return former.report();
    }

    private synchronized int left() {
        RunningChange running = change;
        return running == null ? 0 : running.partitions() - running.verified();
    }

    /** Ends all work, which goes on in the next life. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            lanes.dispose();
        }
        former.close();
    }
}
