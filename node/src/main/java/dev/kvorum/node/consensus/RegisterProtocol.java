package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.InvalidKeyException;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.replica.MalformedCallException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The calls between voters as they go over the wire, behind the epoch, for both ends; {@code docs/peer-protocol.md} describes them. */
final class RegisterProtocol {
    static final int VERSION_BYTES = 16;

    private static final int KEY_LENGTH_BYTES = 2;
    private static final int CELL_LENGTH_BYTES = 4;
    private static final byte NO = 0;
    private static final byte YES = 1;

    /** What a call is about. */
    record Call<T>(Key key, T about) {}

    private RegisterProtocol() {}

    static ByteBuffer put(ByteBuffer out, Version version) {
        return out.putLong(version.hybridTime()).putLong(version.author());
    }

    static Version version(ByteBuffer in) {
        return new Version(in.getLong(), in.getLong());
    }

    static int bytesOf(Proposal proposal) {
        return 2 * VERSION_BYTES + 1 + proposal.lineage().size() * VERSION_BYTES + bytesOf(proposal.cell());
    }

    private static int bytesOf(@Nullable Cell cell) {
        return CELL_LENGTH_BYTES + (cell == null ? 0 : cell.bytes().length);
    }

    static void put(ByteBuffer out, Proposal proposal) {
        put(put(out, proposal.ballot()), proposal.version())
                .put((byte) proposal.lineage().size());
        proposal.lineage().forEach(version -> put(out, version));
        put(out, proposal.cell());
    }

    static Proposal proposal(ByteBuffer in) {
        Version ballot = version(in);
        Version version = version(in);
        int ancestors = Byte.toUnsignedInt(in.get());
        if (ancestors > Proposal.LINEAGE_MAX) {
            throw new MalformedCallException(ancestors + " versions before it are more than " + Proposal.LINEAGE_MAX);
        }
        List<Version> lineage = new ArrayList<>(ancestors);
        for (int i = 0; i < ancestors; i++) {
            lineage.add(version(in));
        }
        Cell cell = cell(in);
        if (cell != null && !cell.version().equals(version)) {
            throw new MalformedCallException("the cell has version " + cell.version() + ", not " + version);
        }
        return new Proposal(ballot, version, cell, lineage);
    }

    private static void put(ByteBuffer out, @Nullable Cell cell) {
        if (cell == null) {
            out.putInt(0);
        } else {
            out.putInt(cell.bytes().length).put(cell.bytes());
        }
    }

    private static @Nullable Cell cell(ByteBuffer in) {
        int length = in.getInt();
        return length == 0 ? null : Cell.decodeCalled(take(in, length));
    }

