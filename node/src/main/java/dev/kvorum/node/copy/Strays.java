package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Cell;

/**
 * Cells that a member holds though it need not: those with no more copies than its rank. They are left where an owner learns of a newer cell of fewer copies,
 * and where a place was lost in a change of the members. They are compared: else a member that holds an old value never learns of its
 * deletion, and when that is dropped the value is the newest there is. And they go to whoever owes them and holds nothing: all owners may have lost
 * their disks, or have never been reached.
 *
 * @param here the rank of this member, from 0: the first owner of all has none
 * @param there that of the other
 */
public record Strays(int here, int there) {
    /** Looked at on neither side. */
    public static final Strays NONE = new Strays(0, 0);

    public boolean areHere(Scope scope, Cell cell) {
        return scope.isStray(here, cell.copies(), cell.version(), cell.endMillis());
    }

    public boolean areThere(Scope scope, Listed listed) {
        return scope.isStray(there, listed.copies(), listed.version(), listed.endMillis());
    }

    /** Whether it is one that the other owes. */
    public boolean areHereForThere(Scope scope, Cell cell) {
        return cell.copies() > there && areHere(scope, cell);
    }

    /** Whether it is one that this member owes. */
    public boolean areThereForHere(Scope scope, Listed listed) {
        return listed.copies() > here && areThere(scope, listed);
    }
}
