package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.MessageReader;
import dev.kvorum.node.replica.MessageWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The calls between voters as they go over the wire, behind the epoch, for both ends; {@code docs/peer-protocol.md} describes them. */
final class RegisterProtocol {
    /** What a call is about. */
    record Call<T>(Key key, T about) {}

    private RegisterProtocol() {}

    static MessageWriter put(MessageWriter out, Proposal proposal) {
        out.putVersion(proposal.ballot())
                .putVersion(proposal.version())
                .putByte(proposal.lineage().size());
        proposal.lineage().forEach(out::putVersion);
        return out.putCell(proposal.cell());
    }

    static Proposal proposal(MessageReader in) {
        Version ballot = in.version();
        Version version = in.version();
        int ancestors = in.unsignedByte();
        if (ancestors > Proposal.LINEAGE_MAX) {
            throw new MalformedCallException(ancestors + " versions before it are more than " + Proposal.LINEAGE_MAX);
        }
        List<Version> lineage = new ArrayList<>(ancestors);
        for (int i = 0; i < ancestors; i++) {
            lineage.add(in.version());
        }
        Cell cell = in.calledCellOrNone();
        if (cell != null && !cell.version().equals(version)) {
            throw new MalformedCallException("the cell has version " + cell.version() + ", not " + version);
        }
        return new Proposal(ballot, version, cell, lineage);
    }

    /** @param counts whether a majority is made of the answers */
    static byte[] encodeQuery(Key key, boolean counts) {
        return new MessageWriter().putKey(key).putFlag(counts).toBytes();
    }

    /** About whether the answer counts. */
    static Call<Boolean> decodeQuery(byte[] body) {
        return MessageReader.read(body, in -> new Call<>(in.key(), in.flag()));
    }

    static byte[] encodePrepare(Key key, Version ballot, boolean settles) {
        return new MessageWriter()
                .putKey(key)
                .putVersion(ballot)
                .putFlag(settles)
                .toBytes();
    }

    /** A round that begins; {@code settles} if it only finishes what is open. */
    record Beginning(Version ballot, boolean settles) {}

    static Call<Beginning> decodePrepare(byte[] body) {
        return MessageReader.read(body, in -> new Call<>(in.key(), new Beginning(ballot(in), in.flag())));
    }

    static byte[] encodeAccept(Key key, Proposal proposal) {
        return put(new MessageWriter().putKey(key), proposal).toBytes();
    }

    static Call<Proposal> decodeAccept(byte[] body) {
        return MessageReader.read(body, in -> {
            Key key = in.key();
            return new Call<>(key, requireBallot(requireIntact(proposal(in), key)));
        });
    }

    static byte[] encodeCommit(Key key, Cell cell) {
        return new MessageWriter().putKey(key).putCell(cell).toBytes();
    }

    static Call<Cell> decodeCommit(byte[] body) {
        return MessageReader.read(body, in -> {
            Key key = in.key();
            Cell cell = in.calledCellOrNone();
            if (cell == null) {
                throw new MalformedCallException("there is no cell to commit");
            }
            return new Call<>(key, cell.requireIntact(key));
        });
    }

    private static Proposal requireIntact(Proposal proposal, Key key) {
        Cell cell = proposal.cell();
        if (cell != null) {
            var _ = cell.requireIntact(key);
        }
        return proposal;
    }

    private static Version ballot(MessageReader in) {
        return requirePositive(in.version());
    }

    private static Proposal requireBallot(Proposal proposal) {
        var _ = requirePositive(proposal.ballot());
        return proposal;
    }

    private static Version requirePositive(Version ballot) {
        if (ballot.hybridTime() <= 0) {
            throw new MalformedCallException("ballot " + ballot + " is not positive");
        }
        return ballot;
    }

    /** A vote that is no failure: those have statuses of their own. */
    static byte[] encode(Vote vote) {
        MessageWriter out = new MessageWriter();
        return switch (vote) {
            case Vote.Promised promised -> put(out.putFlag(true), promised).toBytes();
            case Vote.Outbid outbid ->
                out.putFlag(false).putVersion(outbid.promised()).toBytes();
            case Vote.Done done -> out.putFlag(true).toBytes();
            case Vote.Answered answered ->
                out.putFlag(true).putCell(answered.newest()).toBytes();
            case Vote.Failed failed -> throw new IllegalArgumentException(failed + " has a status of its own");
        };
    }

    private static MessageWriter put(MessageWriter out, Vote.Promised promised) {
        Proposal accepted = promised.accepted();
        out.putCell(promised.newest()).putFlag(accepted != null);
        return accepted == null ? out : put(out, accepted);
    }

    static Vote decodePromise(String member, Key key, byte[] body) {
        return vote(member, body, in -> {
            Cell newest = in.calledCellOrNone(); // Its head, which has a checksum of more than that.
            return new Vote.Promised(member, in.flag() ? requireIntact(proposal(in), key) : null, newest);
        });
    }

    static Vote decodeDone(String member, byte[] body) {
        return vote(member, body, in -> new Vote.Done(member));
    }

    static Vote decodeAnswer(String member, Key key, byte[] body) {
        return vote(member, body, in -> {
            Cell newest = in.calledCellOrNone();
            return new Vote.Answered(member, newest == null ? null : newest.requireIntact(key));
        });
    }

    private static Vote vote(String member, byte[] body, Function<MessageReader, Vote> yes) {
        return MessageReader.read(body, in -> in.flag() ? yes.apply(in) : new Vote.Outbid(member, in.version()));
    }
}
