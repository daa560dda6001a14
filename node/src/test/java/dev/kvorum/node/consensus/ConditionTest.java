package dev.kvorum.node.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConditionTest {
    private static final Key KEY = Key.of("cart-7");
    private static final long NOW = 1_700_000_000_000L;
    private static final Version VERSION = new Version(NOW << 16, 5);
    private static final String TAG = VERSION.toString();
    private static final Cell VALUE = Draft.ofValue(new byte[] {1}).stamp(KEY, VERSION, 3);
    private static final Cell DELETION = Draft.tombstone().stamp(KEY, VERSION, 3);

    private static void assertHolds(Condition condition, boolean forValue, boolean forDeletion, boolean forNothing) {
        assertThat(condition.holdsFor(VALUE, NOW)).as("a value").isEqualTo(forValue);
        assertThat(condition.holdsFor(DELETION, NOW)).as("a deletion").isEqualTo(forDeletion);
        assertThat(condition.holdsFor(null, NOW)).as("nothing").isEqualTo(forNothing);
    }

    @Test
    void noConditionAlwaysHolds() {
        assertHolds(new Condition.None(), true, true, true);
    }

    @Test
    void valueIsPresentAndDeletionIsAbsent() {
        assertHolds(new Condition.Present(), true, false, false);
        assertHolds(new Condition.Absent(), false, true, true);
    }

    @Test
    void listOfVersionsMatchesTheValueThatHasOneOfThem() {
        assertHolds(new Condition.OneOf(Set.of("another", TAG)), true, false, false);
        assertHolds(new Condition.OneOf(Set.of("another")), false, false, false);
    }

    @Test
    void listOfOtherVersionsMatchesAllButTheValueThatHasOneOfThem() {
        assertHolds(new Condition.NoneOf(Set.of("another", TAG)), false, true, true);
        assertHolds(new Condition.NoneOf(Set.of("another")), true, true, true);
    }
}
