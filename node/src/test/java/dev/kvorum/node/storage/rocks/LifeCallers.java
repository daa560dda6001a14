package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.storage.HintBacklog;
import dev.kvorum.node.storage.HintPage;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.PartitionDrops;
import dev.kvorum.node.storage.RegisterStep;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.StoredHint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import reactor.core.publisher.Mono;

/** The callers of one life: each does one operation after the other, drawn from the seed, and tells when it begins and how it has ended. */
final class LifeCallers {
    static final int KEYS = 6;
    private static final List<String> MEMBERS = List.of("n2", "n3");
    private static final List<String> NOTES = List.of("epoch", "verified");
    private static final int PATIENCE_SECONDS = 30;
    private static final int IDS_OF_A_LIFE = 1_000_000;
    private static final String NONE = "-";
    private static final String LEFT = "=";
    private static final int ROWS_MAX = 64;
    private static final int HINTS_AT_ONCE = 8;

    private final StoreLife.Order order;
    private final RocksStore store;
    private final RocksDatabase database;
    private final AtomicLong newest;
    private final LifeRecord record;
    private final AtomicLong ids;
    private final Map<String, Cell> lastSeen = new ConcurrentHashMap<>();
    private final Map<Long, StoredHint> waiting =
            new ConcurrentHashMap<>(); // Those for the first member that were seen.
    private final Set<Long> claimed = ConcurrentHashMap.newKeySet(); // Those of them that a caller removes.
    private final List<ReentrantLock> watches =
            IntStream.range(0, KEYS).mapToObj(i -> new ReentrantLock()).toList();

    LifeCallers(StoreLife.Order order, RocksStore store, RocksDatabase database, AtomicLong newest, LifeRecord record) {
        this.order = order;
        this.store = store;
        this.database = database;
        this.newest = newest;
        this.record = record;
        this.ids = new AtomicLong((long) order.number() * IDS_OF_A_LIFE);
    }

