package dev.kvorum.node.repair;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.replica.OwnReplica;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.replica.WriteReply;
import dev.kvorum.node.storage.CellVisitor;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.NoteStore;
import dev.kvorum.node.storage.PartitionSize;
import dev.kvorum.node.storage.PartitionStore;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.Scanned;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** What one member holds, in memory; it answers at once. */
public final class MemoryStore implements PartitionStore, NoteStore, OwnReplica {
    private final String member;
    private final ToIntFunction<Key> partitionOf;
    private final Map<Integer, NavigableMap<Key, Cell>> partitions = new HashMap<>();
    private final Map<String, byte[]> notes = new HashMap<>();
    private LongSupplier refusedFrom = () -> Long.MAX_VALUE;
    private boolean crowded;
    private @Nullable Damage damage;
    private int writes;

    public MemoryStore(String member, ToIntFunction<Key> partitionOf) {
        this.member = member;
        this.partitionOf = partitionOf;
    }

    private NavigableMap<Key, Cell> cells(int partition) {
        return partitions.computeIfAbsent(
                partition, p -> new TreeMap<>((one, other) -> Arrays.compareUnsigned(one.utf8(), other.utf8())));
    }

    /**
     * A damaged cell, whose flipped bits make it newer than all.
     *
     * @param met a scan has met it, and passes it over
     * @param swallowed a cell that was brought is merged with it, and swallowed
     */
    private record Damage(Key key, Runnable met, Runnable swallowed) {}

    /** The cell of that key is damaged until it is removed. */
    void damage(Key key, Runnable met, Runnable swallowed) {
        cells(partitionOf.applyAsInt(key)).remove(key);
        damage = new Damage(key, met, swallowed);
    }

    boolean isDamaged() {
        return damage != null;
    }

    /** Whether there was any. */
    boolean removeDamage() {
        boolean was = isDamaged();
        damage = null;
        return was;
    }

    Map<Key, Cell> all(int partition) {
        return cells(partition);
    }

    Optional<Cell> get(Key key) {
        return Optional.ofNullable(cells(partitionOf.applyAsInt(key)).get(key));
    }

    void put(Key key, Cell cell) {
        Damage hiding = damage;
        if (hiding != null && hiding.key.equals(key)) {
            hiding.swallowed.run();
            return;
        }
        cells(partitionOf.applyAsInt(key)).merge(key, cell, (one, other) -> one.isNewerThan(other) ? one : other);
    }

    /** Its disk as it is now. */
    MemoryStore copy() {
        MemoryStore copy = new MemoryStore(member, partitionOf);
        partitions.forEach((partition, cells) -> copy.cells(partition).putAll(cells));
        copy.notes.putAll(notes);
        copy.refusedFrom = refusedFrom;
        return copy;
    }

    @Override
    public Mono<Scanned> scan(KeyRange range, ScanLimit limit, CellVisitor visitor) {
        return Mono.fromSupplier(() -> {
            Damage hidden = damage;
            if (hidden != null && partitionOf.applyAsInt(hidden.key) == range.partition()) {
                hidden.met.run();
            }
            NavigableMap<Key, Cell> cells = new TreeMap<>(cells(range.partition()));
            if (range.after() != null) {
                cells = cells.tailMap(range.after(), false);
            }
            if (range.upTo() != null) {
                cells = cells.headMap(range.upTo(), true);
            }
            int visited = 0;
            long bytes = 0;
            for (Map.Entry<Key, Cell> entry : cells.entrySet()) {
                visited++;
                bytes += entry.getKey().utf8().length + entry.getValue().bytes().length;
                boolean wanted = visitor.visit(entry.getKey(), entry.getValue());
                if (!wanted || visited >= limit.cells() || bytes >= limit.bytes()) {
                    return new Scanned(entry.getKey(), visited, bytes);
                }
            }
            return new Scanned(null, visited, bytes);
        });
    }

    @Override
    public Mono<PartitionSize> size(int partition) {
        return Mono.fromSupplier(() -> new PartitionSize(0, cells(partition).size()));
    }

    @Override
    public Mono<Boolean> remove(int partition, Key key, Cell cell) {
        return Mono.fromSupplier(() -> cells(partition).remove(key, cell));
    }

    @Override
    public Mono<byte[]> note(String name) {
        return Mono.fromSupplier(() -> notes.get(name));
    }

    @Override
    public Mono<Void> note(String name, byte[] note) {
        return Mono.fromRunnable(() -> notes.put(name, note));
    }

    @Override
    public String member() {
        return member;
    }

    /** @param millis versions from then on are refused, in milliseconds since 1970 */
    void refuseFrom(LongSupplier millis) {
        refusedFrom = millis;
    }

    /** From now on two writes of three find no room and are refused. */
    void crowd() {
        crowded = true;
    }

    @Override
    public Mono<WriteReply> write(Key key, Cell cell, long epoch) {
        throw new AssertionError("no client has just written this");
    }

    @Override
    public Mono<WriteReply> store(Key key, Cell cell, long epoch) {
        return bring(key, cell, epoch);
    }

    @Override
    public Mono<WriteReply> synced() {
        return Mono.just(new WriteReply.Stored(member));
    }

    @Override
    public Mono<WriteReply> bring(Key key, Cell cell, long epoch) {
        return Mono.fromSupplier(() -> {
            writes++;
            if (crowded && writes % 3 != 0) {
                return new ReplicaFailure(member, Reason.OVERLOADED, "as the test says");
            }
            if (cell.version().millis() >= refusedFrom.getAsLong()) {
                return new ReplicaFailure(member, Reason.REFUSED, "its version is too far ahead");
            }
            put(key, cell);
            return new WriteReply.Stored(member);
        });
    }

    @Override
    public Mono<ReadReply> read(Key key, long epoch, long waitNanos) {
        return Mono.fromSupplier(() -> {
            @Nullable Cell cell = get(key).orElse(null);
            return cell == null ? new ReadReply.Absent(member) : new ReadReply.Found(member, cell);
        });
    }
}
