package dev.kvorum.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.generate.Outcome;
import dev.kvorum.load.generate.PatientClients.Reply;
import dev.kvorum.load.generate.Slice;
import dev.kvorum.load.generate.StretchResult.Part;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PatienceTest {
    private static final Part OVERLOAD = new Part(Slice.empty(), Slice.empty(), 1_000, 2_000);

    @Test
    void countsWhatWasToldInTheOverloadAlone() {
        Patience patience = Patience.in(
                OVERLOAD,
                List.of(
                        new Reply(999, 90_000, Outcome.REFUSED),
                        new Reply(1_000, 1_000, Outcome.DONE),
                        new Reply(1_500, 4_000, Outcome.REFUSED),
                        new Reply(1_700, 60_000, Outcome.TIMED_OUT),
                        new Reply(1_999, 7_000, Outcome.DONE),
                        new Reply(2_000, 80_000, Outcome.DONE)));

        assertThat(patience).isEqualTo(new Patience(Optional.of(7.003), 1, Optional.of(4.001), 1));
    }

    @Test
    void nothingIsSaidOfWaitsThatThereWereNot() {
        Patience patience = Patience.in(OVERLOAD, List.of(new Reply(1_500, 1_000, Outcome.LOST)));

        assertThat(patience).isEqualTo(new Patience(Optional.empty(), 0, Optional.empty(), 1));
    }
}
