package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.replica.MalformedCallException;
import java.util.function.UnaryOperator;

/** The versions in the row of a register, for work on the data of a node that is stopped. */
public final class RowVersions {
    private RowVersions() {}

    /**
     * The row with other versions: of ballots, of what was accepted, and of all that it is built on. Rounds only compare them, so a row whose versions are replaced in an order that stays the same
     * says the same.
     *
     * @param versions is asked for each of them
     * @throws MalformedCellException if its cell is damaged, or it is no row
     */
    public static byte[] replaced(Key key, byte[] row, UnaryOperator<Version> versions) {
        Acceptance before = decoded(row);
        Proposal accepted = before.accepted();
        Version promised = versions.apply(before.promised());
        return new Acceptance(promised, before.epoch(), accepted == null ? null : replaced(key, accepted, versions))
                .encode();
    }

    private static Acceptance decoded(byte[] row) {
        try {
            return Acceptance.decode(row);
        } catch (MalformedCallException e) {
            throw new MalformedCellException("not the row of a register: " + e.getMessage());
        }
    }

    private static Proposal replaced(Key key, Proposal proposal, UnaryOperator<Version> versions) {
        Version version = versions.apply(proposal.version());
        Cell cell = proposal.cell();
        return new Proposal(
                versions.apply(proposal.ballot()),
                version,
                cell == null ? null : cell.requireIntact(key).anew(key, version, cell.copies()),
                proposal.lineage().stream().map(versions).toList());
    }
}
