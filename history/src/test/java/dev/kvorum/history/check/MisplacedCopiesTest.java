package dev.kvorum.history.check;

import static dev.kvorum.history.Told.copy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.Copy;
import dev.kvorum.history.Told;
import dev.kvorum.history.check.Anomaly.Kind;
import org.junit.jupiter.api.Test;

class MisplacedCopiesTest {
    private static Copy stray(long version) {
        return new Copy("n4", Told.KEY, false, Told.versionOf(version), "a");
    }

    @Test
    void newestCellWhereItDoesNotBelongIsMisplaced() {
        Judged judged = Judged.of().with(copy("n1", "a", 2), stray(2));

        assertThat(judged.anomalies()).containsExactly(Kind.MISPLACED_COPY);
    }

    @Test
    void whoMayKeepWhatItOwnedBeforeIsNowhereWrong() {
        Copy kept = new Copy("n4", Told.KEY, false, true, Told.versionOf(2), "a");

        assertThat(Judged.of().with(copy("n1", "a", 2), kept).anomalies()).isEmpty();
        assertThat(Judged.of().with(copy("n1", "a", 2), kept, stray(2)).anomalies())
                .containsExactly(Kind.MISPLACED_COPY);
    }

    @Test
    void olderCellThereIsFromAWriteThatAskedForMore() {
        Judged judged = Judged.of().with(copy("n1", "b", 2), stray(1));

        assertThat(judged.anomalies()).isEmpty();
    }

    @Test
    void whoHoldsNothingIsNowhereWrong() {
        Copy none = new Copy("n4", Told.KEY, false, null, null);

        assertThat(Judged.of().with(copy("n1", "a", 1), none).anomalies()).isEmpty();
        assertThat(Judged.of().with(none).anomalies()).isEmpty();
    }
}
