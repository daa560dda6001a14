package dev.kvorum.node.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class OpenRegistersTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Version FIRST = new Version(1, 1);
    private static final Version SECOND = new Version(2, 1);

    private final OpenRegisters open = new OpenRegisters();

    private OpenRegisters.Entry entry() {
        return Objects.requireNonNull(open.of(KEY));
    }

    @Test
    void acceptanceThatBeganWhileTheRowWasReadKeepsItOpen() {
        open.found(7, KEY, FIRST);
        OpenRegisters.Entry before = entry();

        open.begins(7, KEY, SECOND);
        open.closed(KEY, before);
        assertThat(open.in(7)).containsExactly(KEY);

        open.ended(KEY);
        open.closed(KEY, before);
        assertThat(open.in(7)).containsExactly(KEY);

        open.closed(KEY, entry());
        assertThat(open.size()).isZero();
    }

    @Test
    void acceptanceUnderWayWhenTheRowIsReadKeepsItOpen() {
        open.begins(7, KEY, FIRST);

        open.closed(KEY, entry());
        open.committed(KEY, FIRST);

        assertThat(open.in(7)).containsExactly(KEY);
    }

    @Test
    void commitClosesWhatWasAcceptedUpToItsVersion() {
        open.begins(7, KEY, SECOND);
        open.ended(KEY);

        open.committed(KEY, FIRST);
        assertThat(open.all()).containsExactly(KEY);

        open.committed(KEY, SECOND);
        assertThat(open.all()).isEmpty();
    }

    /** The same version comes again under another ballot. */
    @Test
    void acceptanceOfTheSameVersionThatBeganAndEndedWhileTheRowWasReadKeepsItOpen() {
        open.found(7, KEY, FIRST);
        OpenRegisters.Entry before = entry();

        open.begins(7, KEY, FIRST);
        open.ended(KEY);
        open.closed(KEY, before);

        assertThat(open.all()).containsExactly(KEY);
    }

    @Test
    void registersAreToldApartByTheirPartition() {
        Key other = Key.of("other");
        open.found(7, KEY, FIRST);
        open.found(8, other, FIRST);

        assertThat(open.in(7)).containsExactly(KEY);
        assertThat(open.in(8)).containsExactly(other);
        assertThat(open.in(9)).isEmpty();
    }
}
