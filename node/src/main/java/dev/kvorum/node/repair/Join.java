package dev.kvorum.node.repair;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.copy.CellHash;
import dev.kvorum.node.copy.KeyedCell;
import dev.kvorum.node.copy.Listed;
import dev.kvorum.node.copy.Page;
import dev.kvorum.node.copy.Scope;
import dev.kvorum.node.copy.Shape;
import dev.kvorum.node.copy.Strays;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.node.storage.CellVisitor;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes through what this node holds and what another has listed side by side, both in the order of keys, and says which cells each of them needs.
 *
 * <table>
 *   <caption>Who gets a cell</caption>
 *   <tr><th>here</th><th>there</th><th></th></tr>
 *   <tr><td>one that counts, or a stray that is owed there</td><td>none</td><td>pushed</td></tr>
 *   <tr><td>none</td><td>one that counts, or a stray that is owed here</td><td>pulled</td></tr>
 *   <tr><td>newer</td><td>older</td><td>pushed if either of them counts or is a stray</td></tr>
 *   <tr><td>older</td><td>newer</td><td>pulled if either of them counts or is a stray</td></tr>
 *   <tr><td>does not count</td><td>none, or one that does not count</td><td>nothing</td></tr>
 * </table>
 *
 * <p>So a key is not spread to a member that does not hold it and need not. But one that holds it and should not have it any more gets to know of
 * it: a key that three members hold and that was deleted on one of them only, because the deletion asked for no more, would else differ for ever.
 *
 * <p>A version that may still be on its way goes nowhere. Neither does, where both are to be the same in the end, one that is further ahead than clocks may be: every member would
 * refuse it, and nothing else of the partition would be compared before its time has come.
 */
final class Join implements CellVisitor {
    private final Scope scope;
    private final Strays strays;
    private final Shape shape;
    private final BitSet leaves;
    private final CellHash hash;
    private final Way way;
    private final long aheadFrom;
    private final List<Key> wanted = new ArrayList<>();
    private final List<KeyedCell> offered = new ArrayList<>();
    private List<Listed> listed = List.of();
    private int at;
    private long offeredBytes;
    private long lacked = Long.MAX_VALUE;
    private boolean ahead;
    private boolean unseen;

    /** Who gets what it lacks. */
    enum Way {
        BOTH,
        PULL,
        PUSH
    }

    /** @param aheadFrom versions from that millisecond since 1970 on are too far ahead */
    Join(Scope scope, Strays strays, Shape shape, BitSet leaves, Way way, long aheadFrom) {
        this.scope = scope;
        this.strays = strays;
        this.shape = shape;
        this.leaves = leaves;
        this.hash = new CellHash(shape.seed());
        this.way = way;
        this.aheadFrom = aheadFrom;
    }

    /** What the other holds of the next stretch. */
    void list(List<Listed> next) {
        listed = next;
        at = 0;
    }

    @Override
    public boolean visit(Key key, Cell mine) {
        wantThoseBefore(key);
        @Nullable Listed theirs = null;
        if (at < listed.size() && listed.get(at).key().equals(key)) {
            theirs = listed.get(at++);
        }
        if (leaves.get(CellHash.leafOf(key, shape.leaves()))) {
            decide(key, mine, theirs);
        }
        return offeredBytes < PeerProtocol.PAGE_BYTES;
    }

    private void wantThoseBefore(Key key) {
        while (at < listed.size() && Page.order(listed.get(at).key(), key) < 0) {
            meet(listed.get(at++));
        }
    }

    /** This node holds nothing behind the last it has visited. */
    void endOfStretch() {
        while (at < listed.size()) {
            meet(listed.get(at++));
        }
    }

    private void meet(Listed theirs) {
        if (scope.counts(theirs) || strays.areThereForHere(scope, theirs)) {
            want(theirs);
        } else {
            unseen |= strays.areThere(scope, theirs);
        }
    }

    private void decide(Key key, Cell mine, @Nullable Listed theirs) {
        if (theirs == null) {
            if (scope.counts(mine) || strays.areHereForThere(scope, mine)) {
                offer(key, mine);
            }
            return;
        }
        int order = mine.version().compareTo(theirs.version());
        boolean same = order == 0 && hash.check(key, mine) == theirs.check();
        if (same || !(counts(mine) || counts(theirs))) {
            return;
        }
        if (order >= 0 && scope.isSettled(mine.version())) {
            offer(key, mine);
        }
        if (order <= 0 && scope.isSettled(theirs.version())) {
            want(theirs);
        }
    }

    private boolean counts(Cell mine) {
        return scope.counts(mine) || strays.areHere(scope, mine);
    }

    private boolean counts(Listed theirs) {
        return scope.counts(theirs) || strays.areThere(scope, theirs);
    }

    private void want(Listed theirs) {
        if (isRefused(theirs.version())) {
            ahead = true;
        } else if (way != Way.PUSH) {
            wanted.add(theirs.key());
            lacked = Math.min(lacked, theirs.endMillis());
        }
    }

    private void offer(Key key, Cell mine) {
        if (isRefused(mine.version())) {
            ahead = true;
        } else if (way != Way.PULL) {
            KeyedCell item = new KeyedCell(key, mine);
            offered.add(item);
            offeredBytes += item.bytes();
            lacked = Math.min(lacked, mine.endMillis());
        }
    }

    /** Where one side must get all, that it can't is an error. */
    private boolean isRefused(Version version) {
        return way == Way.BOTH && version.millis() >= aheadFrom;
    }

    /** The keys that this node needs since the last time it was asked. */
    List<Key> takeWanted() {
        List<Key> taken = List.copyOf(wanted);
        wanted.clear();
        return taken;
    }

    /** The cells that the other needs since the last time it was asked. */
    List<KeyedCell> takeOffered() {
        List<KeyedCell> taken = List.copyOf(offered);
        offered.clear();
        offeredBytes = 0;
        return taken;
    }

    /** When the first of all these had ended, or ends, in milliseconds since 1970; {@link Long#MAX_VALUE} if none does. */
    long lacked() {
        return lacked;
    }

    /** Whether either side was left without something whose version is too far ahead. */
    boolean hasAhead() {
        return ahead;
    }

    /** Whether the other holds something that this node neither holds nor owes: a third may know that it has been deleted. */
    boolean hasUnseen() {
        return unseen;
    }
}
