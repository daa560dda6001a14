package dev.kvorum.simulation.disk;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.storage.LostDataException;
import dev.kvorum.node.storage.MemberDirectory.Alive;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.Wholeness;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.Timeline;
import dev.kvorum.topology.Topology;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one machine keeps. All changes go into a log, in batches that are there as a whole or not at all. What is in the log outlives the
 * process; the machine only what was brought to the disk: when it fails, any number of the last batches that were not is gone.
 */
public final class SimulatedDisk {
    /** How likely a batch that was reported as failed is in the log all the same, and shows at the next start. */
    private static final double SURFACING = 0.2;

    private static final int LOGGED_MAX = 4096; // Of some hundred in a second.

    /** How many of the batches that were brought to the disk last are still in the log. */
    private static final int RECENT_MAX = 512;

    private final Timeline timeline;
    private final Chance chance;
    private final DiskWeather weather;
    private final List<DiskFault> faults = new ArrayList<>(1);
    private final Map<String, NavigableMap<byte[], byte[]>> visible = new HashMap<>();
    private final Map<String, NavigableMap<byte[], byte[]>> durable = new HashMap<>();
    private final Map<String, NavigableMap<byte[], byte[]>> earlier = new HashMap<>(); // Durable, without the recent.
    private final Deque<Batch> recent = new ArrayDeque<>(); // Brought to the disk last.
    private final Deque<Batch> tail = new ArrayDeque<>();
    private final Deque<Batch> log = new ArrayDeque<>(); // The last ones, whether they are on the disk or not.
    private DiskFault fault = DiskFault.all(faults);
    private long appended;
    private @Nullable Topology topology;
    private @Nullable Alive alive;
    private @Nullable Stamp stamp;
    private @Nullable String witnessed;
    private long starts;
    private long tenure;
    private int stamps;
    private @Nullable Image image;
    private @Nullable Running running;
    private long boots;
    private boolean hasLost;
    private boolean isDamaged;
    private long marked; // How far syncs have said that the log is on the disk.
    private boolean isHidden; // Something in the log is not visible yet.

    /**
     * Whose it is, as the stamp of a data directory.
     *
     * @param incarnation tells it from what the same member held before
     * @param created when, by the machine's wall clock
     * @param rebuilding when what it had held was set aside; 0 if it never was
     * @param incomplete before when the last of what it holds may be missing; 0 if nothing is
     */
    public record Stamp(UUID incarnation, long created, long rebuilding, long incomplete) {
        /** That of the first disk of a member, and of those that follow. */
        public static UUID incarnation(String member, int number) {
            return new UUID(member.hashCode(), number);
        }
    }

    /**
     * A note that a node runs here.
     *
     * @param boot of the machine
     * @param syncsEachWrite whether all that it acknowledges is on the disk
     */
    private record Running(long boot, boolean syncsEachWrite) {}

    /** @param number follows that of the batch before it; those of batches that were lost are given again */
    record Batch(long number, long at, List<Change> changes) {}

    public SimulatedDisk(Timeline timeline, Chance chance, DiskWeather weather) {
        this.timeline = timeline;
        this.chance = chance;
        this.weather = weather;
    }

    public void begin(DiskFault begun) {
        faults.add(begun);
        fault = DiskFault.all(faults);
    }

    public void end(DiskFault ended) {
        faults.remove(ended);
        fault = DiskFault.all(faults);
    }

    /** How long the next commit takes. */
    long commitNanos() {
        return weather.commit(chance) + delay();
    }

    long syncNanos() {
        return weather.sync(chance) + delay();
    }

    long readNanos() {
        return weather.read(chance) + delay();
    }

    private long delay() {
        return fault.delayMax() > 0 ? chance.from(0, fault.delayMax()) : 0;
    }

    boolean isInMemory() {
        return chance.is(weather.inMemory());
    }

    /** How many of so many entries, at least one, one look at the disk brings. */
    int someOf(int entriesMax) {
        return (int) chance.spread(1, entriesMax);
    }

