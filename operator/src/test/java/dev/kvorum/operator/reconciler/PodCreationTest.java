package dev.kvorum.operator.reconciler;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the events of a StatefulSet tell of a pod. */
class PodCreationTest {
    private static final Event FAILED = event(
            "FailedCreate",
            "2026-01-01T00:00:10Z",
            "create Pod demo-1 in StatefulSet demo failed error: exceeded quota");

    @Test
    void anAttemptThatFailedIsToldInItsOwnWords() {
        assertThat(PodCreation.failure("demo-1", List.of(FAILED)).orElseThrow()).endsWith("exceeded quota");
    }

    @Test
    void oneThatFailedBeforeTheLastOneIsNot() {
        Event later =
                event("SuccessfulCreate", "2026-01-01T00:00:11Z", "create Pod demo-1 in StatefulSet demo successful");

        assertThat(PodCreation.failure("demo-1", List.of(later, FAILED))).isEmpty();
    }

    @Test
    void thatOfAnotherPodIsNot() {
        Event other =
                event("SuccessfulCreate", "2026-01-01T00:00:11Z", "create Pod demo-10 in StatefulSet demo successful");

        assertThat(PodCreation.failure("demo-1", List.of(FAILED, other))).isPresent();
        assertThat(PodCreation.failure("demo-10", List.of(FAILED, other))).isEmpty();
    }

    /** Anybody who may write events may write such. */
    @Test
    void eventsThatSayNothingArePassedOver() {
        Event silent = new EventBuilder().withNewMetadata().endMetadata().build();
        Event wordless = new EventBuilder(silent).withReason("FailedCreate").build();
        Event timeless = new EventBuilder(wordless)
                .withMessage("create Pod demo-1 in StatefulSet demo failed")
                .build();

        assertThat(PodCreation.failure("demo-1", List.of(silent, wordless, timeless, FAILED)))
                .contains(FAILED.getMessage());
    }

    private static Event event(String reason, String time, String message) {
        return new EventBuilder()
                .withReason(reason)
                .withLastTimestamp(time)
                .withMessage(message)
                .build();
    }
}
