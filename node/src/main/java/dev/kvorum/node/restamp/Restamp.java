package dev.kvorum.node.restamp;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.consensus.RowVersions;
import dev.kvorum.node.storage.rocks.StoppedStore;
import dev.kvorum.node.storage.rocks.StoppedStore.Rewriting;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Moves versions in the data directory of a node that is stopped: of cells, of hints, of the rows of registers, and of the node's own clock.
 *
 * <p>Done with the same two times on all members while all are stopped, it replaces each version in the cluster by another one, equal ones by equal ones, in an order that stays the same. All that members
 * do with versions is to compare them. So nothing that was acknowledged is hidden, nothing older comes back, and rounds of consensus go on as they were. On a part of the members it would be wrong: what the
 * others still have of the future wins over all that is written from then on.
 *
 * <p>All methods block. One thread.
 */
public final class Restamp implements AutoCloseable {
    private final StoppedStore store;

    private Restamp(StoppedStore store) {
        this.store = store;
    }

    /** Of the store of a node that is stopped, which it closes in the end. */
    public static Restamp of(StoppedStore store) {
        return new Restamp(store);
    }

    /** What there is of versions from that time on, in milliseconds since 1970. Changes nothing. */
    public Census look(long fromMillis) {
        Census census = new Census(fromMillis);
        store.look(new Moving(new Shift(fromMillis, fromMillis), census));
        return census;
    }

    /** What was begun here and ended early, in the words of the command: no node starts before it was run again. */
    public Optional<String> unfinished() {
        return store.unfinished();
    }

    /** What was done here since the data directory is there, in the words of the commands, the first one first. */
    public List<String> finished() {
        return store.finished();
    }

    /**
     * Moves the versions from one time on to another, each of them once. Ended in between, no node starts on the directory until the same was begun again, which goes on behind what was moved. Done to its
     * end, it is refused from then on.
     *
     * @param fromMillis in milliseconds since 1970
     * @param toMillis where a version of that very time comes to; above all versions before it, and before it
     * @return what was moved by this call; an objection, and nothing has changed, if the order of versions would not stay the same
     */
    public Outcome move(long fromMillis, long toMillis) {
        String what = "restamp --from=" + Instant.ofEpochMilli(fromMillis) + " --to=" + Instant.ofEpochMilli(toMillis);
        Optional<String> unfinished = store.unfinished();
        if (unfinished.isPresent() && !unfinished.get().equals(what)) {
            return new Refused("\"" + unfinished.get() + "\" was begun here and ended early: finish that first");
        }
        if (store.finished().contains(what)) {
            return new Refused("\"" + what + "\" was done here already, and would move versions twice");
        }
        if (toMillis >= fromMillis) {
            return new Refused("--to must be before --from: versions are moved back");
        }
        if (unfinished.isEmpty()) {
            Census present = look(fromMillis);
            if (present.newestBefore() >= toMillis) {
                return new Refused("this directory has a version of " + Instant.ofEpochMilli(present.newestBefore())
                        + " that is not moved, and --to must be behind all of those");
            }
            store.begin(what);
        }
        Census moved = go(new Shift(fromMillis, toMillis));
        store.finish();
        return new Moved(moved, unfinished.isPresent());
    }

    /** What came of it. */
    public sealed interface Outcome {}

    /**
     * All that the census counts was moved.
     *
     * @param wasBegun whether an earlier call had moved a part before, which the census does not count
     */
    public record Moved(Census census, boolean wasBegun) implements Outcome {}

    /** @param reason in words; nothing has changed */
    public record Refused(String reason) implements Outcome {}

    /** Whatever the order of versions is afterwards. Goes on where an unfinished one has ended. */
    Census go(Shift shift) {
        Census census = new Census(shift.fromMillis());
        store.rewrite(new Moving(shift, census));
        return census;
    }

    record Moving(Shift shift, Census census) implements Rewriting {
        @Override
        public Cell cell(Key key, Cell cell) {
            census.cell(key, cell.version());
            return moved(key, cell);
        }

        @Override
        public Cell hint(Key key, Cell cell) {
            census.hint(cell.version());
            return moved(key, cell);
        }

        private Cell moved(Key key, Cell cell) {
            return shift.moves(cell.version()) ? cell.anew(key, shift.of(cell.version()), cell.copies()) : cell;
        }

        @Override
        public byte[] row(Key key, byte[] row) {
            boolean[] isAhead = new boolean[1];
            byte[] moved = RowVersions.replaced(key, row, version -> {
                isAhead[0] |= !version.equals(Version.NONE) && census.see(version.millis());
                return shift.of(version);
            });
            census.row(isAhead[0]);
            return moved;
        }

        @Override
        public long time(long hybridTime) {
            census.clock(hybridTime >>> Version.COUNTER_BITS);
            return shift.of(hybridTime);
        }

        @Override
        public void damaged() {
            census.foundDamaged();
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
