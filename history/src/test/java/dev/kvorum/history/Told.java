package dev.kvorum.history;

import dev.kvorum.history.Answer.Outcome;
import dev.kvorum.history.Request.Kind;
import dev.kvorum.history.Request.Mode;
import org.jspecify.annotations.Nullable;

/**
 * Histories told by hand. Versions are numbers in milliseconds, times are in milliseconds too; all is done on one key with 2/3 by one client
 * through {@code n1} in its first life, unless said.
 */
public final class Told {
    public static final String KEY = "k";

    private static final int NANOS = 1_000_000;
    private static final int COUNTER_AND_AUTHOR_DIGITS = 20;

    private final Kind kind;
    private @Nullable String value;
    private @Nullable String version;
    private Outcome outcome = Outcome.OK;
    private String key = KEY;
    private String node = "n1";
    private int life = 1;
    private int ack = 2;
    private int from = 3;

    private Told(Kind kind, @Nullable String value) {
        this.kind = kind;
        this.value = value;
    }

    public static Told write(String value, long version) {
        return new Told(Kind.WRITE, value).version(version);
    }

    /** Not acknowledged. */
    public static Told write(String value, Outcome outcome) {
        Told told = new Told(Kind.WRITE, value);
        told.outcome = outcome;
        return told;
    }

    public static Told delete(long version) {
        return new Told(Kind.DELETE, null).version(version);
    }

    /** Not acknowledged. */
    public static Told delete(Outcome outcome) {
        Told told = new Told(Kind.DELETE, null);
        told.outcome = outcome;
        return told;
    }

    public static Told found(String value, long version) {
        return new Told(Kind.READ, value).version(version);
    }

    /** A read that met a tombstone. */
    public static Told foundDeleted(long version) {
        return new Told(Kind.READ, null).version(version);
    }

    public static Told foundNothing() {
        return new Told(Kind.READ, null);
    }

    /** The version of that millisecond. */
    public static String versionOf(long millis) {
        return String.format("%012x", millis) + "0".repeat(COUNTER_AND_AUTHOR_DIGITS);
    }

    private Told version(long millis) {
        version = versionOf(millis);
        return this;
    }

    public Told quorum(int newAck, int newFrom) {
        ack = newAck;
        from = newFrom;
        return this;
    }

    public Told through(String newNode, int newLife) {
        node = newNode;
        life = newLife;
        return this;
    }

    public Told on(String newKey) {
        key = newKey;
        return this;
    }

    public Operation at(long invokedMillis, long returnedMillis) {
        boolean isRead = kind == Kind.READ;
        return new Operation(
                1,
                node,
                life,
                new Request(kind, Mode.QUORUM, key, isRead ? null : value, ack, from),
                new Answer(outcome, isRead ? value : null, version),
                invokedMillis * NANOS,
                returnedMillis * NANOS);
    }

    public static DiskLoss loss(String loser, long sinceMillis, long atMillis) {
        return new DiskLoss(loser, sinceMillis * NANOS, atMillis * NANOS);
    }

    /** A disk that was wiped, and given back what it had. */
    public static DiskLoss regained(String loser, long atMillis, long regainedMillis) {
        return new DiskLoss(loser, 0, atMillis * NANOS, regainedMillis * NANOS);
    }

    /** An owner that holds that value. */
    public static Copy copy(String holder, String held, long version) {
        return new Copy(holder, KEY, true, versionOf(version), held);
    }

    /** An owner that holds a tombstone. */
    public static Copy tombstone(String holder, long version) {
        return new Copy(holder, KEY, true, versionOf(version), null);
    }

    /** An owner that holds nothing. */
    public static Copy nothing(String holder) {
        return new Copy(holder, KEY, true, null, null);
    }
}
