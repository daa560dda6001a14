package dev.kvorum.node.verification;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.storage.WitnessNote;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** How far a data directory has come, by its member and by those that remember. */
class ProgressTest {
    private static final UUID DIRECTORY = new UUID(1, 2);

    private final Note note = new Note();
    private final Membership membership = new Membership("n1", Topologies.of(1, "n1", "n2", "n3"));
    private final RememberedProgress remembered = new RememberedProgress(note, membership);
    private long written = 500;
    private final List<String> reasons = new ArrayList<>();
    private final OwnProgress own = new OwnProgress(DIRECTORY, 7, () -> written, reasons::add);

    private static final class Note implements WitnessNote {
        private @Nullable String text;
        private boolean full;

        @Override
        public Optional<String> witnessed() {
            return Optional.ofNullable(text);
        }

        @Override
        public void noteWitnessed(String noted) throws IOException {
            if (full) {
                throw new IOException("as the test says");
            }
            text = noted;
        }
    }

    private static Progress at(long start, long written) {
        return new Progress(DIRECTORY, start, written);
    }

    private static Progress asked(RememberedProgress of) {
        return of.hear("n2", Progress.none(DIRECTORY));
    }

    @Test
    void furthestIsRemembered() {
        assertThat(remembered.hear("n2", at(3, 40))).isEqualTo(Progress.none(DIRECTORY));
        assertThat(remembered.hear("n2", at(4, 30))).isEqualTo(at(3, 40));

        assertThat(asked(remembered)).isEqualTo(at(4, 40));
    }

    @Test
    void anotherDirectoryOfTheMemberTakesTheFormersPlace() {
        remembered.hear("n2", at(3, 40));
        Progress other = new Progress(new UUID(5, 6), 4, 2);

        assertThat(remembered.hear("n2", other)).isEqualTo(Progress.none(other.incarnation()));
        assertThat(remembered.hear("n2", Progress.none(other.incarnation()))).isEqualTo(other);
    }

    /** The one that was replaced lacks what the member has acknowledged since. */
    @Test
    void directoryThatWasReplacedIsKnownAsSuchInTheNextLifeToo() {
        Progress second = new Progress(new UUID(5, 6), 4, 2);
        Progress third = new Progress(new UUID(7, 8), 5, 1);
        remembered.hear("n2", at(3, 40));
        remembered.hear("n2", second);
        remembered.hear("n2", third);
        remembered.save();

        RememberedProgress next = new RememberedProgress(note, membership);
        assertThat(next.hear("n2", at(9, 900))).isEqualTo(Progress.replaced(DIRECTORY));
        assertThat(next.hear("n2", second)).isEqualTo(Progress.replaced(second.incarnation()));
        assertThat(next.hear("n2", third)).isEqualTo(third);
        assertThat(own.objection("n2", Progress.replaced(DIRECTORY)))
                .hasValueSatisfying(reason -> assertThat(reason).contains("n2", "another directory since"));
    }

    @Test
    void nextLifeRemembersWhatWasSaved() {
        remembered.hear("n2", at(3, 40));
        remembered.save();
        remembered.hear("n2", at(3, 50));

        assertThat(asked(new RememberedProgress(note, membership))).isEqualTo(at(3, 40));
    }

    @Test
    void noteThatFailsIsMadeAgain() {
        remembered.hear("n2", at(3, 40));
        note.full = true;
        remembered.save();
        note.full = false;
        remembered.save();

        assertThat(asked(new RememberedProgress(note, membership))).isEqualTo(at(3, 40));
    }

    @Test
    void damagedNoteIsForgotten() {
        note.text = "n2 what is this";

        RememberedProgress next = new RememberedProgress(note, membership);
        next.hear("n2", at(3, 40));

        assertThat(asked(next)).isEqualTo(at(3, 40));
    }

    /** What stands before the damage may be damaged as well. */
    @Test
    void noteThatIsDamagedInOneLineIsForgottenAltogether() {
        remembered.hear("n2", at(3, 40));
        remembered.save();
        note.text += "n3 what is this";

        assertThat(asked(new RememberedProgress(note, membership))).isEqualTo(Progress.none(DIRECTORY));
    }

    @Test
    void noteThatFailsAgainAndAgainIsLoggedOnce() {
        Logger logger = (Logger) LoggerFactory.getLogger(RememberedProgress.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            remembered.hear("n2", at(3, 40));
            note.full = true;
            remembered.save();
            remembered.save();
        } finally {
            logger.detachAppender(log);
        }

        assertThat(log.list)
                .singleElement()
                .satisfies(event -> assertThat(event.getFormattedMessage()).contains("can't be noted"));
    }

    /** Otherwise a caller could fill the memory with names. */
    @Test
    void onlyMembersAreRemembered() {
        remembered.hear("n9", at(3, 40));

        assertThat(remembered.hear("n9", Progress.none(DIRECTORY))).isEqualTo(Progress.none(DIRECTORY));
    }

    @Test
    void memberThatHasLeftIsForgottenWithTheNextNote() {
        remembered.hear("n2", at(3, 40));
        membership.offer(Topologies.of(2, "n1", "n3"));
        remembered.hear("n3", at(1, 1));
        remembered.save();

        assertThat(note.text).contains("n3").doesNotContain("n2");
    }

    @Test
    void whatOthersRememberOfFormerStartsMustHaveBeenFound() {
        written = 900; // Since.

        assertThat(own.objection("n2", at(6, 500))).isEmpty();
        assertThat(own.objection("n2", at(6, 501)))
                .hasValueSatisfying(reason -> assertThat(reason).contains("n2", "start 6", "501", "start 7", "500"));
    }

    @Test
    void memberHearsWhyItsDirectoryMustBeOlderAndNothingElse() {
        own.hear("n2", at(7, 500));
        assertThat(reasons).isEmpty();

        own.hear("n2", at(8, 0));

        assertThat(reasons).singleElement().asString().contains("n2", "start 8");
    }

    @Test
    void memberTellsHowFarItHasComeNow() {
        written = 900;

        assertThat(own.now()).isEqualTo(at(7, 900));
    }

    @Test
    void startThatIsYetToComeSaysThatTheDirectoryIsOlder() {
        assertThat(own.objection("n2", at(7, 500))).isEmpty();
        assertThat(own.objection("n2", at(8, 0))).isPresent();
    }

    @Test
    void moreThanWasWrittenSaysThatTheDirectoryIsOlder() {
        written = 900;

        assertThat(own.objection("n2", at(7, 900))).isEmpty();
        assertThat(own.objection("n2", at(7, 901))).isPresent();
    }

    @Test
    void otherDirectoriesSayNothing() {
        assertThat(own.objection("n2", new Progress(new UUID(5, 6), 99, 999_999)))
                .isEmpty();
    }
}