    /** Returns when all have done their share. */
    void carryOut(int callers) throws InterruptedException {
        new Caller(0).readAll();
        record.tell("ready");
        List<Thread> threads = new ArrayList<>();
        for (int i = 1; i <= callers; i++) {
            threads.add(Thread.ofPlatform().name("caller-" + i).start(new Caller(i)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static int partition(int key) {
        return key % (StoreLife.PARTITIONS - 1);
    }

    private static Key key(int number) {
        return Key.of("k" + number);
    }

    /** As the history calls it. */
    private static String name(int partition, Key key) {
        return partition + "/" + key;
    }

    static String of(@Nullable Cell cell) {
        return cell == null ? NONE : cell.version() + "." + checksum(cell.bytes());
    }

    private static String of(byte @Nullable [] row) {
        return row == null
                ? NONE
                : (row.length < Long.BYTES ? "short" : ByteBuffer.wrap(row).getLong()) + "." + checksum(row);
    }

    private static String checksum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return "%08x".formatted(sum.getValue());
    }

    /** Its own thread, which is an event loop for every other one. */
    private final class Caller implements Runnable {
        private final SplittableRandom random;
        private final BlockingQueue<Runnable> turn = new LinkedBlockingQueue<>();
        private final boolean isLoop;

        Caller(int number) {
            this.random = new SplittableRandom((order.seed() * 31 + order.number()) * 31 + number);
            this.isLoop = number % 2 == 1;
        }

        @Override
        public void run() {
            if (isLoop) {
                StoreLife.LOOP.set(turn::add);
            }
            for (int i = 0; i < order.share(); i++) {
                act(random.nextInt(100));
            }
        }

        private void act(int drawn) {
            int key = random.nextInt(random.nextBoolean() ? 2 : KEYS); // Two of them are hot.
            if (drawn < 30) {
                write(List.of(key));
            } else if (drawn < 34) {
                write(IntStream.range(0, KEYS).boxed().toList()); // As a page of a transfer.
            } else if (drawn < 50) {
                read(key);
            } else if (drawn < 66) {
                step(key);
            } else if (drawn < 70) {
                look(key);
            } else if (drawn < 74) {
                scan(partition(key));
            } else if (drawn < 78) {
                remove(key);
            } else if (drawn < 81) {
                drop(partition(key));
            } else if (drawn < 88) {
                putHint(random.nextInt(MEMBERS.size()));
            } else if (drawn < 90) {
                hints(random.nextInt(MEMBERS.size()));
            } else if (drawn < 93) {
                removeHints();
            } else if (drawn < 95) {
                note(random.nextInt(NOTES.size()));
            } else if (drawn < 97) {
                noted(random.nextInt(NOTES.size()));
            } else if (drawn < 98) {
                rows(partition(key));
            } else if (drawn < 99) {
                record.tell("changes " + store.changesOnDisk());
            } else if (random.nextInt(4) == 0) {
                rearrange();
            }
        }

        /** All that there is, when nothing else happens. */
        void readAll() {
            for (int key = 0; key < KEYS; key++) {
                read(key);
                look(key);
            }
            for (int partition = 0; partition < StoreLife.PARTITIONS - 1; partition++) {
                scan(partition);
                rows(partition);
            }
            for (int i = 0; i < MEMBERS.size(); i++) {
                hints(i);
                record.tell("owed " + MEMBERS.get(i) + " " + backlog(MEMBERS.get(i)));
            }
            for (int i = 0; i < NOTES.size(); i++) {
                noted(i);
            }
        }

        private long backlog(String member) {
            HintBacklog backlog = store.hints().waiting().get(member);
            return backlog == null ? 0 : backlog.hints();
        }

        private Cell cell(int key) {
            boolean isOlder = random.nextInt(4) == 0;
            long time = isOlder
                    ? Math.max(1, newest.get() - random.nextInt(1, 2000))
                    : newest.addAndGet(random.nextInt(1, 1000));
            Draft draft = random.nextInt(5) == 0 ? Draft.tombstone() : Draft.ofValue(bytes(valueLength()));
            return draft.stamp(key(key), new Version(time, ids.incrementAndGet()), 3);
        }

        private int valueLength() {
            return random.nextInt(20) == 0 ? random.nextInt(30_000) : random.nextInt(300);
        }

        private byte[] bytes(int length) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            return bytes;
        }

        private <T> void carryOut(String operation, Mono<T> work, Function<@Nullable T, String> outcome) {
            await(begin(operation, work, outcome));
        }

        /** Told before it is asked for, and told again before anybody acts on it. */
        private <T> CompletableFuture<?> begin(String operation, Mono<T> work, Function<@Nullable T, String> outcome) {
            long id = ids.incrementAndGet();
            record.begun(id, operation);
            return work.toFuture().handle((result, failure) -> {
                if (failure == null) {
                    record.ended(id, outcome.apply(result));
                } else {
                    record.failed(id, failure);
                }
                return result;
            });
        }

        private void await(CompletableFuture<?> work) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            try {
                while (isLoop && !work.isDone() && System.nanoTime() < end) {
                    Runnable next = turn.poll(1, TimeUnit.MILLISECONDS);
                    if (next != null) {
                        next.run();
                    }
                }
                work.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                record.tell("stuck");
                throw new IllegalStateException(e);
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }

        private void write(List<Integer> keys) {
            List<CompletableFuture<?>> writes = new ArrayList<>();
            for (int key : keys) {
                Cell cell = cell(key);
                String operation = "write " + name(partition(key), key(key)) + " " + of(cell);
                writes.add(begin(operation, store.write(partition(key), key(key), cell), done -> ""));
            }
            await(CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)));
        }

        private void read(int key) {
            String name = name(partition(key), key(key));
            carryOut("read " + name, store.read(partition(key), key(key)), cell -> seen(name, cell));
        }

        private String seen(String name, @Nullable Cell cell) {
            if (cell != null) {
                lastSeen.put(name, cell);
            }
            return of(cell);
        }

        /** A promise, an acceptance with or without a cell, the end of a row, or none of them. */
        private void step(int key) {
            String name = name(partition(key), key(key));
            int drawn = random.nextInt(10);
            byte @Nullable [] row = drawn < 7 ? row() : drawn == 7 ? RegisterStep.NO_ROW : null;
            @Nullable Cell cell = drawn < 3 || drawn == 8 ? cell(key) : null;
            String change =
                    (row == null ? LEFT : row.length == 0 ? NONE : of(row)) + " " + (cell == null ? LEFT : of(cell));
            carryOut(
                    "step " + name + " " + change,
                    store.registers()
                            .step(
                                    partition(key),
                                    key(key),
                                    state -> new RegisterStep<>(of(state.row()) + " " + of(state.cell()), row, cell)),
                    String::valueOf);
        }

        private byte[] row() {
            byte[] row = bytes(Long.BYTES + random.nextInt(200));
            ByteBuffer.wrap(row).putLong(ids.incrementAndGet());
            return row;
        }

        private void look(int key) {
            carryOut(
                    "look " + name(partition(key), key(key)),
                    store.registers()
                            .look(
                                    partition(key),
                                    key(key),
                                    state -> RegisterStep.none(of(state.row()) + " " + of(state.cell()))),
                    String::valueOf);
        }

        private void scan(int partition) {
            Map<String, String> found = new TreeMap<>();
            carryOut(
                    "scan " + partition,
                    store.partitions().scan(KeyRange.of(partition), ScanLimit.PAGE, (key, cell) -> {
                        found.put(name(partition, key), of(cell));
                        return true;
                    }),
                    scanned -> pairs(found));
        }

        private void rows(int partition) {
            carryOut("rows " + partition, store.registers().page(partition, null, ROWS_MAX), rows -> {
                Map<String, String> found = new TreeMap<>();
                if (rows != null) {
                    rows.stream()
                            .filter(row -> row.partition() == partition)
                            .forEach(row -> found.put(name(partition, row.key()), of(row.row())));
                }
                return pairs(found);
            });
        }

        private static String pairs(Map<String, String> found) {
            return found.entrySet().stream()
                    .map(entry -> entry.getKey() + "=" + entry.getValue())
                    .collect(Collectors.joining(" "));
        }

        private void remove(int key) {
            String name = name(partition(key), key(key));
            Cell cell = lastSeen.get(name);
            if (cell != null) {
                carryOut(
                        "remove " + name + " " + of(cell),
                        store.partitions().remove(partition(key), key(key), cell),
                        String::valueOf);
            }
        }

        private void drop(int partition) {
            if (!watches.get(partition).tryLock()) {
                return; // One watch of a partition at a time.
            }
            long watch = ids.incrementAndGet();
            record.begun(watch, "watch " + partition);
            try (PartitionDrops.Watch watched = store.drops().watch(partition)) {
                record.ended(watch, "");
                if (random.nextBoolean()) {
                    read(partition);
                }
                carryOut(
                        "drop " + partition + " " + watch,
                        watched.drop(BooleanSupplier::getAsBoolean),
                        String::valueOf);
            } finally {
                watches.get(partition).unlock();
            }
        }

        private void putHint(int member) {
            Cell cell = cell(0);
            carryOut(
                    "put " + MEMBERS.get(member) + " " + of(cell),
                    store.hints().put(MEMBERS.get(member), key(0), cell),
                    String::valueOf);
        }

        private void hints(int member) {
            carryOut(
                    "page " + MEMBERS.get(member),
                    store.hints().page(MEMBERS.get(member), 0, Integer.MAX_VALUE, Long.MAX_VALUE),
                    page -> told(member, page));
        }

        private String told(int member, @Nullable HintPage page) {
            if (page == null) {
                return "none";
            }
            if (member == 0) {
                page.hints().forEach(hint -> waiting.putIfAbsent(hint.sequence(), hint));
            }
            return page.damaged() + " "
                    + page.hints().stream()
                            .map(hint -> hint.sequence() + ":" + of(hint.cell()))
                            .collect(Collectors.joining(" "));
        }

        /** Each once. */
        private void removeHints() {
            List<StoredHint> own = new ArrayList<>();
            for (StoredHint hint : waiting.values()) {
                if (own.size() < HINTS_AT_ONCE && claimed.add(hint.sequence())) {
                    own.add(hint);
                }
            }
            if (!own.isEmpty()) {
                String cells = own.stream().map(hint -> of(hint.cell())).collect(Collectors.joining(" "));
                carryOut(
                        "unhint " + MEMBERS.getFirst() + " " + cells,
                        store.hints().remove(MEMBERS.getFirst(), own),
                        done -> "");
            }
        }

        private void note(int number) {
            byte[] note = row();
            carryOut(
                    "note " + NOTES.get(number) + " " + of(note),
                    store.notes().note(NOTES.get(number), note),
                    done -> "");
        }

        private void noted(int number) {
            carryOut("noted " + NOTES.get(number), store.notes().note(NOTES.get(number)), LifeCallers::of);
        }

        /** A flush of one column family, or a compaction, as comes sooner or later by itself. */
        private void rearrange() {
            database.use(() -> {
                List<ColumnFamilyHandle> families =
                        List.of(database.cells(), database.notes(), database.hints(), database.registers());
                ColumnFamilyHandle family = families.get(random.nextInt(families.size()));
                try (FlushOptions flush = new FlushOptions()) {
                    if (random.nextInt(3) > 0) {
                        database.db().flush(flush, family);
                    } else {
                        database.db().compactRange(family);
                    }
                    record.tell("rearranged");
                } catch (RocksDBException e) {
                    record.tell("unarranged " + LifeRecord.inWords(e));
                }
            });
        }
    }
}
