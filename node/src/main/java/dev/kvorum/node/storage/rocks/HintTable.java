package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.storage.HintBacklog;
import dev.kvorum.node.storage.HintPage;
import dev.kvorum.node.storage.StoredHint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The hints on the disk, bounded in bytes. Blocks; one thread at a time, but for {@link #waiting}. */
final class HintTable implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HintTable.class);
    private static final long ANY_TIME = Long.MAX_VALUE;

    private final RocksDatabase database;
    private final long bytesMax;
    private final Runnable committed;
    // Where compaction is behind, hints wait and cells do not.
    private final WriteOptions options = new WriteOptions().setLowPri(true);
    private final Map<String, HintQueue> queues = new HashMap<>();
    private final Map<String, HintBacklog> waiting = new ConcurrentHashMap<>();
    private long bytes;

    /**
     * @param bytesMax what all hints together may count
     * @param committed told after each commit: the log is not on the disk yet
     */
    HintTable(RocksDatabase database, long bytesMax, Runnable committed) throws RocksDBException {
        this.database = database;
        this.bytesMax = bytesMax;
        this.committed = committed;
        readNotes();
    }

    private void readNotes() throws RocksDBException {
        try (Slice end = new Slice(HintLayout.notesEnd());
                ReadOptions toEnd = new ReadOptions().setIterateUpperBound(end);
                RocksIterator notes = database.db().newIterator(database.hints(), toEnd)) {
            for (notes.seek(HintLayout.notesBegin()); notes.isValid(); notes.next()) {
                queues.put(HintLayout.memberOfNote(notes.key()), HintQueue.ofNote(notes.value()));
            }
            notes.status();
        }
        bytes = queues.values().stream().mapToLong(HintQueue::bytes).sum();
        for (String member : List.copyOf(queues.keySet())) {
            findHead(member);
        }
    }

    /** What waits, by member. Any thread. */
    Map<String, HintBacklog> waiting() {
        return Collections.unmodifiableMap(waiting);
    }

    /**
     * Puts hints at the ends of their queues.
     *
     * @param owed together not longer than what all hints may count
     * @return how many of the oldest had to go
     */
    int put(List<PendingHint> owed) throws RocksDBException {
        try (HintChange change = change()) {
            long more = owed.stream().mapToLong(PendingHint::bytes).sum();
            int gone = makeRoom(change, bytes + more - bytesMax);
            for (PendingHint hint : owed) {
                change.put(hint.member(), hint.key(), hint.cell());
            }
            commit(change);
            return gone;
        }
    }

    private int makeRoom(HintChange change, long missing) throws RocksDBException {
        try (HintWalks walks = new HintWalks(database, queues)) {
            int gone = 0;
            for (String member = walks.oldest(ANY_TIME);
                    member != null && -change.growth() < missing;
                    member = walks.oldest(ANY_TIME)) {
                gone += removeNext(change, member, walks.of(member));
            }
            return gone;
        }
    }

    private static int removeNext(HintChange change, String member, HintWalk walk) throws RocksDBException {
        if (walk.isAtEnd()) {
            return 0;
        }
        change.remove(member, walk.key(), walk.size());
        walk.next();
        return 1;
    }

    HintPage page(String member, long from, int hintsMax, long pageBytesMax) throws RocksDBException {
        List<StoredHint> hints = new ArrayList<>();
        int damaged = 0;
        long read = 0;
        HintQueue queue = queues.getOrDefault(member, HintQueue.EMPTY);
        if (queue.isEmpty()) {
            return new HintPage(hints, damaged);
        }
        try (HintChange change = change();
                HintWalk walk = new HintWalk(database, member, Math.max(from, queue.head()))) {
            for (; !walk.isAtEnd() && hints.size() < hintsMax; walk.next()) {
                StoredHint hint = walk.hint();
                if (hint == null) {
                    change.remove(member, walk.key(), walk.size());
                    damaged++;
                    continue;
                }
                read += hint.bytes();
                if (read > pageBytesMax && !hints.isEmpty()) {
                    break;
                }
                hints.add(hint);
            }
            commit(change);
        }
        return new HintPage(hints, damaged);
    }

    /** Those before the head have gone since they were read, for lack of room or by age. */
    void remove(String member, List<StoredHint> hints) throws RocksDBException {
        long head = queues.getOrDefault(member, HintQueue.EMPTY).head();
        try (HintChange change = change()) {
            for (StoredHint hint : hints) {
                if (hint.sequence() >= head) {
                    change.remove(member, HintLayout.key(member, hint.sequence()), hint.bytes());
                }
            }
            commit(change);
        }
    }

    /** Removes at most so many that were written before that time from the heads of the queues, and returns how many it were. */
    int expire(long millis, int hintsMax) throws RocksDBException {
        try (HintChange change = change();
                HintWalks walks = new HintWalks(database, queues)) {
            int expired = 0;
            for (String member = walks.oldest(millis);
                    member != null && expired < hintsMax;
                    member = walks.oldest(millis)) {
                expired += removeNext(change, member, walks.of(member));
            }
            commit(change);
            return expired;
        }
    }

    private HintChange change() {
        return new HintChange(database.hints(), queues);
    }

    private void commit(HintChange change) throws RocksDBException {
        if (change.isNone()) {
            return;
        }
        database.db().write(options, change.batch());
        committed.run();
        queues.putAll(change.after());
        bytes += change.growth();
        for (String member : change.shortened()) {
            findHead(member);
        }
        change.after().keySet().forEach(this::publish);
    }

    /** From where the head was: whatever lies before it has been removed, and would have to be skipped. */
    private void findHead(String member) throws RocksDBException {
        HintQueue queue = queues.getOrDefault(member, HintQueue.EMPTY);
        if (!queue.isEmpty()) {
            try (HintWalk walk = new HintWalk(database, member, queue.head())) {
                queues.put(
                        member, walk.isAtEnd() ? none(member, queue) : queue.headedBy(walk.sequence(), walk.millis()));
            }
        }
        publish(member);
    }

    /** The account is committed with the hints, so this is a bug or a damaged disk: the hints that are to come still count rightly. */
    private HintQueue none(String member, HintQueue wrong) {
        LOG.error("The hints for {} are not there that were accounted for: {}", member, wrong);
        bytes -= wrong.bytes();
        return new HintQueue(0, 0, wrong.next(), wrong.next(), 0);
    }

    private void publish(String member) {
        HintQueue queue = queues.getOrDefault(member, HintQueue.EMPTY);
        if (queue.isEmpty()) {
            waiting.remove(member);
        } else {
            waiting.put(member, queue.backlog());
        }
    }

    @Override
    public void close() {
        options.close();
    }
}
