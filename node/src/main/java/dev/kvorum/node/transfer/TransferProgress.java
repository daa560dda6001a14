package dev.kvorum.node.transfer;

import dev.kvorum.topology.Topology;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How far this node has come with a change. Outlives a restart, and further epochs of the same change as long as none was missed: between two that do not
 * follow each other the change may have been cancelled and begun anew, and writes have gone to the former owners alone.
 *
 * <p>Not for several threads.
 */
final class TransferProgress {
    private static final int FORMAT = 2;

    private long epoch;
    private final String seats;
    private final long since;
    private boolean former;
    private @Nullable Set<String> gone; // Null until it is settled.
    private final BitSet streamed = new BitSet();
    private final BitSet verified = new BitSet();
    private long cells;
    private long bytes;

    /**
     * The beginning.
     *
     * @param since when this node met the change, or the time after it, in milliseconds since 1970
     * @param former whether members have changed before it, so that this node may hold what it need not any more
     */
    TransferProgress(Topology topology, long since, boolean former) {
        this(topology.epoch(), seatsOf(topology), since, former);
    }

    private TransferProgress(long epoch, String seats, long since, boolean former) {
        this.epoch = epoch;
        this.seats = seats;
        this.since = since;
        this.former = former;
    }

    /** What of the members decides where partitions are and where they go. */
    private static String seatsOf(Topology topology) {
        return topology.members().stream()
                .map(member -> member.id() + " " + member.zone() + " " + member.weight() + " " + member.state())
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    /**
     * Whether that epoch is of the same change, and none between was missed. Where no change is running, whether the members are the same: of a change that was begun
     * and taken back in epochs that this node has missed it holds nothing.
     */
    boolean goesOnWith(Topology topology) {
        boolean next = topology.epoch() == epoch || topology.epoch() == epoch + 1;
        return (next || !topology.isChanging()) && seats.equals(seatsOf(topology));
    }

    void goOn(Topology topology) {
        epoch = topology.epoch();
    }

    long epoch() {
        return epoch;
    }

    long since() {
        return since;
    }

    /** Whether this node may hold what it need not since members have changed. */
    boolean hasFormer() {
        return former;
    }

    void formerDropped() {
        former = false;
    }

    boolean isSettled() {
        return gone != null;
    }

    void settle(Set<String> without) {
        gone = Set.copyOf(without);
    }

    /** Null until it is settled. */
    @Nullable
    Set<String> gone() {
        return gone;
    }

    boolean isGone(String member) {
        return gone != null && gone.contains(member);
    }

    boolean isStreamed(int partition) {
        return streamed.get(partition);
    }

    void streamed(int partition) {
        streamed.set(partition);
    }

    boolean isVerified(int partition) {
        return verified.get(partition);
    }

    void verified(int partition) {
        verified.set(partition);
    }

    /** What has lost something since has to be verified again. */
    void verifyAgain(IntPredicate partitions) {
        for (int partition = verified.nextSetBit(0); partition >= 0; partition = verified.nextSetBit(partition + 1)) {
            if (partitions.test(partition)) {
                verified.clear(partition);
            }
        }
    }

    void moved(long moreCells, long moreBytes) {
        cells += moreCells;
        bytes += moreBytes;
    }

    long cells() {
        return cells;
    }

    long bytes() {
        return bytes;
    }

    byte[] encode() {
        byte[] seatBytes = seats.getBytes(StandardCharsets.UTF_8);
        byte[] goneBytes = String.join(" ", gone == null ? Set.of() : gone).getBytes(StandardCharsets.UTF_8);
        byte[] streamedBytes = streamed.toByteArray();
        byte[] verifiedBytes = verified.toByteArray();
        ByteBuffer out = ByteBuffer.allocate(3
                + 4 * Long.BYTES
                + 4 * Integer.BYTES
                + seatBytes.length
                + goneBytes.length
                + streamedBytes.length
                + verifiedBytes.length);
        out.put((byte) FORMAT).put((byte) (isSettled() ? 1 : 0)).put((byte) (former ? 1 : 0));
        out.putLong(epoch).putLong(since).putLong(cells).putLong(bytes);
        for (byte[] part : new byte[][] {seatBytes, goneBytes, streamedBytes, verifiedBytes}) {
            out.putInt(part.length).put(part);
        }
        return out.array();
    }

    /** What {@link #encode} made. Bits of partitions that are verified, but not noted as such, cost a comparison only. */
    static TransferProgress decode(byte[] note) {
        ByteBuffer in = ByteBuffer.wrap(note);
        if (in.get() != FORMAT) {
            throw new IllegalStateException("the note of a transfer is of a format that is not known");
        }
        boolean settled = in.get() == 1;
        boolean former = in.get() == 1;
        long epoch = in.getLong();
        long since = in.getLong();
        long cells = in.getLong();
        long bytes = in.getLong();
        TransferProgress progress =
                new TransferProgress(epoch, new String(part(in), StandardCharsets.UTF_8), since, former);
        progress.cells = cells;
        progress.bytes = bytes;
        String gone = new String(part(in), StandardCharsets.UTF_8);
        if (settled) {
            progress.settle(gone.isEmpty() ? Set.of() : Set.of(gone.split(" ", -1)));
        }
        progress.streamed.or(BitSet.valueOf(part(in)));
        progress.verified.or(BitSet.valueOf(part(in)));
        return progress;
    }

    private static byte[] part(ByteBuffer in) {
        byte[] part = new byte[in.getInt()];
        in.get(part);
        return part;
    }
}
