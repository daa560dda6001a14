package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.storage.RegisterState;
import dev.kvorum.node.storage.RegisterStep;
import dev.kvorum.node.storage.RegisterStore;
import dev.kvorum.node.storage.StoredRegister;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What is left of a register when nobody is at work on it: forgets the rows that are not needed,
 *
 * <pre>
 * an old promise, and nothing accepted, or what was accepted is that there is nothing
 * what was accepted is a deletion that all members have dropped, and is old
 * of a key of which this node is no owner
 * </pre>
 *
 * <p>and tells which are open. Any thread.
 */
final class Leftovers {
    private static final Duration FORGETTABLE = Acceptor.BALLOT_AGE_MAX.multipliedBy(2);

    private final RegisterStore store;
    private final RegisterParts parts;
    private final OpenRegisters open;

    Leftovers(RegisterStore store, RegisterParts parts, OpenRegisters open) {
        this.store = store;
        this.parts = parts;
        this.open = open;
    }

    /**
     * Looks at a register, and forgets its row if it is not needed.
     *
     * @return what it has accepted and is open; {@link Acceptance#NONE} if nothing is
     */
    Mono<Acceptance> look(int partition, Key key) {
        return Mono.defer(() -> {
            OpenRegisters.@Nullable Entry before = open.of(key);
            Electorate electorate = parts.electorates().of(key);
            return store.look(partition, key, state -> tidy(state, electorate)).doOnNext(left -> {
                if (left.isOpen()) {
                    open.found(partition, key, versionOf(left));
                } else if (before != null) {
                    open.closed(key, before);
                }
            });
        });
    }

    static Version versionOf(Acceptance row) {
        Proposal accepted = row.accepted();
        return accepted == null ? Version.NONE : accepted.version();
    }

    private RegisterStep<Acceptance> tidy(RegisterState state, Electorate electorate) {
        if (state.row() == null) {
            return RegisterStep.none(Acceptance.NONE);
        }
        Acceptance row = Acceptance.of(state).knowing(state.cell());
        // By an epoch that has passed this node may be no voter, and be one by the one in force, with a promise that it
        // has just made.
        boolean isOfNow = electorate.epoch() == parts.electorates().epoch();
        if (isOfNow && (!votes(electorate) || isForgettable(row, state))) {
            parts.metrics().forgotten();
            return RegisterStep.row(Acceptance.NONE, RegisterStep.NO_ROW);
        }
        return RegisterStep.none(row.isOpen() ? row : Acceptance.NONE);
    }

    private boolean isForgettable(Acceptance row, RegisterState state) {
        return !row.isOpen() && (row.accepted() == null || state.cell() == null) && isOld(row);
    }

    /** Whether it is worth to look at a row that was read. */
    boolean isOfInterest(StoredRegister stored) {
        Acceptance row = Acceptance.decode(stored.row());
        return row.isOpen() || isOld(row) || !votes(parts.electorates().of(stored.key()));
    }

    /** Whether whoever works by a lower ballot is refused. */
    private boolean isOld(Acceptance row) {
        return isOlder(row.promised(), FORGETTABLE);
    }

    boolean isOlder(Version ballot, Duration age) {
        return ballot.millis() < parts.wallMillis().getAsLong() - age.toMillis();
    }

    private boolean votes(Electorate electorate) {
        String self = parts.electorates().self();
        return electorate.voters().stream().anyMatch(voter -> voter.member().equals(self));
    }
}
