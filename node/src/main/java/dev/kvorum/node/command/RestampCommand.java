package dev.kvorum.node.command;

import dev.kvorum.node.restamp.Census;
import dev.kvorum.node.restamp.Restamp;
import dev.kvorum.node.restamp.Restamp.Moved;
import dev.kvorum.node.restamp.Restamp.Refused;
import dev.kvorum.node.storage.DataDirectoryException;
import dev.kvorum.node.storage.rocks.StoppedStore;
import dev.kvorum.topology.text.ControlCharacters;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Lists, or moves back, the versions that are too far ahead in the data directory of a node that is stopped.
 *
 * @param from versions from then on; null for those that are further ahead of this machine's clock than {@link #AHEAD}
 * @param to where they are moved to; null to list them
 */
record RestampCommand(
        Path directory, @Nullable Instant from, @Nullable Instant to) {
    /** The default of {@code kvorum.clock.ahead-max}. */
    static final Duration AHEAD = Duration.ofSeconds(10);

    /**
     * Blocks.
     *
     * @param now by the clock of this machine
     * @throws RefusedCommandException if the directory can't be used, or it is refused; then nothing has changed
     */
    void run(PrintStream out, Instant now) {
        try (Restamp restamp = Restamp.of(StoppedStore.open(directory))) {
            if (to == null) {
                list(restamp, out, from == null ? now.plus(AHEAD) : from);
            } else {
                move(restamp, out, now);
            }
        } catch (DataDirectoryException e) {
            throw new RefusedCommandException(e.getMessage() + ". " + e.remedy());
        }
    }

    private void list(Restamp restamp, PrintStream out, Instant since) {
        tellFormer(restamp, out);
        Census census = restamp.look(since.toEpochMilli());
        if (census.hasAny()) {
            out.println(directory + " has versions from " + since + " on: " + what(census) + ".");
            out.println("  the first is of " + time(census.firstAhead()) + ", the last of " + time(census.lastAhead()));
        } else {
            out.println(directory + " has no cells, registers or hints with versions from " + since + " on"
                    + damaged(census) + ".");
        }
        if (census.clockAhead() > 0) {
            out.println("  the note of this node's own clock is of " + time(census.clockAhead())
                    + ": it issues no version below that");
        }
        out.println("  the newest version before is of " + time(census.newestBefore()));
        census.keys().forEach(key -> out.println("  " + ControlCharacters.escaped(key, "")));
        if (census.keys().size() < census.cells()) {
            out.println("  and " + (census.cells() - census.keys().size()) + " more keys");
        }
    }

    private void tellFormer(Restamp restamp, PrintStream out) {
        restamp.finished().forEach(command -> out.println(directory + ": \"" + command + "\" was done here before."));
        restamp.unfinished()
                .ifPresent(
                        command -> out.println(
                                directory + ": \"" + command
                                        + "\" was begun here and ended early. A part of the versions is moved. Run it again, with the same times: the node does not start before."));
    }

    private void move(Restamp restamp, PrintStream out, Instant now) {
        Instant since = from;
        Instant back = to;
        if (since == null || back == null) {
            throw new RefusedCommandException("--to needs --from. The same two times are for all members.");
        }
        switch (restamp.move(since.toEpochMilli(), back.toEpochMilli())) {
            case Refused refused -> throw new RefusedCommandException("Nothing was changed: " + refused.reason() + ".");
            case Moved moved -> {
                out.println(directory + ": moved " + what(moved.census()) + ", from " + since + " to " + back + ".");
                if (moved.wasBegun()) {
                    out.println("  An earlier run had moved the others: this one has finished it.");
                }
                tellStillAhead(moved.census(), Duration.between(back, since), out, now.plus(AHEAD));
                out.println("Do the same, with the same times, on each other member before you start any of them.");
            }
        }
    }

    /** @param tolerated by the clock of this machine; members take versions up to that */
    private static void tellStillAhead(Census moved, Duration by, PrintStream out, Instant tolerated) {
        Instant last = Instant.ofEpochMilli(moved.lastAhead()).minus(by);
        if (moved.hasAny() && last.isAfter(tolerated)) {
            out.println("  The last of them is of " + last + " now: until then its key takes no plain writes.");
        }
        Instant clock = Instant.ofEpochMilli(moved.clockAhead()).minus(by);
        if (moved.clockAhead() > 0 && clock.isAfter(tolerated)) {
            out.println(
                    "  This node's own clock goes on from " + clock + ": until then the node takes no plain writes.");
        }
    }

    private static String what(Census census) {
        return "%d cells, %d registers, %d hints%s%s"
                .formatted(
                        census.cells(),
                        census.rows(),
                        census.hints(),
                        census.clockAhead() > 0 ? ", and the note of the node's own clock" : "",
                        damaged(census));
    }

    private static String damaged(Census census) {
        return census.damaged() == 0 ? "" : "; " + census.damaged() + " are damaged and stay";
    }

    private static String time(long millis) {
        return millis == 0 ? "no time" : Instant.ofEpochMilli(millis).toString();
    }
}
