package dev.kvorum.node.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.MessageWriter;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class RegisterProtocolTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Version BALLOT = new Version(9 << 16, 7);
    private static final Version VERSION = new Version(8 << 16, 5);
    private static final Cell CELL = Draft.ofValue(new byte[] {1, 2, 3}).stamp(KEY, VERSION, 3);

    private static void assertMalformed(ThrowingCallable decoding, String reason) {
        assertThatThrownBy(decoding).isInstanceOf(MalformedCallException.class).hasMessageContaining(reason);
    }

    @Test
    void roundThatOnlySettlesSaysSo() {
        var settling = RegisterProtocol.decodePrepare(RegisterProtocol.encodePrepare(KEY, BALLOT, true));
        var changing = RegisterProtocol.decodePrepare(RegisterProtocol.encodePrepare(KEY, BALLOT, false));

        assertThat(settling).isEqualTo(call(new RegisterProtocol.Beginning(BALLOT, true)));
        assertThat(changing).isEqualTo(call(new RegisterProtocol.Beginning(BALLOT, false)));
    }

    private static <T> RegisterProtocol.Call<T> call(T about) {
        return new RegisterProtocol.Call<>(KEY, about);
    }

    @Test
    void callsComeOverTheWireAsTheyWere() {
        Proposal nothing = new Proposal(BALLOT, Version.NONE, null, List.of());

        for (boolean counts : List.of(true, false)) {
            assertThat(RegisterProtocol.decodeQuery(RegisterProtocol.encodeQuery(KEY, counts)))
                    .isEqualTo(call(counts));
        }
        assertThat(RegisterProtocol.decodeCommit(RegisterProtocol.encodeCommit(KEY, CELL)))
                .isEqualTo(call(CELL));
        assertThat(RegisterProtocol.decodeAccept(RegisterProtocol.encodeAccept(KEY, nothing)))
                .isEqualTo(call(nothing));
    }

    @Test
    void everyVoteComesOverTheWireAsItWas() {
        Vote outbid = new Vote.Outbid("n2", BALLOT);
        Vote nothing = new Vote.Promised("n2", null, null);

        assertThat(RegisterProtocol.decodePromise("n2", KEY, RegisterProtocol.encode(outbid)))
                .isEqualTo(outbid);
        assertThat(RegisterProtocol.decodeDone("n2", RegisterProtocol.encode(outbid)))
                .isEqualTo(outbid);
        assertThat(RegisterProtocol.decodePromise("n2", KEY, RegisterProtocol.encode(nothing)))
                .isEqualTo(nothing);
        assertThat(RegisterProtocol.decodeDone("n2", RegisterProtocol.encode(new Vote.Done("n2"))))
                .isEqualTo(new Vote.Done("n2"));
        assertThat(RegisterProtocol.decodeAnswer("n2", KEY, RegisterProtocol.encode(new Vote.Answered("n2", CELL))))
                .isEqualTo(new Vote.Answered("n2", CELL));
    }

    @Test
    void lineageHasAtMostSixteenVersions() {
        byte[] longest = accept(Proposal.LINEAGE_MAX);
        byte[] tooLong = accept(Proposal.LINEAGE_MAX + 1);

        assertThat(RegisterProtocol.decodeAccept(longest).about().lineage())
                .hasSize(16)
                .containsOnly(VERSION);
        assertMalformed(() -> RegisterProtocol.decodeAccept(tooLong), "17 versions before it are more than 16");
    }

    private static byte[] accept(int ancestors) {
        return RegisterProtocol.encodeAccept(
                KEY, new Proposal(BALLOT, VERSION, null, Collections.nCopies(ancestors, VERSION)));
    }

    @Test
    void ballotOfNoTimeIsRefused() {
        Proposal proposal = new Proposal(Version.NONE, VERSION, null, List.of());

        assertMalformed(
                () -> RegisterProtocol.decodeAccept(RegisterProtocol.encodeAccept(KEY, proposal)), "not positive");
        assertMalformed(
                () -> RegisterProtocol.decodePrepare(RegisterProtocol.encodePrepare(KEY, Version.NONE, false)),
                "not positive");
    }

    @Test
    void proposalThatNamesAnotherVersionThanItsCellIsRefused() {
        Proposal proposal = new Proposal(BALLOT, BALLOT, CELL, List.of());

        assertMalformed(
                () -> RegisterProtocol.decodeAccept(RegisterProtocol.encodeAccept(KEY, proposal)),
                "the cell has version");
    }

    @Test
    void commitOfNothingIsRefused() {
        byte[] key = new MessageWriter().putKey(KEY).toBytes();
        byte[] empty = Arrays.copyOf(key, key.length + Integer.BYTES);

        assertMalformed(() -> RegisterProtocol.decodeCommit(empty), "no cell to commit");
    }

    @Test
    void emptyKeyIsRefusedAsSuch() {
        assertMalformed(() -> RegisterProtocol.decodeQuery(new byte[] {0, 0}), "the key is empty");
    }

    @Test
    void messageThatEndsTooEarlyOrTooLateIsRefused() {
        byte[] whole = RegisterProtocol.encodeCommit(KEY, CELL);

        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertMalformed(() -> RegisterProtocol.decodeCommit(part), "");
        }
        byte[] more = Arrays.copyOf(whole, whole.length + 1);
        assertMalformed(() -> RegisterProtocol.decodeCommit(more), "behind its end");
    }

    @Test
    void lengthBelowZeroIsRefused() {
        byte[] key = new MessageWriter().putKey(KEY).toBytes();
        byte[] negative = ByteBuffer.allocate(key.length + Integer.BYTES)
                .put(key)
                .putInt(-1)
                .array();

        assertMalformed(() -> RegisterProtocol.decodeCommit(negative), "ends too early");
    }

    @Test
    void failureHasNoFormOfItsOwn() {
        Vote failed = new Vote.Failed(new ReplicaFailure("n2", Reason.REFUSED, "detail"));

        assertThatThrownBy(() -> RegisterProtocol.encode(failed)).isInstanceOf(IllegalArgumentException.class);
    }
}
