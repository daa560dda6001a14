package dev.kvorum.node.core;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Tenure;
import dev.kvorum.node.storage.LostDataException;
import dev.kvorum.node.storage.MemberDirectory;
import dev.kvorum.node.verification.Absence;
import dev.kvorum.node.verification.MemberLife;
import dev.kvorum.node.verification.Progress;
import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node makes of the directory that it finds, before it serves anything: which topology it goes by, whether what it held may still be used, and whether it may
 * start at all.
 */
public final class Arrival {
    private static final Logger LOG = LoggerFactory.getLogger(Arrival.class);

    private final Membership membership;
    private final Witnesses witnesses;
    private final Duration grace;
    private final LongSupplier wallMillis;

    /**
     * @param membership by the topology file
     * @param grace how long deletions are kept
     * @param wallMillis milliseconds since 1970
     */
    public Arrival(Membership membership, Witnesses witnesses, Duration grace, LongSupplier wallMillis) {
        this.membership = membership;
        this.witnesses = witnesses;
        this.grace = grace;
        this.wallMillis = wallMillis;
    }

    /**
     * Brings the membership up to the newest epoch that is known here, and lets the directory keep all that follow. Blocks for some seconds at most.
     *
     * @param aside moves what the directory holds to where nobody uses it, at a time in milliseconds since 1970, and returns it as it is then
     * @return the directory to be used
     * @throws InvalidTopologyException if the topology file does not go together with what the directory has kept
     */
    public <D extends MemberDirectory> D settle(D found, LongFunction<D> aside) {
        Optional<Topology> last = found.lastTopology().map(json -> read(found, json));
        last.ifPresentOrElse(this::followOn, this::catchUp);
        long now = wallMillis.getAsLong();
        D directory = isOutlived(found, now) ? aside.apply(now) : found;
        AtomicReference<Optional<Topology>> kept = new AtomicReference<>(last);
        membership.follow(view -> keep(directory, kept, view));
        return directory;
    }

    /** The break first: killed in between, the next life finds it again. */
    private static void keep(MemberDirectory directory, AtomicReference<Optional<Topology>> kept, ClusterView view) {
        Topology after = view.topology();
        Optional<Topology> before = kept.getAndSet(Optional.of(after));
        if (before.isPresent() && Tenure.isBroken(before.get(), after, view.self())) {
            directory.noteTenure(view.epoch());
        }
        directory.keepTopology(TopologyJson.write(after));
    }

    /**
     * Opens the store in a directory that is settled, or in an empty one in its place. Blocks; for some seconds more where the store has lost something.
     *
     * @throws LostDataException if it has lost something, and is not to begin as an empty one
     */
    public <D extends MemberDirectory, S> Opened<D, S> open(D settled, DataGround<D, S> ground) {
        return new Opening(membership.view(), remembered(settled), witnesses)
                .open(settled, ground, this::afterLastLife);
    }

    /**
     * A time behind all that the former life of this directory has promised, also where the clock was set back since; in milliseconds since 1970. Blocks.
     */
    private long afterLastLife(MemberDirectory directory) {
        long lastAlive = directory.lastAlive().map(MemberDirectory.Alive::last).orElse(0L);
        return Math.max(wallMillis.getAsLong(), lastAlive + LifeKeeper.PERIOD_MAX.toMillis());
    }

    /**
     * How far other members remember this directory to have come, before the store is opened: where that is further than what is found, the directory was put back from
     * an older copy. Nothing where nobody else could rebuild it: then an older copy is better than none. Blocks for some seconds at most.
     */
    private Progress remembered(MemberDirectory directory) {
        Progress none = Progress.none(directory.incarnation());
        ClusterView view = membership.view();
        return view.isOnlyCopy()
                ? none
                : witnesses.progress(view, directory.incarnation()).stream().reduce(none, Progress::orFurther);
    }

    private static Topology read(MemberDirectory directory, byte[] json) {
        try {
            return TopologyJson.read(json);
        } catch (InvalidTopologyException e) {
            throw directory.damagedTopology(e);
        }
    }

    /** The file may be older than what the node has learned from others since. */
    private void followOn(Topology last) {
        long inFile = membership.view().epoch();
        if (last.epoch() <= inFile) {
            requireNear(inFile, last.epoch());
            requireSameContents(last);
            return;
        }
        LOG.warn(
                "The topology file has epoch {}, but this node has followed epoch {} and goes on by that",
                inFile,
                last.epoch());
        membership.goOnBy(last);
        if (membership.view().epoch() != last.epoch()) {
            throw new InvalidTopologyException(
                    "the topology file is of another cluster, or has other partitions, than epoch " + last.epoch()
                            + " that this node has followed");
        }
    }

    /** As a running node does: what it has acknowledged by one topology the others would not find by another of the same epoch. */
    private void requireSameContents(Topology last) {
        Topology inFile = membership.view().topology();
        if (inFile.epoch() == last.epoch() && inFile.digest() != last.digest()) {
            throw new InvalidTopologyException(
                    "the topology file differs from the one that this node has followed but has its epoch "
                            + last.epoch() + ": raise the epoch");
        }
    }

    /** A start asks for as much as a running node does: an epoch that was adopted is never given up. */
    private static void requireNear(long inFile, long last) {
        if (inFile - last > Membership.EPOCHS_MISSED_MAX) {
            throw new InvalidTopologyException("the topology file has epoch " + inFile
                    + ", but this node has followed epoch " + last + ": it must be at most "
                    + Membership.EPOCHS_MISSED_MAX + " above that");
        }
    }

    /**
     * A directory that has never seen a topology: the file may be older than what the others go by, and that may say that this member has lost a disk. If no member
     * answers, as when a whole cluster is started, the node goes by the file.
     */
    private void catchUp() {
        ClusterView view = membership.view();
        witnesses.topologies(view).stream()
                .max(Comparator.comparingLong(Topology::epoch))
                .filter(newest -> newest.epoch() > view.epoch())
                .ifPresent(newest -> {
                    LOG.info("Other members go by epoch {}, the topology file has {}", newest.epoch(), view.epoch());
                    membership.offer(newest);
                });
    }

    /** What a member held that was away for too long must not bring back what was deleted meanwhile. */
    private boolean isOutlived(MemberDirectory directory, long now) {
        Optional<MemberLife> noted = directory.lastAlive().map(MemberLife::of);
        if (noted.isEmpty() || Absence.of(noted.get(), now, List.of(), grace) == Absence.SHORT) {
            return false;
        }
        MemberLife own = noted.get();
        String since = "since " + Instant.ofEpochMilli(own.last())
                + ", which is longer than kvorum.repair.tombstone-grace, " + grace;
        return switch (Absence.of(own, now, witnesses.lives(membership.view()), grace)) {
            case SHORT -> false;
            case OUTLIVED -> {
                LOG.warn(
                        "This member was away {}. Others have lived on and may have dropped deletions that it has missed: what it held is"
                                + " set aside, where nobody uses it, and it begins as an empty one. It serves no reads of a"
                                + " partition until that is rebuilt from the others",
                        since);
                yield true;
            }
            case SHARED -> {
                LOG.warn("This member was away {}. So were all others that answered: it keeps what it holds", since);
                yield false;
            }
            case ALONE -> {
                LOG.warn(
                        "This member was away {}. No other could be asked whether it was there meanwhile: it keeps what it holds",
                        since);
                yield false;
            }
        };
    }
}