    boolean failsRead() {
        return chance.is(fault.failedReads());
    }

    /**
     * Appends a batch to the log.
     *
     * @return false if that failed; the batch may be in the log all the same
     */
    boolean append(List<Change> changes) {
        if (chance.is(fault.failedWrites())) {
            if (chance.is(SURFACING)) {
                log(changes);
                isHidden = true;
            }
            return false;
        }
        log(changes);
        apply(changes, visible);
        return true;
    }

    private void log(List<Change> changes) {
        appended++;
        Batch batch = new Batch(appended, timeline.now(), changes);
        tail.add(batch);
        log.add(batch);
        if (log.size() > LOGGED_MAX) {
            log.removeFirst();
        }
    }

    /** The last batches, the oldest first. */
    Iterable<Batch> log() {
        return log;
    }

    private static void apply(List<Change> changes, Map<String, NavigableMap<byte[], byte[]>> families) {
        for (Change change : changes) {
            change.applyTo(families.computeIfAbsent(change.family(), SimulatedDisk::family));
        }
    }

    private static NavigableMap<byte[], byte[]> family(String name) {
        return new TreeMap<>(Arrays::compareUnsigned);
    }

    /** Whether the log is on the disk as far as {@link #end} said. */
    public boolean isOnDisk(long end) {
        return tail.isEmpty() || tail.getFirst().number > end;
    }

    /** How far the log goes now. */
    public long end() {
        return appended;
    }

    /** Brings the log to the disk, as far as {@link #end} said. */
    void sync(long end) {
        marked = Math.max(marked, Math.min(end, appended));
        if (!fault.lies()) {
            bring(end);
        }
    }

    /** Brings all to the disk that it has said to be there. */
    public void tellTruth() {
        bring(marked);
    }

    private void bring(long end) {
        while (!tail.isEmpty() && tail.getFirst().number <= end) {
            Batch brought = tail.removeFirst();
            apply(brought.changes, durable);
            recent.add(brought);
            if (recent.size() > RECENT_MAX) {
                apply(recent.removeFirst().changes, earlier);
            }
        }
    }

    /**
     * The log is damaged in the middle: what was behind that is gone, though it was brought to the disk. No process must run.
     *
     * @param how much of what was brought last is lost, from 0 to 1
     * @return whether there was anything
     */
    public boolean damageLog(double how) {
        if (recent.isEmpty()) {
            return false;
        }
        tail.clear();
        int kept = (int) ((1 - how) * recent.size());
        while (recent.size() > kept) {
            appended = recent.removeLast().number - 1;
        }
        durable.clear();
        earlier.forEach((name, family) -> durable.put(name, new TreeMap<>(family)));
        recent.forEach(batch -> apply(batch.changes, durable));
        hasLost = true;
        rebuild();
        return true;
    }

    /** A file of the database is gone. No process must run. */
    public void loseFile() {
        isDamaged = true;
        hasLost = true;
    }

    /**
     * What was to be written in the place of one cell is written over another.
     *
     * @param which cell, from 0 to 1 of all, has what is that of the next one
     * @return whether there were two
     */
    public boolean misdirect(double which) {
        List<Map.Entry<byte[], byte[]>> cells =
                List.copyOf(held(SimulatedStore.CELLS).entrySet());
        if (cells.size() < 2) {
            return false;
        }
        int hit = (int) (which * cells.size());
        overwrite(cells.get(hit).getKey(), cells.get((hit + 1) % cells.size()).getValue());
        return true;
    }

    private void overwrite(byte[] key, byte[] bytes) {
        for (Map<String, NavigableMap<byte[], byte[]>> families : List.of(visible, durable, earlier)) {
            families.computeIfAbsent(SimulatedStore.CELLS, SimulatedDisk::family)
                    .put(key, bytes);
        }
    }

    /** Nothing is on it any more, and what it says of itself is true. */
    private void clear() {
        log.clear();
        tail.clear();
        recent.clear();
        durable.clear();
        earlier.clear();
        marked = appended;
        hasLost = false;
        isDamaged = false;
    }

