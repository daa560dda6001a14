package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.replica.MessageReader;
import dev.kvorum.node.replica.MessageWriter;
import dev.kvorum.node.storage.RegisterState;
import org.jspecify.annotations.Nullable;

/**
 * What an acceptor has promised and accepted of one register: its row on the disk.
 *
 * <pre>
 * bytes
 *    16  promised: no ballot below it is served
 *     8  epoch in which the proposal was accepted
 *     -  the proposal, as it goes over the wire; nothing where none was accepted
 * </pre>
 *
 * @param accepted the proposal of the greatest ballot that was accepted. It has its cell as long as this node's cells have neither that nor a newer
 *     one: {@linkplain #isOpen then} it is not known whether it was chosen
 */
record Acceptance(Version promised, long epoch, @Nullable Proposal accepted) {
    static final Acceptance NONE = new Acceptance(Version.NONE, 0, null);

    static Acceptance of(RegisterState state) {
        return state.row() == null ? NONE : decode(state.row());
    }

    static Acceptance decode(byte[] row) {
        return MessageReader.read(row, in -> {
            Version promised = in.version();
            long epoch = in.longNumber();
            return new Acceptance(promised, epoch, in.remaining() > 0 ? RegisterProtocol.proposal(in) : null);
        });
    }

    byte[] encode() {
        MessageWriter out = new MessageWriter().putVersion(promised).putLong(epoch);
        return (accepted == null ? out : RegisterProtocol.put(out, accepted)).toBytes();
    }

    Acceptance promise(Version ballot) {
        return new Acceptance(ballot, epoch, accepted);
    }

    /** Without the cell that its node has among its cells, or a newer one of. */
    Acceptance knowing(@Nullable Cell newest) {
        boolean isKnown =
                accepted != null && newest != null && !accepted.version().isAbove(newest.version());
        return isKnown ? closed() : this;
    }

    /** The promise alone. */
    Acceptance withoutProposal() {
        return new Acceptance(promised, epoch, null);
    }

    private Acceptance closed() {
        return accepted == null ? this : new Acceptance(promised, epoch, accepted.withoutCell());
    }

    /** Whether it is not known whether what was accepted was chosen. */
    boolean isOpen() {
        return accepted != null && accepted.cell() != null;
    }
}
