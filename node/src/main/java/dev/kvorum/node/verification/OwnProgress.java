package dev.kvorum.node.verification;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * How far this member's own data directory has come, and whether others remember more.
 *
 * <p>Any thread.
 */
public final class OwnProgress {
    private final UUID incarnation;
    private final long start;
    private final long found;
    private final LongSupplier written;
    private final Consumer<String> whenOlder;

    /**
     * @param start the number of this start
     * @param written how many changes of the database are on the disk, now as much as was found at the start
     * @param whenOlder hears why this directory must be an older copy, each time that another member says so
     */
    public OwnProgress(UUID incarnation, long start, LongSupplier written, Consumer<String> whenOlder) {
        this.incarnation = incarnation;
        this.start = start;
        this.written = written;
        this.found = written.getAsLong();
        this.whenOlder = whenOlder;
    }

    public Progress now() {
        return new Progress(incarnation, start, written.getAsLong());
    }

    /** Another member says what it remembers of this directory. */
    public void hear(String witness, Progress remembered) {
        objection(witness, remembered).ifPresent(whenOlder);
    }

    /**
     * Why the directory must be an older copy; empty if nothing says so.
     *
     * @param remembered of this directory, by another member
     */
    Optional<String> objection(String witness, Progress remembered) {
        if (remembered.equals(Progress.replaced(incarnation))) {
            return Optional.of("member " + witness + " remembers that this member has had another directory since");
        }
        // What was written before this start must have been there at this start.
        long atLeast = remembered.start() < start ? found : written.getAsLong();
        boolean isOlder = remembered.incarnation().equals(incarnation) && remembered.isFurtherThan(start, atLeast);
        return isOlder
                ? Optional.of("member " + witness + " remembers start " + remembered.start() + " of it, with "
                        + remembered.written() + " changes on the disk; this is start " + start + ", which found "
                        + found)
                : Optional.empty();
    }
}