    /** A process opens it: all that is in the log shows. */
    void open() {
        if (isHidden) {
            isHidden = false;
            rebuild();
        }
    }

    /**
     * The machine fails, and has another boot id from now on: any number of the last batches is gone that were not brought to the disk.
     *
     * @return when the first of those was appended; empty if none is gone
     */
    public OptionalLong loseTail() {
        boots++;
        int kept = chance.from(0, tail.size());
        OptionalLong lostSince = tail.stream().skip(kept).mapToLong(Batch::at).findFirst();
        while (tail.size() > kept) {
            appended = tail.removeLast().number - 1;
        }
        log.removeIf(batch -> batch.number > appended);
        bring(appended);
        hasLost |= appended < marked;
        rebuild();
        return lostSince;
    }

    /**
     * A bit of a stored cell flips, and nothing notices.
     *
     * @param which cell, from 0 to 1 of all
     * @param where in it, from 0 to 1 of its bits
     * @return whether there was a cell
     */
    public boolean flip(double which, double where) {
        NavigableMap<byte[], byte[]> cells = visible.computeIfAbsent(SimulatedStore.CELLS, SimulatedDisk::family);
        if (cells.isEmpty()) {
            return false;
        }
        Map.Entry<byte[], byte[]> cell = List.copyOf(cells.entrySet()).get((int) (which * cells.size()));
        byte[] key = cell.getKey();
        byte[] bytes = cell.getValue().clone();
        int bit = (int) (where * 8 * bytes.length);
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
        overwrite(key, bytes);
        return true;
    }

    /** Whether a cell is not what it was when it was stored. */
    public boolean isRotten() {
        return held(SimulatedStore.CELLS).entrySet().stream()
                .anyMatch(cell -> !isIntact(StorageKey.keyOf(cell.getKey()), cell.getValue()));
    }

    private static boolean isIntact(Key key, byte[] bytes) {
        try {
            var _ = Cell.decode(bytes).requireIntact(key);
            return true;
        } catch (MalformedCellException e) {
            return false;
        }
    }

    /** What a copy of a whole disk holds. */
    private record Image(
            Map<String, NavigableMap<byte[], byte[]>> cells,
            long appended,
            @Nullable Topology topology,
            @Nullable Alive alive,
            @Nullable Stamp stamp,
            @Nullable String witnessed,
            @Nullable Running running,
            long starts,
            long tenure) {}

    /** Somebody makes a copy of all that is on the disk, in place of the last one. */
    public void copy() {
        Map<String, NavigableMap<byte[], byte[]>> cells = new HashMap<>();
        durable.forEach((name, family) -> cells.put(name, new TreeMap<>(family)));
        image = new Image(cells, brought(), topology, alive, stamp, witnessed, running, starts, tenure);
    }

    /**
     * The copy is put back: all is as it was then.
     *
     * @return whether there was a copy of what the same member holds now
     */
    public boolean putBack() {
        Image copied = image;
        image = null;
        if (copied == null || stamp == null || !stamp.equals(copied.stamp)) {
            return false;
        }
        clear();
        durable.putAll(copied.cells);
        copied.cells.forEach((name, family) -> earlier.put(name, new TreeMap<>(family)));
        appended = copied.appended;
        marked = copied.appended;
        running = copied.running;
        topology = copied.topology;
        alive = copied.alive;
        witnessed = copied.witnessed;
        starts = copied.starts;
        tenure = copied.tenure;
        hasLost = true;
        rebuild();
        return true;
    }

    /** Counts a start: no two have the same number, also where a copy was put back between them. */
    long countStart(long life) {
        starts = Math.max(starts + 1, life);
        return starts;
    }

    /** How many batches were brought to the disk, as far as syncs have said. */
    public long brought() {
        return Math.max(marked, tail.isEmpty() ? appended : tail.getFirst().number - 1);
    }

