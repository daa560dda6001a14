package dev.kvorum.node.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import org.junit.jupiter.api.Test;

/** Which cells two members compare, and which of them one holds though it need not. */
class ScopeTest {
    private static final Key KEY = Key.of("cart-7");
    private static final long NOW = 1_700_000_000_000L;

    private static Cell value(long millis, int copies) {
        return Draft.ofValue(new byte[] {1}).stamp(KEY, new Version(millis << 16, 5), copies);
    }

    private static Cell deletion(long millis, int copies) {
        return Draft.tombstone().stamp(KEY, new Version(millis << 16, 5), copies);
    }

    private static Listed listed(Cell cell) {
        return new Listed(KEY, cell.version(), cell.copies(), cell.endMillis(), 0);
    }

    private static void assertCounts(Scope scope, Cell cell, boolean counts) {
        assertThat(scope.counts(cell)).isEqualTo(counts);
        assertThat(scope.counts(listed(cell))).isEqualTo(counts);
    }

    @Test
    void cellsThatBothOweCount() {
        Scope scope = Scope.all(3, 1);

        assertCounts(scope, value(NOW, 1), false);
        assertCounts(scope, value(NOW, 2), true);
        assertCounts(scope, deletion(NOW, 3), true);
        assertThat(scope.above(2)).isEqualTo(new Scope(3, 2, Long.MAX_VALUE, Long.MIN_VALUE));
    }

    @Test
    void cellsThatMayStillBeOnTheirWayDoNotCount() {
        Scope scope = new Scope(3, 0, NOW, Long.MIN_VALUE);

        assertCounts(scope, value(NOW - 1, 3), true);
        assertCounts(scope, value(NOW, 3), false);
        assertThat(scope.isSettled(value(NOW - 1, 3).version())).isTrue();
        assertThat(scope.isSettled(value(NOW, 3).version())).isFalse();
    }

    @Test
    void whatEveryMemberHasSeenEndDoesNotCount() {
        Scope scope = new Scope(3, 0, Long.MAX_VALUE, NOW);

        assertCounts(scope, deletion(NOW - 1, 3), false);
        assertCounts(scope, deletion(NOW, 3), true);
        assertCounts(scope, value(NOW - 1, 3), true); // A value that does not end has not ended.
        assertThat(scope.hasEnded(NOW - 1)).isTrue();
        assertThat(scope.hasEnded(NOW)).isFalse();
    }

    @Test
    void strayHasNoMoreCopiesThanTheRankOfItsHolder() {
        Scope scope = new Scope(3, 0, NOW, NOW - 1000);
        Strays strays = new Strays(2, 1);

        assertThat(strays.areHere(scope, value(NOW - 1, 2))).isTrue();
        assertThat(strays.areHere(scope, value(NOW - 1, 3))).isFalse();
        assertThat(strays.areHere(scope, value(NOW, 2))).as("on its way").isFalse();
        assertThat(strays.areHere(scope, deletion(NOW - 1001, 2)))
                .as("seen by all")
                .isFalse();
        assertThat(strays.areThere(scope, listed(value(NOW - 1, 1)))).isTrue();
        assertThat(strays.areThere(scope, listed(value(NOW - 1, 2)))).isFalse();
        assertThat(Strays.NONE.areHere(scope, value(NOW - 1, 1))).isFalse();
    }

    @Test
    void strayGoesToTheMemberThatOwesIt() {
        Scope scope = Scope.all(3, 0);
        Strays holdsForTheFirst = new Strays(2, 0);
        Strays isTheFirst = new Strays(0, 2);

        assertThat(holdsForTheFirst.areHereForThere(scope, value(NOW, 2))).isTrue();
        assertThat(holdsForTheFirst.areHereForThere(scope, value(NOW, 3)))
                .as("it is no stray")
                .isFalse();
        assertThat(new Strays(2, 1).areHereForThere(scope, value(NOW, 1)))
                .as("the other does not owe it either")
                .isFalse();
        assertThat(isTheFirst.areThereForHere(scope, listed(value(NOW, 2)))).isTrue();
        assertThat(isTheFirst.areThereForHere(scope, listed(value(NOW, 3)))).isFalse();
        assertThat(new Strays(1, 2).areThereForHere(scope, listed(value(NOW, 1))))
                .isFalse();
    }
}