    private static byte[] take(ByteBuffer in, int length) {
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private static int bytesOf(Key key) {
        return KEY_LENGTH_BYTES + key.utf8().length;
    }

    private static ByteBuffer put(ByteBuffer out, Key key) {
        return out.putShort((short) key.utf8().length).put(key.utf8());
    }

    static byte[] encodeQuery(Key key) {
        ByteBuffer out = ByteBuffer.allocate(bytesOf(key));
        put(out, key);
        return out.array();
    }

    static Key decodeQuery(byte[] body) {
        return read(body, RegisterProtocol::key);
    }

    static byte[] encodePrepare(Key key, Version ballot, boolean settles) {
        ByteBuffer out = ByteBuffer.allocate(bytesOf(key) + VERSION_BYTES + 1);
        put(put(out, key), ballot).put(settles ? YES : NO);
        return out.array();
    }

    /** A round that begins; {@code settles} if it only finishes what is open. */
    record Beginning(Version ballot, boolean settles) {}

    static Call<Beginning> decodePrepare(byte[] body) {
        return read(body, in -> new Call<>(key(in), new Beginning(ballot(in), in.get() != NO)));
    }

    static byte[] encodeAccept(Key key, Proposal proposal) {
        ByteBuffer out = ByteBuffer.allocate(bytesOf(key) + bytesOf(proposal));
        put(put(out, key), proposal);
        return out.array();
    }

    static Call<Proposal> decodeAccept(byte[] body) {
        return read(body, in -> new Call<>(key(in), requireBallot(proposal(in))));
    }

    static byte[] encodeCommit(Key key, Cell cell) {
        ByteBuffer out = ByteBuffer.allocate(bytesOf(key) + bytesOf(cell));
        put(put(out, key), cell);
        return out.array();
    }

    static Call<Cell> decodeCommit(byte[] body) {
        return read(body, in -> {
            Key key = key(in);
            Cell cell = cell(in);
            if (cell == null) {
                throw new MalformedCallException("there is no cell to commit");
            }
            return new Call<>(key, cell);
        });
    }

    private static Key key(ByteBuffer in) {
        return Key.ofUtf8(take(in, Short.toUnsignedInt(in.getShort())));
    }

    private static Version ballot(ByteBuffer in) {
        Version ballot = version(in);
        if (ballot.hybridTime() <= 0) {
            throw new MalformedCallException("ballot " + ballot + " is not positive");
        }
        return ballot;
    }

    private static Proposal requireBallot(Proposal proposal) {
        if (proposal.ballot().hybridTime() <= 0) {
            throw new MalformedCallException("ballot " + proposal.ballot() + " is not positive");
        }
        return proposal;
    }

    /** A vote that is no failure: those have statuses of their own. */
    static byte[] encode(Vote vote) {
        return switch (vote) {
            case Vote.Promised promised -> encode(promised);
            case Vote.Outbid outbid -> {
                ByteBuffer out = ByteBuffer.allocate(1 + VERSION_BYTES).put(NO);
                put(out, outbid.promised());
                yield out.array();
            }
            case Vote.Done done -> new byte[] {YES};
            case Vote.Answered answered -> {
                ByteBuffer out =
                        ByteBuffer.allocate(1 + bytesOf(answered.newest())).put(YES);
                put(out, answered.newest());
                yield out.array();
            }
            case Vote.Failed failed -> throw new IllegalArgumentException(failed + " has a status of its own");
        };
    }

    private static byte[] encode(Vote.Promised promised) {
        Proposal accepted = promised.accepted();
        ByteBuffer out = ByteBuffer.allocate(
                        2 + bytesOf(promised.newest()) + (accepted == null ? 0 : bytesOf(accepted)))
                .put(YES);
        put(out, promised.newest());
        out.put(accepted == null ? NO : YES);
        if (accepted != null) {
            put(out, accepted);
        }
        return out.array();
    }

    static Vote decodePromise(String member, byte[] body) {
        return vote(member, body, in -> {
            Cell newest = cell(in);
            return new Vote.Promised(member, in.get() == NO ? null : proposal(in), newest);
        });
    }

    static Vote decodeDone(String member, byte[] body) {
        return vote(member, body, in -> new Vote.Done(member));
    }

    static Vote decodeAnswer(String member, byte[] body) {
        return vote(member, body, in -> new Vote.Answered(member, cell(in)));
    }

    private static Vote vote(String member, byte[] body, Function<ByteBuffer, Vote> yes) {
        return read(body, in -> in.get() == NO ? new Vote.Outbid(member, version(in)) : yes.apply(in));
    }

    private static <T> T read(byte[] body, Function<ByteBuffer, T> decode) {
        ByteBuffer in = ByteBuffer.wrap(body);
        T read;
        try {
            read = decode.apply(in);
        } catch (BufferUnderflowException e) {
            throw new MalformedCallException("it ends too early");
        } catch (InvalidKeyException | MalformedCellException e) {
            throw new MalformedCallException(String.valueOf(e.getMessage()));
        }
        if (in.hasRemaining()) {
            throw new MalformedCallException("it goes on behind its end");
        }
        return read;
    }
}
