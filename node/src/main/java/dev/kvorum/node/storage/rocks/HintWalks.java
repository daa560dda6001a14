package dev.kvorum.node.storage.rocks;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/** Goes along all queues at once, the oldest hint first. Blocks; one thread. A walk is begun only where its queue's turn has come. */
final class HintWalks implements AutoCloseable {
    private static final long NEVER = Long.MAX_VALUE;

    private final RocksDatabase database;
    private final Map<String, HintQueue> queues;
    private final Map<String, HintWalk> walks = new HashMap<>();

    HintWalks(RocksDatabase database, Map<String, HintQueue> queues) {
        this.database = database;
        this.queues = queues;
    }

    /** The member whose hint is the oldest of those written before a time; null if there is none. */
    @Nullable
    String oldest(long before) {
        String member = null;
        long oldest = before;
        for (Map.Entry<String, HintQueue> queue : queues.entrySet()) {
            long millis = millis(queue.getKey(), queue.getValue());
            if (millis < oldest) {
                oldest = millis;
                member = queue.getKey();
            }
        }
        return member;
    }

    private long millis(String member, HintQueue queue) {
        HintWalk walk = walks.get(member);
        if (walk != null) {
            return walk.isAtEnd() ? NEVER : walk.millis();
        }
        return queue.isEmpty() ? NEVER : queue.oldestMillis();
    }

    /** The walk along a member's queue. */
    HintWalk of(String member) throws RocksDBException {
        HintWalk walk = walks.get(member);
        if (walk == null) {
            long head = queues.getOrDefault(member, HintQueue.EMPTY).head();
            walk = new HintWalk(database, member, head);
            walks.put(member, walk);
        }
        return walk;
    }

    @Override
    public void close() {
        walks.values().forEach(HintWalk::close);
    }
}
