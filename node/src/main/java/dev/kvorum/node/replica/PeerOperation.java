package dev.kvorum.node.replica;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All that members ask each other for. Every operation is idempotent: a call without a reply may be made again. {@code docs/peer-protocol.md} has their
 * bodies.
 */
public enum PeerOperation {
    READ(1, Kind.READ, Epochs.CHECKED_BY_HANDLER),
    WRITE(2, Kind.WRITE, Epochs.CHECKED_BY_HANDLER),
    TOPOLOGY(3, Kind.WRITE, Epochs.ANY),
    REPAIR_TREE(4, Kind.BULK, Epochs.PRESENT),
    REPAIR_LIST(5, Kind.BULK, Epochs.PRESENT),
    REPAIR_CELLS(6, Kind.BULK, Epochs.PRESENT),
    REPAIR_STREAM(7, Kind.BULK, Epochs.PRESENT),
    REPAIR_STORE(8, Kind.BULK, Epochs.PRESENT),
    REPAIR_VERIFIED(9, Kind.WRITE, Epochs.PRESENT),
    REPAIR_RUN(10, Kind.WRITE, Epochs.PRESENT),
    REPAIR_LIFE(11, Kind.READ, Epochs.ANY),
    REGISTER_QUERY(12, Kind.READ, Epochs.CHECKED_BY_HANDLER),
    REGISTER_PREPARE(13, Kind.WRITE, Epochs.CHECKED_BY_HANDLER),
    REGISTER_ACCEPT(14, Kind.WRITE, Epochs.CHECKED_BY_HANDLER),
    REGISTER_COMMIT(15, Kind.WRITE, Epochs.CHECKED_BY_HANDLER),
    HERE(16, Kind.WRITE, Epochs.ANY),
    MEMBER_REPORT(17, Kind.READ, Epochs.ANY),
    MEMBER_SIZES(18, Kind.READ, Epochs.ANY),
    MEMBER_PUBLISH(19, Kind.WRITE, Epochs.ANY),
    MEMBER_SETTLE(20, Kind.WRITE, Epochs.ANY),
    BRING(21, Kind.WRITE, Epochs.CHECKED_BY_HANDLER),
    HEARTBEAT(22, Kind.WRITE, Epochs.ANY),
    TAIL(23, Kind.READ, Epochs.PRESENT);

    /** What a call does to the member that serves it. */
    public enum Kind {
        /** It leaves the member as it was. */
        READ,
        /** It may change what the member holds or knows. */
        WRITE,
        /** It moves a part of a partition, in either direction. The handler refuses it while the member is busy: requests of clients go first. */
        BULK
    }

    /** Of which epochs a call is served. A call of another epoch is refused with the epoch in force, and one of another topology of that epoch with the digests of both. */
    public enum Epochs {
        /** Of any: the caller may not know the epoch in force. */
        ANY,
        /** Of the epoch in force when the call arrives. */
        PRESENT,
        /** As {@link #PRESENT}; the handler looks, because the epoch must hold until its work is done. */
        CHECKED_BY_HANDLER
    }

    private static final Map<String, PeerOperation> BY_PATH =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(PeerOperation::path, Function.identity()));
    private static final PeerOperation[] BY_CODE = values();

    private final int code;
    private final Kind kind;
    private final Epochs epochs;
    private final String path;

    PeerOperation(int code, Kind kind, Epochs epochs) {
        this.code = code;
        this.kind = kind;
        this.epochs = epochs;
        this.path = "/" + name().toLowerCase(Locale.ROOT).replace('_', '/');
    }

    /** Stands for it in frames: from 1, without gaps, for ever the same. */
    public int code() {
        return code;
    }

    public Kind kind() {
        return kind;
    }

    public Epochs epochs() {
        return epochs;
    }

    /** Stands for it in addresses of calls, as WebClient makes them. */
    public String path() {
        return path;
    }

    /** Null if there is none. */
    public static @Nullable PeerOperation ofCode(int code) {
        return code < 1 || code > BY_CODE.length ? null : BY_CODE[code - 1];
    }

    /** The code of the operation with that path; 0 if there is none. */
    public static int codeOf(String path) {
        PeerOperation operation = BY_PATH.get(path);
        return operation == null ? 0 : operation.code;
    }
}