    /**
     * Looks whether all is there that is known to have been on it.
     *
     * @param remembered how many batches others remember; 0 if none does
     */
    void requireWhole(long remembered) {
        if (isDamaged) {
            throw new LostDataException("a file of the simulated disk is gone");
        }
        Wholeness.requireSynced("the simulated disk", appended, marked, "Wait for the others.");
        Wholeness.requireRemembered("the simulated disk", brought(), remembered);
    }

    Optional<String> witnessed() {
        return Optional.ofNullable(witnessed);
    }

    void noteWitnessed(String note) {
        witnessed = note;
    }

    long tenure() {
        return tenure;
    }

    void noteTenure(long epoch) {
        tenure = epoch;
    }

    /** All is gone. */
    public void wipe() {
        clear();
        topology = null;
        alive = null;
        stamp = null;
        witnessed = null;
        starts = 0;
        tenure = 0;
        running = null;
        rebuild();
    }

    /** Whether something is gone that a sync had said to be on the disk; until what is left is set aside. */
    public boolean hasLost() {
        return hasLost;
    }

    /** Whether the machine has failed since a node ran here, which acknowledged writes before they were on the disk. */
    boolean wasCutOff() {
        Running noted = running;
        return noted != null && !noted.syncsEachWrite && noted.boot != boots;
    }

    void noteRunning(boolean syncsEachWrite) {
        running = new Running(boots, syncsEachWrite);
    }

    /** Its node has ended in order, and all was brought to the disk. */
    void noteEnded() {
        running = null;
    }

    /** What it holds counts as incomplete from now on. */
    Stamp becomeIncomplete(Stamp of, long wallMillis) {
        long since = Math.max(wallMillis, Math.max(of.rebuilding(), of.incomplete()) + 1);
        Stamp incomplete = new Stamp(of.incarnation(), of.created(), of.rebuilding(), since);
        stamp = incomplete;
        return incomplete;
    }

    /** A member takes it for its own: as it is stamped, or is stamped now. */
    public Stamp claim(String member, long wallMillis) {
        return stamp == null ? stamped(member, wallMillis, 0) : stamp;
    }

    /** What it holds is moved to where nobody uses it; it begins as an empty one, which remembers that. */
    public Stamp setAside(String member, long wallMillis) {
        clear();
        rebuild();
        return stamped(member, wallMillis, wallMillis);
    }

    /** The incarnation of the member that takes it for its own, now or at its next start. */
    public UUID incarnation(String member) {
        return stamp == null ? Stamp.incarnation(member, stamps) : stamp.incarnation();
    }

    private Stamp stamped(String member, long created, long rebuilding) {
        Stamp fresh = new Stamp(Stamp.incarnation(member, stamps), created, rebuilding, 0);
        stamp = fresh;
        stamps++;
        return fresh;
    }

    /** The last topology that was kept: a file of its own, that is on the disk at once. */
    public Optional<Topology> lastTopology() {
        return Optional.ofNullable(topology);
    }

    public void keepTopology(Topology kept) {
        topology = kept;
    }

    /** When the member was last alive: as the topology. */
    public Optional<Alive> lastAlive() {
        return Optional.ofNullable(alive);
    }

    public void noteAlive(Alive noted) {
        alive = noted;
    }

    private void rebuild() {
        visible.clear();
        durable.forEach((name, family) -> visible.put(name, new TreeMap<>(family)));
        tail.forEach(batch -> apply(batch.changes, visible));
    }

    /** What is held under that key. */
    Optional<byte[]> read(String family, byte[] key) {
        return Optional.ofNullable(held(family).get(key));
    }

    /** How many bytes of cells it holds, by partition. */
    public long[] cellBytes(int partitions) {
        long[] bytes = new long[partitions];
        held(SimulatedStore.CELLS).forEach((key, cell) -> bytes[StorageKey.partitionOf(key)] += cell.length);
        return bytes;
    }

    /** All that a family holds, in the order of the keys' bytes. A view. */
    public NavigableMap<byte[], byte[]> held(String family) {
        return Collections.unmodifiableNavigableMap(visible.computeIfAbsent(family, SimulatedDisk::family));
    }
}
